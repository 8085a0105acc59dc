/**
 * The servers of an instance of these tests, all on loopback: time stamps, an object store, and a receiver of
 * notifications.
 */
import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createTestAuthority,
  issueTestPerson,
  startTestServices,
  testServiceUrls,
} from '../../src/test-authority/index.ts';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { startFaulty, startS3 } from '../storage/object-stores/object-servers.ts';
import { startReceiver, type Receiver } from '../service/notifications/receiver.ts';
import { MARIA_CPF } from '../pki/identities.ts';
import { meetHttp } from './faults.ts';

/** Addresses, and the signer: enough for an instance in another process. */
export interface ProofAddresses {
  readonly timestampUrl: string;
  readonly store: string;
  readonly receiver: string;
}

export interface ProofServices extends ProofAddresses {
  readonly person: TestIdentity;
  /** DER of the authority's root. */
  readonly root: Buffer;
  readonly notified: Receiver;
  close(): Promise<void>;
}

export const bucket = 'papers';

export async function startProofServices(): Promise<ProofServices> {
  const stamps = await startTestServices({
    port: 0,
    authority: async (origin) => createTestAuthority({ keyKind: 'ec-p256', urls: testServiceUrls(origin) }),
  });
  const person = await issueTestPerson(stamps.authority, {
    keyKind: 'ec-p256',
    name: 'MARIA DE TESTE',
    cpf: MARIA_CPF,
  });
  const store = await startS3([bucket]);
  const way = await startFaulty((incoming, response) => passOn(store.url, incoming, response));
  const receiver = await startReceiver();
  return {
    timestampUrl: stamps.timestampUrl,
    store: way.url,
    receiver: receiver.origin,
    notified: receiver,
    person,
    root: Buffer.from(stamps.authority.root.certificate),
    close: async () => {
      await Promise.all([stamps.close(), way.stop(), receiver.close()]);
      await store.stop();
    },
  };
}

/** The way to the store; exchanges can be lost there. */
function passOn(origin: string, incoming: IncomingMessage, response: ServerResponse): void {
  try {
    meetHttp(`store ${incoming.method ?? ''}`);
  } catch {
    incoming.socket.resetAndDestroy();
    return;
  }
  const { method, headers, url = '/' } = incoming;
  const outgoing = request(new URL(url, origin), { method: method ?? 'GET', headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.once('error', () => response.destroy());
  incoming.pipe(outgoing);
}
