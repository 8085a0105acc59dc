/** Conditions holding for a data folder at any time, and conditions holding after a start when all work is done. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { verifyAudit } from '../../src/service/audit/index.ts';
import type { DocumentRecord } from '../../src/service/transactions/index.ts';
import { SqlAuditLog } from '../../src/storage/index.ts';
import { createRequest, dataUrl, finished } from '../service/transactions/transaction-world.ts';
import { letTimePass, until } from '../setup/waits.ts';
import type { ProofWorld } from './proof-world.ts';

const everything = 1_000_000;

/** Continues all waiting work up to its end, and checks everything. */
export async function expectWellAfterStart(proof: ProofWorld): Promise<void> {
  await proof.world.transactions.resume();
  await expectNothingWaits(proof);
  await expectKept(proof);
  // Originals are removed after the last commit of their transaction.
  await eventually(async () => expectBytesOfSigned(proof));
  await expectChain(proof);
  await expectNextWorks(proof);
}

/** Resolves when the check passes; after ten seconds, rejects like the check. */
async function eventually(holds: () => Promise<void>): Promise<void> {
  const end = Date.now() + 10_000;
  for (;;) {
    try {
      await holds();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
      await letTimePass(20);
    }
  }
}

/** No transaction stays WAITING unless a person is needed. */
async function expectNothingWaits({ world: { transactions, storage } }: ProofWorld): Promise<void> {
  const waiting = async (): Promise<number> => (await storage.transactions.list({ kind: 'to-be-signed' })).length;
  await until(async () => (await waiting()) === 0, 'no document that waits').catch(async (error: unknown) =>
    assert.fail(`${String(error)} These wait: ${JSON.stringify(await transactions.recent(10))}`),
  );
}

/** Every acknowledged document exists exactly once, and there are no other documents. */
async function expectKept({ world: { storage }, told }: ProofWorld): Promise<void> {
  const stored = await storage.transactions.recent(everything);
  assert.deepEqual(stored.map(({ transaction: { tcn } }) => tcn).sort(), told.map(({ tcn }) => tcn).sort());
  const countOf = new Map(stored.map(({ transaction, documents }) => [transaction.tcn, documents.length]));
  for (const { tcn, documents } of told) assert.equal(countOf.get(tcn), documents);
}

/** Each SIGNED document has its bytes, in a single place; nothing else is left in our folders or beside the user's. */
async function expectBytesOfSigned(proof: ProofWorld): Promise<void> {
  const { folder, home, storage } = proof.world;
  const documents = (await storage.transactions.recent(everything)).flatMap((one) => one.documents);
  const small = await keysOfRows(proof, 'small_results');
  for (const document of documents) {
    const { result } = document;
    if (result === null || result.erasedAt !== null) continue;
    const bytes = await resultOf(proof, document, small);
    assert.equal(bytes === undefined ? 'nothing' : sha256(bytes), result.checksum, place(document));
  }
  const kept = documents.filter(isKeptHere).map(({ key }) => key);
  assert.deepEqual([...readdirSync(join(folder, 'results')), ...small].sort(), kept.sort());
  const waiting = new Set(documents.filter(({ status }) => status === 'WAITING').map(({ key }) => key));
  const originals = readdirSync(join(folder, 'documents'));
  assert.deepEqual(
    originals.filter((name) => !waiting.has(name)),
    [],
  );
  assert.deepEqual(readdirSync(join(folder, 'incoming')), []);
  await expectSmallOriginals(proof, documents, waiting);
  const delivered = documents.flatMap(
    ({ result, destinationPath }) => (result === null ? null : destinationPath) ?? [],
  );
  const beside = readdirSync(home).filter((name) => /^\.|\.p7s$|-signed\.pdf$/.test(name));
  assert.deepEqual(beside.map((name) => join(home, name)).sort(), delivered.sort());
}

async function keysOfRows({ world }: ProofWorld, table: 'small_originals' | 'small_results'): Promise<string[]> {
  const rows = await world.storage.database.selectFrom(table).select('key').execute();
  return rows.map(({ key }) => key);
}

/** A batch gives its originals up together, when its last document is final. */
async function expectSmallOriginals(
  proof: ProofWorld,
  documents: readonly DocumentRecord[],
  waiting: ReadonlySet<string>,
): Promise<void> {
  const tcns = new Set(documents.filter(({ key }) => waiting.has(key)).map(({ tcn }) => tcn));
  const unneeded = new Set(documents.filter(({ tcn }) => !tcns.has(tcn)).map(({ key }) => key));
  const known = new Set(documents.map(({ key }) => key));
  const originals = await keysOfRows(proof, 'small_originals');
  assert.deepEqual(
    originals.filter((key) => unneeded.has(key) || !known.has(key)),
    [],
  );
}

const isKeptHere = ({ destinationPath, destinationUrl, result }: DocumentRecord): boolean =>
  destinationPath === null && destinationUrl === null && result?.erasedAt === null;

const place = ({ id, destinationPath, destinationUrl }: DocumentRecord): string =>
  `${id} at ${destinationUrl ?? destinationPath ?? 'home'}`;

async function resultOf(
  proof: ProofWorld,
  { key, destinationPath, destinationUrl }: DocumentRecord,
  small: readonly string[],
): Promise<Buffer | undefined> {
  if (small.includes(key)) return proof.world.storage.smallDocuments.result(key);
  if (destinationUrl !== null) return readObject(proof, destinationUrl);
  const path = destinationPath ?? join(proof.world.folder, 'results', key);
  return existsSync(path) ? readFileSync(path) : undefined;
}

async function readObject({ objects }: ProofWorld, url: string): Promise<Buffer> {
  const { hostname, pathname } = new URL(url);
  const address = { kind: 's3', bucket: hostname, key: decodeURIComponent(pathname.slice(1)) } as const;
  return objects.read(address, async ({ content }) => buffer(Readable.from(content)));
}

/** The audit log fits together. */
async function expectChain({ world }: ProofWorld): Promise<void> {
  const verdict = await verifyAudit(new SqlAuditLog(world.storage.database), null);
  assert.equal(verdict.state, 'intact', JSON.stringify(verdict));
}

/** The instance does its work: a document more is signed. */
async function expectNextWorks(proof: ProofWorld): Promise<void> {
  const documents = [{ data: dataUrl('the next one') }];
  const tcn = await proof.create(createRequest({ documentsSource: 'DATA_URL', documents }));
  const view = await finished(proof.world.transactions, tcn);
  assert.equal(view.status, 'SIGNED', JSON.stringify(view.documents));
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
