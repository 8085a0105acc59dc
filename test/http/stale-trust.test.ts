/** Trust data expired, or expiring soon, in the answer to a request for AD-RA. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SignaturePolicy } from '../../src/request/signature-request.ts';
import type { StaleTrust } from '../../src/service/certificates/index.ts';
import { exampleTransaction } from './fake-transactions.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';

const ended: StaleTrust = { kind: 'policy-list', name: '', end: new Date('2025-09-10'), hasEnded: true };
const ending: StaleTrust = { kind: 'root', name: 'Raiz v5', end: new Date('2029-03-02'), hasEnded: false };

let server: TestServer;
let stale: readonly StaleTrust[];
beforeAll(async () => {
  server = await startTestServer({ staleTrust: async () => Promise.resolve(stale) });
});
beforeEach(() => {
  stale = [ended, ending];
});
afterAll(async () => server.stop());

async function told(policy: SignaturePolicy, language = 'en'): Promise<unknown> {
  server.transactions.view = exampleTransaction({ policy });
  const document = { data: 'data:,a' };
  const response = await fetch(`${server.url}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Accept-Language': language },
    body: JSON.stringify({ type: 'CAdES', documents_source: 'DATA_URL', documents: [document], policy }),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { readonly stale_trust?: unknown }).stale_trust;
}

describe('POST /signature-service › trust data out of date', () => {
  it.each(['AD-RA', '2.16.76.1.7.1.5.2.4', '2.16.76.1.7.1.15.1.4'] as const)(
    'is told before %s is made',
    async (policy) => {
      expect(await told(policy)).toEqual([
        'The list of approved policies ended on 2025-09-10. "sinete trust update" fetches a newer one.',
        'Raiz v5 ends on 2029-03-02.',
      ]);
    },
  );

  it('is told in the language of the client', async () => {
    expect(await told('AD-RA', 'pt-BR')).toContain('Raiz v5 termina em 2029-03-02.');
  });

  it.each(['AD-RC', 'B-LTA', 'none', '2.16.76.1.7.1.1.2.4'] as const)('is not told for %s', async (policy) => {
    expect(await told(policy)).toBeUndefined();
  });

  it('is not told where all is up to date', async () => {
    stale = [];
    expect(await told('AD-RA')).toBeUndefined();
  });
});
