/** The operations of an instance during a failure below, each with two documents or similar inputs. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeTextPdf } from '../../src/app/demo/write-text-pdf.ts';
import type { ServiceErrorCode } from '../../src/service/errors/index.ts';
import type { CreateTransaction, TransactionView } from '../../src/service/transactions/index.ts';
import { createRequest, dataUrl, finished, incoming } from '../service/transactions/transaction-world.ts';
import { letTimePass } from '../setup/waits.ts';
import { type FaultKind, hasFailed } from './faults.ts';
import { backUp, backupsOf, expectRestorable } from './backups.ts';
import { callbackOf, type ProofWorld } from './proof-world.ts';

/** The conditions of a single attempt. */
export interface Conditions {
  /** All later calls fail too: nobody waits for work behind these calls. */
  readonly lasting: boolean;
  /** Moves the clock on; milliseconds. */
  readonly advance: (milliseconds: number) => void;
}

export interface Operation {
  /** The kinds of its calls: each has to fail at least once. */
  readonly kinds: readonly FaultKind[];
  /** Number of failures of each kind in the short form, for an operation slow by design. */
  readonly fewest?: number;
  /** Before anything fails. */
  prepare?(proof: ProofWorld): Promise<void>;
  /** May reject, like for a caller. */
  run(proof: ProofWorld, conditions: Conditions): Promise<void>;
  /** Further conditions holding after the next start. */
  check?(proof: ProofWorld): Promise<void>;
}

const pdf = writeTextPdf({ title: 'Contrato', paragraphs: ['Texto.'], footer: '1' }, new Date(0));
/** Bytes of a document at rest in a file. */
const large = Buffer.alloc(70_000, 'large ');
const DAY = 86_400_000;
/** Milliseconds of further work after a lasting failure. */
const GRACE = 60;

/** Waits for the end, or, where no end can come, for a while after the failure. */
async function settled(
  { world: { transactions } }: ProofWorld,
  { lasting }: Conditions,
  tcn: string,
  isSettled: (view: TransactionView) => boolean = ({ finishedAt }) => finishedAt !== null,
): Promise<void> {
  const end = Date.now() + 60_000;
  let patience = Infinity;
  for (;;) {
    const view = await transactions.query(tcn, { waitSeconds: 0.01 });
    if (isSettled(view) || Date.now() > patience) return;
    // Queries of finished transactions are answered at once, and the database answers before any timer may fire.
    await letTimePass(1);
    if (Date.now() > end) throw new Error(`It stays ${view.status}, waiting for ${view.waitingFor ?? 'nothing'}.`);
    if (lasting && hasFailed() && patience === Infinity) patience = Date.now() + GRACE;
  }
}

function creating(kinds: readonly FaultKind[], request: (proof: ProofWorld) => Partial<CreateTransaction>): Operation {
  return {
    kinds,
    async run(proof, conditions) {
      const tcn = await proof.create(createRequest({ documentsSource: 'DATA_URL', ...request(proof) }));
      await settled(proof, conditions, tcn);
    },
  };
}

async function upload(proof: ProofWorld): Promise<string> {
  const tcn = await proof.create(createRequest());
  const documents = incoming(['small.txt', 'small'], ['large.bin', large]);
  await proof.world.transactions.upload(tcn, { endOfTransaction: true }, documents);
  // Only acknowledged documents have to be there.
  proof.told.splice(0, proof.told.length, ...proof.told.map((one) => (one.tcn === tcn ? { tcn, documents: 2 } : one)));
  return tcn;
}

