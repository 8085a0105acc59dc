import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import {
  InstanceProof,
  isProvenInstance,
  newChallenge,
  proveRequest,
  type ChallengeAnswer,
} from '../../../src/http/peer/instance-proof.ts';
import type { Peer } from '../../../src/http/local-guard.ts';
import { plainRequest, startTestServer, type TestServer } from '../start-test-server.ts';

const proofKey = randomBytes(32);
const servers: TestServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function start(peer: Peer): Promise<TestServer> {
  const server = await startTestServer({
    peerUser: { identify: async () => Promise.resolve(peer) },
    proof: new InstanceProof(proofKey),
  });
  servers.push(server);
  return server;
}

const hostOf = ({ port }: TestServer): string => `127.0.0.1:${port}`;

async function challenge(
  server: TestServer,
  text = newChallenge(),
): Promise<{ status: number; body: ChallengeAnswer }> {
  const path = `/.well-known/sinete?challenge=${text}`;
  const { status, body } = await plainRequest(server, { path, headers: { Host: hostOf(server) } });
  return { status, body: JSON.parse(body) as ChallengeAnswer };
}

/** Sends a request with a proof; `sent` is the part of the request differing from the proven request. */
async function send(
  server: TestServer,
  options: {
    readonly nonce?: string;
    readonly key?: Buffer;
    readonly listener?: string;
    readonly sent?: { readonly method?: string; readonly path?: string; readonly body?: string };
  } = {},
): Promise<number> {
  const proven = { method: 'POST', path: '/signature-service', body: '{"type":"none"}' };
  const nonce = options.nonce ?? (await challenge(server)).body.nonce;
  const proof = proveRequest(options.key ?? proofKey, nonce, {
    listener: options.listener ?? hostOf(server),
    method: proven.method,
    target: proven.path,
    body: proven.body,
  });
  const { method, path, body } = { ...proven, ...options.sent };
  const headers = {
    Host: hostOf(server),
    'Content-Type': 'application/json',
    'X-Sinete-Proof': proof,
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return plainRequest(server, { method, path, headers, body }).then(
    ({ status }) => status,
    () => 0,
  );
}

/** `reached`: the handler has read the body and found the body incomplete. `brokenOff`: there is no answer. */
const [reached, refused, brokenOff] = [422, 403, 0];

describe('a program without a user told by the system', () => {
  it.each(['not-told', 'not-identified'] as const)(
    'is let in with a proof, and refused without one (%s)',
    async (peer) => {
      const server = await start(peer);
      const plain = await plainRequest(server, { path: '/dashboard', headers: { Host: hostOf(server) } });
      expect([plain.status, JSON.parse(plain.body)]).toMatchObject([refused, { code: 'PROOF_REQUIRED' }]);
      expect(await send(server)).toBe(reached);
    },
  );

  it.each([
    ['another method', { sent: { method: 'PUT' } }, refused],
    ['another path', { sent: { path: '/signature-service?x=1' } }, refused],
    ['another key', { key: randomBytes(32) }, refused],
    ['another listener', { listener: '127.0.0.1:1' }, refused],
    [
      'a nonce of another instance',
      { nonce: new InstanceProof(randomBytes(32)).answer(newChallenge(), 'x')?.nonce ?? '' },
      refused,
    ],
    ['another body', { sent: { body: '{"type":"nine"}' } }, brokenOff],
    ['a longer body', { sent: { body: '{"type":"none"} ' } }, brokenOff],
  ])('is refused with the proof of %s', async (_name, options, expected) => {
    const server = await start('not-told');
    expect(await send(server, options)).toBe(expected);
  });

  it('can use a nonce once only', async () => {
    const server = await start('not-told');
    const { nonce } = (await challenge(server)).body;
    expect([await send(server, { nonce }), await send(server, { nonce })]).toEqual([reached, refused]);
  });

  it('can use a nonce for a minute only', () => {
    let now = 1000;
    const proof = new InstanceProof(proofKey, () => now);
    const about = { listener: '127.0.0.1:1', method: 'GET', target: '/user' };
    const header = (): string => {
      const nonce = proof.answer(newChallenge(), about.listener)?.nonce ?? '';
      return proveRequest(proofKey, nonce, { ...about, body: '' });
    };
    const [early, late] = [header(), header()];
    now += 59_999;
    expect(proof.bodyDigestOf(early, about)).toBeDefined();
    now += 1;
    expect(proof.bodyDigestOf(late, about)).toBeUndefined();
  });
});

describe('the instance', () => {
  it('proves itself for its own listener and this challenge only', async () => {
    const server = await start('not-told');
    const asked = { challenge: newChallenge(), listener: hostOf(server) };
    const { body } = await challenge(server, asked.challenge);
    expect(isProvenInstance(proofKey, asked, body)).toBe(true);
    expect(isProvenInstance(proofKey, { ...asked, challenge: newChallenge() }, body)).toBe(false);
    expect(isProvenInstance(proofKey, { ...asked, listener: '127.0.0.1:1' }, body)).toBe(false);
    expect(isProvenInstance(randomBytes(32), asked, body)).toBe(false);
  });

  it('answers no challenge of another length, to keep its answers from being the proof of a request', async () => {
    const server = await start('same-user');
    for (const text of ['', 'AA', randomBytes(31).toString('base64url'), randomBytes(33).toString('base64url')]) {
      expect((await challenge(server, text)).status).toBe(422);
    }
    const { body } = await challenge(server);
    const reused = `${body.nonce}.${newChallenge()}.${body.proof}`;
    const about = { listener: hostOf(server), method: 'GET', target: '/' };
    expect(new InstanceProof(proofKey).bodyDigestOf(reused, about)).toBeUndefined();
  });
});
