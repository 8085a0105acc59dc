/** Keys of the data: database, documents, secrets, limits, archive and files. */
import { join } from 'node:path';
import { z } from 'zod';
import { defaultKeyFile } from './data-folder.ts';
import { databaseUrl } from './database-url.ts';
import {
  absolutePath,
  documentsStore,
  fileGrants,
  resultMode,
  folderPath,
  nameSuffix,
  seconds,
  type KeyRow,
} from './key-schemas.ts';

export const dataKeys = {
  'database.url': {
    schema: databaseUrl.optional(),
    meaning:
      'A PostgreSQL database for a new data folder, as `postgresql://user@host:5432/sinete?sslmode=verify-full`, without its password. Default: SQLite in the data folder. See the guide for operators.',
  },
  'database.password_file': {
    schema: absolutePath.optional(),
    meaning:
      'A file with the password of that database, readable by its owner only. Default: the variable `PGPASSWORD`, or `~/.pgpass`.',
  },
  'documents.store': {
    schema: documentsStore.optional(),
    meaning:
      'A folder for documents that all nodes of one PostgreSQL database share, as an absolute path, or a bucket of an S3-compatible server, as `s3://bucket/prefix`. With this key an instance starts as one node of several. Default: the data folder, and a single instance. See the guide for operators.',
  },
  'documents.endpoint': {
    schema: z
      .string()
      .regex(/^https?:\/\/[^/?#@]+$/, 'must be the origin of a server, such as "https://s3.example"')
      .optional(),
    meaning: 'The server of that bucket, as `https://s3.example`. Default: the server of Amazon for the region.',
  },
  'documents.region': {
    schema: z.string().default('us-east-1'),
    meaning: 'The region of that bucket.',
  },
  'documents.path_style': {
    schema: z.boolean().optional(),
    meaning:
      'Whether the bucket is in the path of the address instead of the name of the host. Default: true with `documents.endpoint`.',
  },
  'documents.credentials_file': {
    schema: absolutePath.optional(),
    meaning:
      'A file with the lines `aws_access_key_id = …` and `aws_secret_access_key = …`, readable by its owner only. Default: the variables `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.',
  },
  'documents.encryption': {
    schema: z.enum(['bucket', 'sse-s3', 'sse-kms']).default('bucket'),
    meaning:
      'How the server encrypts documents: as its `bucket` is set up, under keys of the server (`sse-s3`), or under a key of its key management service (`sse-kms`).',
  },
  'documents.kms_key': {
    schema: z.string().min(1).optional(),
    meaning: 'The key for `sse-kms`. Default: the key of the account.',
  },
  'secret_store.mode': {
    schema: z.enum(['auto', 'os-keychain', 'key-file', 'passphrase', 'memory']).default('auto'),
    meaning: 'Where the master key lies. `auto`: the keychain of the system, or else a key file.',
    place: 'secretStore.mode',
  },
  'secret_store.key_file': {
    schema: absolutePath.optional(),
    meaning: 'The file with the master key, for `key-file`. Default: a file in the configuration folder of the user.',
    place: 'secretStore.keyFile',
    otherwise: () => defaultKeyFile(),
  },
  'secret_store.passphrase_file': {
    schema: absolutePath.optional(),
    meaning:
      'The file with the master key sealed under a passphrase, for `passphrase`. Default: `master-key.json` in the data folder.',
    place: 'secretStore.passphraseFile',
    otherwise: (dataFolder: string) => join(dataFolder, 'master-key.json'),
  },
  'secret_store.passphrase_from': {
    schema: absolutePath.optional(),
    meaning: 'A file with the passphrase itself, readable by its owner only, for a start without a terminal.',
    place: 'secretStore.passphraseFrom',
  },
  'signing.sync_timeout': {
    schema: seconds(30),
    meaning: 'Seconds that a create request with `mode` `sync` waits.',
    place: 'signing.syncTimeout',
  },
  'signing.upload_timeout': {
    schema: seconds(86_400),
    meaning: 'Seconds after which a batch that never ended expires.',
    place: 'signing.uploadTimeout',
  },
  'signing.lifetime': {
    schema: seconds(43_200),
    meaning: 'Seconds that results are kept after signing.',
    place: 'signing.lifetime',
  },
  'signing.refuse_revoked': {
    schema: z.boolean().default(false),
    meaning: 'True: a certificate known here as revoked or suspended does not sign. False: it warns.',
    place: 'signing.refuseRevoked',
  },
  'hashes.allowed': {
    schema: z.enum(['ask', 'never']).default('ask'),
    meaning:
      'Signatures of hashes, whose documents nobody here can see: `ask` makes them after an approval, `never` refuses them.',
    place: 'hashes.allowed',
  },
  'hashes.raw': {
    schema: z.enum(['ask', 'never']).default('ask'),
    meaning:
      'Raw signatures (type `RAW`), which can be anything: `ask` makes them after an approval, for callers with the permission `sign_raw`; `never` refuses them.',
    place: 'hashes.raw',
  },
  'hashes.per_authorization': {
    schema: z.number().int().min(0).max(1000).default(100),
    meaning:
      'Most hashes that a person permits with one authorization for the interfaces of cloud keys (PSC, CSC). 0 closes both interfaces.',
    place: 'hashes.perAuthorization',
  },
  'limits.document_size': {
    schema: z
      .number()
      .int()
      .positive()
      .default(2 * 2 ** 30),
    meaning: 'Bytes of one document.',
    place: 'limits.documentSize',
  },
  'limits.documents': {
    schema: z.number().int().min(1).max(100_000).default(10_000),
    meaning: 'Documents of one transaction.',
    place: 'limits.documents',
  },
  'limits.disk_quota': {
    schema: z.number().int().positive().optional(),
    meaning: 'Bytes of all stored documents together. Default: no limit.',
    place: 'limits.diskQuota',
  },
  'limits.free_space': {
    schema: z
      .number()
      .int()
      .min(0)
      .default(200 * 2 ** 20),
    meaning: 'Bytes that stay free on the disk of the data folder.',
    place: 'limits.freeSpace',
  },
  'limits.database_copies': {
    schema: z.number().int().min(0).max(100).default(3),
    meaning: 'How many daily copies of the database are kept.',
    place: 'limits.databaseCopies',
  },
  'limits.json_body': {
    schema: z
      .number()
      .int()
      .positive()
      .default(64 * 2 ** 20),
    meaning: 'Bytes of a request body in JSON, documents included.',
    place: 'limits.jsonBody',
  },
  'limits.request_timeout': {
    schema: seconds(3600),
    meaning: 'Seconds of one request.',
    place: 'limits.requestTimeout',
  },
  'archive.place': {
    schema: z.enum(['beside', 'folder']).default('beside'),
    meaning:
      'Where the window puts signed files: `beside` the original, or in the `folder` for signed files. A file without a known place, as in a browser, goes to the folder.',
    place: 'archive.place',
  },
  'archive.folder': {
    schema: folderPath.optional(),
    meaning:
      'The folder for files that the window signs. Default: `Assinados` or `Signed` in the documents folder of the user.',
    place: 'archive.folder',
  },
  'archive.by_month': {
    schema: z.boolean().default(true),
    meaning: 'Whether signed files go to a folder of their month, as `2026-11`, inside of `archive.folder`.',
    place: 'archive.byMonth',
  },
  'archive.suffix': {
    schema: z.string().regex(nameSuffix, 'must be 1 to 40 characters that every file name may have').optional(),
    meaning:
      'The end of the name of a PDF that the window signs. Default: `-assinado` or `-signed`, by the language of the window.',
    place: 'archive.suffix',
  },
  'files.roots': {
    schema: z.array(folderPath).default([]),
    meaning:
      'Folders that hold the documents named by path; paths on other computers are only opened below one of them. Default: any folder of this computer.',
    place: 'fileRoots',
  },
  'files.result_mode': {
    schema: resultMode.optional(),
    meaning:
      'The most rights of a result, such as `0640`; a result never has more rights than its document. Default: what the umask or the default access list of the folder allows; for a document that is no file of this computer, the owner alone (`0600`). A granted folder may have its own `result_mode`.',
    place: 'resultMode',
  },
  'files.grants': {
    schema: fileGrants,
    meaning:
      'Folders and stores opened to a web site or an application: `"https://portal.example" = [{ root = "/srv/in", access = "read" }]`.',
    place: 'fileGrants',
  },
} as const satisfies Readonly<Record<string, KeyRow>>;
