import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { AppError } from '../../app-error.ts';
import { answer, answerList, tellDone } from '../print.ts';
import { confirmRemoval, withRemovalOptions, type RemovalOptions } from '../confirm-removal.ts';
import { readSecret } from '../secret-input.ts';
import { callCore, withClient, withCommonOptions, type CommonOptions } from '../with-client.ts';

interface AddOptions extends CommonOptions {
  readonly endpoint?: string;
  readonly prefix?: string;
  readonly overwrite?: boolean;
}

interface AddS3Options extends AddOptions {
  readonly region?: string;
  readonly pathStyle?: boolean;
  readonly accessKey: string;
  readonly secretKeyFile?: string;
}

interface AddGcsOptions extends AddOptions {
  readonly serviceAccountFile?: string;
}

/** `stores …`: object stores for documents and results. */
export function addStoreCommands(program: Command): void {
  const group = program.command('stores').description('object stores');
  withCommonOptions(group.command('list', { isDefault: true }).description('list the stores in their order')).action(
    list,
  );
  const add = group.command('add').description('add a store, or change the one with this id');
  withAddOptions(add.command('s3 <id> <bucket>').description('a bucket of kind S3 (STORE_A_S3)'))
    .requiredOption('--access-key <id>', 'id of the access key; its secret is asked')
    .option('--secret-key-file <path>', 'file that holds the secret, instead of being asked')
    .option('--region <name>', 'region, such as sa-east-1', 'us-east-1')
    .option('--path-style', 'put the bucket in the path, not in the name of the host')
    .action(addS3);
  withAddOptions(add.command('gcs <id> <bucket>').description('a bucket of cloud storage (STORE_B_STORAGE)'))
    .option('--service-account-file <path>', 'JSON key of a service account; without, only emulators answer')
    .action(addGcs);
  withRemovalOptions(group.command('remove <id>').description('forget a store and its credentials')).action(remove);
  withCommonOptions(group.command('test <id>').description('see whether a store answers')).action(test);
}

function withAddOptions(command: Command): Command {
  return withCommonOptions(command)
    .option('--endpoint <url>', "origin of the server; by default the maker's own")
    .option('--prefix <folder>', 'nothing outside of this folder is read or written')
    .option('--overwrite', 'results replace what is there');
}

async function list(options: CommonOptions): Promise<void> {
  const stores = await callCore(options, 'stores.list', {});
  answerList(options, stores, {
    none: 'No object store yet. Add one with "sinete stores add s3" or "sinete stores add gcs".',
    headings: ['Id', 'Kind', 'Place', 'Server', ''],
    row: ({ id, kind, bucket, prefix, endpoint, region, overwrite }) => [
      id,
      kind === 's3' ? 'STORE_A_S3' : 'STORE_B_STORAGE',
      `${bucket}/${prefix}`,
      endpoint ?? region ?? '',
      overwrite ? 'replaces' : '',
    ],
  });
}

async function addS3(id: string, bucket: string, options: AddS3Options): Promise<void> {
  const { accessKey, secretKeyFile, region, pathStyle } = options;
  const secretAccessKey = await readSecret(`Secret of the access key ${accessKey}: `, secretKeyFile);
  const common = { id, bucket, ...commonOf(options) };
  await callCore(options, 'stores.add', {
    ...common,
    kind: 's3',
    accessKeyId: accessKey,
    secretAccessKey,
    region,
    pathStyle,
  });
  tellAdded(id, options);
}

async function addGcs(id: string, bucket: string, options: AddGcsOptions): Promise<void> {
  const { serviceAccountFile } = options;
  const account = {
    serviceAccount: serviceAccountFile === undefined ? undefined : await readKeyFile(serviceAccountFile),
  };
  await callCore(options, 'stores.add', { id, bucket, ...commonOf(options), kind: 'gcs', ...account });
  tellAdded(id, options);
}

function commonOf({ endpoint, prefix, overwrite }: AddOptions): Pick<AddOptions, 'endpoint' | 'prefix' | 'overwrite'> {
  return { endpoint, prefix, overwrite };
}

async function readKeyFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new AppError(2, `The file ${path} cannot be read.`, { cause });
  });
}

function tellAdded(id: string, { json }: AddOptions): void {
  tellDone({ json }, `Added: ${id}. Try it with "sinete stores test ${id}".`);
}

async function remove(id: string, options: RemovalOptions): Promise<void> {
  await withClient(options, async (client) => {
    const store = (await client.call('stores.list', {})).find((one) => one.id === id);
    if (store === undefined) throw new AppError(1, `There is no store "${id}": "sinete stores list" names them.`);
    await confirmRemoval(client, options, [
      ['Store', `${id}, with its credentials`],
      ['Place', `${store.bucket}/${store.prefix}`],
    ]);
    await client.call('stores.remove', { id });
  });
  tellDone(options, `Removed: ${id}`);
}

async function test(id: string, options: CommonOptions): Promise<void> {
  const outcome = await callCore(options, 'stores.test', { id });
  answer(options, outcome, () => `✔ ${id} answers (${outcome.milliseconds} ms)`);
}
