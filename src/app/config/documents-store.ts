import { AppError } from '../app-error.ts';
import type { Values } from './values.ts';
import { readOwn } from './database-url.ts';
import { checkNode } from './node.ts';

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
