import { afterEach, describe, expect, it } from 'vitest';
import { verifyCms } from '../../../src/signing/index.ts';
import { personWith } from '../../pki/identities.ts';
import {
  createRequest,
  dataUrl,
  finished,
  incoming,
  keptIn,
  bytesOf,
  openWorld,
  requester,
  type World,
} from './transaction-world.ts';

let world: World;
afterEach(() => world.end());

const CONTENT = 'the content';

/** A small document waiting for approval, brought in the body or by upload. */
async function waiting(request: Parameters<typeof createRequest>[0], byUpload: boolean): Promise<string> {
  const documents = { documentsSource: 'DATA_URL', documents: [{ data: dataUrl(CONTENT) }] } as const;
  const { tcn } = await world.transactions.create(
    createRequest({ ...(byUpload ? {} : documents), ...request }),
    requester,
  );
  if (byUpload) await world.transactions.upload(tcn, { endOfTransaction: true }, incoming(['a.txt', CONTENT]));
  return tcn;
}

const signatures = [
  ['signed beside its content with a key that signs SHA-256', {}, 'ec-p256', 0],
  ['signed around its content', { type: 'CAdES-attached' }, 'ec-p256', 1],
  ['signed with another hash than the one that is written down', { digest: 'sha512' }, 'ec-p256', 1],
  ['signed with a key that chooses its hash', {}, 'ed25519', 1],
] as const;

describe('a small document without a need for approval', () => {
  it.each(signatures)('%s: the content is kept only where it is needed', async (_why, request, keyKind, rests) => {
    world = await openWorld({ approve: 'all' });
    await world.addKey(await personWith({ keyKind }));
    const { tcn } = await world.transactions.create(createRequest(request), requester);
    await world.transactions.upload(tcn, { endOfTransaction: false }, incoming(['a.txt', CONTENT]));
    expect((await keptIn(world)).originals).toHaveLength(rests);
  });
});

describe.each([
  ['in the body', false],
  ['by upload', true],
] as const)('a small document that came %s and waits for approval', (_way, byUpload) => {
  it.each(signatures)(
    '%s: the content is kept for the approval, and the signature holds',
    async (_why, request, keyKind) => {
      world = await openWorld({ approve: 'ask' });
      await world.addKey(await personWith({ keyKind }));
      const tcn = await waiting(request, byUpload);
      expect((await keptIn(world)).originals).toHaveLength(1);

      world = await world.restart();
      await world.transactions.decide(tcn, 'approve');
      const { documents } = await finished(world.transactions, tcn);
      expect(documents.map(({ status }) => status)).toEqual(['SIGNED']);
      const signature = bytesOf(await world.transactions.result(tcn, '0'));
      const isAttached = 'type' in request;
      const { signers } = await verifyCms(signature, isAttached ? undefined : Buffer.from(CONTENT));
      expect(signers.map(({ outcome }) => outcome)).toEqual(['intact']);
      expect((await keptIn(world)).originals).toEqual([]);
    },
  );
});
