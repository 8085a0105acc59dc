import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDocuments } from '../../src/app/demo/sample-documents.ts';
import { writeFile } from 'node:fs/promises';
import { runTool } from '../pki/openssl.ts';
import { makeWorkplace, runSinete, serve, type Workplace } from './run-sinete.ts';

let place: Workplace;

beforeAll(async () => {
  place = await makeWorkplace();
});
afterAll(async () => place.remove());

/** What a program that we did not write says. */
async function judge(program: string, ...words: readonly string[]): Promise<string> {
  return runTool(program, words, { folder: place.folder });
}

describe('sinete demo', () => {
  it('tells the four steps, verifies both results, and other programs agree', async () => {
    const told = await runSinete(place, ['demo', '--out', 'shown']);
    expect(told.code, told.stderr + told.stdout).toBe(0);
    expect(told.stdout.match(/✔ verified: intact/g)).toHaveLength(2);
    expect(told.stdout).not.toMatch(/\b[\w-]{26}\b(?!\/)/);
    expect(await judge('pdfsig', join(place.folder, 'shown', 'contrato-signed.pdf'))).toContain('Signature is Valid');
    const signature = join(place.folder, 'shown', 'recado.txt.p7m');
    const words = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', signature];
    expect(await judge('openssl', ...words)).toContain('Recado');
  });

  it('uses the instance that is running, approves there, and finds its identity again', async () => {
    const instance = await serve(place, ['--approve', 'ask']);
    const told = await runSinete(place, ['demo', '--out', 'again']);
    await instance.stop();
    expect(told.code, told.stderr + told.stdout).toBe(0);
    expect(told.stdout).toContain(`Using the instance that runs at ${instance.baseUrl}`);
    expect(told.stdout).toContain('Found the test identity');
    expect(told.stdout).toContain('waits for approval');
  });

  it('writes a PDF that qpdf finds nothing wrong with and whose text poppler reads', async () => {
    const path = join(place.folder, 'sample.pdf');
    await writeFile(path, sampleDocuments(new Date('2026-01-02T03:04:05Z')).contract.content);
    expect(await judge('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
    const text = await judge('pdftotext', path, '-');
    expect(text).toContain('Contrato de demonstração');
    expect(text).toContain('2 de janeiro de 2026');
  });
});
