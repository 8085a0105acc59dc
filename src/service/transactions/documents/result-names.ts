import type { DocumentRecord } from '../records.ts';

/** The properties of a document that determine the name of its result. */
type Named = Pick<DocumentRecord, 'key' | 'evidence' | 'attempt'>;

/**
 * The name of an attempt's files: the document's key and, with several nodes, the number of the claim. A node that has
 * lost its claim can therefore never write to the files of its successor.
 */
export const attemptName = (key: string, attempt: number | undefined): string =>
  attempt === undefined ? key : `${key}.n${attempt}`;

/** The name of a stored result: the attempt's name, with the number of a later revision. */
export function resultName({ key, evidence, attempt }: Named): string {
  return nameOfRevision(attemptName(key, attempt), evidence?.revision ?? 0);
}

/** The name of a revision of a result; the first has the attempt's name itself. */
export const nameOfRevision = (name: string, revision: number): string =>
  revision === 0 ? name : `${name}.r${revision}`;

/** The name of a signature that has its time stamp, while its document waits for newer revocation data. */
export const stampedName = (name: string): string => `${name}.stamped`;
