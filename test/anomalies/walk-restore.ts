/** Restores over an existing instance, again and again, each time with a later call failing. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequest, dataUrl, finished } from '../service/transactions/transaction-world.ts';
import { backUp, restore } from './backups.ts';
import { arm, type FaultKind } from './faults.ts';
import { expectWellAfterStart } from './invariants.ts';
import type { ProofAddresses } from './proof-services.ts';
import { openProofWorld, type ProofWorld, type Told } from './proof-world.ts';

export const restoreKinds: readonly FaultKind[] = ['database', 'write', 'flush', 'rename'];

/** A root with an instance, and an older backup. */
export interface RestoreGround {
  readonly root: string;
  readonly addresses: ProofAddresses;
  readonly inBackup: readonly Told[];
  readonly present: readonly Told[];
}

/** Makes the root from a folder filled by `prepareProofFolder`. */
export async function prepareRestore(template: string, addresses: ProofAddresses): Promise<RestoreGround> {
  const root = mkdtempSync(join(tmpdir(), 'sinete-restore-'));
  cpSync(template, root, { recursive: true });
  const proof = await openProofWorld(root, addresses);
  mkdirSync(join(proof.world.home, 'backups'));
  await signLarge(proof);
  const inBackup = [...proof.told];
  await backUp(proof, 'all.backup');
  await signLarge(proof);
  await proof.stop();
  return { root, addresses, inBackup, present: [...proof.told] };
}

async function signLarge(proof: ProofWorld): Promise<void> {
  const documents = [{ data: dataUrl(Buffer.alloc(70_000)) }, { data: dataUrl('small') }];
  await finished(
    proof.world.transactions,
    await proof.create(createRequest({ documentsSource: 'DATA_URL', documents })),
  );
}

/** Answers how many calls failed, at most so many; rejects when neither instance is there afterwards. */
export async function walkRestore(ground: RestoreGround, kind: FaultKind, most: number): Promise<number> {
  let failures = 0;
  for (const lasting of [false, true]) {
    for (let n = 1; n <= most; n++) {
      if (!(await attempt(ground, { kind, n, lasting }))) break;
      failures++;
    }
  }
  return failures;
}

async function attempt(
  { root: from, addresses, inBackup, present }: RestoreGround,
  plan: { readonly kind: FaultKind; readonly n: number; readonly lasting: boolean },
): Promise<boolean> {
  const root = mkdtempSync(join(tmpdir(), 'sinete-restore-'));
  cpSync(from, root, { recursive: true });
  try {
    const disarm = arm({ ...plan, folder: root });
    const restored = await restore(join(root, 'home', 'backups', 'all.backup'), join(root, 'data')).then(
      () => true,
      () => false,
    );
    const failed = disarm() !== undefined;
    assert.ok(restored || failed, 'It was refused although nothing failed.');
    const proof = await openProofWorld(root, addresses);
    try {
      // A changed name stays changed when the following steps fail.
      const found = await proof.world.storage.transactions.recent(100);
      const isBackup = found.length === inBackup.length;
      assert.ok(isBackup || !restored, 'It is said to be restored, and is not.');
      proof.told.push(...(isBackup ? inBackup : present));
      await expectWellAfterStart(proof);
    } finally {
      await proof.stop();
    }
    const left = readdirSync(root).filter((name) => name.includes('.restor'));
    assert.deepEqual(left, [], `${plan.kind} ${plan.n}`);
    return failed;
  } finally {
    rmSync(root, { recursive: true });
  }
}
