import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignatureRequest } from '../../../src/request/signature-request.ts';
import type { DocumentRecord, TransactionRecord } from '../../../src/service/transactions/index.ts';
import {
  date,
  json,
  nullable,
  optional,
  partColumns,
  recordColumns,
  text,
} from '../../../src/storage/sql/columns/columns.ts';
import * as consent from '../../../src/storage/sql/columns/consent.ts';
import { documentColumnNames, fromDocumentRow, toDocumentRow } from '../../../src/storage/sql/columns/documents.ts';
import * as identity from '../../../src/storage/sql/columns/identity.ts';
import * as notifications from '../../../src/storage/sql/columns/notifications.ts';
import * as others from '../../../src/storage/sql/columns/others.ts';
import {
  fromTransactionRow,
  toTransactionRow,
  transactionColumnNames,
} from '../../../src/storage/sql/columns/transactions.ts';
import { placeMigratedDatabase } from '../migrated-database.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-columns-'));
  await placeMigratedDatabase(folder);
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The columns of each table described in TypeScript, and further columns outside of every record. */
const tables: Readonly<Record<string, readonly [described: readonly string[], besides: readonly string[]]>> = {
  transactions: [
    transactionColumnNames,
    ['waiting_since', 'claimed_by', 'claim_number', 'hold', 'history_number', 'incomplete'],
  ],
  documents: [documentColumnNames, []],
  accounts: [identity.accountColumns.names, ['id', 'sealed_secret']],
  attempts: [identity.attemptColumns.names, []],
  applications: [[...identity.applicationColumns.names, ...identity.applicationSecretColumns.names], []],
  authorization_codes: [identity.codeColumns.names, []],
  access_tokens: [[...identity.tokenColumns.names, ...identity.tokenSecretColumns.names], []],
  refresh_tokens: [identity.refreshTokenColumns.names, []],
  administrators: [identity.administratorColumns.names, ['hash']],
  site_grants: [consent.siteGrantColumns.names, []],
  standing_approvals: [consent.standingApprovalColumns.names, []],
  file_grants: [consent.fileGrantColumns.names, []],
  cached_users: [consent.cachedUserColumns.names, []],
  notifications: [
    [
      ...notifications.notificationColumns.names,
      ...notifications.notificationStateColumns.names,
      ...notifications.webhookColumns.names,
    ],
    ['lease_until'],
  ],
  webhook_endpoints: [[...notifications.destinationColumns.names, ...notifications.webhookEndpointColumns.names], []],
  renewals: [others.renewalColumns.names, ['kept', 'state', 'protected_until']],
  revocation_cache: [
    [...others.revocationKeyColumns.names, ...others.cachedDataColumns.names, ...others.cachedFailureColumns.names],
    [],
  ],
  short_lived: [others.shortLivedColumns.names, []],
};

describe('the columns of a migrated database', () => {
  it.each(Object.entries(tables))('agree with the description of the table %s', (table, [described, besides]) => {
    const database = new SqliteDatabase(join(folder, 'sinete.db'), { readonly: true });
    try {
      const rows = database.prepare<[string], { name: string }>('select name from pragma_table_info(?)').all(table);
      expect([...described, ...besides].sort()).toEqual(rows.map(({ name }) => name).sort());
    } finally {
      database.close();
    }
  });
});

interface Note {
  readonly title: string;
  readonly tags: readonly string[];
  readonly writtenAt: Date | null;
  readonly author?: string;
}

const noteColumns = recordColumns<Note>()({
  title: text('title'),
  tags: json('tags'),
  writtenAt: nullable(date('written_at')),
  author: optional(text('author')),
});

describe('columns of a record', () => {
  it('write a row, with NULL for null and for an absent property, and read the same record', () => {
    const note = { title: 'Ata', tags: ['a'], writtenAt: null };
    const row = { title: 'Ata', tags: '["a"]', written_at: null, author: null };
    expect(noteColumns.toRow(note)).toEqual(row);
    expect(noteColumns.fromRow(row)).toStrictEqual(note);
  });

  it('write only the properties of a change, null too', () => {
    expect(noteColumns.toChange({ tags: [], writtenAt: null, author: undefined })).toStrictEqual({
      tags: '[]',
      written_at: null,
    });
  });

  it('are NULL together for a missing part', () => {
    const columns = partColumns<{ readonly code: string; readonly detail: string }>()({
      code: text('error_code'),
      detail: text('error_detail'),
    });
    const missing = { error_code: null, error_detail: null };
    expect(columns.toRow(undefined)).toEqual(missing);
    expect(columns.fromRow(missing)).toBeUndefined();
    expect(columns.fromRow({ error_code: 'FULL', error_detail: '' })).toEqual({ code: 'FULL', detail: '' });
  });
});

