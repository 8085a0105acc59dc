/**
 * `npm run clients`: other people's tools read the OpenAPI document. Redocly and Spectral find nothing; the clients of
 * openapi-generator (Python, TypeScript, PHP, Go, Java with two libraries) and of other generators compile and sign a
 * PDF; Bruno sends its collection; schemathesis finds no failure in a running instance. `-- generators` stops behind the clients. Prints a line for
 * each; exits with 1 on any failure.
 */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleDocuments } from '../../src/app/demo/sample-documents.ts';
import { startRealInstance, type RealInstance } from '../interface/real-instance.ts';
import { runProgram, runTool } from '../oracles/run-program.ts';
import { installSuite } from '../setup/install-suite.ts';
import { ensureSystemPackages, systemFile } from '../setup/system-packages.ts';
import { checkClientPackages } from './client-packages.ts';
import { checkDocumentedPrograms } from './documented-programs.ts';
import { furtherGenerators } from './further-generators.ts';
import {
  generateClient,
  type Language,
  signWithGo,
  signWithJava,
  signWithPhp,
  signWithPython,
  signWithTypeScript,
} from './generated-clients.ts';
import { checkCollection } from './run-collection.ts';
import { checkWebPkiPage } from './web-pki-page.ts';
import { lintWithRedocly, lintWithSpectral, openApiText } from './lint-openapi.ts';

const SCHEMATHESIS = 'schemathesis==4.32.5';
const SEED = 1;
/** Seconds of schemathesis; schemathesis repeats its phases until then. */
const SCHEMATHESIS_TIME = 420;

let passed = 0;
let failed = 0;

async function step(name: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    passed++;
    console.log(`ok     ${name}`);
    return true;
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}\n${error instanceof Error ? error.message : JSON.stringify(error)}`);
    return false;
  }
}

async function expectNothing(lines: Promise<readonly string[]>): Promise<void> {
  const found = await lines;
  if (found.length > 0) throw new Error(found.join('\n'));
}

/** The signed file is the original with a revision behind it, and its signature is intact. */
async function signAndJudge(
  { url }: RealInstance,
  folder: string,
  sign: (files: { readonly url: string; readonly input: string; readonly output: string }) => Promise<void>,
): Promise<void> {
  const input = join(folder, 'contract.pdf');
  const output = join(folder, 'signed.pdf');
  await rm(output, { force: true });
  const { content } = sampleDocuments(new Date()).contract;
  await writeFile(input, content);
  await sign({ url, input, output });
  const signed = await readFile(output);
  const original = await readFile(input);
  if (!signed.subarray(0, original.length).equals(original)) throw new Error('The original is not kept.');
  const form = new FormData();
  form.set('type', 'PAdES');
  form.set('signature', new Blob([signed]), 'signed.pdf');
  const answer = await fetch(`${url}/validator-service`, { method: 'POST', body: form });
  const verdict = (await answer.json()) as { readonly detail?: { readonly signature?: { readonly code?: number } } };
  if (verdict.detail?.signature?.code !== 1185)
    throw new Error(`The signature is not intact: ${JSON.stringify(verdict)}`);
}

/** All checks and phases with a fixed seed. Endless streams are left out; `wait` holds an answer for 60 s. */
async function runSchemathesis(url: string, folder: string): Promise<void> {
  const place = fileURLToPath(new URL('../.work/clients/schemathesis', import.meta.url));
  systemFile('pip');
  if (!existsSync(place)) await runTool('python3', ['-m', 'pip', '-q', 'install', '--target', place, SCHEMATHESIS]);
  const config = fileURLToPath(new URL('schemathesis.conf', import.meta.url));
  const words = [
    '-m',
    'schemathesis.cli',
    '--config-file',
    config,
    'run',
    `${url}/openapi.json`,
    '--checks',
    'all',
    '--seed',
    String(SEED),
    '--max-time',
    String(SCHEMATHESIS_TIME),
    '--max-examples',
    '20',
    '--phases',
    'examples,coverage,fuzzing,stateful',
    '--request-timeout',
    '90',
    '--no-color',
    '--max-response-time',
    '90',
    '--exclude-path-regex',
    '/events$',
    '--warnings',
    'off',
  ];
  const environment = { PYTHONPATH: place, HYPOTHESIS_STORAGE_DIRECTORY: join(folder, 'hypothesis') };
  const { code, output, errors } = await runProgram('python3', words, { folder, environment });
  const summary = output.trim().split('\n').slice(-12).join('\n');
  if (code !== 0) throw new Error(`${output.slice(Math.max(0, output.indexOf('= FAILURES =')))}\n${errors}`);
  console.log(summary);
}

/** The programs with the clients of openapi-generator. */
const signers: Readonly<Record<Language, typeof signWithPython>> = {
  python: signWithPython,
  'typescript-fetch': signWithTypeScript,
  php: signWithPhp,
  go: signWithGo,
  java: signWithJava,
  'java native': signWithJava,
};

async function signWithClients(folder: string, document: string): Promise<void> {
  const instance = await startRealInstance({ approve: 'all', metrics: true });
  try {
    const make = instance.sinete.handlers['user-interface']['certificates.makeTestIdentity'];
    await make({ name: 'ANA LIMA', cpf: '11144477735' });
    for (const language of Object.keys(signers) as Language[]) {
      let client = '';
      const isCompiled = await step(`the client for ${language} compiles`, async () => {
        client = await generateClient(language, document, folder);
      });
      const signing = signers[language];
      if (!isCompiled) continue;
      await step(`the client for ${language} signs a PDF`, async () =>
        signAndJudge(instance, folder, (files) => signing(client, files)),
      );
    }
    await signWithFurtherClients(instance, folder, document);
    if (process.argv.includes('generators')) return;
    await step('a page for web-pki compiles after its import alone was changed', async () => checkWebPkiPage(folder));
    await checkClientPackages(instance, folder, step);
    await checkDocumentedPrograms(step);
    await checkCollection(step);
    await step('schemathesis finds nothing', async () => runSchemathesis(instance.url, folder));
  } finally {
    await instance.stop();
  }
}

/** The clients of other generators, each from the version of the document that the generator reads. */
async function signWithFurtherClients(instance: RealInstance, folder: string, document: string): Promise<void> {
  const older = join(folder, 'openapi-3.0.json');
  await writeFile(older, JSON.stringify(await (await fetch(`${instance.url}/openapi-3.0.json`)).json()));
  for (const { name, version, make, sign } of furtherGenerators) {
    const place = join(folder, name);
    await mkdir(place);
    const isMade = await step(`the client of ${name} compiles`, async () =>
      make(version === '3.0' ? older : document, place),
    );
    if (!isMade) continue;
    await step(`the client of ${name} signs a PDF`, async () =>
      signAndJudge(instance, folder, (files) => sign(place, files)),
    );
  }
}

async function runClients(): Promise<number> {
  if (!ensureSystemPackages('clients')) return 1;
  installSuite('test/clients');
  const folder = await mkdtemp(join(tmpdir(), 'sinete-clients-'));
  try {
    const source = openApiText();
    const document = join(folder, 'openapi.json');
    await writeFile(document, source);
    await step('Redocly finds nothing', () => expectNothing(lintWithRedocly(source)));
    await step('Spectral finds nothing', () => expectNothing(lintWithSpectral(source)));
    await signWithClients(folder, document);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await runClients();
