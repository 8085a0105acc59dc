import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDocuments } from '../../src/app/demo/sample-documents.ts';
import { writeFile } from 'node:fs/promises';
import { makeWorkplace, runSinete, serve, type Workplace } from './run-sinete.ts';

let place: Workplace;

beforeAll(async () => {
  place = await makeWorkplace();
});
afterAll(async () => place.remove());

describe('sinete demo', () => {
  it('tells the four steps, verifies both results, and other programs agree', async () => {
    const told = await runSinete(place, ['demo', '--out', 'shown']);
    expect(told.code, told.stderr + told.stdout).toBe(0);
    expect(told.stdout.match(/✔ verified: intact/g)).toHaveLength(2);
    expect(told.stdout).not.toMatch(/\b[\w-]{26}\b(?!\/)/);
    expect(execFileSync('pdfsig', [join(place.folder, 'shown', 'contrato-signed.pdf')]).toString()).toContain(
      'Signature is Valid',
    );
    const signature = join(place.folder, 'shown', 'recado.txt.p7m');
    const words = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', signature];
    expect(execFileSync('openssl', words, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()).toContain('Recado');
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
    expect(execFileSync('qpdf', ['--check', path]).toString()).toContain('No syntax or stream encoding errors');
    const text = execFileSync('pdftotext', [path, '-']).toString();
    expect(text).toContain('Contrato de demonstração');
    expect(text).toContain('2 de janeiro de 2026');
  });
});
