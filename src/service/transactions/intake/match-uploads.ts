import { type CodedProblem, ServiceError } from '../../errors/index.ts';
import { plainFileName } from '../documents/file-names.ts';
import type { DocumentRecord } from '../records.ts';

/** The names that a part of an upload has. */
export interface UploadedPart {
  /** The text in the brackets of `document[…]`: an announced id, else the part's position in its request. */
  readonly label?: string;
  readonly fileName: string | undefined;
}

/** The properties of a transaction's entries that matching needs. */
type Entry = Pick<DocumentRecord, 'id' | 'position' | 'content' | 'originalFileName' | 'announcedId' | 'announcedName'>;

/** A part that could not be matched, with the reason. */
type Refusal = Pick<CodedProblem, 'code' | 'detail'>;

/** Maximum number of names and ids listed in a refusal. */
const MOST_LISTED = 10;

/**
 * Finds the entry of each part of an upload; undefined for a part that becomes a new entry. In this order:
 *
 * 1. `document[<id>]` belongs to the entry with that announced id.
 * 2. A part whose file name equals the announced name of an open entry belongs to that entry.
 * 3. Where no entry of the transaction announces a name, a part takes the next open entry, then becomes a new one.
 *
 * Ids and names of the whole request are matched first, so that the order of its parts decides nothing else. Refuses the
 * request with every part that contradicts the announcement: `DOCUMENT_NOT_ANNOUNCED`, `DOCUMENT_ALREADY_UPLOADED`.
 */
export function matchUploads<Announced extends Entry>(
  entries: readonly Announced[],
  parts: readonly UploadedPart[],
): readonly (Announced | undefined)[] {
  const matching = new Matching(entries);
  const found = new Map<UploadedPart, Announced>();
  const refused = new Map<UploadedPart, Refusal>();
  const isSettled = (part: UploadedPart): boolean => found.has(part) || refused.has(part);
  for (const match of [matching.byId, matching.byName, matching.byOrder]) {
    for (const part of parts) {
      if (isSettled(part)) continue;
      const entry = match(part);
      if (entry === undefined) continue;
      if ('code' in entry) refused.set(part, entry);
      else found.set(part, entry);
    }
  }
  refuseParts([...refused].map(([part, refusal]) => ({ field: fieldOf(part), ...refusal })));
  return parts.map((part) => found.get(part));
}

/** Refuses the request with every problem; a part that was not announced determines the code. */
function refuseParts(problems: readonly CodedProblem[]): void {
  const first = problems.find(({ code }) => code === 'DOCUMENT_NOT_ANNOUNCED') ?? problems[0];
  if (first === undefined) return;
  throw new ServiceError(first.code, `${first.field}: ${first.detail}`, { problems });
}

const fieldOf = ({ label }: UploadedPart): string => (label === undefined ? 'document' : `document[${label}]`);

/** True if a label may be a position: a number without leading zeros. */
const isPosition = (label: string): boolean => /^(0|[1-9]\d{0,5})$/.test(label);

/** macOS decomposes the letters of file names, so both names are composed before they are compared. */
const comparable = (name: string): string => name.normalize('NFC');

/** The entries used by the parts of one request, each at most once. */
class Matching<Announced extends Entry> {
  readonly #open: Set<Announced>;
  readonly #byId: ReadonlyMap<string, Announced>;
  readonly #byName: ReadonlyMap<string, readonly Announced[]>;
  readonly #byPosition: ReadonlyMap<string, Announced>;
  /** Number of parts in this request that had a position so far. */
  #positions = 0;

  constructor(entries: readonly Announced[]) {
    this.#byPosition = new Map(entries.map((entry) => [String(entry.position), entry]));
    this.#open = new Set(entries.filter(({ content }) => content === null));
    this.#byId = new Map(entries.filter(({ announcedId }) => announcedId).map((entry) => [entry.id, entry]));
    this.#byName = Map.groupBy(
      entries.filter(({ announcedName }) => announcedName),
      ({ originalFileName }) => comparable(originalFileName ?? ''),
    );
  }

  readonly byId = ({ label, fileName }: UploadedPart): Announced | Refusal | undefined => {
    if (label === undefined) return undefined;
    const entry = this.#byId.get(label);
    if (entry === undefined)
      return isPosition(label) ? undefined : this.#notAnnounced('No document is announced under this id.');
    // Refused, because the field and the file name belong to different documents, and either may be the mistake.
    const namesakes = this.#namesakes(fileName);
    if (namesakes !== undefined && !namesakes.includes(entry)) {
      return this.#notAnnounced('The file name is announced for another document than the one in brackets.');
    }
    return this.#take(entry);
  };

  readonly byName = ({ fileName }: UploadedPart): Announced | Refusal | undefined => {
    if (this.#byName.size === 0) return undefined;
    const namesakes = this.#namesakes(fileName);
    if (namesakes !== undefined) return this.#take(namesakes.find((entry) => this.#open.has(entry)));
    return this.#notAnnounced(
      fileName === undefined
        ? 'Documents are announced by name, and this one has no file name.'
        : 'No document is announced under this file name.',
    );
  };

  readonly byOrder = ({ label }: UploadedPart): Announced | Refusal | undefined => {
    const [next] = this.#open;
    if (next === undefined) return undefined;
    if (label === undefined || Number(label) === this.#positions++) return this.#take(next);
    // Positions that do not count up from 0 in this request can only be positions of the transaction.
    const entry = this.#byPosition.get(label);
    if (entry !== undefined) return this.#take(entry);
    return this.#notAnnounced('No document was announced at this position.');
  };

  #namesakes(fileName: string | undefined): readonly Announced[] | undefined {
    const name = plainFileName(fileName);
    return name === undefined ? undefined : this.#byName.get(comparable(name));
  }

  /** Uses an entry that is open; refuses a closed or missing one. */
  #take(entry: Announced | undefined): Announced | Refusal {
    if (entry !== undefined && this.#open.delete(entry)) return entry;
    const detail = 'This document has been uploaded already: nothing of this request was kept.';
    return { code: 'DOCUMENT_ALREADY_UPLOADED', detail };
  }

  #notAnnounced(reason: string): Refusal {
    const fields = [...this.#open].slice(0, MOST_LISTED).map(({ id, originalFileName }) => {
      return originalFileName === null ? `document[${id}]` : `document[${id}] or the file name "${originalFileName}"`;
    });
    const more = this.#open.size > MOST_LISTED ? ', …' : '';
    const remedy = fields.length === 0 ? 'None is missing.' : `Still missing: ${fields.join(', ')}${more}.`;
    return { code: 'DOCUMENT_NOT_ANNOUNCED', detail: `${reason} ${remedy}` };
  }
}
