import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CreateTransaction, IncomingDocument, UploadRequest } from '../../../src/service/transactions/index.ts';
import { personWith } from '../../pki/identities.ts';
import { buildPdf, onePage } from '../../signing/pdf/build-pdf.ts';
import {
  chunksOf,
  createRequest,
  filesOnly,
  finished,
  incoming,
  keptIn,
  bytesOf,
  openWorld,
  requester,
  type World,
} from './transaction-world.ts';

const HOUR = 3_600_000;
const maria = await personWith();

let world: World;
afterEach(() => world.end());

const create = async (overrides: Partial<CreateTransaction> = {}): Promise<string> =>
  (await world.transactions.create(createRequest(overrides), requester)).tcn;
const upload = (tcn: string, request: Partial<UploadRequest>, documents: AsyncIterable<IncomingDocument>) =>
  world.transactions.upload(tcn, { endOfTransaction: false, ...request }, documents);
const more = { endOfTransaction: false };
const end = { endOfTransaction: true };

/** All documents of the data folder. */
const kept = async (): Promise<readonly string[]> => {
  const { incoming: received, originals, results } = await keptIn(world);
  return [...received, ...originals, ...results];
};

async function* breakingOff(): AsyncGenerator<IncomingDocument> {
  yield* incoming(['whole.txt', 'whole']);
  yield { fileName: 'half.txt', mediaType: undefined, content: breakingContent() };
}

async function* breakingContent(): AsyncGenerator<Uint8Array> {
  yield* chunksOf(Buffer.from('half'));
  throw new Error('Unexpected end of form');
}

async function* one(document: IncomingDocument): AsyncGenerator<IncomingDocument> {
  await Promise.resolve();
  yield document;
}

