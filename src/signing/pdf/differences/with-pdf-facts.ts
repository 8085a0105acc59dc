import type { DigestOf } from '../../signed-data/content.ts';
import { SigningError } from '../../errors.ts';
import type { PdfKeys } from '../encryption/standard-security.ts';
import { readClaimedStandards } from '../reading/claimed-standards.ts';
import { walkFields } from '../reading/form-fields.ts';
import { PdfDocument } from '../reading/pdf-document.ts';
import { nameOf, PdfString } from '../syntax/values.ts';
import { changesSince, plainChange, type Comparison } from './compare-revisions.ts';
import { areAllowed, highestLevel, readRestriction, type Restriction } from './judge-changes.ts';
import { PageNumbers } from './page-numbers.ts';
import type {
  PdfChange,
  PdfFacts,
  PdfFileProblem,
  PdfSignatureFacts,
  PdfStructureCode,
  WithPdfFacts,
} from './pdf-facts.ts';
import { readSecurityStore } from './read-security-store.ts';
import { endAsFile, isBlank, readRevisions, RevisionViews, type Revision, type RevisionView } from './revisions.ts';
import { SharedDigests, soundRange } from './shared-digests.ts';
import { showsUnlistedField } from './unlisted-fields.ts';
import {
  closedRevision,
  findSignatures,
  ownProblem,
  placeProblem,
  problemOf,
  readRange,
  type FoundSignature,
} from './signature-structure.ts';
import {
  findUnreachableSignatures,
  grantsUsageRights,
  hasObjectsBehind,
  isUsageRights,
  type UnreachableSignature,
} from './unreachable-signatures.ts';
import { signatureTexts } from './change-sentences.ts';

/** Maximum number of revisions to search, the newest first. */
const MAX_REVISIONS = 512;

/** A byte range as a name for its signature. */
const rangeName = (range: readonly number[]): string => range.join(' ');

/**
 * Byte ranges of the signatures that an earlier version of the file shows and the last version does not: their fields
 * were emptied, removed, or repointed.
 *
 * @param shown names of the ranges that the last version shows
 */
function findRemovedSignatures(
  document: PdfDocument,
  revisions: readonly Revision[],
  views: RevisionViews,
  shown: ReadonlySet<string>,
): ReadonlySet<string> {
  const removed = new Set<string>();
  try {
    for (const revision of revisions.toReversed().slice(1, MAX_REVISIONS + 1)) {
      const view = views.of(revision);
      for (const found of findSignatures(view.fields)) {
        const name = rangeName(readRange(view.document, found.dictionary));
        // Soundness is checked last, because the check reads the whole range.
        if (shown.has(name) || removed.has(name)) continue;
        if (ownProblem(view.document, found) === undefined) removed.add(name);
      }
    }
  } catch (error) {
    // An unreadable version reveals no signature.
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
  }
  return removed;
}

/** A signature with the findings of its structure. */
interface Examined extends FoundSignature {
  readonly range: readonly number[];
  readonly revision?: Revision;
  readonly problem?: PdfStructureCode;
  readonly restriction: Restriction;
  /** Full names of the fields at the time of signing. */
  readonly fields: ReadonlySet<string>;
}

/** Objects with values of signature fields in a revision. */
function signatureValues({ fields }: RevisionView): ReadonlySet<number> {
  const holders = new Set<number>();
  for (const { holder } of findSignatures(fields)) if (holder !== undefined) holders.add(holder);
  return holders;
}

function examine({ document, revisions, views }: Comparison, found: FoundSignature): Examined {
  const range = readRange(document, found.dictionary);
  const restriction = readRestriction(document, found.dictionary, found.field);
  const read = { ...found, range, restriction, fields: new Set<string>() };
  const own = ownProblem(document, found);
  if (own !== undefined) return { ...read, problem: own };
  const { revision, problem } = closedRevision(document.file, revisions, range);
  if (problem !== undefined) return { ...read, problem };
  if (revision === undefined) return read;
  const view = views.of(revision);
  const place = placeProblem(document, view.document, revision, found, signatureValues(view));
  const fields = new Set(view.fields.map(({ fullName }) => fullName));
  return { ...read, revision, fields, problem: place };
}

/** Marks signatures with shared parts that must not be shared. */
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

function examineAll(comparison: Comparison): readonly Examined[] {
  const { document, revisions, views } = comparison;
  const last = revisions.at(-1);
  const fields = last === undefined ? [] : views.of(last).fields;
  const found = findSignatures(fields).map((one) => ({ one, end: endOf(readRange(document, one.dictionary)) }));
  found.sort((first, second) => first.end - second.end);
  return markShared(found.map(({ one }) => examine(comparison, one)));
}

const endOf = (range: readonly number[]): number => (range[2] ?? 0) + (range[3] ?? 0);

