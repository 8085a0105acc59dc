import { spawn, type ChildProcess } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTestAuthority,
  issueTestPerson,
  startTestServices,
  testServiceUrls,
  writePkcs12,
  type TestServices,
} from '../../src/test-authority/index.ts';
import { runTool } from '../oracles/run-program.ts';
import { npmTool } from '../setup/npm-tool.ts';
import { untilDefined } from '../setup/waits.ts';
import { refreshProductWindow } from '../setup/built-window.ts';
import { buildPdf, onePage } from '../signing/pdf/build-pdf.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';
import { writeCoreDeclarations } from './core-declarations.ts';
import { assemblePackage, renameModules } from './pack-product.ts';

const examples = join(import.meta.dirname, '../../docs/examples');

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** A project of somebody else: an empty folder with the packed product installed, and the examples. */
let project: string;
let folder: string;
let services: TestServices;
let tokens: SoftHsm;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-examples-'));
  project = join(folder, 'project');
  const packed = join(folder, 'package');
  await mkdir(project);
  await mkdir(packed);
  await refreshProductWindow();
  const client = await collect(spawn(process.execPath, [join(import.meta.dirname, '../../src/app/build-client.ts')]));
  if (client.code !== 0) throw new Error(client.output);
  assemblePackage(packed);
  writeCoreDeclarations(packed, renameModules);
  await npm(folder, 'pack', packed, '--pack-destination', folder);
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? 'no archive';
  await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(project, 'install', '--loglevel=error', '--no-audit', '--no-fund', join(folder, archive));
  await cp(examples, project, { recursive: true });

  services = await startTestServices({
    port: 0,
    authority: (origin) => createTestAuthority({ urls: testServiceUrls(origin) }),
  });
  const person = await issueTestPerson(services.authority, { name: 'MARIA DE TESTE', cpf: '52998224725' });
  await writeFile(join(project, 'key.p12'), await writePkcs12(person, 'segredo'));
  await writeFile(join(project, 'contract.pdf'), buildPdf(onePage()));
  await writeFile(join(project, 'root.pem'), new X509Certificate(services.authority.root.certificate).toString());
  tokens = await createSoftHsm([
    { label: 'sinete', keys: [{ label: 'maria', keyId: '01', kind: 'ec-p256', name: 'MARIA DO TOKEN' }] },
  ]);
  const [key] = tokens.tokens[0]?.keys ?? [];
  const tokenRoot = key?.identity.chain.at(-1) ?? Buffer.alloc(0);
  await writeFile(join(project, 'token-root.pem'), new X509Certificate(tokenRoot).toString());
});

afterAll(async () => {
  await services.close();
  await tokens.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Runs npm as somebody else's project would: without the settings that our own npm script passes on. */
async function npm(place: string, ...words: string[]): Promise<void> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_local_prefix|package_|lifecycle_)/.test(name),
  );
  const ended = await collect(spawn('npm', words, { cwd: place, env: Object.fromEntries(own) }));
  if (ended.code !== 0) throw new Error(`npm ${words.join(' ')}: ${ended.output}`);
}

async function run(script: string, words: readonly string[], input = '', environment = {}): Promise<Ended> {
  const child = spawn(process.execPath, [script, ...words], { cwd: project, env: { ...process.env, ...environment } });
  child.stdin.end(input);
  return collect(child);
}

async function collect(child: ChildProcess): Promise<Ended> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

/** Any text with this part. */
const text = (part: string): string => expect.stringContaining(part) as string;

