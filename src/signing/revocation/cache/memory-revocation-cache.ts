import { cacheKeyText, type RevocationCache, type RevocationCacheEntry } from './revocation-cache.ts';
import { SizedTable } from './sized-table.ts';

/** How a cache in memory behaves. */
export interface MemoryRevocationCacheOptions {
  /** Octets of revocation data kept at most; by default 128 MiB. */
  readonly maxOctets?: number;
  readonly now?: () => Date;
}

const DEFAULT_OCTETS = 128 * 2 ** 20;
/** Bytes of an entry besides its data. */
const ENTRY_OVERHEAD = 512;

const weightOf = (entry: RevocationCacheEntry): number =>
  ENTRY_OVERHEAD + (entry.kind === 'data' ? entry.der.length + (entry.index?.length ?? 0) : entry.sentence.length);

/** A cache for the lifetime of the process. */
export function createMemoryRevocationCache(options: MemoryRevocationCacheOptions = {}): RevocationCache {
  const { maxOctets = DEFAULT_OCTETS, now = () => new Date() } = options;
  const table = new SizedTable<RevocationCacheEntry>(maxOctets);
  return {
    get(key) {
      const text = cacheKeyText(key);
      const entry = table.get(text);
      if (entry === undefined || entry.freshUntil > now()) return Promise.resolve(entry);
      table.delete(text);
      return Promise.resolve(undefined);
    },
    put(key, entry) {
      table.set(cacheKeyText(key), entry, weightOf(entry));
      return Promise.resolve();
    },
  };
}
