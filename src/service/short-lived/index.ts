export { MemoryShortLivedStore } from './memory-short-lived-store.ts';
export {
  keyOf,
  type ShortLivedEntry,
  type ShortLivedKind,
  type ShortLivedLimits,
  type ShortLivedStore,
} from './short-lived.ts';
