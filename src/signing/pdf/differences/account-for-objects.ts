/**
 * Completes the comparison of two revisions: reports moved objects that no rule explains, and explained objects with
 * other uses.
 */
import type { PdfDocument } from '../reading/pdf-document.ts';
import { changeOfLooks, claimField, detailsOf } from './rules/form-rules.ts';
import { nameOf } from '../syntax/values.ts';
import { placeOf } from './object-places.ts';
import { claimAnnotations } from './rules/page-rules.ts';
import { INHERITABLE } from './rules/page-tree-order.ts';
import type { PdfChangeCode } from './pdf-facts.ts';
import { readObject, type ReferenceIndex, type ReferenceSite } from './reference-index.ts';
import type { Step } from './step-ledger.ts';

/** Keys of ordinary references to fields, annotations, the form and the catalog. */
const ANCHOR_KEYS = new Set(
  ['Fields', 'Kids', 'Annots', 'Parent', 'CO', 'Obj', 'Popup', 'IRT', 'T', 'P', 'Data', 'AcroForm', 'Root']
    .concat([
      'Dest',
      'D',
      // Keys of the structure tree: elements, nodes of the parent tree, and references to an element.
      'K',
      'Nums',
      'StructTreeRoot',
      'ParentTree',
      'Ref',
      'Names',
      'SE',
      'SD',
      'IDTree',
    ])
    .concat(
      // The page tree, name trees of the catalog (Table 32), and page labels.
      ['Pages', 'Dests', 'AP', 'JavaScript', 'Templates', 'IDS', 'URLS', 'EmbeddedFiles', 'AlternatePresentations'],
      ['Renditions', 'PageLabels'],
    ),
);

const lastKey = (path: string): string | undefined => path.split('/').findLast((part) => !/^\d*$/.test(part));

/** Explains the moved appearances of unmoved fields and annotations. */
export function settleRest(step: Step): void {
  const { after, ledger } = step;
  if (ledger.unaccounted().length === 0) return;
  for (const field of after.fields) {
    if (field.type === 'Sig' && field.value.value !== null) continue;
    const isFilled = field.type !== 'Sig' && claimField(step, field, ['V', 'RV']);
    const isDrawn = claimField(step, field, ['AP']);
    if (isFilled) ledger.add('FIELD_FILLED', detailsOf(step, field));
    else if (isDrawn) ledger.add(changeOfLooks(step, field), detailsOf(step, field));
  }
  claimAnnotations(step);
}

/** Objects with references relevant for judging the step. */
export function objectsInQuestion({ moved, ledger }: Step): ReadonlySet<number> {
  const numbers = new Set([...moved.touched, ...moved.added, ...ledger.anchors]);
  for (const { number } of ledger.claimed()) numbers.add(number);
  return numbers;
}

/**
 * The change code of an object, derived from the references to the object; `otherwise` when the references do not
 * decide.
 */
function codeFor(
  step: Step,
  sites: readonly ReferenceSite[],
  otherwise: PdfChangeCode,
): { readonly code: PdfChangeCode; readonly page?: number } {
  for (const { holder, path } of sites) {
    const page = step.pages.ofPage(holder);
    if (page !== undefined && path.startsWith('/Contents')) return { code: 'PAGE_CONTENT_CHANGED', page };
    if (page !== undefined && path.startsWith('/Resources')) return { code: 'PAGE_RESOURCES_CHANGED', page };
    if (page !== undefined && path !== '/Parent') return { code: 'PAGE_CHANGED', page };
    if (page !== undefined) return { code: 'PAGES_CHANGED' };
    if (holder === step.after.document.catalog.holder && path.startsWith('/OCProperties')) {
      return { code: 'OPTIONAL_CONTENT_CHANGED' };
    }
  }
  return { code: otherwise };
}