describe.each([
  ['the database', {}],
  ['files', filesOnly],
] as const)('with small documents in %s', (_place, limits) => {
  beforeEach(async () => {
    world = await openWorld({ limits: { ...limits, documentSize: 1 << 20, documentsPerTransaction: 3 } });
    await world.addKey(maria);
  });

  describe('upload', () => {
    it('takes a batch over several requests and signs it after the last', async () => {
      const tcn = await create();
      const first = await upload(tcn, more, incoming(['a.txt', 'a'], ['b.txt', 'b']));
      expect(first.documents.map(({ id, originalFileName }) => [id, originalFileName])).toEqual([
        ['0', 'a.txt'],
        ['1', 'b.txt'],
      ]);
      expect(await world.transactions.query(tcn)).toMatchObject({ status: 'WAITING', waitingFor: 'upload' });
      const last = await upload(tcn, end, incoming(['c.txt', 'c']));
      expect(last).toMatchObject({ tcn, endOfTransaction: true, documents: [{ id: '2' }] });
      const view = await finished(world.transactions, tcn);
      expect(view.documents.map(({ status }) => status)).toEqual(['SIGNED', 'SIGNED', 'SIGNED']);
      await expect.poll(kept).toHaveLength(3);
    });

    it('reads nothing of a request refused for any content', async () => {
      let requests = 0;
      async function* counted(): AsyncGenerator<IncomingDocument> {
        requests += 1;
        yield* incoming(['a.txt', 'a']);
      }
      const several = await create({ settings: [{ id: 'a' }, { id: 'b' }] });
      const closed = await create();
      await upload(closed, end, incoming(['a.txt', 'a']));
      for (const [tcn, request, code] of [
        [several, more, 'SIGNATURE_SETTING_REQUIRED'],
        [several, { ...more, settingId: 'c' }, 'SIGNATURE_SETTING_UNKNOWN'],
        [closed, more, 'UPLOAD_CLOSED'],
      ] as const) {
        await expect(upload(tcn, request, counted())).rejects.toMatchObject({ code });
      }
      expect(requests).toBe(0);
      await upload(several, { ...more, settingId: 'a' }, counted());
      expect(requests).toBe(1);
    });

    it('tells size and SHA-256 of the upload', async () => {
      const content = randomBytes(300_000);
      const tcn = await create();
      const chunks = chunksOf(content.subarray(0, 7), content.subarray(7, 200_000), content.subarray(200_000));
      const { documents } = await upload(tcn, end, one({ fileName: 'x', mediaType: undefined, content: chunks }));
      expect(documents[0]).toMatchObject({
        size: 300_000,
        checksum: createHash('sha256').update(content).digest('hex'),
      });
      await finished(world.transactions, tcn);
      expect(bytesOf(await world.transactions.result(tcn, '0'))[0]).toBe(0x30);
    });

    it('ends a batch with an empty request', async () => {
      const tcn = await create();
      await upload(tcn, more, incoming(['a', 'a']));
      await upload(tcn, end, incoming());
      expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    });

    it('answers signed documents in sync mode', async () => {
      const tcn = await create({ mode: 'sync' });
      expect((await upload(tcn, end, incoming(['a', 'a']))).documents).toMatchObject([{ status: 'SIGNED' }]);
    });

    it('gives documents to unnamed announcements in order', async () => {
      const tcn = await create({ documents: [{ id: 'x' }, { id: 'y' }] });
      const outcome = await upload(tcn, more, incoming(['first.txt', 'x'], ['second.txt', 'y']));
      expect(outcome.documents.map(({ id, originalFileName }) => [id, originalFileName])).toEqual([
        ['x', 'first.txt'],
        ['y', 'second.txt'],
      ]);
      const { documents: added } = await upload(tcn, end, incoming(['third.txt', 'z']));
      expect(added.map(({ id }) => id)).toEqual(['2']);
    });

    it('fails missing announced documents and signs the others', async () => {
      const tcn = await create({ documents: [{ id: 'x' }, { id: 'y' }] });
      await upload(tcn, end, incoming(['x', 'x']));
      const { documents } = await finished(world.transactions, tcn);
      expect(documents.map(({ status, error }) => error?.code ?? status)).toEqual(['SIGNED', 'UPLOAD_INCOMPLETE']);
    });

    it('fails other files where PDFs are signed', async () => {
      const tcn = await create({ type: 'PAdES' });
      const { documents } = await upload(tcn, end, incoming(['a.pdf', buildPdf(onePage())], ['b.pdf', 'no PDF']));
      expect(documents[1]).toMatchObject({ status: 'ERROR', error: { code: 'DOCUMENT_NOT_A_PDF' } });
      expect(await finished(world.transactions, tcn)).toMatchObject({
        status: 'ERROR',
        documents: [{ status: 'SIGNED' }, { status: 'ERROR' }],
      });
    });

    it('keeps a client from choosing names here', async () => {
      const tcn = await create();
      const { documents } = await upload(tcn, end, incoming(['../../etc/pass\u0000wd', 'a']));
      expect(documents[0]?.originalFileName).toBe('passwd');
      expect((await kept()).every((name) => /^[0-9a-f]{32}(\.draft)?$/.test(name))).toBe(true);
    });
  });

  describe('a refused upload', () => {
    it('leaves no entry and no file when broken off', async () => {
      const tcn = await create();
      await expect(upload(tcn, end, breakingOff())).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' });
      expect(await kept()).toEqual([]);
      expect(await world.transactions.query(tcn)).toMatchObject({ waitingFor: 'upload', documents: [] });
      await upload(tcn, end, incoming(['again', 'a']));
      expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    });

    it('leaves nothing of a document over the limit, and says the limit', async () => {
      const tcn = await create();
      const big = incoming(['ok', 'ok'], ['big', Buffer.alloc((1 << 20) + 1)]);
      await expect(upload(tcn, end, big)).rejects.toMatchObject({
        code: 'DOCUMENT_TOO_LARGE',
        message: expect.stringContaining('1 MiB') as string,
      });
      expect(await kept()).toEqual([]);
    });

    it('leaves nothing of a request with more documents than the limit', async () => {
      const tcn = await create({ type: 'CAdES-attached' });
      await upload(tcn, more, incoming(['a', 'a'], ['b', 'b']));
      await expect(upload(tcn, more, incoming(['c', 'c'], ['d', 'd']))).rejects.toMatchObject({
        code: 'TOO_MANY_DOCUMENTS',
        message: expect.stringContaining('3') as string,
      });
      expect(await kept()).toHaveLength(2);
    });

    it('counts documents of simultaneous requests', async () => {
      const tcn = await create({ type: 'CAdES-attached' });
      const outcomes = await Promise.allSettled([
        upload(tcn, more, incoming(['a', 'a'], ['b', 'b'])),
        upload(tcn, more, incoming(['c', 'c'], ['d', 'd'])),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await kept()).toHaveLength(2);
    });

    it('is closed after the batch has ended', async () => {
      const tcn = await create();
      await upload(tcn, end, incoming(['a', 'a']));
      await expect(upload(tcn, more, incoming(['b', 'b']))).rejects.toMatchObject({ code: 'UPLOAD_CLOSED' });
    });

    it('stays open after an end without any document', async () => {
      const tcn = await create();
      await expect(upload(tcn, end, incoming())).rejects.toMatchObject({ code: 'NO_DOCUMENTS' });
      await upload(tcn, end, incoming(['a', 'a']));
      expect(await finished(world.transactions, tcn)).toMatchObject({ status: 'SIGNED' });
    });

    it('needs a setting when there are several', async () => {
      const tcn = await create({ settings: [{ id: 'a' }, { id: 'b' }] });
      await expect(upload(tcn, end, incoming(['x', 'x']))).rejects.toMatchObject({
        code: 'SIGNATURE_SETTING_REQUIRED',
      });
      await expect(upload(tcn, { ...end, settingId: 'c' }, incoming(['x', 'x']))).rejects.toMatchObject({
        code: 'SIGNATURE_SETTING_UNKNOWN',
      });
      const { documents } = await upload(tcn, { ...end, settingId: 'b' }, incoming(['x', 'x']));
      expect(documents).toMatchObject([{ signatureSetting: 'b' }]);
    });

    it.each([
      [
        'whose announced documents bring settings of their own',
        { documents: [{ id: 'x', signatureSetting: 'b' }] },
        more,
      ],
      ['whose documents came under named settings', {}, { ...more, settingId: 'b' }],
    ] as const)('signs a batch %s after an empty request ending the batch', async (_what, asked, request) => {
      const tcn = await create({ settings: [{ id: 'a' }, { id: 'b' }], ...asked });
      await upload(tcn, request, incoming(['x', 'x']));
      await upload(tcn, end, incoming());
      expect(await finished(world.transactions, tcn)).toMatchObject({
        status: 'SIGNED',
        documents: [{ signatureSetting: 'b' }],
      });
    });

    it('keeps nothing of a last document without a choice among several settings', async () => {
      const tcn = await create({ settings: [{ id: 'a' }, { id: 'b' }] });
      await upload(tcn, { ...more, settingId: 'b' }, incoming(['x', 'x']));
      const before = await kept();
      await expect(upload(tcn, end, incoming(['y', 'y']))).rejects.toMatchObject({
        code: 'SIGNATURE_SETTING_REQUIRED',
      });
      expect(await kept()).toEqual(before);
      expect(await world.transactions.query(tcn)).toMatchObject({ waitingFor: 'upload', documents: [{ id: '0' }] });
    });

    it('knows no other transaction', async () => {
      await expect(upload('0'.repeat(26), end, incoming(['x', 'x']))).rejects.toMatchObject({
        code: 'TRANSACTION_NOT_FOUND',
      });
    });
  });

  describe('an upload never ended', () => {
    it('fails after its time and removes the received bytes', async () => {
      const tcn = await create();
      const empty = await create();
      await upload(tcn, more, incoming(['a', 'a']));
      world.advance(25 * HOUR);
      await world.transactions.resume();
      expect(await world.transactions.query(tcn)).toMatchObject({
        status: 'ERROR',
        waitingFor: null,
        documents: [{ error: { code: 'UPLOAD_EXPIRED' } }],
      });
      expect(await world.transactions.query(empty)).toMatchObject({ status: 'ERROR', documents: [] });
      expect(await kept()).toEqual([]);
    });
  });
});
