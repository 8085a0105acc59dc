/** The first signed PDF, word for word as the pages for integrators tell it, with curl and with Node. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDocuments } from '../../src/app/demo/sample-documents.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { runNode, runTool } from '../oracles/run-program.ts';
import { systemTool } from '../setup/system-packages.ts';

const docs = join(import.meta.dirname, '../../docs');
const pages = [
  { page: 'integrators/README.md', original: 'contract.pdf', result: 'contract-signed.pdf' },
  { page: 'pt-BR/integradores.md', original: 'contrato.pdf', result: 'contrato-assinado.pdf' },
] as const;

let instance: RealInstance;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-first-steps-'));
  instance = await startRealInstance({ approve: 'all' });
  const make = instance.sinete.handlers['user-interface']['certificates.makeTestIdentity'];
  await make({ name: 'Maria da Silva', cpf: '52998224725' });
});
afterAll(async () => {
  await instance.stop();
  await rm(folder, { recursive: true });
});

/** The first block of the page in this language containing a word, calling the instance of this test. */
async function blockOf(page: string, language: string, word: string): Promise<string> {
  const text = await readFile(join(docs, page), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
  const found = blocks.find(([, kind, body = '']) => kind === language && body.includes(word));
  return (found?.[2] ?? '').replaceAll('http://127.0.0.1:17171', instance.url);
}

describe.each(pages)('the first steps of docs/$page', ({ page, original, result }) => {
  const originalBytes = async (): Promise<Buffer> => {
    const { content } = sampleDocuments(new Date(0)).contract;
    await writeFile(join(folder, original), content);
    await rm(join(folder, result), { force: true });
    return Buffer.from(content);
  };
  const expectSigned = async (before: Buffer): Promise<void> => {
    const signed = await readFile(join(folder, result));
    expect(signed.subarray(0, before.length).equals(before)).toBe(true);
    expect(signed.subarray(before.length).toString('latin1')).toContain('/SubFilter /ETSI.CAdES.detached');
  };

  it('sign a PDF with curl', async () => {
    const before = await originalBytes();
    const block = await blockOf(page, 'sh', 'TCN=…');
    const [create = '', others = ''] = block.split(/^TCN=….*$/m);
    const curl = `curl() { "${systemTool('curl')}" "$@"; }\n`;
    const created = await runTool('bash', ['-e', '-c', `${curl}${create}`], { folder });
    const { tcn } = JSON.parse(created) as { readonly tcn: string };
    const base = /^BASE=.*$/m.exec(create)?.[0] ?? '';
    await runTool('bash', ['-e', '-c', `${curl}${base}\nTCN=${tcn}\n${others}`], { folder });
    await expectSigned(before);
  });

  it('sign a PDF with Node', async () => {
    const before = await originalBytes();
    const program = join(folder, 'first-steps.mjs');
    await writeFile(program, await blockOf(page, 'js', '/file-transfer/'));
    await runNode([program], { folder });
    await expectSigned(before);
  });
});