/** Facts about a signature without a field. Its digest is not checked, because the signed document is unknown. */
function unreachableFacts(document: PdfDocument, { dictionary, range }: UnreachableSignature): PdfSignatureFacts {
  const contents = dictionary.get('Contents');
  const filter = nameOf(document.resolve(dictionary.get('Filter'))) ?? '';
  const subFilter = nameOf(document.resolve(dictionary.get('SubFilter'))) ?? '';
  const problem = problemOf(endOf(range) > document.file.size ? 'BYTE_RANGE_OUTSIDE' : 'SIGNATURE_UNREACHABLE');
  return {
    fieldName: '',
    filter,
    subFilter,
    isDocumentTimestamp: subFilter === 'ETSI.RFC3161',
    contents: contents instanceof PdfString ? contents.stored : Buffer.alloc(0),
    byteRange: range,
    problem,
    digestOf: () => Promise.reject(new SigningError('PDF_MALFORMED', problem.sentence)),
    coversWholeFile: false,
    revision: 1,
    ...signatureTexts(document, dictionary),
    changes: [],
    changeLevel: 'none',
    changesAllowed: false,
  };
}

/** Findings about the file that are no facts about one signature. */
interface FileFindings {
  readonly hasRemoved: boolean;
  readonly hasUnlisted: boolean;
  readonly storeRead: boolean;
  readonly hasUsageRights: boolean;
}

function fileProblems(
  { document, revisions }: Comparison,
  { hasRemoved, hasUnlisted, storeRead, hasUsageRights }: FileFindings,
): readonly PdfFileProblem[] {
  const problems: PdfFileProblem[] = [];
  const add = (code: PdfFileProblem['code'], sentence: string): void => void problems.push({ code, sentence });
  const { file } = document;
  if (!file.text(0, 8).startsWith('%PDF-')) {
    add(
      'CONTENT_BEFORE_HEADER',
      'There is other data before the beginning of the PDF; the file may also be of another kind.',
    );
  }
  const end = revisions.at(-1)?.end;
  if (end !== undefined && hasObjectsBehind(document, end)) {
    add('LAST_VERSION_CUT_OFF', 'The last version of the document is incomplete: the file was cut off or damaged.');
  } else if (end === undefined || !isBlank(file, end, file.size)) {
    add('CONTENT_AFTER_END', 'Data that does not belong to the PDF follows its end.');
  }
  if (hasUsageRights) {
    add('USAGE_RIGHTS', 'The PDF is Reader-extended by Adobe, which is not the signature of a person.');
  }
  if (hasRemoved) {
    add('SIGNATURE_REMOVED', 'An earlier version of the file has a signature that the last one no longer shows.');
  }
  if (hasUnlisted) {
    add('FIELD_NOT_LISTED', 'A page shows a signature field that the form of the document does not list.');
  }
  if (!storeRead)
    add('STORE_NOT_READ', 'Validation material in the PDF could not be read, or there is too much of it.');
  return problems;
}

type Changes = Pick<PdfSignatureFacts, 'changes' | 'changeLevel' | 'changesAllowed' | 'permission'>;

/** Maximum number of listed changes. Further changes still count for the verdict. */
const MAX_LISTED = 1000;

/** The changes after a signature, and whether this signature and earlier certifications allow the changes. */
function changesOf(one: Examined, all: readonly Examined[], history: readonly PdfChange[]): Changes {
  const { revision, problem, fields } = one;
  // A signature with an unsound range covers unknown bytes, so there are no changes to judge.
  if (problem !== undefined) return { changes: [], changeLevel: 'none', changesAllowed: false };
  if (revision === undefined) {
    return { changes: [plainChange(1, 'REVISION_REPLACED')], changeLevel: 'other', changesAllowed: false };
  }
  const changes = history.filter((change) => change.revision > revision.number);
  const binding = all.filter((other) => {
    return other.problem === undefined && other.revision !== undefined && other.revision.number <= revision.number;
  });
  const allowed = areAllowed(
    binding.map(({ restriction }) => restriction),
    changes,
    fields,
  );
  const [permission] = binding.flatMap(({ restriction }) => restriction.permission ?? []).sort();
  return {
    changes: changes.slice(0, MAX_LISTED),
    changeLevel: highestLevel(changes),
    changesAllowed: allowed,
    permission,
  };
}

/** Changes after the first sound signature; none without such a signature. */
function readHistory(comparison: Comparison, examined: readonly Examined[]): readonly PdfChange[] {
  const revisions = examined.map(({ revision, problem }) => (problem === undefined ? revision : undefined));
  const [first] = revisions
    .filter((revision) => revision !== undefined)
    .sort((one, other) => one.number - other.number);
  return first === undefined ? [] : changesSince(comparison, first);
}

