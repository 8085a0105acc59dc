import { detectFileKind } from '../../../../src/values/file-kind.ts';

/** The validator's kind of a file, by its content and then by its name. */
export type FileKind = 'pdf' | 'signature' | 'other';

export interface SortedFile {
  readonly name: string;
  readonly kind: FileKind;
}

/** A signature and its document; null for an enclosed or unknown document. */
export interface Pair<File extends SortedFile> {
  readonly signature: File;
  readonly content: File | null;
}

const signatureEnding = /\.(p7s|p7m|p7|sig|sign|cms)$/i;
/** Files with this ending contain their document. */
const attachedEnding = /\.p7m$/i;

/** The kind of a file: `head` has its first KiB. A text form of a PDF is no PDF. */
export function kindOf(name: string, head: Uint8Array): FileKind {
  const { kind, form } = detectFileKind(head);
  if (kind === 'cms' || kind === 'mime' || kind === 'time-stamp') return 'signature';
  if (kind === 'pdf' && form === 'none') return 'pdf';
  return signatureEnding.test(name) ? 'signature' : 'other';
}

/**
 * Finds the document of each signature by its name: `x.pdf.p7s` belongs to `x.pdf`, and `x.p7s` to `x`, or to the only
 * file named `x` with any ending. PDFs without a signature file are validated by themselves; `rest` has the remaining
 * files.
 */
export function pairFiles<File extends SortedFile>(
  files: readonly File[],
): { readonly pairs: readonly Pair<File>[]; readonly rest: readonly File[] } {
  const documents = files.filter((file) => file.kind !== 'signature');
  const pairs = files
    .filter((file) => file.kind === 'signature')
    .map((signature) => ({ signature, content: documentOf(signature.name, documents) }));
  const claimed = new Set(pairs.map(({ content }) => content));
  const free = documents.filter((file) => !claimed.has(file));
  const alone = free.filter((file) => file.kind === 'pdf').map((signature) => ({ signature, content: null }));
  return { pairs: [...pairs, ...alone], rest: free.filter((file) => file.kind === 'other') };
}

/** The document that belongs to a signature by name; null if there is none, or several candidates. */
export function documentOf<File extends SortedFile>(signatureName: string, documents: readonly File[]): File | null {
  if (attachedEnding.test(signatureName)) return null;
  const wanted = signatureName.replace(signatureEnding, '').toLowerCase();
  const exact = documents.find(({ name }) => name.toLowerCase() === wanted);
  if (exact !== undefined) return exact;
  const similar = documents.filter(({ name }) => name.toLowerCase().replace(/\.[^.]+$/, '') === wanted);
  return similar.length === 1 ? (similar[0] ?? null) : null;
}
