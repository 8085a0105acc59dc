import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type Answer, type RealInstance } from './real-instance.ts';

/** The documents of a query, in pages and under the names read by existing clients. */

let instance: RealInstance;
let tcn: string;
beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  await instance.sinete.handlers['user-interface']['certificates.makeTestIdentity']({
    name: 'ANA LIMA',
    cpf: '11144477735',
  });
  const documents = ['a', 'b', 'c'].map((id) => ({ id, data: `data:text/plain,${id}` }));
  const json = { type: 'CMS', documents_source: 'DATA_URL', mode: 'sync', documents };
  tcn = String((await instance.send('POST', '/signature-service', { json })).content.tcn);
});
afterAll(async () => instance.stop());

const query = async (words: string): Promise<Answer> => instance.send('GET', `/signature-service/${tcn}${words}`);
const entries = ({ content }: Answer): readonly Record<string, unknown>[] =>
  content.documents as readonly Record<string, unknown>[];

describe('the documents of a query', () => {
  it.each([
    ['', ['a', 'b', 'c']],
    ['?documents_limit=2', ['a', 'b']],
    ['?documents_after=b', ['c']],
    ['?documents_after=a&documents_limit=1', ['b']],
    ['?documents_limit=0', []],
  ])('with %j are %j, beside the counts of all', async (words, ids) => {
    const answer = await query(words);
    expect(entries(answer).map(({ id }) => id)).toEqual(ids);
    expect(answer.content.counts).toEqual({ SIGNED: 3, WAITING: 0, ERROR: 0 });
  });

  it.each(['?documents_after=z', '?documents_after=a&documents_after=b', '?documents_after=z&documents_limit=0'])(
    'begin behind one known document: %s is refused',
    async (words) => {
      const { status, content } = await query(words);
      expect([status, content.errors]).toMatchObject([422, [{ field: 'documents_after' }]]);
    },
  );

  it('begin at the first document for an empty value', async () => {
    expect(entries(await query('?documents_after='))).toHaveLength(3);
  });

  it.each(['1001', '-1', 'x'])('come in pages of 1,000 at most: %s is refused', async (limit) => {
    const { status, content } = await query(`?documents_limit=${limit}`);
    expect([status, content.errors]).toMatchObject([422, [{ field: 'documents_limit' }]]);
  });

  it('have their media type under both names, and a number for a lifetime', async () => {
    for (const entry of entries(await query(''))) {
      expect(entry.media_type).toMatch(/^text\/plain/);
      expect(entry).toMatchObject({ mediatype: entry.media_type, lifetime: expect.any(Number) as number });
    }
  });
});
