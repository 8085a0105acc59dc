export type * from './certificate.ts';
