/** Sealing of single values. */
export type { Sealer } from './sealer.ts';
