/**
 * An instance to be killed under load. Parameters: its root folder, its addresses as JSON, its task, and a seed. Prints
 * lines for its beginning and for everything acknowledged: `told TCN DOCUMENTS`.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeTextPdf } from '../../../src/app/demo/write-text-pdf.ts';
import { ServiceError } from '../../../src/service/errors/index.ts';
import type { CreateTransaction, DocumentsSource } from '../../../src/service/transactions/index.ts';
import { Chance } from '../../fuzz/mutate.ts';
import { createRequest, dataUrl, incoming } from '../../service/transactions/transaction-world.ts';
import { openStorage } from '../../../src/storage/index.ts';
import { backUp, restore } from '../backups.ts';
import type { ProofAddresses } from '../proof-services.ts';
import { callbackOf, openProofWorld, type ProofWorld } from '../proof-world.ts';
import type { KillTask } from './kill-rounds.ts';

const [, , root = '', addressText = '{}', task = 'sign', seed = '0'] = process.argv;
const addresses = JSON.parse(addressText) as ProofAddresses;
const chance = new Chance(Number(seed));
const CLIENTS = 4;
const large = Buffer.alloc(70_000, 'large ');
const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: '1' }, new Date(0));

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** Requests of all kinds; each has documents of its own. */
const requests: readonly ((proof: ProofWorld) => Partial<CreateTransaction>)[] = [
  () => ({ documents: Array.from({ length: 8 }, (_, index) => ({ data: dataUrl(`small ${index}`) })) }),
  () => ({ type: 'CAdES-attached', documents: [{ data: dataUrl(large) }, { data: dataUrl('small') }] }),
  () => ({ type: 'PAdES', policy: 'B-LT', documents: [{ data: dataUrl(pdf, 'application/pdf') }] }),
  () => ({
    destination: 'STORE_A_S3',
    documents: [{ data: dataUrl('stored'), destinationFileName: `${randomUUID()}.p7s` }],
  }),
  ({ world: { home } }) => {
    const paths = Array.from({ length: 3 }, () => join(home, randomUUID()));
    for (const path of paths) writeFileSync(path, 'a file of the user');
    const documentsSource: DocumentsSource = 'FILE_PATH';
    return { documentsSource, destination: 'FILE_PATH', documents: paths.map((data) => ({ data })) };
  },
  ({ world: { home } }) => {
    const path = join(home, `${randomUUID()}.pdf`);
    writeFileSync(path, pdf);
    const documentsSource: DocumentsSource = 'FILE_PATH';
    return { documentsSource, destination: 'FILE_PATH', type: 'PAdES', policy: 'B-LT', documents: [{ data: path }] };
  },
  (proof) => {
    const callback = callbackOf(proof);
    return { documents: [{ data: dataUrl('to be told of') }], ...(callback && { callback }) };
  },
];

async function signOnce(proof: ProofWorld): Promise<void> {
  if (chance.below(requests.length + 1) === 0) {
    const tcn = await proof.create(createRequest());
    say(`told ${tcn} 0`);
    const documents = incoming(['a', 'small'], ['b', large]);
    await proof.world.transactions.upload(tcn, { endOfTransaction: true }, documents);
    say(`told ${tcn} 2`);
    return;
  }
  const request = createRequest({ documentsSource: 'DATA_URL', ...chance.pick(requests)(proof) });
  say(`told ${await proof.create(request)} ${request.documents.length}`);
}

/** A busy machine may refuse; a refused request was not acknowledged. */
function expectRefusal(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
}

async function sign(proof: ProofWorld): Promise<never> {
  const client = async (): Promise<never> => {
    for (;;) await signOnce(proof).catch(expectRefusal);
  };
  return Promise.race(Array.from({ length: CLIENTS }, client));
}

async function begin(): Promise<ProofWorld> {
  const proof = await openProofWorld(root, addresses);
  await proof.world.transactions.resume();
  await proof.notifications.start();
  mkdirSync(join(proof.world.home, 'backups'), { recursive: true });
  say('begin');
  return proof;
}

const tasks: Readonly<Record<KillTask, () => Promise<unknown>>> = {
  sign: async () => sign(await begin()),
  async backup() {
    const proof = await begin();
    const backups = async (): Promise<never> => {
      for (;;) {
        await backUp(proof, `${randomUUID()}.backup`);
        say('step');
      }
    };
    return Promise.race([backups(), sign(proof)]);
  },
  async restore() {
    say('begin');
    await restore(join(root, 'home', 'backups', 'base.backup'), join(root, 'data'), () => say('step'));
    say('restored');
  },
  async migrate() {
    say('begin');
    await (await openStorage(join(root, 'old'))).close();
  },
};

await tasks[task as KillTask]();
process.exit(0);
