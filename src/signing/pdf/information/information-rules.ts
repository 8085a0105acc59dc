/** An entry of the document information (ISO 32000-2 §14.3.3). */
export interface InformationEntry {
  readonly name: string;
  /** Absent: the name alone says everything, and its text is empty. */
  readonly value?: string;
}

/** Entries that the standard defines as texts (ISO 32000-2 Table 349); XMP has a property of its own for each. */
export const STANDARD_TEXTS: ReadonlySet<string> = new Set([
  'Title',
  'Author',
  'Subject',
  'Keywords',
  'Creator',
  'Producer',
]);

const WRITTEN_BY_PROGRAMS: ReadonlySet<string> = new Set(['CreationDate', 'ModDate', 'Trapped']);

/** True for an entry that the standard defines and that is no text: the programs that write the PDF fill it. */
export const isWrittenByPrograms = (name: string): boolean => WRITTEN_BY_PROGRAMS.has(name);
