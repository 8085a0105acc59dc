import { createHash, type Hash } from 'node:crypto';
import { WorkBudget } from '../../../src/signing/pdf/reading/pdf-file.ts';

/** The work of an action, counted. It is the same on every machine. */
export interface Work<Answer> {
  readonly answer: Answer;
  /** Spent of the budgets of all documents; a unit is about one byte read. */
  readonly units: number;
  /** Bytes that entered a digest. */
  readonly digested: number;
}

/** Counts the work of an action; no other action may run meanwhile in this process. */
export async function measureWork<Answer>(action: () => Promise<Answer>): Promise<Work<Answer>> {
  let [units, digested] = [0, 0];
  const budget = WorkBudget.prototype;
  const hash = Object.getPrototypeOf(createHash('sha256')) as Hash;
  const [spend, update] = [budget.spend, hash.update];
  budget.spend = function (this: WorkBudget, count: number): void {
    units += count;
    spend.call(this, count);
  };
  hash.update = function (this: Hash, data: Buffer): Hash {
    digested += data.length;
    return (update as (data: Buffer) => Hash).call(this, data);
  } as Hash['update'];
  try {
    const answer = await action();
    return { answer, units, digested };
  } finally {
    [budget.spend, hash.update] = [spend, update];
  }
}
