import type { DocumentRecord } from '../records.ts';

/** The properties of a document that decide the name of its result. */
type Named = Pick<DocumentRecord, 'key' | 'evidence' | 'attempt'>;

/**
 * The name of an attempt's files: the document's key, and the number of the claim where several nodes sign. A node that
 * lost its claim can therefore never write to the files of the node that took over.
 */
export const attemptName = (key: string, attempt: number | undefined): string =>
  attempt === undefined ? key : `${key}.n${attempt}`;

/** The name of a stored result among the results: the attempt's, with the number of a later revision. */
export function resultName({ key, evidence, attempt }: Named): string {
  return nameOfRevision(attemptName(key, attempt), evidence?.revision ?? 0);
}

/** The name of a revision of a result; the first has the attempt's name itself. */
export const nameOfRevision = (name: string, revision: number): string =>
  revision === 0 ? name : `${name}.r${revision}`;

/** The name of a signature that has its time stamp, while its document waits for newer revocation data. */
export const stampedName = (name: string): string => `${name}.stamped`;
