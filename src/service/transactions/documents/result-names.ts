import type { DocumentRecord } from '../records.ts';

/** The name of a stored result among the results: the document's key, with the number of a later revision. */
export function resultName({ key, evidence }: Pick<DocumentRecord, 'key' | 'evidence'>): string {
  return nameOfRevision(key, evidence?.revision ?? 0);
}

/** The name of a revision; the first has the document's key itself. */
export const nameOfRevision = (key: string, revision: number): string => (revision === 0 ? key : `${key}.r${revision}`);

/** The name of a signature that has its time stamp, while its document waits for newer revocation data. */
export const stampedName = (key: string): string => `${key}.stamped`;
