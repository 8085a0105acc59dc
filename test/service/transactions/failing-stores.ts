import type {
  DocumentStore,
  SmallDocumentStore,
  TransactionStore,
  UserFiles,
} from '../../../src/service/transactions/index.ts';

const COMMITS: ReadonlySet<string> = new Set(['insert', 'apply']);
/** The first works in memory; the second fails only with a commit of the store itself. */
const WITHOUT_FAULT: ReadonlySet<string> = new Set(['begin', 'settle']);

/** Counts the operations of several stores together and makes a chosen operation fail. */
export class FaultCounter {
  readonly #failAt: number;
  readonly #when: 'before' | 'after';
  #count = 0;
  /** Name of the failed operation. */
  failed: string | undefined;

  /** `before`: the operation does nothing. `after`: the work is done, and its answer is lost. */
  constructor(failAt: number, when: 'before' | 'after') {
    this.#failAt = failAt;
    this.#when = when;
  }

  /** The same store; any of its asynchronous operations may fail. */
  watch<Store extends TransactionStore | DocumentStore | SmallDocumentStore | UserFiles>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || typeof name !== 'string' || /Path$/.test(name)) return member;
        if (WITHOUT_FAULT.has(name)) return member.bind(target) as unknown;
        return (...parameters: unknown[]): unknown =>
          this.#run(name, () => Reflect.apply(member, target, parameters) as Promise<unknown>);
      },
    });
  }

  async #run(name: string, operation: () => Promise<unknown>): Promise<unknown> {
    const fails = ++this.#count === this.#failAt;
    // A commit either happens and is known to have happened, or does not happen.
    if (fails && (this.#when === 'before' || COMMITS.has(name))) throw this.#fault(name);
    const answer = await operation();
    if (fails) throw this.#fault(name);
    return answer;
  }

  #fault(name: string): Error {
    this.failed = name;
    return Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'write' });
  }
}
