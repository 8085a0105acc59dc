import { AppError } from '../app-error.ts';
import type { Values } from './values.ts';
import { readOwn } from './database-url.ts';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

const OTHERS_WRITE = 0o022;

/**
 * Checks the keys of an instance that starts as one node of several. Throws `AppError` (exit code 2) with the key to
 * change: no PostgreSQL, no master key available to every node, or a shared folder that is this node's data folder.
 * Absent `store`: the documents are in a bucket. Exit code 3 for a shared folder that other users may write to.
 */
function checkNode(
  values: Pick<Values, 'database.url' | 'secret_store.mode'>,
  { dataFolder, store }: { readonly dataFolder: string; readonly store?: string },
): void {
  if (values['database.url'] === undefined) {
    throw new AppError(
      2,
      'The key "documents.store" needs PostgreSQL: name the database of all nodes in "database.url". SQLite has one instance.',
    );
  }
  const secrets = values['secret_store.mode'];
  if (secrets !== 'key-file' && secrets !== 'passphrase') {
    throw new AppError(
      2,
      'The key "documents.store" needs one master key on every node: set "secret_store.mode" to "key-file" or "passphrase", and give each node a copy of the file.',
    );
  }
  if (store === undefined) return;
  if (resolve(store) === resolve(dataFolder)) {
    throw new AppError(
      2,
      'The key "documents.store" names the data folder of this node: name a folder of its own, which all nodes share.',
    );
  }
  const mode = process.platform === 'win32' ? undefined : statSync(store, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && (mode & OTHERS_WRITE) !== 0) {
    throw new AppError(3, `Other users may write to the shared folder of documents: run "chmod 700 ${store}".`);
  }
}

/** The bucket for the documents of all nodes, without its credentials. */
export interface ConfiguredBucket {
  readonly bucket: string;
  readonly prefix: string;
  /** Address of the S3-compatible server; absent for Amazon's server of the region. */
  readonly endpoint?: string;
  readonly region: string;
  readonly pathStyle: boolean;
  readonly encryption?: { readonly kind: 'sse-s3' } | { readonly kind: 'sse-kms'; readonly keyId?: string };
  /** File with the credentials; absent if the environment has them. */
  readonly credentialsFile?: string;
}

/** The place for the documents of all nodes. */
export interface ConfiguredDocuments {
  readonly documentsFolder?: string;
  readonly documentsBucket?: ConfiguredBucket;
}

/** The place for the documents of all nodes; empty for a single instance. Throws `AppError`. */
export function documentsOf(values: Values, dataFolder: string): ConfiguredDocuments {
  const store = values['documents.store'];
  if (store === undefined) return {};
  const isBucket = store.startsWith('s3://');
  checkNode(values, { dataFolder, ...(isBucket ? {} : { store }) });
  return isBucket ? { documentsBucket: bucketOf(values, store) } : { documentsFolder: store };
}

function bucketOf(values: Values, store: string): ConfiguredBucket {
  const [bucket = '', ...prefix] = store.slice('s3://'.length).split('/');
  const endpoint = values['documents.endpoint'];
  const keyId = values['documents.kms_key'];
  const kind = values['documents.encryption'];
  if (keyId !== undefined && kind !== 'sse-kms') {
    throw new AppError(2, 'The key "documents.kms_key" needs "documents.encryption" to be "sse-kms".');
  }
  return {
    bucket,
    prefix: prefix.join('/'),
    region: values['documents.region'],
    // A server of one's own seldom has a host name for each bucket.
    pathStyle: values['documents.path_style'] ?? endpoint !== undefined,
    ...(kind === 'bucket' ? {} : { encryption: kind === 'sse-s3' ? { kind } : { kind, keyId } }),
    endpoint,
    credentialsFile: values['documents.credentials_file'],
  };
}

/**
 * The access key of the bucket: from the file, in the form of the AWS tools, or else from `AWS_ACCESS_KEY_ID` and
 * `AWS_SECRET_ACCESS_KEY`. Throws `AppError` for a file that other users may read, and when a part is missing.
 */
export async function credentialsOfBucket(
  { credentialsFile }: Pick<ConfiguredBucket, 'credentialsFile'>,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<{ readonly kind: 'keys'; readonly accessKeyId: string; readonly secretAccessKey: string }> {
  const text =
    credentialsFile === undefined
      ? undefined
      : await readOwn(credentialsFile, { key: 'documents.credentials_file', content: 'access key' });
  const find = (name: string): string | undefined =>
    text === undefined
      ? environment[name.toUpperCase()]
      : new RegExp(`^\\s*${name}\\s*=\\s*(\\S+)\\s*$`, 'm').exec(text)?.[1];
  const accessKeyId = find('aws_access_key_id');
  const secretAccessKey = find('aws_secret_access_key');
  if (accessKeyId !== undefined && secretAccessKey !== undefined) return { kind: 'keys', accessKeyId, secretAccessKey };
  throw new AppError(
    2,
    credentialsFile === undefined
      ? 'The bucket of "documents.store" needs credentials: name their file in "documents.credentials_file", or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'
      : `The file ${credentialsFile} needs the lines "aws_access_key_id = …" and "aws_secret_access_key = …".`,
  );
}