function toFacts(
  { document, pages }: Comparison,
  digests: SharedDigests,
  { field, dictionary, range, revision, problem }: Examined,
  changes: Changes,
): PdfSignatureFacts {
  const contents = document.resolve(dictionary.get('Contents'));
  const filter = nameOf(document.resolve(dictionary.get('Filter'))) ?? '';
  const subFilter = nameOf(document.resolve(dictionary.get('SubFilter'))) ?? '';
  const page = pages.ofField(field);
  const sound = problem === undefined ? soundRange(range) : undefined;
  const digestOf: DigestOf = (algorithm) =>
    sound === undefined
      ? Promise.reject(new SigningError('PDF_MALFORMED', 'The signature does not say soundly what it covers.'))
      : digests.digest(sound, algorithm);
  return {
    fieldName: field.fullName,
    filter,
    subFilter,
    isDocumentTimestamp: subFilter === 'ETSI.RFC3161',
    contents: contents instanceof PdfString ? contents.stored : Buffer.alloc(0),
    byteRange: range,
    problem: problem === undefined ? undefined : problemOf(problem),
    digestOf,
    coversWholeFile: problem === undefined && endOf(range) === document.file.size,
    revision: revision?.number ?? 1,
    ...signatureTexts(document, dictionary),
    page,
    ...changes,
  };
}

/** The ends of the ranges of all signatures that the document shows; none for an unreadable form. */
function readSignedEnds(document: PdfDocument): readonly number[] {
  try {
    return findSignatures([...walkFields(document)]).map(({ dictionary }) => endOf(readRange(document, dictionary)));
  } catch (error) {
    if (!(error instanceof SigningError) || document.file.budget.exhausted) throw error;
    return [];
  }
}

function openComparison(document: PdfDocument): Comparison & { readonly signedEnds: readonly number[] } {
  const signedEnds = readSignedEnds(document);
  const revisions = readRevisions(document, signedEnds);
  return {
    document,
    revisions,
    signedEnds,
    views: new RevisionViews(document, revisions),
    pages: new PageNumbers(document),
  };
}

function gather(document: PdfDocument): PdfFacts {
  const comparison = openComparison(document);
  const { revisions } = comparison;
  const examined = examineAll(comparison);
  const history = readHistory(comparison, examined);
  const { store, complete } = readSecurityStore(document, revisions);
  const shown = new Set(examined.map(({ range }) => rangeName(range)));
  const removed = findRemovedSignatures(document, revisions, comparison.views, shown);
  const { signatures: unknown, oddObjects } = findUnreachableSignatures(document, new Set([...shown, ...removed]));
  const unreachable = unknown.filter((one) => !isUsageRights(document, revisions, one));
  const sound = examined.filter(({ problem }) => problem === undefined).map(({ range }) => soundRange(range));
  const digests = new SharedDigests(document.file, sound);
  return {
    size: document.file.size,
    revisions: revisions.length,
    revisionEnds: revisions.map((revision) => endAsFile(document.file, revision, comparison.signedEnds)),
    standards: readClaimedStandards(document).names,
    signatures: [
      ...examined.map((one) => toFacts(comparison, digests, one, changesOf(one, examined, history))),
      ...unreachable.map((one) => unreachableFacts(document, one)),
    ].sort((first, second) => endOf(first.byteRange) - endOf(second.byteRange)),
    securityStore: store,
    problems: fileProblems(comparison, {
      hasRemoved: removed.size > 0,
      hasUnlisted: showsUnlistedField(comparison, oddObjects),
      storeRead: complete,
      hasUsageRights: unreachable.length < unknown.length || grantsUsageRights(document),
    }),
  };
}

/** A signature with the changes after the signing, without its digest. */
export type JudgedField = Pick<PdfSignatureFacts, 'fieldName' | 'byteRange' | 'problem' | 'changes' | 'changesAllowed'>;

/**
 * Checks the structure of each signature, and whether later changes are allowed; computes no digests. Rejects like
 * `withPdfFacts`.
 */
export async function judgeFields(path: string, keys: PdfKeys): Promise<readonly JudgedField[]> {
  const document = await PdfDocument.open(path, keys);
  document.keepObjects();
  try {
    const comparison = openComparison(document);
    const examined = examineAll(comparison);
    const history = readHistory(comparison, examined);
    return examined.map((one) => ({
      fieldName: one.field.fullName,
      byteRange: one.range,
      problem: one.problem === undefined ? undefined : problemOf(one.problem),
      ...changesOf(one, examined, history),
    }));
  } finally {
    await document.close();
  }
}

/** Facts about the signatures and revisions of the PDF at `path`; see `WithPdfFacts`. */
export const withPdfFacts: WithPdfFacts = async (path, options, action) => {
  const document = await PdfDocument.open(path, options);
  document.keepObjects();
  try {
    return await action(gather(document));
  } finally {
    await document.close();
  }
};
