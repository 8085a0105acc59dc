import { createHash } from 'node:crypto';
import { ObjectStream } from '../../../src/signing/pdf/reading/indirect-object.ts';
import { PdfFile, WorkBudget } from '../../../src/signing/pdf/reading/pdf-file.ts';

/** The work of an action, counted. The count is the same on every machine. */
export interface Work<Answer> {
  readonly answer: Answer;
  /** Spent of the budgets of all documents; a unit is about one byte read. */
  readonly units: number;
  /** Digested bytes. */
  readonly digested: number;
  /** Objects and other structures read as values. */
  readonly objects: number;
}

/** Calls `look` with the first parameter of each call of a method, until the returned function is called. */
export function watch(prototype: object, name: string, look: (parameter: unknown) => void): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  const method = descriptor?.value as ((this: unknown, ...rest: unknown[]) => unknown) | undefined;
  if (descriptor === undefined || method === undefined) throw new TypeError(`There is no method ${name}.`);
  Object.defineProperty(prototype, name, {
    ...descriptor,
    value(this: unknown, ...parameters: unknown[]) {
      look(parameters[0]);
      return method.apply(this, parameters);
    },
  });
  return () => void Object.defineProperty(prototype, name, descriptor);
}

/** Counts the work of an action; no other action may run meanwhile in this process. */
export async function measureWork<Answer>(action: () => Promise<Answer>): Promise<Work<Answer>> {
  let [units, digested, objects] = [0, 0, 0];
  const hashes = Object.getPrototypeOf(createHash('sha256')) as object;
  const endings = [
    watch(WorkBudget.prototype, 'spend', (spent) => (units += spent as number)),
    watch(hashes, 'update', (data) => (digested += (data as Buffer).length)),
    watch(PdfFile.prototype, 'parse', () => (objects += 1)),
    watch(ObjectStream.prototype, 'read', () => (objects += 1)),
  ];
  try {
    const answer = await action();
    return { answer, units, digested, objects };
  } finally {
    for (const end of endings) end();
  }
}
