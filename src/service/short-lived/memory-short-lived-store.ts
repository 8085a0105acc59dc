import type { ShortLivedEntry, ShortLivedKind, ShortLivedLimits, ShortLivedStore } from './short-lived.ts';

/** Entries of a single instance, in memory: after a restart their holders begin again. */
export class MemoryShortLivedStore implements ShortLivedStore {
  readonly #kinds = new Map<ShortLivedKind, Map<string, ShortLivedEntry>>();

  add(
    kind: ShortLivedKind,
    entry: ShortLivedEntry,
    { most, mostOfOwner = most, whenFull }: ShortLivedLimits,
    now: Date,
  ): Promise<boolean> {
    const entries = this.#present(kind, now);
    if (entries.has(entry.key)) return Promise.resolve(false);
    const ofOwner = [...entries.values()].filter(({ owner }) => owner === entry.owner);
    if (whenFull === 'refuse' && (entries.size >= most || ofOwner.length >= mostOfOwner)) return Promise.resolve(false);
    for (const key of entries.keys()) {
      if (entries.size < most) break;
      entries.delete(key);
    }
    entries.set(entry.key, entry);
    return Promise.resolve(true);
  }

  find(kind: ShortLivedKind, key: string, now: Date): Promise<ShortLivedEntry | undefined> {
    return Promise.resolve(this.#present(kind, now).get(key));
  }

  list(kind: ShortLivedKind, now: Date): Promise<readonly ShortLivedEntry[]> {
    return Promise.resolve([...this.#present(kind, now).values()]);
  }

  change(
    kind: ShortLivedKind,
    key: string,
    now: Date,
    decide: (content: string) => string | null | undefined,
  ): Promise<boolean> {
    const entries = this.#present(kind, now);
    const entry = entries.get(key);
    const content = entry === undefined ? undefined : decide(entry.content);
    if (entry === undefined || content === undefined) return Promise.resolve(false);
    if (content === null) entries.delete(key);
    else entries.set(key, { ...entry, content });
    return Promise.resolve(true);
  }

  take(kind: ShortLivedKind, key: string, now: Date): Promise<ShortLivedEntry | undefined> {
    const entries = this.#present(kind, now);
    const entry = entries.get(key);
    entries.delete(key);
    return Promise.resolve(entry);
  }

  /** Entries of a kind have the same lifetime, so they are ordered by their end. */
  #present(kind: ShortLivedKind, now: Date): Map<string, ShortLivedEntry> {
    const entries = this.#kinds.get(kind) ?? new Map<string, ShortLivedEntry>();
    this.#kinds.set(kind, entries);
    for (const [key, { endsAt }] of entries) {
      if (endsAt > now) break;
      entries.delete(key);
    }
    return entries;
  }
}
