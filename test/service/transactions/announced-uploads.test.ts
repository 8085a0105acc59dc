import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/service/errors/index.ts';
import type { IncomingDocument, NewDocument } from '../../../src/service/transactions/index.ts';
import { personWith } from '../../pki/identities.ts';
import { chunksOf, createRequest, finished, openWorld, requester, type World } from './transaction-world.ts';

/** How a part of the property test names its document. */
const ways = ['id', 'name', 'both', 'unknown name', 'unknown id', 'crossed', 'none'] as const;
type Way = (typeof ways)[number];
/** Named again and again: most requests are not refused. */
const goodWays = Array.from({ length: 6 }, () => ['id', 'name', 'both'] as const).flat();

describe('documents of an upload', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await world.addKey(await personWith());
  });
  afterAll(() => world.end());

  const idOf = (index: number): string => (index % 2 === 0 ? `id-${index}` : String(9 - index));
  const nameOf = (index: number): string => `file ${index}.txt`;
  const contentOf = (index: number): string => `content of ${index}`;
  const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

  /** A part for the document with this index; its content names the document meant. */
  const incomingPart = (index: number, way: Way, count: number): IncomingDocument => {
    const label = { id: idOf(index), both: idOf(index), crossed: idOf(index), 'unknown id': `x${index}` };
    const names = {
      name: nameOf(index),
      both: nameOf(index),
      crossed: nameOf((index + 1) % count),
      'unknown name': 'x',
    };
    return {
      ...(way in label ? { label: label[way as keyof typeof label] } : {}),
      fileName: way in names ? names[way as keyof typeof names] : undefined,
      mediaType: undefined,
      content: chunksOf(Buffer.from(contentOf(index))),
    };
  };

  const announcedDocument = (index: number, hasName: boolean): NewDocument => ({
    id: idOf(index),
    ...(hasName ? { originalFileName: nameOf(index) } : {}),
  });

  const arrivals = fc.record({
    /** Whether each announced document has a name; the first always does. */
    names: fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }).map(([, ...rest]) => [true, ...rest]),
    requests: fc.array(
      fc.array(fc.tuple(fc.nat(4), fc.constantFrom(...ways, ...goodWays)), { minLength: 1, maxLength: 4 }),
      { minLength: 1, maxLength: 8 },
    ),
    parallel: fc.boolean(),
  });

  it('are signed under their own id and name only, in any order, mixture and parallelism', async () => {
    let signed = 0;
    await fc.assert(
      fc.asyncProperty(arrivals, async ({ names: hasNames, requests, parallel }) => {
        const count = hasNames.length;
        const documents = hasNames.map((hasName, index) => announcedDocument(index, hasName));
        const { tcn } = await world.transactions.create(createRequest({ documents }), requester);
        const send = async (parts: readonly (readonly [number, Way])[]): Promise<void> => {
          const incoming = async function* (): AsyncGenerator<IncomingDocument> {
            for (const [index, way] of parts) {
              await Promise.resolve();
              yield incomingPart(index % count, way, count);
            }
          };
          await world.transactions.upload(tcn, { endOfTransaction: false }, incoming()).catch(expectRefusal);
        };
        if (parallel) await Promise.all(requests.map(send));
        else for (const parts of requests) await send(parts);
        const { documents: here } = await world.transactions.query(tcn);
        if (here.every(({ size }) => size === null)) return;
        await world.transactions.upload(tcn, { endOfTransaction: true }, nothing());
        for (const document of (await finished(world.transactions, tcn)).documents) {
          if (document.status !== 'SIGNED') continue;
          signed += 1;
          const index = documents.findIndex(({ id }) => id === document.id);
          expect(document.checksum).toBe(digestOf(contentOf(index)));
          if (hasNames[index] === true) expect(document.originalFileName).toBe(nameOf(index));
        }
      }),
      { numRuns: 40 },
    );
    expect(signed).toBeGreaterThan(10);
  });

  it('are all dropped when any of them contradicts the announcement', async () => {
    const documents = [announcedDocument(0, true), announcedDocument(1, true)];
    const { tcn } = await world.transactions.create(createRequest({ documents }), requester);
    const incoming = async function* (): AsyncGenerator<IncomingDocument> {
      await Promise.resolve();
      yield incomingPart(0, 'name', 2);
      yield incomingPart(1, 'unknown name', 2);
    };
    await expect(world.transactions.upload(tcn, { endOfTransaction: true }, incoming())).rejects.toMatchObject({
      code: 'DOCUMENT_NOT_ANNOUNCED',
    });
    const view = await world.transactions.query(tcn);
    expect(view).toMatchObject({ waitingFor: 'upload', documents: [{ size: null }, { size: null }] });
    expect(await world.storage.database.selectFrom('small_originals').selectAll().execute()).toEqual([]);
  });
});

/** Contradictions are refused, nothing else. */
function expectRefusal(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
  expect(error.code).toMatch(/^DOCUMENT_(NOT_ANNOUNCED|ALREADY_UPLOADED)$/);
}

async function* nothing(): AsyncGenerator<IncomingDocument> {
  // The batch ends without further documents.
}
