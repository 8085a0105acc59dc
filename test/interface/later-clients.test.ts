import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownDifferences } from '../../src/http/client-spellings.ts';
import { verifyPdf } from '../../src/signing/pdf/verification/verify-pdf.ts';
import { freePort } from '../app/run-sinete.ts';
import { runTool } from '../oracles/run-program.ts';
import { icpBrasilPki } from '../pki/icp-brasil-pki.ts';
import { pem } from '../pki/openssl.ts';
import { askPdfsig } from '../signing/pdf/oracles.ts';
import { clinicalReports, laterClients, type ClientRow } from './later-clients.ts';
import { startRealInstance, type RealInstance } from './real-instance.ts';
import { ClientReplay, tlsWay, valueAt } from './replay-client.ts';

/** Programs of others are replayed from their data to the signed document, or to their documented difference. */

let instance: RealInstance;
let folder: string;
let programs: ClientReplay;
/** An instance for the programs with several versions: a person has ten codes. */
let second: RealInstance;
let versions: ClientReplay;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-later-'));
  instance = await startRealInstance({ approve: 'listed', approved: ['approved-program'] });
  programs = await ClientReplay.prepare(instance);
  second = await startRealInstance({ approve: 'listed', approved: ['approved-program'] });
  versions = await ClientReplay.prepare(second);
});
afterAll(async () => {
  await instance.stop();
  await second.stop();
  await rm(folder, { recursive: true });
});

/** The file with the signed document of a program. */
async function fileOf(row: ClientRow, replay = programs): Promise<string> {
  const pdf = (await replay.run(row)).at(-1)?.bytes ?? Buffer.alloc(0);
  const path = join(folder, `${row.client.slice(0, 2).trim()}.pdf`.replace(',', ''));
  await writeFile(path, pdf);
  // poppler does not know the signatures of ICP-Brasil's policies.
  const isPolicy = pdf.includes('/PBAD.PAdES');
  const { signatures } = await verifyPdf(path);
  expect(signatures.map(({ outcome, coversWholeFile }) => [outcome, coversWholeFile])).toEqual([['intact', true]]);
  if (!isPolicy) expect((await askPdfsig(path))?.map(({ valid }) => valid)).toEqual([true]);
  expect(pdf.subarray(-2048).includes('%%EOF')).toBe(true);
  return path;
}

const named = (start: string): ClientRow => {
  const row = laterClients.find(({ client }) => client.startsWith(start));
  if (row === undefined) throw new Error(`There is no client ${start}.`);
  return row;
};

describe('the client', () => {
  it.each(laterClients.filter(({ end, client }) => end === 'signed' && !client.startsWith('L,')))(
    'reaches its signed document: $client',
    async (row) => {
      await fileOf(row);
    },
  );

  it.each(laterClients.filter(({ client }) => client.startsWith('L,')))(
    'reaches its signed document, with the information in the dictionary and not on the stamp: $client',
    async (row) => {
      const path = await fileOf(row, versions);
      expect(await runTool('pdfinfo', ['-custom', path])).toMatch(/^2\.16\.1\.12\.1\.2: *Prescrição Médica$/m);
      const shown = await runTool('pdftotext', [path, '-']);
      expect(shown).toContain('ANA LIMA');
      expect(shown).not.toContain('2.16.1.12.1.2');
      expect(shown).not.toContain('{{');
    },
  );

  it('M is told the hash of its older set', async () => {
    await versions.run(named('M, the older set'));
  });

  it('L0 gets a refusal with the right name of its field', async () => {
    const [reply] = await programs.run(named('L0,'));
    expect(valueAt(reply?.json, 'errors.0.field')).toBe('documents[0].data');
    expect(String(valueAt(reply?.json, 'errors.0.detail'))).toContain('"content"');
  });

  it.each(laterClients.flatMap(({ client, differences = [] }) => differences.map((name) => ({ client, name }))))(
    'has its difference in the documentation: $name, $client',
    ({ name }) => {
      expect(knownDifferences.some(({ difference }) => difference.includes(name))).toBe(true);
    },
  );
});

describe('the client K over https', () => {
  it('reaches its signed document with both policies, by results of the same https origin', async () => {
    const { server } = (await icpBrasilPki()).v5;
    const tls = { certificate: join(folder, 'certificate.pem'), key: join(folder, 'key.pem') };
    const chain = [server.certificate, ...server.chain].map((der) => pem('CERTIFICATE', der));
    await writeFile(tls.certificate, chain.join(''));
    await writeFile(tls.key, pem('PRIVATE KEY', server.privateKey), { mode: 0o600 });
    const services = ['signing', 'authorization', 'registry', 'assistant'] as const;
    const publicUrl = 'https://localhost';
    const listen = [{ host: '127.0.0.1', port: 0, services, tls, remote: { publicUrl } }];
    const far = await startRealInstance({ listen, testServicesPort: await freePort() }, { allowRoot: true });
    try {
      const port = Number(new URL(far.sinete.listeners[0]?.address ?? '').port);
      const replay = await ClientReplay.prepare(far, tlsWay(publicUrl, port, chain.at(-1) ?? ''));
      await far.sinete.handlers['user-interface']['testServices.run']({});
      for (const policy of ['AD_RB', 'AD_RT'] as const) {
        const signed = await readFile(await fileOf(clinicalReports(policy), replay));
        expect(signed.includes('/PBAD.PAdES')).toBe(true);
      }
    } finally {
      await far.stop();
    }
  });
});
