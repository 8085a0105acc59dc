import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import type { CreateTransaction } from '../../src/service/transactions/index.ts';
import { startReceiver, type Behaviour, type Receiver } from '../service/notifications/receiver.ts';
import { createRequest, dataUrl, finished } from '../service/transactions/transaction-world.ts';
import { startProofServices, type ProofServices } from './proof-services.ts';
import { callbackOf, openProofWorld, prepareProofFolder, type ProofWorld } from './proof-world.ts';

const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: '1' }, new Date(0));
const behaviours: readonly Behaviour[] = ['hang', 'reset', 'garbage', 500, 503, 'broken-body', 'endless'];
/** Milliseconds of these instances' wait for their servers. */
const IMPATIENT = 2000;

let services: ProofServices;
let bad: Receiver;
let root: string;
beforeAll(async () => {
  services = await startProofServices();
  bad = await startReceiver();
  root = mkdtempSync(join(tmpdir(), 'sinete-endpoints-'));
  await prepareProofFolder(root, { ...services, timestampUrl: `${bad.origin}/tsa` }, IMPATIENT);
});
afterAll(async () => {
  await Promise.all([services.close(), bad.close()]);
  rmSync(root, { recursive: true });
});

async function withInstance(use: (proof: ProofWorld) => Promise<void>): Promise<void> {
  const proof = await openProofWorld(root, { ...services, store: bad.origin, receiver: bad.origin }, {}, IMPATIENT);
  try {
    await use(proof);
  } finally {
    await proof.stop();
  }
}

/** The error code of the only document. Documents needing no other server are signed meanwhile. */
async function codeOf(proof: ProofWorld, request: Partial<CreateTransaction>): Promise<string | undefined> {
  const tcn = await proof
    .create(createRequest({ documentsSource: 'DATA_URL', ...request }))
    .catch((error: unknown) => (error as { readonly code: string }).code);
  expect(await proof.world.transactions.countByStatus()).toBeDefined();
  const other = await proof.create(createRequest({ documentsSource: 'DATA_URL', documents: [{ data: dataUrl('a') }] }));
  expect((await finished(proof.world.transactions, other)).status).toBe('SIGNED');
  if (tcn.length !== 26) return tcn;
  const { documents } = await finished(proof.world.transactions, tcn);
  return documents[0]?.error?.code;
}

describe.each(behaviours.map((behaviour) => [behaviour] as const))('an endpoint answering %s', (behaviour) => {
  // A server answering without a stamp is told apart from an unreachable server.
  const expected = typeof behaviour === 'number' ? 'TSA_UNAVAILABLE' : 'NETWORK_UNAVAILABLE';
  it(`fails a document in need of its time stamp with ${expected}, and no other`, async () => {
    bad.behave(behaviour);
    const documents = [{ data: dataUrl(pdf, 'application/pdf') }];
    await withInstance(async (proof) => {
      expect(await codeOf(proof, { documents, type: 'PAdES', policy: 'B-T' })).toBe(expected);
    });
  });

  it('fails a delivery to its store with STORE_UNAVAILABLE, and nothing else', async () => {
    bad.behave(behaviour);
    const documents = [{ data: dataUrl('a'), destinationFileName: 'a.p7s' }];
    await withInstance(async (proof) => {
      expect(await codeOf(proof, { documents, destination: 'STORE_A_S3' })).toBe('STORE_UNAVAILABLE');
    });
  });

  it('as a callback keeps no transaction from being signed', async () => {
    bad.behave(behaviour);
    await withInstance(async (proof) => {
      await proof.notifications.start();
      const callback = callbackOf(proof);
      const documents = [{ data: dataUrl('a') }];
      const tcn = await proof.create(
        createRequest({ documentsSource: 'DATA_URL', documents, ...(callback && { callback }) }),
      );
      expect((await finished(proof.world.transactions, tcn)).status).toBe('SIGNED');
    });
  });
});
