import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { TOTP, URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfiguration } from '../../src/app/config/config.ts';
import { openCore, requesters, type Core } from '../../src/app/compose/open-core.ts';
import { buildUiCalls } from '../../src/app/calls/ui-calls.ts';
import { hashAuditRow, transactionSubject } from '../../src/service/audit/index.ts';
import type { CallHandlers } from '../../src/ui-contract/ui-contract.ts';
import { runSinete } from './run-sinete.ts';

const cpf = '52998224725';
let folder: string;
let environment: Record<string, string>;
let core: Core;
let calls: CallHandlers;
let tcn: string;
let bearer: string;

async function open(): Promise<void> {
  const configuration = await readConfiguration({ dataFolder: join(folder, 'data'), environment });
  core = await openCore({ dataFolder: join(folder, 'data'), configuration });
  calls = buildUiCalls(core, requesters['command-line'], () => '');
}

/** One of everything that is to be written down. */
async function live(): Promise<void> {
  const { alias } = await calls['certificates.makeTestIdentity']({ name: 'Maria Silva', cpf });
  const offer = await core.accounts.begin({ name: 'Maria Silva', username: cpf });
  const totp = URI.parse(offer.otpauthUri);
  const { account } = await core.accounts.confirm(offer.enrolment, totp instanceof TOTP ? totp.generate() : '');
  const registered = { name: 'Portal', comments: '', email: '', redirectUris: ['https://portal.example/back'] };
  const { application } = await core.applications.register(registered);
  const issued = await core.authorization.issueToken({
    username: cpf,
    clientId: application.clientId,
    scopes: ['single_signature'],
    lifetime: undefined,
  });
  bearer = issued.accessToken;
  await core.applications.rotate(application.clientId);
  await core.consent.allow({ origin: 'https://portal.example', scopes: ['sign'], days: 1 });
  await core.consent.revoke('https://portal.example');
  await sign(alias);
  await core.accounts.remove(account.id);
  await calls['tsa.add']({
    id: 'paid',
    url: 'https://tsa.example/key-of-owner',
    digest: 'sha256',
    authentication: { kind: 'none' },
  });
  await calls['tsa.remove']({ id: 'paid' });
}

async function sign(alias: string): Promise<void> {
  const path = join(folder, 'contract-of-maria.txt');
  writeFileSync(path, 'contract');
  const transaction = await calls['sign.paths']({
    type: 'CAdES-attached',
    alias,
    digest: 'sha256',
    files: [{ path, destination: `${path}.p7s` }],
  });
  tcn = transaction.tcn;
  await calls['approvals.decide']({ tcn, decision: 'approve' });
  for (let round = 0; round < 20; round++) {
    const { documents } = await core.transactions.query(tcn, { waitSeconds: 1 });
    if (documents[0]?.status === 'SIGNED') return;
  }
  throw new Error(JSON.stringify(await calls['transactions.read']({ tcn })));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-audit-app-'));
  environment = { SINETE_SECRET_STORE_MODE: 'key-file', SINETE_SECRET_STORE_KEY_FILE: join(folder, 'master.key') };
  await open();
  await live();
});
afterAll(async () => {
  await core.close();
  rmSync(folder, { recursive: true });
});

describe('the audit log of an instance', () => {
  it('tells of every change in order, and is intact', async () => {
    const kinds = (await calls['audit.list']({ after: 0, limit: 1000 })).map(({ kind }) => kind);
    expect(kinds).toEqual([
      'certificate-added',
      'person-enrolled',
      'application-registered',
      'token-issued',
      'token-revoked',
      'application-rotated',
      'consent-given',
      'consent-revoked',
      'transaction-created',
      'transaction-approved',
      'documents-signed',
      'token-revoked',
      'person-removed',
      'timestamp-servers-changed',
      'timestamp-servers-changed',
    ]);
    expect(await calls['audit.verify']({})).toMatchObject({ state: 'intact', rows: kinds.length });
  });

  it('finds the rows of a transaction by its TCN, with the used key', async () => {
    const rows = await calls['audit.list']({ after: 0, tcn, limit: 10 });
    expect(rows.map(({ kind }) => kind)).toEqual(['transaction-created', 'transaction-approved', 'documents-signed']);
    const [created, , signed] = rows.map(({ detail }) => JSON.parse(detail) as Record<string, unknown>);
    expect(signed?.certificate).toBe(created?.certificate);
    expect(signed?.documents).toEqual([[expect.stringMatching(/^\w+$/), expect.stringMatching(/^[0-9a-f]{64}$/)]]);
  });

  it('holds no TCN, no token, no whole CPF, no name of a person or file, no key in an address', async () => {
    const text = JSON.stringify(await calls['audit.list']({ after: 0, limit: 1000 }));
    for (const secret of [tcn, bearer, cpf, 'Maria', 'contract-of', 'key-of-owner']) expect(text).not.toContain(secret);
    expect(text).toContain('***.982.247-**');
  });

  it('is sealed when the application ends, and still verifies afterwards', async () => {
    await core.close();
    await open();
    const verdict = await calls['audit.verify']({});
    expect(verdict).toMatchObject({ state: 'intact', mark: { sequence: 15 } });
  });

  it('is verified and exported by the command line, so that others can check the chain by its definition', async () => {
    await core.close();
    const data = join(folder, 'data');
    const place = {
      folder,
      data,
      environment: { ...environment, SINETE_DATA: data },
      remove: async () => Promise.resolve(),
    };
    const verified = await runSinete(place, ['audit', 'verify', '--json']);
    expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { state: 'intact', rows: 15 }]);
    const exported = await runSinete(place, ['audit', 'export', 'rows.jsonl']);
    expect([exported.code, exported.stderr]).toEqual([0, '15 rows are in rows.jsonl.\n']);
    const lines = readFileSync(join(folder, 'rows.jsonl'), 'utf8').trim().split('\n');
    let previous = '0'.repeat(64);
    for (const line of lines) {
      const row = JSON.parse(line) as Parameters<typeof hashAuditRow>[0] & { at: string; hash: string };
      expect(hashAuditRow({ ...row, at: Date.parse(row.at), previous })).toBe(row.hash);
      previous = row.hash;
    }
    const database = new SqliteDatabase(join(data, 'sinete.db'));
    database.exec("drop trigger audit_log_no_update; update audit_log set kind = 'key-locked' where sequence = 11");
    database.close();
    const broken = await runSinete(place, ['audit', 'verify']);
    expect([broken.code, broken.stdout]).toEqual([1, '✘ Row 11: it was changed after it was written.\n']);
    await open();
  });

  it('names transactions by a digest', () => {
    expect(transactionSubject('ABC')).toBe('transaction:b5d4045c3f466fa9');
  });
});
