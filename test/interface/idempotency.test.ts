import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealInstance, type RealInstance } from './real-instance.ts';
import { plainRequest, type PlainAnswer } from '../http/start-test-server.ts';

/** Requests sent again under one `Idempotency-Key`. */

let instance: RealInstance;
beforeAll(async () => {
  instance = await startRealInstance({ approve: 'all' });
  await instance.sinete.core.testIdentities.make({ name: 'ANA LIMA', cpf: '11144477735' });
});
afterAll(async () => instance.stop());

const create = async (key: string, body: string): Promise<PlainAnswer> =>
  plainRequest(
    { port: instance.port },
    {
      method: 'POST',
      path: '/signature-service',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body,
    },
  );
const tcnOf = ({ body }: PlainAnswer): unknown => (JSON.parse(body) as { readonly tcn?: unknown }).tcn;

const first = '{"type":"CMS","documents_source":"DATA_URL","documents":[{"id":"a","data":"data:,1"}]}';

describe('a create request under a used key', () => {
  it.each([
    ['the same bytes', first],
    [
      'members in another order',
      '{"documents":[{"data":"data:,1","id":"a"}],"documents_source":"DATA_URL","type":"CMS"}',
    ],
    ['blanks and lines', JSON.stringify(JSON.parse(first), undefined, 2)],
    ['characters as escapes', first.replace('CMS', '\\u0043MS')],
  ])('is answered as before, and says so, for %s', async (name, again) => {
    const before = await create(name, first);
    expect([before.status, before.headers['idempotent-replayed']]).toEqual([201, undefined]);
    const answer = await create(name, again);
    expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(tcnOf(answer)).toBe(tcnOf(before));
  });

  it.each([
    ['another value', first.replace('data:,1', 'data:,2')],
    ['a number for a text', first.replace('"id":"a"', '"id":1')],
    ['one more member', first.replace('{"type"', '{"mode":"async","type"')],
    ['a list of another length', first.replace('}]', '},{"id":"b","data":"data:,1"}]')],
  ])('is refused for %s', async (name, other) => {
    expect((await create(name, first)).status).toBe(201);
    const answer = await create(name, other);
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining('IDEMPOTENCY_CONFLICT')]);
  });

  it('is refused for values that only look alike when joined', async () => {
    const named = (id: string, name: string): string =>
      first.replace('"id":"a"', `"id":"${id}","original_file_name":"${name}"`);
    expect((await create('joined', named('ab', 'c'))).status).toBe(201);
    expect((await create('joined', named('a', 'bc'))).status).toBe(409);
  });

  it('is refused as usual when its JSON is nested deeper than a stack', async () => {
    const depth = 4000;
    const nested = first.replace('{"type"', `{"x":${'['.repeat(depth)}${']'.repeat(depth)},"type"`);
    const [before, answer] = [await create('deep', nested), await create('deep', nested)];
    expect([before.status, answer.status, tcnOf(answer)]).toEqual([201, 201, tcnOf(before)]);
  });
});