const document: DocumentRecord = {
  key: '0'.repeat(32),
  tcn: 'T',
  position: 3,
  id: '7',
  announcedId: true,
  announcedName: false,
  status: 'WAITING',
  originalFileName: 'ata.pdf',
  mediaType: 'application/pdf',
  settingId: '1',
  content: { kind: 'kept' },
  size: 10,
  checksum: 'aa',
  destinationPath: null,
  destinationUrl: null,
  destinationFileName: null,
  delivery: null,
  result: null,
  error: null,
};
const time = new Date('2026-03-01T10:00:00.123Z');
const delivery = { size: 20, checksum: 'bb', signedAt: time, signature: 'MII=' };
const findings = { repairs: ['One repair.'], adjustments: ['One stamp.'], warnings: ['PDFA_LOST'] as never };
const pending = { level: 'AD-RA', since: time, next: time } as const;
const error = { code: 'EXPIRED', detail: 'The certificate has expired.' } as unknown as NonNullable<
  DocumentRecord['error']
>;

describe('a document', () => {
  it.each<readonly [string, DocumentRecord]>([
    ['is announced', { ...document, content: null, size: null, checksum: null, settingId: null }],
    ['is in a file of the user', { ...document, content: { kind: 'path', path: '/ata.pdf' } }],
    ['is small', { ...document, content: { kind: 'small' } }],
    ['is known by its digest', { ...document, content: { kind: 'digest' } }],
    [
      'is given by its hash',
      { ...document, size: null, content: { kind: 'hash', hash: { digest: 'sha512', value: 'ab' }, result: 'file' } },
    ],
    [
      'is given by its hash, with a result in the database',
      {
        ...document,
        size: null,
        content: { kind: 'hash', hash: { digest: 'sha384', value: 'cd' }, result: 'database' },
      },
    ],
    ['is being delivered', { ...document, destinationPath: '/out.pdf', delivery: { ...delivery, ...findings } }],
    ['waits for evidence', { ...document, evidence: { revision: 0, pending: { ...pending, findings } }, attempt: 2 }],
    [
      'is signed',
      { ...document, status: 'SIGNED', result: { ...delivery, ...findings, expiresAt: time, erasedAt: null } },
    ],
    [
      'is signed and about to be replaced by its extended form',
      {
        ...document,
        status: 'SIGNED',
        result: { ...delivery, expiresAt: null, erasedAt: null },
        evidence: { revision: 1, pending: { ...pending, replacement: { size: 30, checksum: 'cc' } } },
      },
    ],
    [
      'is signed and stays at its level',
      {
        ...document,
        status: 'SIGNED',
        result: { ...delivery, signature: null, expiresAt: null, erasedAt: time },
        evidence: { revision: 0, error },
      },
    ],
    ['failed', { ...document, status: 'ERROR', error }],
  ])('%s is the same after writing and reading its row', (_state, record) => {
    expect(fromDocumentRow(toDocumentRow(record))).toStrictEqual(record);
  });
});

const transaction: TransactionRecord = {
  tcn: 'T',
  type: 'PAdES',
  digest: 'sha256',
  policy: 'AD-RB',
  documentsSource: 'UPLOAD_REFERENCE',
  destination: 'DOWNLOAD',
  mode: 'async',
  autoFixDocument: true,
  returnSignature: false,
  settings: [],
  requester: { kind: 'site', name: 'https://app.example' },
  certificateAlias: '1',
  certificateFingerprint: 'aa',
  keySource: 'file',
  approval: 'required',
  uploadOpen: true,
  waitingFor: 'upload',
  createdAt: time,
  finishedAt: null,
} as unknown as TransactionRecord;

describe('a transaction', () => {
  it.each<readonly [string, TransactionRecord]>([
    ['without optional properties', transaction],
    [
      'with all optional properties',
      {
        timestampServer: 'act',
        ...({
          ...transaction,
          uploadOpen: false,
          waitingFor: null,
          finishedAt: time,
          approvedBy: 'configuration',
          caller: 'site https://app.example',
          existingSignature: Buffer.from([1, 2]),
          documentLimit: 4,
          callback: { url: 'https://a.example/', baseUrl: 'http://localhost', clientId: null, fromLoopback: true },
          turn: ['owner', 'token'],
          homeNode: 'node',
          traceParent: '00-a-b-01',
          byBridge: true,
          door: 'psc',
        } satisfies Required<Omit<TransactionRecord, keyof SignatureRequest>>),
      },
    ],
  ])('%s is the same after writing and reading its row', (_state, record) => {
    expect(fromTransactionRow(toTransactionRow(record))).toStrictEqual(record);
  });
});
