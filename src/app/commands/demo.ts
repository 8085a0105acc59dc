import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { verifyCmsFile, verifyPdf } from '../../signing/index.ts';
import { AppError } from '../app-error.ts';
import { readConfiguration } from '../config.ts';
import { findRunningInstance, openCoreClient, type ClientOptions, type CoreClient } from '../core-client.ts';
import { dataFolder } from '../data-folder.ts';
import { signThroughInterface, type DemoDocument, type DemoHost } from '../demo/four-steps.ts';
import { sampleDocuments } from '../demo/sample-documents.ts';
import { printLine, printNote } from '../print.ts';
import { askPassphraseHere } from '../secret-input.ts';
import { startSinete } from '../start-sinete.ts';

interface DemoOptions extends ClientOptions {
  readonly out: string;
}

/** `demo`: the whole way of two documents through the interface, told step by step. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('make a test identity, sign a PDF and a text through the interface, and verify both')
    .option('--data <folder>', 'data folder')
    .option('--config <file>', 'configuration file')
    .option('--out <folder>', 'where the files go', './sinete-demo')
    .action(runDemo);
}

async function runDemo(options: DemoOptions): Promise<void> {
  const { baseUrl, client, stop } = await reachInstance(options);
  try {
    const certificate = await demoIdentity(client);
    const folder = resolve(options.out);
    await mkdir(folder, { recursive: true });
    const host: DemoHost = {
      baseUrl,
      tell: printLine,
      approve: async (tcn) => {
        await client.call('approvals.decide', { tcn, decision: 'approve' });
      },
    };
    const { contract, note } = sampleDocuments(new Date());
    const results = [
      await signOne(host, folder, { title: 'A PDF, signed as PAdES', type: 'PAdES', certificate, document: contract }),
      await signOne(host, folder, {
        title: 'A text, signed as attached CAdES',
        type: 'CAdES-attached',
        certificate,
        document: note,
      }),
    ];
    if (results.includes(false)) process.exitCode = 1;
    else printLine('Done. The signatures are real; the identity is a test one, so that they have no legal value.');
  } finally {
    await client.close();
    await stop();
  }
}

/** The instance that runs on the data folder, or one for as long as the demonstration lasts. */
async function reachInstance(
  options: DemoOptions,
): Promise<{ readonly baseUrl: string; readonly client: CoreClient; readonly stop: () => Promise<void> }> {
  const folder = dataFolder(options.data);
  const running = await findRunningInstance(folder);
  if (running !== undefined) {
    printLine(`Using the instance that runs at ${running.baseUrl}.`);
    return { baseUrl: running.baseUrl, client: await openCoreClient(options), stop: async () => Promise.resolve() };
  }
  const configuration = await readConfiguration({
    dataFolder: folder,
    ...(options.config === undefined ? {} : { file: options.config }),
    environment: process.env,
  });
  const sinete = await startSinete({
    dataFolder: folder,
    configuration: { ...configuration, approve: 'all', port: 0 },
    askPassphrase: askPassphraseHere,
  });
  printLine(`No instance was running: one is at ${sinete.baseUrl} while this lasts, and approves by itself.`);
  const { detail } = sinete.core.secrets;
  if (detail !== null) printNote(`Note: ${detail}`);
  return { baseUrl: sinete.baseUrl, client: await openCoreClient(options), stop: async () => sinete.stop() };
}

/** A test identity's SHA-256: one that is there already, or a fresh one. */
async function demoIdentity(client: CoreClient): Promise<string> {
  const present = (await client.call('certificates.list', {})).find((one) => one.isTest && one.validity === 'valid');
  const identity =
    present ??
    (await client.call('certificates.makeTestIdentity', {
      name: 'MARIA DA SILVA DEMONSTRACAO',
      cpf: '111.444.777-35',
    }));
  printLine(`${present === undefined ? 'Made' : 'Found'} the test identity ${identity.holder}.`);
  return identity.fingerprint;
}

async function signOne(
  host: DemoHost,
  folder: string,
  task: {
    readonly title: string;
    readonly type: string;
    readonly certificate: string;
    readonly document: DemoDocument;
  },
): Promise<boolean> {
  const { title, type, certificate, document } = task;
  printLine();
  printLine(title);
  const original = join(folder, document.fileName);
  await writeFile(original, document.content);
  const { fileName, content } = await signThroughInterface(host, type, certificate, document);
  const signed = join(folder, fileName);
  await writeFile(signed, content);
  const verdict = type === 'PAdES' ? await judgePdf(signed) : await judgeCms(signed);
  printLine(`   ${verdict.intact ? '✔' : '✘'} verified: ${verdict.sentence}`);
  printLine(`     original  ${original}`);
  printLine(`     signed    ${signed}`);
  return verdict.intact;
}

interface Verdict {
  readonly intact: boolean;
  readonly sentence: string;
}

async function judgePdf(path: string): Promise<Verdict> {
  const [signature] = (await verifyPdf(path)).signatures;
  if (signature === undefined) throw new AppError(1, 'The PDF holds no signature.');
  const name = signature.cms?.signers[0]?.certificate?.commonName ?? 'an unknown signer';
  const intact = signature.outcome === 'intact' && signature.coversWholeFile;
  return { intact, sentence: intact ? `intact, covers the whole file, signed by ${plain(name)}` : signature.outcome };
}

async function judgeCms(path: string): Promise<Verdict> {
  const { intact, signers } = await verifyCmsFile(path);
  const name = signers[0]?.certificate?.commonName ?? 'an unknown signer';
  return { intact, sentence: intact ? `intact, content inside, signed by ${plain(name)}` : 'broken' };
}

/** ICP-Brasil's common names end with the holder's number, which is not shown. */
function plain(commonName: string): string {
  return commonName.replace(/:\d{11,14}$/, '');
}
