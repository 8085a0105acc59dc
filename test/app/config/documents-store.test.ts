import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration, type Configuration } from '../../../src/app/config/config.ts';
import { credentialsOfBucket } from '../../../src/app/config/documents-store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-bucket-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const read = async (environment: Readonly<Record<string, string>>): Promise<Configuration> =>
  readConfiguration({
    dataFolder: join(folder, 'data'),
    environment: {
      SINETE_DATABASE_URL: 'postgresql://sinete@127.0.0.1/sinete',
      SINETE_SECRET_STORE_MODE: 'key-file',
      ...environment,
    },
  });

describe('documents.store', () => {
  it('takes a bucket of Amazon', async () => {
    const { documentsBucket, documentsFolder } = await read({
      SINETE_DOCUMENTS_STORE: 's3://company/sinete/a',
      SINETE_DOCUMENTS_REGION: 'sa-east-1',
    });
    expect(documentsFolder).toBeUndefined();
    expect(documentsBucket).toEqual({ bucket: 'company', prefix: 'sinete/a', region: 'sa-east-1', pathStyle: false });
  });

  it('takes a bucket of another server, with a key for its content', async () => {
    const { documentsBucket } = await read({
      SINETE_DOCUMENTS_STORE: 's3://company',
      SINETE_DOCUMENTS_ENDPOINT: 'https://s3.example',
      SINETE_DOCUMENTS_ENCRYPTION: 'sse-kms',
      SINETE_DOCUMENTS_KMS_KEY: 'key-1',
    });
    expect(documentsBucket).toEqual({
      bucket: 'company',
      prefix: '',
      region: 'us-east-1',
      endpoint: 'https://s3.example',
      pathStyle: true,
      encryption: { kind: 'sse-kms', keyId: 'key-1' },
    });
  });

  it.each([
    [{ SINETE_DOCUMENTS_STORE: 's3://' }, '"documents.store"'],
    [{ SINETE_DOCUMENTS_STORE: 'https://company/a' }, '"documents.store"'],
    [{ SINETE_DOCUMENTS_STORE: 's3://company', SINETE_DOCUMENTS_KMS_KEY: 'key-1' }, '"documents.encryption"'],
    [{ SINETE_DOCUMENTS_STORE: 's3://company', SINETE_DOCUMENTS_ENDPOINT: 'https://a:b@s3.example' }, 'the origin'],
    [{ SINETE_DOCUMENTS_STORE: 's3://company', SINETE_SECRET_STORE_MODE: 'memory' }, 'one master key on every node'],
  ])('refuses %j', async (environment, reason) => {
    await expect(read(environment)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(reason) as string,
    });
  });
});

describe('the credentials of the bucket', () => {
  const keys = { kind: 'keys', accessKeyId: 'one', secretAccessKey: 'two/+=' };

  it('come from a file of the form of the AWS tools', async () => {
    const credentialsFile = join(folder, 'credentials');
    writeFileSync(credentialsFile, '[default]\naws_access_key_id = one\naws_secret_access_key=two/+=\n', {
      mode: 0o600,
    });
    expect(await credentialsOfBucket({ credentialsFile }, {})).toEqual(keys);
  });

  it('come from the environment', async () => {
    const environment = { AWS_ACCESS_KEY_ID: 'one', AWS_SECRET_ACCESS_KEY: 'two/+=' };
    expect(await credentialsOfBucket({}, environment)).toEqual(keys);
  });

  it('are refused when they are incomplete, and never shown', async () => {
    const credentialsFile = join(folder, 'credentials');
    writeFileSync(credentialsFile, 'aws_secret_access_key = two\n', { mode: 0o600 });
    const refusal: unknown = await credentialsOfBucket({ credentialsFile }, {}).catch(String);
    expect(refusal).toContain('aws_access_key_id');
    expect(refusal).not.toContain('two');
    await expect(credentialsOfBucket({}, {})).rejects.toMatchObject({ exitCode: 2 });
  });

  it('are refused in a file others may read', async () => {
    const credentialsFile = join(folder, 'credentials');
    writeFileSync(credentialsFile, 'aws_access_key_id = one\naws_secret_access_key = two\n');
    chmodSync(credentialsFile, 0o644);
    await expect(credentialsOfBucket({ credentialsFile }, {})).rejects.toMatchObject({ exitCode: 3 });
  });
});
