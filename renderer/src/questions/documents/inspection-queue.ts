import type { CallError, CallResult, OriginalInspection } from '../../../../src/ui-contract/ui-contract.ts';
import type { ApprovalDocument } from './approval-document.ts';

/** The result of an inspection. */
export type Inspected =
  { readonly ok: true; readonly value: OriginalInspection } | { readonly ok: false; readonly error: CallError };

/** The finished inspections, by the documents' keys. */
export type Inspections = ReadonlyMap<string, Inspected>;

/** Documents that nobody has looked into yet, so that their warnings are not known; hashes have no content to look into. */
export const countUninspected = (documents: readonly ApprovalDocument[], inspections: Inspections): number =>
  documents.filter(({ key, status, hash }) => status === 'WAITING' && hash === undefined && !inspections.has(key))
    .length;

/** Asks the core about a document. */
type Inspect = (document: ApprovalDocument) => Promise<CallResult<OriginalInspection>>;

/** More simultaneous inspections would not be faster, because the core reads each document completely. */
const mostAtOnce = 4;

/** The question is redrawn after this number of results: redrawing a batch costs more than an inspection. */
const endsTogether = 25;

/** Inspects every document of a question once: the shown document first, the others in order. */
export class InspectionQueue {
  readonly #inspect: Inspect;
  readonly #waiting = new Map<string, ApprovalDocument>();
  readonly #running = new Set<string>();
  readonly #ended = new Map<string, Inspected>();
  readonly #listeners = new Set<() => void>();
  #shown: string | null = null;
  #told: Inspections = new Map();

  constructor(inspect: Inspect) {
    this.#inspect = inspect;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The finished inspections; the same object until the next change. */
  ended(): Inspections {
    return this.#told;
  }

  /** Adds new documents to the queue, and puts the shown document first. */
  add(documents: readonly ApprovalDocument[], shown: string | null): void {
    this.#shown = shown;
    for (const document of documents) {
      const { key, status, hash } = document;
      if (hash === undefined && status === 'WAITING' && !this.#running.has(key) && !this.#ended.has(key))
        this.#waiting.set(key, document);
    }
    this.#begin();
  }

  #begin(): void {
    while (this.#running.size < mostAtOnce) {
      const next = this.#waiting.get(this.#shown ?? '') ?? this.#waiting.values().next().value;
      if (next === undefined) return;
      this.#waiting.delete(next.key);
      this.#running.add(next.key);
      void this.#inspect(next).then((result) => this.#end(next.key, result));
    }
  }

  #end(key: string, result: Inspected): void {
    this.#running.delete(key);
    this.#ended.set(key, result);
    this.#begin();
    const isIdle = this.#running.size === 0;
    const isFirst = this.#told.size === 0 || key === this.#shown;
    if (!isIdle && !isFirst && this.#ended.size - this.#told.size < endsTogether) return;
    this.#told = new Map(this.#ended);
    for (const listener of [...this.#listeners]) listener();
  }
}
