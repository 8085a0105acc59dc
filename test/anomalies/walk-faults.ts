/** Runs an operation again and again, each time with a later call failing, until a run without any failure. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProofAddresses } from './proof-services.ts';
import { arm, type FaultKind } from './faults.ts';
import { expectWellAfterStart } from './invariants.ts';
import { failuresOf, type Operation } from './operations.ts';
import { openProofWorld, type ProofWorld } from './proof-world.ts';

export interface Walk {
  /** A folder filled by `prepareProofFolder`. */
  readonly template: string;
  readonly addresses: ProofAddresses;
  /** Each n; else each at first, and then larger steps. */
  readonly every: boolean;
}

/** A failure of a single attempt, with the facts to repeat the attempt. */
class AttemptFailure extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

const nextStep = (n: number, every: boolean): number => (every || n < 3 ? n + 1 : n + Math.ceil(n / 2));

/** Answers the failed calls of the kind; rejects when an invariant did not hold afterwards. */
async function walkFaults(
  walk: Walk,
  operation: Operation,
  kind: FaultKind,
  lasting: boolean,
): Promise<readonly string[]> {
  const failed: string[] = [];
  for (let n = 1; ; n = nextStep(n, walk.every)) {
    const plan = { kind, n, lasting } as const;
    const name = await attempt(walk, operation, plan).catch((error: unknown) => {
      throw new AttemptFailure(`${kind} ${n}, ${lasting ? 'lasting' : 'once'}`, error);
    });
    if (name === undefined) return failed;
    failed.push(name);
    if (!walk.every && failed.length === operation.fewest) return failed;
  }
}

/** Answers the first failed call; undefined when the operation needs fewer than so many. */
async function attempt(
  { template, addresses }: Walk,
  operation: Operation,
  plan: { readonly kind: FaultKind; readonly n: number; readonly lasting: boolean },
): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'sinete-anomalies-'));
  let passed = 0;
  const now = (): Date => new Date(Date.now() + passed);
  cpSync(template, root, { recursive: true });
  let proof = await openProofWorld(root, addresses, { now });
  const reopen = async (): Promise<void> => {
    const { told } = proof;
    await proof.stop();
    proof = await openProofWorld(root, addresses, { now });
    proof.told.push(...told);
  };
  try {
    await operation.prepare?.(proof);
    const disarm = arm({ ...plan, folder: root });
    const conditions = { lasting: plan.lasting, advance: (milliseconds: number) => void (passed += milliseconds) };
    const refusal = await operation.run(proof, conditions).then(
      () => undefined,
      (error: unknown) => error,
    );
    const failed = disarm();
    assert.ok(failed !== undefined || refusal === undefined, `Refused although nothing failed: ${String(refusal)}`);
    await reopen();
    await expectWellAfterStart(proof);
    await operation.check?.(proof);
    await expectDocumentedFailures(proof, plan.kind, failed);
    return failed;
  } finally {
    await proof.stop();
    rmSync(root, { recursive: true });
  }
}

/** Documents failed for the given reason, or not at all. */
async function expectDocumentedFailures(proof: ProofWorld, kind: FaultKind, failed: string | undefined): Promise<void> {
  const allowed = new Set<string>(failed === undefined ? [] : failuresOf[kind]);
  for (const { documents } of await proof.world.transactions.recent(1000)) {
    for (const { error } of documents) {
      if (error === null || error.code === 'UPLOAD_EXPIRED') continue;
      assert.ok(allowed.has(error.code), `${error.code}: ${error.detail}`);
    }
  }
}

/** Walks through all failures of a single kind during one operation; answers their number. */
export async function walkOperation(walk: Walk, operation: Operation, kind: FaultKind): Promise<number> {
  let failures = 0;
  for (const lasting of [false, true]) {
    const failed = await walkFaults(walk, operation, kind, lasting);
    assert.ok(failed.length > 0, `No ${kind} ever failed: the proof proves nothing.`);
    failures += failed.length;
  }
  return failures;
}
