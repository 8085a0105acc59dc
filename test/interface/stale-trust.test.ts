/** A trusted root expiring soon, in an instance with everything real behind it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../app/run-sinete.ts';
import { makeParty } from '../signing/certificates/path/path-pki.ts';
import { startRealInstance, type RealInstance } from './real-instance.ts';

const DAY = 86_400_000;
const ends = new Date(Date.now() + 10 * DAY);
const root = makeParty({ name: 'Raiz Velha', authority: true, notAfter: ends }).certificate;
const sentence = `Raiz Velha ends on ${ends.toISOString().slice(0, 10)}.`;

let instance: RealInstance;
beforeAll(async () => {
  instance = await startRealInstance({ testServicesPort: await freePort(), approve: 'all' });
  const calls = instance.sinete.handlers['command-line'];
  await calls['certificates.makeTestIdentity']({ name: 'Maria de Teste', cpf: '11144477735' });
  await calls['testServices.run']({});
  await calls['trust.import']({ file: root.der.toString('base64'), fingerprint: root.fingerprint, isTest: true });
});
afterAll(async () => instance.stop());

async function create(policy: string): Promise<{ readonly stale_trust?: readonly string[] }> {
  const body = { type: 'CAdES', documents_source: 'DATA_URL', documents: [{ data: 'data:,note' }], policy };
  const { status, content } = await instance.send('POST', '/signature-service', { json: body });
  expect([status, content]).toEqual([201, expect.anything()]);
  return content;
}

describe('a trusted root expiring in ten days', () => {
  it('is told by the list of roots', async () => {
    const { stale } = await instance.sinete.handlers['user-interface']['trust.list']({});
    expect(stale).toContain(sentence);
  });

  it('is told by Doctor', async () => {
    const { checks } = await instance.sinete.handlers['user-interface']['doctor.read']({});
    expect(checks.map(({ id }) => id)).toContain('trust-data:root:Raiz Velha');
  });

  it('is told by the health check', async () => {
    const { content } = await instance.send('GET', '/health-check?full=true');
    expect(JSON.stringify(content)).toContain(sentence);
  });

  it('is told before AD-RA is made, and not before AD-RB', async () => {
    expect((await create('AD-RA')).stale_trust).toContain(sentence);
    expect((await create('AD-RB')).stale_trust).toBeUndefined();
  });
});