export const operations: Readonly<Record<string, Operation>> = {
  'signing data URLs': creating(['database', 'token'], () => ({
    documents: ['a', 'b'].map((text) => ({ data: dataUrl(text) })),
  })),

  'signing large data URLs': creating(['database', 'token', 'write', 'flush', 'rename'], () => ({
    documents: [{ data: dataUrl(large) }, { data: dataUrl(large) }],
    type: 'CAdES-attached',
  })),

  'signing uploads': {
    kinds: ['database', 'token', 'write', 'flush', 'rename'],
    async run(proof, conditions) {
      await settled(proof, conditions, await upload(proof));
    },
  },

  'signing paths to paths': {
    kinds: ['database', 'token', 'write', 'flush', 'rename'],
    async run(proof, conditions) {
      const documents = ['a', 'b'].map((name) => ({ data: join(proof.world.home, name) }));
      for (const { data } of documents) writeFileSync(data, 'content');
      const request = createRequest({ documentsSource: 'FILE_PATH', destination: 'FILE_PATH', documents });
      await settled(proof, conditions, await proof.create(request));
    },
  },

  'signing a PDF with time stamp and revocation data': creating(
    ['database', 'token', 'write', 'flush', 'rename', 'http'],
    () => ({ documents: [{ data: dataUrl(pdf, 'application/pdf') }], type: 'PAdES', policy: 'B-LT' }),
  ),

  'delivering to a store': creating(['database', 'token', 'write', 'flush', 'rename', 'http'], () => ({
    documents: [{ data: dataUrl('for the store'), destinationFileName: `${randomUUID()}.p7s` }],
    destination: 'STORE_A_S3',
  })),

  notifying: {
    kinds: ['database', 'http'],
    async run(proof, conditions) {
      await proof.notifications.start();
      const documents = [{ data: dataUrl('to be told of') }];
      const callback = callbackOf(proof);
      const request = createRequest({ documentsSource: 'DATA_URL', documents, ...(callback && { callback }) });
      const tcn = await proof.create(request);
      // A failed update is repeated when its lease ends, or by the next start.
      const impatient = { ...conditions, lasting: true };
      await settled(proof, impatient, tcn, ({ notification }) => notification?.status === 'DELIVERED');
    },
    async check(proof) {
      await proof.notifications.start();
      for (const { tcn } of proof.told) {
        const { notification } = await proof.world.transactions.query(tcn);
        if (notification === undefined) continue;
        while ((await proof.world.transactions.query(tcn)).notification?.status === 'WAITING') await letTimePass(5);
      }
    },
  },

  'ending lifetimes and uploads': {
    kinds: ['database'],
    async prepare(proof) {
      await finished(proof.world.transactions, await upload(proof));
      const tcn = await proof.create(createRequest());
      await proof.world.transactions.upload(tcn, { endOfTransaction: false }, incoming(['never.bin', large]));
      proof.told.splice(-1, 1, { tcn, documents: 1 });
    },
    async run(proof, { advance }) {
      advance(2 * DAY);
      await proof.world.transactions.resume();
    },
    async check({ world, told }) {
      const views = await Promise.all(told.map(async ({ tcn }) => world.transactions.query(tcn)));
      const [signed, expired] = views;
      assert.deepEqual(
        signed?.documents.map(({ lifetime }) => lifetime),
        [0, 0],
      );
      assert.deepEqual(
        expired?.documents.map(({ error }) => error?.code),
        ['UPLOAD_EXPIRED'],
      );
    },
  },

  'making a backup': {
    kinds: ['write', 'flush', 'rename'],
    fewest: 1,
    async prepare(proof) {
      await finished(proof.world.transactions, await upload(proof));
      mkdirSync(join(proof.world.home, 'backups'), { recursive: true });
    },
    async run(proof) {
      await backUp(proof, 'all.backup');
    },
    async check(proof) {
      const kept = backupsOf(proof);
      // A file under the name of a backup is a complete backup, and the next backup can be made.
      for (const name of kept) assert.equal(name, 'all.backup');
      await backUp(proof, 'next.backup');
      assert.deepEqual(backupsOf(proof), [...kept, 'next.backup']);
      for (const name of kept) await expectRestorable(proof, name);
    },
  },
};

/**
 * The permitted errors of documents when this kind of call fails. Without permitted errors, all documents are signed in
 * the end.
 */
export const failuresOf: Readonly<Record<FaultKind, readonly ServiceErrorCode[]>> = {
  database: [],
  write: ['STORAGE_UNAVAILABLE'],
  flush: ['STORAGE_UNAVAILABLE'],
  rename: ['STORAGE_UNAVAILABLE'],
  token: ['KEY_SOURCE_UNAVAILABLE'],
  http: ['TSA_UNAVAILABLE', 'NETWORK_UNAVAILABLE', 'REVOCATION_UNAVAILABLE', 'STORE_UNAVAILABLE'],
};
