/** A file for the judges, and their verdicts. */

/** A file for the judges. */
export interface Sample {
  readonly name: string;
  readonly path: string;
  /** The document of a detached signature. */
  readonly content?: string;
  /** The level of each signature in our words. */
  readonly levels: readonly string[];
  /** The profile of ICP-Brasil, named and kept by a signature: `AD-RC`. */
  readonly profile?: string;
  /** An evidence record over the file (RFC 4998). */
  readonly record?: string;
  /** True for an encrypted PDF, unreadable for some validators. */
  readonly password?: string;
  /** A byte of the signed part is changed: no judge may accept the file. */
  readonly isTampered?: true;
}

/** A verdict in a single form: `B-LTA passed`, with our level names; several signatures are separated by commas. */
export type Verdicts = ReadonlyMap<Sample, string>;

export const isPdf = ({ name }: Sample): boolean => name.endsWith('.pdf');

const LASTING: ReadonlySet<string> = new Set(['B-LT', 'B-LTA']);

/** Only long-term files are validated at a later time without network: other files have no evidence inside. */
export const isLongTerm = ({ levels, isTampered }: Sample): boolean =>
  isTampered !== true && levels.every((level) => LASTING.has(level));

/** The next renewal takes these: an archive time stamp is over each signature. */
export const isArchived = ({ levels, isTampered }: Sample): boolean =>
  isTampered !== true && levels.every((level) => level === 'B-LTA');
