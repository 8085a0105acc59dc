import { isEmptyField, isSignatureField, walkFields } from '../form-fields.ts';
import { PdfDocument } from '../pdf-document.ts';
import { nameOf, PdfString } from '../values.ts';
import type { PdfValue } from '../values.ts';
import type { DigestOf } from '../../cms/content.ts';
import { SigningError } from '../../errors.ts';
import { PageNumbers } from './page-numbers.ts';
import type { PdfFacts, PdfFileProblem, PdfSignatureFacts, PdfStructureCode, WithPdfFacts } from './pdf-facts.ts';
import { readSecurityStore } from './read-security-store.ts';
import { isBlank, readRevisions } from './revisions.ts';
import type { Revision } from './revisions.ts';
import { SharedDigests, soundRange } from './shared-digests.ts';
import { closedRevision, ownProblem, placeProblem, problemOf, readRange } from './signature-structure.ts';
import type { FoundSignature } from './signature-structure.ts';
import { signatureTexts } from './signature-texts.ts';

/** A signature, and what its structure says. */
interface Examined extends FoundSignature {
  readonly range: readonly number[];
  readonly revision?: Revision;
  readonly problem?: PdfStructureCode;
}

function findSignatures(document: PdfDocument): readonly FoundSignature[] {
  const found: FoundSignature[] = [];
  for (const field of walkFields(document)) {
    if (!isSignatureField(field) || isEmptyField(field)) continue;
    const { value, holder } = field.value;
    const isDictionary = value instanceof Map;
    found.push({
      field,
      dictionary: isDictionary ? value : new Map<string, PdfValue>(),
      isDictionary,
      holder: holder ?? field.number,
    });
  }
  return found;
}

/** Objects that hold values of signature fields in one revision. */
function signatureValues(view: PdfDocument): ReadonlySet<number> {
  const holders = new Set<number>();
  for (const { holder } of findSignatures(view)) if (holder !== undefined) holders.add(holder);
  return holders;
}

function examine(
  document: PdfDocument,
  revisions: readonly Revision[],
  valuesIn: (revision: Revision) => { readonly view: PdfDocument; readonly values: ReadonlySet<number> },
  found: FoundSignature,
): Examined {
  const range = readRange(document, found.dictionary);
  const own = ownProblem(document, found);
  if (own !== undefined) return { ...found, range, problem: own };
  const { revision, problem } = closedRevision(document.file, revisions, range);
  if (problem !== undefined) return { ...found, range, problem };
  if (revision === undefined) return { ...found, range };
  const { view, values } = valuesIn(revision);
  const place = placeProblem(document, view, revision, found, values);
  return { ...found, range, revision, ...(place === undefined ? {} : { problem: place }) };
}

/** Marks signatures that share what each needs for itself. */
function markShared(all: readonly Examined[]): readonly Examined[] {
  const count = <Key>(keys: readonly (Key | undefined)[]): ReadonlyMap<Key | undefined, number> => {
    const counts = new Map<Key | undefined, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const isShared = <Key>(counts: ReadonlyMap<Key | undefined, number>, key: Key | undefined): boolean =>
    key !== undefined && (counts.get(key) ?? 0) > 1;
  const holders = count(all.map(({ holder, isDictionary }) => (isDictionary ? holder : undefined)));
  const sound = all.filter(({ problem }) => problem === undefined);
  const revisions = count(sound.map(({ revision }) => revision?.number));
  return all.map((one) => {
    if (isShared(holders, one.holder)) return { ...one, problem: 'CONTENTS_SHARED' };
    if (one.problem === undefined && isShared(revisions, one.revision?.number)) {
      return { ...one, problem: 'REVISION_SHARED' };
    }
    return one;
  });
}

function examineAll(document: PdfDocument, revisions: readonly Revision[]): readonly Examined[] {
  let kept:
    { readonly revision: Revision; readonly view: PdfDocument; readonly values: ReadonlySet<number> } | undefined;
  const valuesIn = (revision: Revision): NonNullable<typeof kept> => {
    if (kept?.revision === revision) return kept;
    const view = document.seenThrough(revision.structure);
    kept = { revision, view, values: signatureValues(view) };
    return kept;
  };
  const found = findSignatures(document).map((one) => ({ one, end: endOf(readRange(document, one.dictionary)) }));
  found.sort((first, second) => first.end - second.end);
  return markShared(found.map(({ one }) => examine(document, revisions, valuesIn, one)));
}

const endOf = (range: readonly number[]): number => (range[2] ?? 0) + (range[3] ?? 0);

function fileProblems(document: PdfDocument, revisions: readonly Revision[], storeRead: boolean): PdfFileProblem[] {
  const problems: PdfFileProblem[] = [];
  const add = (code: PdfFileProblem['code'], sentence: string): void => void problems.push({ code, sentence });
  const { file } = document;
  if (!file.text(0, 8).startsWith('%PDF-')) {
    add(
      'CONTENT_BEFORE_HEADER',
      'Something stands before the beginning of the PDF; it may be another kind of file too.',
    );
  }
  const end = revisions.at(-1)?.end;
  if (end === undefined || !isBlank(file, end, file.size)) {
    add('CONTENT_AFTER_END', 'Something follows the end of the PDF that is no part of it.');
  }
  if (!storeRead)
    add('STORE_NOT_READ', 'Validation material in the PDF could not be read, or there is too much of it.');
  return problems;
}

function toFacts(
  document: PdfDocument,
  pages: PageNumbers,
  digests: SharedDigests,
  { field, dictionary, range, revision, problem }: Examined,
): PdfSignatureFacts {
  const contents = document.resolve(dictionary.get('Contents'));
  const subFilter = nameOf(document.resolve(dictionary.get('SubFilter'))) ?? '';
  const page = pages.ofField(field);
  const sound = problem === undefined ? soundRange(range) : undefined;
  const digestOf: DigestOf = (algorithm) =>
    sound === undefined
      ? Promise.reject(new SigningError('PDF_MALFORMED', 'The signature does not say soundly what it covers.'))
      : digests.digest(sound, algorithm);
  return {
    fieldName: field.fullName,
    subFilter,
    isDocumentTimestamp: subFilter === 'ETSI.RFC3161',
    contents: contents instanceof PdfString ? contents.stored : Buffer.alloc(0),
    byteRange: range,
    ...(problem === undefined ? {} : { problem: problemOf(problem) }),
    digestOf,
    coversWholeFile: problem === undefined && endOf(range) === document.file.size,
    revision: revision?.number ?? 1,
    ...signatureTexts(document, dictionary),
    ...(page === undefined ? {} : { page }),
    changes: [],
    changeLevel: 'none',
    changesAllowed: true,
  };
}

function gather(document: PdfDocument): PdfFacts {
  const revisions = readRevisions(document);
  const examined = examineAll(document, revisions);
  const { store, complete } = readSecurityStore(document);
  const sound = examined.filter(({ problem }) => problem === undefined).map(({ range }) => soundRange(range));
  const digests = new SharedDigests(document.file, sound);
  const pages = new PageNumbers(document);
  return {
    size: document.file.size,
    revisions: revisions.length,
    signatures: examined.map((one) => toFacts(document, pages, digests, one)),
    ...(store === undefined ? {} : { securityStore: store }),
    problems: fileProblems(document, revisions, complete),
  };
}

/** Facts about the signatures and revisions of the PDF at `path`; see `WithPdfFacts`. */
export const withPdfFacts: WithPdfFacts = async (path, options, action) => {
  const document = await PdfDocument.open(path, { password: options.password });
  try {
    return await action(gather(document));
  } finally {
    await document.close();
  }
};
