import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDocuments } from '../../src/app/demo/sample-documents.ts';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { verifyWithPdfBox } from '../oracles/pdf-box.ts';
import { runTool } from '../oracles/run-program.ts';
import type { SystemTool } from '../setup/system-packages.ts';
import { freePort, makeWorkplace, runSinete, serve, type Workplace } from './run-sinete.ts';

let place: Workplace;

beforeAll(async () => {
  place = await makeWorkplace();
  const environment = { ...place.environment, SINETE_TEST_SERVICES_PORT: String(await freePort()) };
  place = { ...place, environment };
});
afterAll(async () => place.remove());

/** The answer of a foreign program. */
async function judge(program: SystemTool, ...words: readonly string[]): Promise<string> {
  return runTool(program, words, { folder: place.folder });
}

describe('sinete demo', () => {
  it('tells the four steps, verifies all results, and other programs agree', async () => {
    const told = await runSinete(place, ['demo', '--out', 'shown']);
    expect(told.code, told.stderr + told.stdout).toBe(0);
    expect(told.stdout.match(/✔ verified: intact/g)).toHaveLength(3);
    expect(told.stdout).toContain('time-stamped as a whole on 2');
    expect(told.stdout).not.toMatch(/\b[\w-]{26}\b(?!\/)/);
    expect(await judge('pdfsig', join(place.folder, 'shown', 'contrato-signed.pdf'))).toContain('Signature is Valid');
    const archive = join(place.folder, 'shown', 'para-guardar-signed.pdf');
    expect(await judge('pdfsig', archive)).toContain('Signature is Valid');
    expect((await verifyWithPdfBox([archive]))[0]).toMatch(/^stamped timestamp certs=[5-9] ocsps=[3-9]/);
    const signature = join(place.folder, 'shown', 'recado.txt.p7m');
    const words = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', signature];
    expect(await judge('openssl', ...words)).toContain('Recado');
  });

  it('uses the running instance, approves there, and finds its identity again', async () => {
    const instance = await serve(place, ['--approve', 'ask']);
    const told = await runSinete(place, ['demo', '--out', 'again']);
    await instance.stop();
    expect(told.code, told.stderr + told.stdout).toBe(0);
    expect(told.stdout).toContain(`Using the instance that runs at ${instance.baseUrl}`);
    expect(told.stdout).toContain('Found the test identity');
    expect(told.stdout).toContain('waits for approval');
  });

  it('leaves the long term out where the port of the test services is taken, and says so', async () => {
    const blocker = createServer();
    const port = Number(place.environment['SINETE_TEST_SERVICES_PORT']);
    await new Promise<void>((resolve) => blocker.listen(port, '127.0.0.1', resolve));
    const told = await runSinete(place, ['demo', '--out', 'blocked']);
    await new Promise((resolve) => blocker.close(resolve));
    expect(told.code, told.stderr + told.stdout).toBe(0);
    expect(told.stdout.match(/✔ verified: intact/g)).toHaveLength(2);
    expect(told.stderr).toMatch(/Left out: .*Port \d+ is taken/);
  });

  it('writes a PDF faultless for qpdf, with text readable by poppler', async () => {
    const path = join(place.folder, 'sample.pdf');
    await writeFile(path, sampleDocuments(new Date('2026-01-02T03:04:05Z')).contract.content);
    expect(await judge('qpdf', '--check', path)).toContain('No syntax or stream encoding errors');
    const text = await judge('pdftotext', path, '-');
    expect(text).toContain('Contrato de demonstração');
    expect(text).toContain('2 de janeiro de 2026');
  });
});
