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
  { page: '../README.md', original: 'contract.pdf', result: 'signed.pdf' },
  { page: 'integrators/README.md', original: 'contract.pdf', result: 'contract-signed.pdf' },
  { page: 'pt-BR/integradores.md', original: 'contrato.pdf', result: 'contrato-assinado.pdf' },
] as const;

interface Finished {
  readonly status: string;
  readonly documents: readonly [{ readonly result: string }];
}

const curl = `curl() { "${systemTool('curl')}" "$@"; }\n`;
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

type Page = (typeof pages)[number];

async function originalBytes({ original, result }: Page): Promise<Buffer> {
  const { content } = sampleDocuments(new Date(0)).contract;
  await writeFile(join(folder, original), content);
  await rm(join(folder, result), { force: true });
  return Buffer.from(content);
}

async function expectSigned({ result }: Page, before: Buffer): Promise<void> {
  const signed = await readFile(join(folder, result));
  expect(signed.subarray(0, before.length).equals(before)).toBe(true);
  expect(signed.subarray(before.length).toString('latin1')).toContain('/SubFilter /ETSI.CAdES.detached');
}

describe.each(pages)('the first steps of docs/$page', (one) => {
  const { page, result } = one;

  it('sign a PDF with curl in one call, in the first curl of the page', async () => {
    const before = await originalBytes(one);
    const block = await blockOf(page, 'sh', 'curl ');
    expect(block).toContain('"mode":"sync"');
    const answer = await runTool('bash', ['-e', '-c', `${curl}${block}`], { folder });
    const { status, documents } = JSON.parse(answer) as Finished;
    expect(status).toBe('SIGNED');
    const signed = await fetch(documents[0].result);
    await writeFile(join(folder, result), Buffer.from(await signed.arrayBuffer()));
    await expectSigned(one, before);
  });

  it('sign a PDF with curl in four steps', async () => {
    const before = await originalBytes(one);
    const block = await blockOf(page, 'sh', 'TCN=…');
    const [create = '', others = ''] = block.split(/^TCN=….*$/m);
    const created = await runTool('bash', ['-e', '-c', `${curl}${create}`], { folder });
    const { tcn } = JSON.parse(created) as { readonly tcn: string };
    const base = /^BASE=.*$/m.exec(create)?.[0] ?? '';
    await runTool('bash', ['-e', '-c', `${curl}${base}\nTCN=${tcn}\n${others}`], { folder });
    await expectSigned(one, before);
  });
});

describe.each(pages.filter(({ page }) => page !== '../README.md'))('the program of docs/$page', (one) => {
  const { page } = one;

  it('signs a PDF with Node', async () => {
    const before = await originalBytes(one);
    const program = join(folder, 'first-steps.mjs');
    await writeFile(program, await blockOf(page, 'js', '/file-transfer/'));
    await runNode([program], { folder });
    await expectSigned(one, before);
  });
});
