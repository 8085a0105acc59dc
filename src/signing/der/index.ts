export { normalizeBer, normalizeBerPrefix, type NormalizedElement } from './normalize-ber.ts';
export { Oid } from './oids.ts';
export * from './reader.ts';
export * from './writer.ts';
