/**
 * Small requests costing much. A rule taken out shows by a test without end: the old cost grew with the square of the
 * size.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../src/http/body-text.ts';
import { readCredentials } from '../../src/http/authorization/credentials.ts';
import { readBasicClient } from '../../src/http/authorization/oauth-library.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';

const base = '"type":"CMS","documents_source":"DATA_URL"';
let instance: RealInstance;

beforeAll(async () => {
  instance = await startRealInstance();
  await instance.sinete.handlers['user-interface']['certificates.makeTestIdentity']({ name: 'A', cpf: '11144477735' });
});
afterAll(async () => instance.stop());

interface Refusal {
  readonly status: number;
  readonly code: unknown;
  readonly errors: readonly { readonly field: string }[];
  readonly length: number;
}

async function post(body: string): Promise<Refusal> {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${instance.url}/signature-service`, { method: 'POST', headers, body });
  const text = await answer.text();
  const { code, errors = [] } = JSON.parse(text) as { code: unknown; errors?: { field: string }[] };
  return { status: answer.status, code, errors, length: text.length };
}

const many = (text: string, times = 200_000): string => `${`${text},`.repeat(times - 1)}${text}`;

describe('a small request costing much', () => {
  it('is refused at once when its signature is millions of blanks', async () => {
    const signature = Buffer.from(`+${'\t'.repeat(4_000_000)}\0`).toString('base64');
    expect(await post(`{${base},"documents":"data:,x","signature":"${signature}"}`)).toMatchObject({ status: 422 });
  });

  it.each(['Basic a', 'Bearer a', 'Sinete a'])('is refused at once with blanks inside of %s', (scheme) => {
    const header = `${scheme}${' '.repeat(400_000)}a`;
    expect(() => readCredentials(header)).toThrow();
    if (scheme.startsWith('Basic')) expect(() => readBasicClient(header)).toThrow();
    else expect(readBasicClient(header)).toBeUndefined();
  });

  it.each([
    ['documents', `"documents":[${many('1')}]`, 'TOO_MANY_DOCUMENTS'],
    ['documents', `"documents":[${many('{}')}]`, 'TOO_MANY_DOCUMENTS'],
    ['signature_settings', `"documents":"data:,x","signature_settings":[${many('1')}]`, 'REQUEST_INVALID'],
    ['signature_settings', `"documents":"data:,x","signature_settings":{${entries(200_000)}}`, 'REQUEST_INVALID'],
    ['body', `"documents":"data:,x",${entries(200_000)}`, 'REQUEST_INVALID'],
    ['documents', `"documents":{${entries(1000)}}`, 'REQUEST_INVALID'],
    ['documents', `"documents":["data:,x",{${entries(1000)}}]`, 'REQUEST_INVALID'],
    ['signature_settings', `"documents":"data:,x","signature_settings":[{${entries(2000)}}]`, 'REQUEST_INVALID'],
  ])('is refused by counting for too many %s (%#)', async (field, fields, code) => {
    const answer = await post(`{${base},${fields}}`);
    expect(answer).toMatchObject({ status: 422, code, errors: [{ field }] });
    expect(answer.errors).toHaveLength(1);
  });

  it('gets a thousand problems at most for ten thousand', async () => {
    const wrong = await post(`{${base},"documents":[${many('1', 10_000)}]}`);
    expect(wrong.errors).toHaveLength(1000);
    const empty = await post(`{${base},"documents":[${many('{}', 10_000)}]}`);
    expect(empty.errors).toHaveLength(1000);
  });

  it('is told the place of a fault in its JSON only when short', () => {
    expect(() => parseJson(`{"a":${'['.repeat(1000)}!`)).toThrow('line 1, column 1006');
    expect(() => parseJson(`{"a":${'['.repeat(3_000_000)}!`)).toThrow(/^The body is not JSON\.$/);
  });
});

function entries(count: number): string {
  return Array.from({ length: count }, (_one, index) => `"field${index}":1`).join(',');
}