/** Reports unexplained objects. */
export function reportRest(step: Step, index: ReferenceIndex, search: ReferenceSearch): void {
  const { before, after, ledger, moved } = step;
  const sitesIn = (document: PdfDocument, number: number): readonly ReferenceSite[] | undefined =>
    index.sitesOf(document, number);
  for (const number of ledger.unaccounted()) {
    const [then, now] = [sitesIn(before.document, number), sitesIn(after.document, number)];
    const isGone = placeOf(after.document, number) === undefined;
    if (now?.length === 0 && (isGone || then?.length === 0)) continue;
    if (isGone) ledger.add('OBJECT_REMOVED', { objectNumber: number });
    else {
      const { code, ...page } = codeFor(step, [...(now ?? []), ...(then ?? [])], 'OBJECT_CHANGED');
      ledger.add(code, { objectNumber: number, ...page });
    }
  }
  reportShared(step, index, search);
  for (const number of moved.added) {
    const sites = sitesIn(before.document, number);
    if (sites?.every((site) => ledger.isKnownSite(number, site))) continue;
    const { page } = codeFor(step, sites ?? [], 'MISSING_OBJECT_SUPPLIED');
    ledger.add('MISSING_OBJECT_SUPPLIED', { objectNumber: number, page });
  }
}

/** An object explained by its place must not be used in another place. */
function reportShared(step: Step, index: ReferenceIndex, search: ReferenceSearch): void {
  const { before, after, ledger, moved } = step;
  const all = [before, after].map(({ document }) => document);
  for (const { number } of ledger.claimed()) {
    // Only moved objects refer to a new object, and moved objects have their own rules.
    if (ledger.isSettled(number) || moved.added.has(number)) continue;
    const sites = all.map((document) => index.sitesOf(document, number));
    const unknown = sites.flatMap((some) => some ?? []).filter((site) => !ledger.isKnownSite(number, site));
    if (unknown.length === 0 && !sites.includes(undefined)) continue;
    const { code, ...page } = codeFor(step, unknown, 'SHARED_OBJECT_CHANGED');
    ledger.add(code, { objectNumber: number, ...page });
  }
  reportSharedAnchors(step, index, search);
}

/** Entries of a node of the page tree (ISO 32000-2 Tables 30 and 31). Programs read no other entry. */
const NODE_ENTRIES: ReadonlySet<string> = new Set(['Type', 'Parent', 'Kids', 'Count', ...INHERITABLE]);

/** A reference under a private entry of a node of the page tree. */
function isPrivate(document: PdfDocument, { holder, path }: ReferenceSite): boolean {
  const node = readObject(document, holder);
  if (!(node instanceof Map) || nameOf(node.get('Type')) !== 'Pages') return false;
  const [, entry = ''] = path.split('/');
  return !NODE_ENTRIES.has(entry);
}

/** Keys that lead to a node of the page tree (Tables 29 and 30). */
const NODE_KEYS = new Set(['Pages', 'Kids', 'Parent']);

/** Looks for the references to further objects. */
export type ReferenceSearch = (targets: ReadonlySet<number>) => ReferenceIndex;

/** An object with a rule of its own has no other use. A private entry is no use where its node is nothing but a node. */
function reportSharedAnchors({ before, after, ledger }: Step, index: ReferenceIndex, search: ReferenceSearch): void {
  const documents = [before.document, after.document];
  const unusual = [...ledger.anchors].flatMap((number) =>
    documents.flatMap((document) =>
      (index.sitesOf(document, number) ?? []).flatMap((site) => {
        const key = lastKey(site.path);
        return key === undefined || ANCHOR_KEYS.has(key) ? [] : [{ number, document, site }];
      }),
    ),
  );
  const nodes = new Set(unusual.flatMap(({ document, site }) => (isPrivate(document, site) ? [site.holder] : [])));
  const uses = nodes.size === 0 ? undefined : search(nodes);
  const isNodeOnly = (document: PdfDocument, node: number): boolean =>
    uses
      ?.sitesOf(document, node)
      ?.every(
        (site) => NODE_KEYS.has(lastKey(site.path) ?? '') || (site.holder === node && isPrivate(document, site)),
      ) ?? false;
  const shared = unusual.filter(
    ({ document, site }) => !isPrivate(document, site) || !isNodeOnly(document, site.holder),
  );
  for (const number of new Set(shared.map(({ number }) => number))) {
    ledger.add('SHARED_OBJECT_CHANGED', { objectNumber: number });
  }
}