describe('the examples, with the packed product in a folder of its own', () => {
  it('sign a PDF, extend it to B-LTA and validate it', async () => {
    const signed = await run('sign-pdf.mjs', ['contract.pdf', 'key.p12', 'signed.pdf'], 'segredo\n');
    expect(signed).toEqual({ code: 0, output: text('signed.pdf: ') });
    const words = ['signed.pdf', 'archived.pdf', services.timestampUrl, 'root.pem'];
    const added = 'added: document-timestamp, validation-material, document-timestamp';
    expect(await run('extend-to-b-lta.mjs', words)).toEqual({ code: 0, output: text(added) });
    const verdict = await run('validate.mjs', ['root.pem', 'archived.pdf']);
    expect(verdict).toEqual({ code: 0, output: 'MARIA DE TESTE: TOTAL-PASSED, level B-LTA\n' });
    expect(await runTool('pdfsig', ['-nocert', join(project, 'archived.pdf')])).toContain('Signature is Valid.');
  });

  it('sign a file with a token, and find out that it was changed', async () => {
    await writeFile(join(project, 'contract.txt'), 'Pay 100 EUR');
    const words = [tokens.modulePath, 'contract.txt', 'contract.p7s'];
    const signed = await run('sign-with-token.mjs', words, `${tokens.pin}\n`, tokens.environment);
    expect(signed).toEqual({ code: 0, output: text('signed with maria on sinete') });
    const validate = async (): Promise<Ended> =>
      run('validate.mjs', ['token-root.pem', 'contract.p7s', 'contract.txt']);
    // The certificate says nowhere where its revocation can be asked.
    expect((await validate()).output).toMatch(/^MARIA DO TOKEN: INDETERMINATE/);
    await writeFile(join(project, 'contract.txt'), 'Pay 999 EUR');
    expect(await validate()).toEqual({ code: 1, output: 'MARIA DO TOKEN: TOTAL-FAILED (HASH_FAILURE), level none\n' });
  });

  it('do not accept a wrong password', async () => {
    const { code, output } = await run('sign-pdf.mjs', ['contract.pdf', 'key.p12', 'other.pdf'], 'wrong\n');
    expect(code).toBe(1);
    expect(output).toContain('The password does not open the PKCS#12 file.');
    expect(output).not.toContain('wrong\n');
  });
});

describe('the client in Node, with an instance of the packed product', () => {
  const environment = (): Record<string, string> => ({
    SINETE_DATA: join(folder, 'data'),
    SINETE_SECRET_STORE_MODE: 'memory',
  });

  /** The packed command; answers its process and the port once it listens. */
  async function serve(): Promise<{ readonly child: ChildProcess; readonly port: string }> {
    const command = join(project, 'node_modules/sinete/src/app/sinete.js');
    const words = [command, 'serve', '--port', '0', '--approve', 'all'];
    const child = spawn(process.execPath, words, { cwd: project, env: { ...process.env, ...environment() } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (output += part));
    }
    const port = await untilDefined(() => {
      if (child.exitCode !== null) throw new Error(output);
      return /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
    }, 'the instance listens');
    return { child, port };
  }

  it('signs a PDF, and tells why nothing answers', async () => {
    const { child, port } = await serve();
    const ended = once(child, 'close');
    try {
      const command = 'node_modules/sinete/src/app/sinete.js';
      const identity = ['certificates', 'test-identity', '--name', 'MARIA DE TESTE', '--cpf', '52998224725'];
      expect((await run(command, identity, '', environment())).code).toBe(0);
      const signed = await run('sign-with-helper.mjs', ['contract.pdf', 'by-helper.pdf', port]);
      expect(signed).toEqual({ code: 0, output: text('by-helper.pdf: contract-signed.pdf') });
      const judged = await runTool('pdfsig', ['-nocert', join(project, 'by-helper.pdf')]);
      expect(judged).toContain('Signature is Valid.');
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    const alone = await run('sign-with-helper.mjs', ['contract.pdf', 'never.pdf', port]);
    expect(alone).toEqual({ code: 1, output: text('Sinete does not run on this computer') });
  });
});

describe('the declarations of sinete/signing and sinete/client', () => {
  it('are enough to compile a program in TypeScript', async () => {
    await writeFile(
      join(project, 'program.ts'),
      `import { softwareSigner, SigningError, type SignPdfRequest, type ValidationReport } from 'sinete/signing';
import { Sinete } from 'sinete/client';
export const request: Pick<SignPdfRequest, 'inputPath'> = { inputPath: 'a.pdf' };
export const read = (report: ValidationReport): string => report.indication;
export const client: typeof Sinete = Sinete;
// @ts-expect-error A signer needs a key.
export const signer = softwareSigner();
export const error: Error = new SigningError('CMS_MALFORMED', 'text');
`,
    );
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2024', '--module', 'nodenext'];
    const types = ['--typeRoots', join(import.meta.dirname, '../../node_modules/@types'), '--types', 'node'];
    const words = [...options, ...types, '--lib', 'es2024,dom', 'program.ts'];
    expect(await run(npmTool('typescript', 'tsc'), words)).toEqual({ code: 0, output: '' });
  });
});
