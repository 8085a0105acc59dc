import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { verifyCmsFile, verifyPdf } from '../../../signing/index.ts';
import { AppError } from '../../app-error.ts';
import { ensureRenderer } from '../build-renderer.ts';
import { readConfiguration } from '../../config/config.ts';
import {
  findRunningInstance,
  openCoreClient,
  requestLink,
  type ClientOptions,
  type CoreClient,
} from '../core-client.ts';
import { dataFolder } from '../../config/data-folder.ts';
import { signThroughInterface, type DemoDocument, type DemoHost, type DemoRequest } from '../../demo/four-steps.ts';
import { sampleDocuments } from '../../demo/sample-documents.ts';
import { serveExamplePage } from '../../demo/serve-example-page.ts';
import { testServerId } from '../../evidence/timestamp-servers.ts';
import { printLine, printNote } from '../print.ts';
import { askPassphraseHere } from '../secret-input.ts';
import { startSinete } from '../../instance/start-sinete.ts';
import { stopSignal } from '../stop-signal.ts';

interface DemoOptions extends ClientOptions {
  readonly out: string;
  readonly page?: boolean;
}

/** `demo`: signs two documents through the interface, and explains each step. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description(
      'make a test identity, sign PDFs and a text through the interface, also for the long term, and verify them',
    )
    .option('--data <folder>', 'data folder')
    .option('--config <file>', 'configuration file')
    .option('--out <folder>', 'where the files go', './sinete-demo')
    .option('--page', 'serve a web page instead that signs in the browser, until Ctrl+C')
    .action(async (options: DemoOptions) => (options.page === true ? runPageDemo(options) : runDemo(options)));
}

/** A page of another origin signs through the client; the window asks its user for permission, as for any site. */
async function runPageDemo(options: DemoOptions): Promise<void> {
  await ensureRenderer();
  const { baseUrl, client, issueLink, stop } = await reachInstance(options, 'ask');
  try {
    await demoIdentity(client);
    const page = await serveExamplePage(Number(new URL(baseUrl).port));
    printLine('1. Open the window of Sinete, which will ask you:');
    printLine(`   ${await issueLink()}`);
    printLine('2. Open the page in the same browser:');
    printLine(`   ${page.link}`);
    printLine('Ctrl+C stops.');
    await stopSignal();
    await page.close();
  } finally {
    await client.close();
    await stop();
  }
}

async function runDemo(options: DemoOptions): Promise<void> {
  const folder = resolve(options.out);
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new AppError(2, `The folder ${folder} cannot be made.`, { cause });
  });
  const { baseUrl, client, stop } = await reachInstance(options, 'all');
  try {
    const certificate = await demoIdentity(client);
    const host: DemoHost = {
      baseUrl,
      tell: printLine,
      approve: async (tcn) => {
        await client.call('approvals.decide', { tcn, decision: 'approve' });
      },
    };
    const { contract, note, archive } = sampleDocuments(new Date());
    const [pdf, text] = [{ type: 'PAdES', certificate } as const, { type: 'CAdES-attached', certificate } as const];
    const results = [
      await signOne(host, folder, { title: 'A PDF, signed as PAdES', request: pdf, document: contract }),
      await signOne(host, folder, { title: 'A text, signed as attached CAdES', request: text, document: note }),
      await signForLongTerm(client, async (policy) =>
        signOne(host, folder, {
          title: 'A PDF for the long term (B-LTA): time stamps, certificates and revocation data inside',
          request: { ...pdf, policy },
          document: archive,
        }),
      ),
    ];
    if (results.includes(false)) process.exitCode = 1;
    else printLine('Done. The signatures are real; the identity is a test one, so that they have no legal value.');
  } finally {
    await client.close();
    await stop();
  }
}

