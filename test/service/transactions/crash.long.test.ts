import { createHash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DocumentRecord } from '../../../src/service/transactions/index.ts';
import { personWith } from '../../pki/identities.ts';
import { openWorld } from './transaction-world.ts';

const CHILD = fileURLToPath(new URL('crash-child.ts', import.meta.url));
const DOCUMENTS = 100;
const KILLS_PER_BATCH = 4;
/** Each process starts and flushes many files; a busy disk makes both slow. */
const PATIENCE = 180_000;

let root: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'sinete-crash-'));
  const world = await openWorld({}, root);
  await world.addKey(await personWith());
  await world.stop();
});
afterEach(() => rmSync(root, { recursive: true }));

/**
 * Runs an instance; kills the process without warning so many milliseconds after the beginning of signing, unless
 * finished.
 */
function run(begin: number, killAfter: number | undefined): Promise<'killed' | 'finished'> {
  const child = spawn(process.execPath, [CHILD, root, String(begin)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  let finished = false;
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    if (text.includes('signing') && killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter);
    finished ||= text.includes('finished');
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (finished) resolve('finished');
      else if (signal === 'SIGKILL') resolve('killed');
      else reject(new Error(`The instance ended with ${String(code)}: ${errors}`));
    });
  });
}

/** A document at rest between two processes, with its result if kept in the database. */
interface Resting extends DocumentRecord {
  readonly small: Buffer | undefined;
}

/** The content of the disk between two processes. */
async function readDocuments(): Promise<readonly Resting[]> {
  const world = await openWorld({}, root);
  try {
    const { transactions, smallDocuments } = world.storage;
    const documents = (await transactions.recent(10)).flatMap((stored) => stored.documents);
    return await Promise.all(documents.map(async (one) => ({ ...one, small: await smallDocuments.result(one.key) })));
  } finally {
    await world.stop();
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Checks the invariants of every moment, and answers the results so far by document. */
function expectTruth(documents: readonly Resting[], before: ReadonlyMap<string, string>): Map<string, string> {
  expect(documents).toHaveLength(3 * DOCUMENTS);
  const results = new Map<string, string>();
  for (const { key, status, destinationPath, result, delivery, content, small } of documents) {
    expect(status).not.toBe('ERROR');
    const path = destinationPath ?? join(root, 'data', 'results', key);
    if (result !== null) {
      expect(small !== undefined).toBe(content?.kind === 'small' || content?.kind === 'digest');
      expect(sha256(small ?? readFileSync(path))).toBe(result.checksum);
      results.set(key, result.checksum);
    } else if (destinationPath !== null && existsSync(path)) {
      expect(sha256(readFileSync(path))).toBe(delivery?.checksum);
    } else {
      expect(small).toBeUndefined();
    }
  }
  for (const [key, checksum] of before) expect(results.get(key)).toBe(checksum);
  return results;
}

describe('an instance killed in the middle of a batch', () => {
  it.each([[1], [2]])(
    'loses no document and doubles none, batch %i',
    async () => {
      let results: ReadonlyMap<string, string> = new Map();
      let outcome = await run(DOCUMENTS, Math.random() * 60);
      let killedMidway = 0;
      for (let kills = 1; outcome === 'killed'; kills++) {
        results = expectTruth(await readDocuments(), results);
        if (results.size < 3 * DOCUMENTS) killedMidway++;
        outcome = await run(0, kills < KILLS_PER_BATCH ? Math.random() * 120 : undefined);
      }
      results = expectTruth(await readDocuments(), results);
      expect(killedMidway).toBeGreaterThan(0);
      expect(results.size).toBe(3 * DOCUMENTS);
      const signed = readdirSync(join(root, 'home', 'documents')).filter((name) => name.endsWith('.p7s'));
      expect(signed).toHaveLength(DOCUMENTS);
      expect(readdirSync(join(root, 'home', 'documents'))).toHaveLength(2 * DOCUMENTS);
      expect(readdirSync(join(root, 'data', 'results'))).toHaveLength(DOCUMENTS);
    },
    PATIENCE,
  );
});