interface ReachedInstance {
  readonly baseUrl: string;
  readonly client: CoreClient;
  readonly issueLink: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

/** The running instance of the data folder, or a new instance for the duration of the demonstration. */
async function reachInstance(options: DemoOptions, approve: 'all' | 'ask'): Promise<ReachedInstance> {
  const folder = dataFolder(options.data);
  const running = await findRunningInstance(folder);
  if (running !== undefined) {
    printLine(`Using the instance that runs at ${running.baseUrl}.`);
    return {
      baseUrl: running.baseUrl,
      client: await openCoreClient(options),
      issueLink: async () => requestLink(running),
      stop: async () => Promise.resolve(),
    };
  }
  const configuration = await readConfiguration({
    dataFolder: folder,
    file: options.config,
    environment: process.env,
  });
  const sinete = await startSinete({
    dataFolder: folder,
    configuration: { ...configuration, approve, port: 0 },
    askPassphrase: askPassphraseHere,
  });
  const manner = approve === 'all' ? ', and approves by itself' : '';
  printLine(`No instance was running: one is at ${sinete.baseUrl} while this lasts${manner}.`);
  const { detail } = sinete.core.secrets;
  if (detail !== null) printNote(`Note: ${detail}`);
  return {
    baseUrl: sinete.baseUrl,
    client: await openCoreClient(options),
    issueLink: async () => Promise.resolve(sinete.issueLink()),
    stop: async () => {
      await sinete.stop();
    },
  };
}

/** A test identity's SHA-256: an existing identity's, or a new one's. */
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

/**
 * Signs while test services run on this computer, which issue time stamps and revocation data and stop with this
 * function. If the services cannot start, the rest of the demonstration goes on without them.
 */
async function signForLongTerm(
  client: CoreClient,
  sign: (policy: NonNullable<DemoRequest['policy']>) => Promise<boolean>,
): Promise<boolean> {
  try {
    const { origin, certificatesPointTo } = await client.call('testServices.run', {});
    printLine();
    printLine(`Test services run at ${origin} while the next document is signed.`);
    if (certificatesPointTo !== origin) {
      printNote(`Left out: the test certificates point to ${certificatesPointTo}, where the services do not run.`);
      return true;
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    printNote(`Left out: a PDF for the long term, because the test services cannot run. ${error.message}`);
    return true;
  }
  try {
    return await sign({ name: 'B-LTA', timestampServer: testServerId });
  } finally {
    await client.call('testServices.stop', {});
  }
}

async function signOne(
  host: DemoHost,
  folder: string,
  task: {
    readonly title: string;
    readonly request: DemoRequest;
    readonly document: DemoDocument;
  },
): Promise<boolean> {
  const { title, request, document } = task;
  printLine();
  printLine(title);
  const original = join(folder, document.fileName);
  await writeFile(original, document.content, { mode: 0o600 });
  const { fileName, content } = await signThroughInterface(host, request, document);
  const signed = join(folder, fileName);
  await writeFile(signed, content, { mode: 0o600 });
  const verdict = request.type === 'PAdES' ? await judgePdf(signed) : await judgeCms(signed);
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
  const { signatures } = await verifyPdf(path);
  const [signature] = signatures;
  if (signature === undefined) throw new AppError(1, 'The PDF holds no signature.');
  const name = signature.cms?.signers[0]?.certificate?.commonName ?? 'an unknown signer';
  const stamp = signatures.at(-1)?.timestamp;
  const intact = signatures.every(({ outcome }) => outcome === 'intact') && signatures.at(-1)?.coversWholeFile === true;
  const stamped = stamp === undefined ? '' : `, time-stamped as a whole on ${stamp.time.toISOString()}`;
  const sentence = intact ? `intact, covers the whole file, signed by ${plain(name)}${stamped}` : 'broken';
  return { intact, sentence };
}

async function judgeCms(path: string): Promise<Verdict> {
  const { intact, signers } = await verifyCmsFile(path);
  const name = signers[0]?.certificate?.commonName ?? 'an unknown signer';
  return { intact, sentence: intact ? `intact, content inside, signed by ${plain(name)}` : 'broken' };
}

/** Removes the taxpayer number at the end of a common name of ICP-Brasil. */
function plain(commonName: string): string {
  return commonName.replace(/:\d{11,14}$/, '');
}
