/**
 * The table of later changes: what a later revision may change, with the verdicts of four validators on the oldest
 * signature. `npm run interop` makes each change with iText 9 and compares the verdicts; the page
 * `docs/reference/later-changes.md` is written from the table.
 */
import type { LaterBase, LaterSignature } from './later-change-bases.ts';

/**
 * The verdicts of Sinete, EU DSS 6.4, pyHanko 0.38 and iText 9.1: `+` allowed, `-` not allowed, `?` valid, with a warning
 * that the change may not be allowed.
 */
export type LaterMarks = `${Mark}${Mark}${Mark}${Mark}`;
type Mark = '+' | '-' | '?';

/** Reasons to follow a validator where two of them differ. */
export const REASONS = {
  TAGS: 'pyHanko refuses each change of the structure and of the tab order. iText takes them as a part of the annotation or field; the page shows the same.',
  NOTES:
    'pyHanko has no rule for annotations and refuses all. Table 257 permits annotations at permission 3, and a signature without DocMDP forbids none.',
  LESS_THAN_P3: 'DSS compares no texts of annotations. Table 257 permits changes of annotations at permission 3 only.',
  WIDGETS:
    'iText counts widgets as annotations, which may change in each way. A moved or relabelled field shows its value under another question: we follow pyHanko.',
  EMPTY:
    'pyHanko compares the entries of a field by their bytes. All entries of this dictionary are optional: an empty one means the same as none.',
  VISIBILITY: 'pyHanko wants each widget to stay on its page. A hidden field is no other field; the report names it.',
  CHOICE: 'pyHanko knows no value of a choice field with the index in I, which §12.7.5.4 describes. We follow iText.',
  FIELDS: 'DSS has no rule for entries of fields and of new fields. Filling in a form (Table 257) gives values only.',
  EMPTY_FIELD:
    'iText refuses each new field. Without a certification, people prepare a field for the next signer; the report names it.',
  EMPTY_FIELD_P2:
    'pyHanko takes an empty signature field for a preparation of a signature. Table 257 permits signing at permission 2, and no field that stays empty.',
  READ_ONLY: 'iText refuses the flag. Programs set it after filling, and the value stays the same (Table 227).',
  REBUILD: 'iText refuses the flag. NeedAppearances tells a viewer to draw the values again, which stay the same.',
  DEFAULTS:
    'The text of a field without defaults of its own changes its size and colour, up to white on white. The other validators do not look at the fields.',
  FORM_GONE:
    'iText finds no signature left, and no fault. The signature that no field leads to any more is reported as removed.',
  SIGNATURE_GONE:
    'iText takes the widget for any annotation. The visible place of a signature is a part of the signature.',
  CONTENT:
    'DSS warns of objects without a known change, and compares pictures of pages. The change is no filling and no annotation (Table 257).',
  NAMES: 'DSS does not compare named destinations. A link would lead to another page: we follow pyHanko and iText.',
  ATTACHMENTS: 'DSS does not compare attached files and scripts. These are new content: we follow pyHanko and iText.',
  STORE_GONE:
    'iText refuses a removal. Material for long-term validation is no content (§12.8.4.3), and each validator may bring its own; the report names the removal.',
  STORE_ENTRY:
    'pyHanko refuses unknown entries of a store. ICP-Brasil adds entries of its own (DOC-ICP-15.03, table A.19).',
  EXTENSIONS:
    'DSS and pyHanko do not compare levels. A revision only adds to a file, so that the file needs each earlier extension still: we follow iText.',
  REHUNG: 'pyHanko and iText compare nodes. The pages, their order and their inherited values are the same (§7.7.3.2).',
  SWAPPED: 'iText compares pages without their order, DSS their pictures only where pages differ in number.',
  DATE: 'pyHanko and iText refuse the entry. A date of a change shows nothing (Table 31), and programs set the date with each annotation.',
  UNUSED: 'pyHanko refuses a change of an object without a use. Nothing of the document leads to the object.',
} as const;

/** A row of the table. */
export interface LaterChange {
  /** The name in `ChangeWithIText9.java`. */
  readonly change: string;
  readonly base: LaterBase;
  readonly signature: LaterSignature;
  /** The section or table of ISO 32000-2. */
  readonly section: string;
  readonly what: string;
  readonly marks: LaterMarks;
  readonly why?: keyof typeof REASONS;
}

type Row = readonly [
  change: string,
  base: LaterBase,
  signature: LaterSignature,
  section: string,
  what: string,
  marks: LaterMarks,
  why?: keyof typeof REASONS,
];

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'Tab order and structure': [
    ['tabs-s', 'plain', 'approval', '§12.5.1', 'The page gets the tab order of the structure', '+?-+', 'TAGS'],
    ['tabs-r', 'plain', 'approval', '§12.5.1', 'The page gets a tab order by rows', '+?-+', 'TAGS'],
    ['tabs-s', 'tagged', 'approval', '§12.5.1', 'The tagged page gets the tab order of the structure', '+?-+', 'TAGS'],
    ['tabs-s', 'plain', 'p2', '§12.5.1', 'The page gets the tab order of the structure', '+?-+', 'TAGS'],
    ['tabs-with-note', 'plain', 'p3', '§12.5.1', 'The page gets a note and a tab order', '+?-+', 'TAGS'],
    ['tabs-s', 'ordered', 'approval', '§12.5.1', 'The tab order becomes another order', '+?-+', 'TAGS'],
    ['tabs-removed', 'ordered', 'approval', '§12.5.1', 'The tab order goes', '+?-+', 'TAGS'],
    ['structure-note', 'tagged', 'approval', '§14.7.5', 'A note with its element', '+?-+', 'TAGS'],
    ['structure-note', 'tagged', 'p2', 'Table 257', 'A note with its element', '-?--'],
    ['structure-note', 'tagged', 'p3', 'Table 257', 'A note with its element', '+?-+', 'TAGS'],
    ['structure-paragraph', 'tagged', 'approval', '§14.9.4', 'An element of words only', '-?--'],
    ['structure-alt', 'tagged', 'approval', '§14.9.3', 'An element gets an alternative text', '-?--'],
    ['structure-actual-text', 'tagged', 'approval', '§14.9.4', 'An element gets a replacement text', '-?--'],
    ['structure-type', 'tagged', 'approval', '§14.7.2', 'An element becomes a heading', '-?--'],
    ['structure-removed', 'tagged', 'approval', '§14.7.2', 'The structure goes', '-?--'],
    ['role-map', 'tagged', 'approval', '§14.7.3', 'A role is mapped', '-?--'],
    ['parent-tree-moved', 'tagged', 'approval', '§14.7.5.4', 'The parent tree is written anew', '+?-+', 'TAGS'],
    ['mark-info', 'tagged', 'approval', '§14.7.1', 'The document is no longer marked as tagged', '-?--'],
    ['language', 'form', 'approval', '§14.9.2', 'Another language', '-?--'],
    ['language-recoded', 'form', 'approval', '§7.9.2.2', 'The same language in UTF-16', '++++'],
  ],
  Widgets: [
    ['widget-moved', 'form', 'approval', 'Table 166', 'A field moves on its page', '-+-+', 'WIDGETS'],
    ['widget-hidden', 'form', 'approval', '§12.5.3', 'A field is hidden', '++++'],
    ['widget-border', 'form', 'approval', '§12.5.6.19', 'A field gets another border', '-+-+', 'WIDGETS'],
    ['widget-characteristics', 'form', 'approval', 'Table 192', 'A field gets empty characteristics', '++-+', 'EMPTY'],
    ['widget-looks', 'form', 'approval', '§12.7.4.3', 'A field without a value shows a text', '++++'],
    ['widget-action', 'form', 'approval', '§12.6.3', 'A field gets a script', '-+-+', 'WIDGETS'],
    ['widget-removed', 'form', 'approval', '§12.5.2', 'A field is taken off its page', '++-+', 'VISIBILITY'],
    [
      'signature-widget-removed',
      'form',
      'approval',
      '§12.8.1',
      'A signature is taken off its page',
      '-?-+',
      'SIGNATURE_GONE',
    ],
  ],
  'Fields and form': [
    ['fill-text', 'form', 'approval', 'Table 257', 'A text is filled in', '++++'],
    ['fill-text', 'form', 'p1', 'Table 257', 'A text is filled in', '-?--'],
    ['fill-text', 'form', 'p2', 'Table 257', 'A text is filled in', '++++'],
    ['fill-check-only', 'form', 'p2', '§12.7.5.2.3', 'A box is checked', '++++'],
    ['fill-check', 'form', 'p2', '§12.7.5.2.3', 'A box is checked and gets other looks for both states', '-?--'],
    ['fill-choice', 'form', 'p2', '§12.7.5.4', 'A choice is made', '++-+', 'CHOICE'],
    ['fill-without-looks', 'form', 'approval', '§12.7.4.3', 'A text is filled in without its looks', '++++'],
    ['field-added', 'form', 'approval', 'Table 257', 'A new text field', '-+--', 'FIELDS'],
    ['field-added', 'form', 'p2', 'Table 257', 'A new text field', '-?--'],
    ['button-added', 'form', 'approval', 'Table 257', 'A new button', '-+--', 'FIELDS'],
    ['signature-field-added', 'form', 'approval', '§12.7.5.5', 'A new empty signature field', '+++-', 'EMPTY_FIELD'],
    ['signature-field-added', 'form', 'p2', 'Table 257', 'A new empty signature field', '-?+-', 'EMPTY_FIELD_P2'],
    ['field-removed', 'form', 'approval', 'Table 257', 'A field goes', '-+--', 'FIELDS'],
    ['field-renamed', 'form', 'approval', '§12.7.4.2', 'A field gets another name', '-+--', 'FIELDS'],
    ['field-hint', 'form', 'approval', 'Table 226', 'A field gets another hint', '-+--', 'FIELDS'],
    ['field-length', 'form', 'approval', 'Table 232', 'A field takes fewer characters', '-+--', 'FIELDS'],
    ['field-read-only', 'form', 'approval', 'Table 227', 'A field becomes read-only', '+++-', 'READ_ONLY'],
    ['field-default', 'form', 'approval', 'Table 226', 'A field gets a default value', '-+--', 'FIELDS'],
    ['field-options', 'form', 'approval', '§12.7.5.4', 'A choice gets another option', '-+--', 'FIELDS'],
    ['form-rebuild', 'form', 'approval', '§12.7.3', 'Viewers are to draw the fields again', '+?+-', 'REBUILD'],
    [
      'form-default',
      'form',
      'approval',
      '§12.7.4.3',
      'The default of texts changes, which a field uses',
      '-+++',
      'DEFAULTS',
    ],
    ['form-font', 'form', 'approval', '§12.7.3', 'The form gets a font', '++++'],
    ['form-xfa', 'form', 'approval', '§12.7.8', 'The form gets an XFA form', '-?--'],
    ['form-order', 'form', 'approval', 'Table 224', 'The form gets an order of calculations', '-?--'],
    ['form-removed', 'form', 'approval', '§12.7.3', 'The form goes, with its signature field', '---+', 'FORM_GONE'],
  ],
  Annotations: [
    ['note', 'plain', 'approval', '§12.8.2.2', 'A note', '++-+', 'NOTES'],
    ['note', 'plain', 'p1', 'Table 257', 'A note', '-?--'],
    ['note', 'plain', 'p2', 'Table 257', 'A note', '-?--'],
    ['note', 'plain', 'p3', 'Table 257', 'A note', '++-+', 'NOTES'],
    ['free-text', 'plain', 'approval', '§12.5.6.6', 'A text over the page', '++-+', 'NOTES'],
    ['square', 'plain', 'approval', '§12.5.6.8', 'A rectangle over the page', '++-+', 'NOTES'],
    ['highlight', 'plain', 'approval', '§12.5.6.10', 'A highlight', '++-+', 'NOTES'],
    ['link', 'plain', 'approval', '§12.5.6.5', 'A link', '++-+', 'NOTES'],
    ['attachment-note', 'plain', 'approval', '§12.5.6.15', 'An attached file as an annotation', '++-+', 'NOTES'],
    ['note-changed', 'form', 'approval', '§12.5.6.4', 'A note gets another text', '++-+', 'NOTES'],
    ['note-changed', 'form', 'p2', 'Table 257', 'A note gets another text', '-+--', 'LESS_THAN_P3'],
    ['note-removed', 'form', 'approval', '§12.5.2', 'A note goes', '++-+', 'NOTES'],
    ['note-removed', 'form', 'p3', 'Table 257', 'A note goes', '++-+', 'NOTES'],
  ],
  'Outline, names and the rest of the catalog': [
    ['outline-added', 'form', 'approval', '§12.3.3', 'The outline gets an entry', '-?--'],
    ['outline-title', 'form', 'approval', '§12.3.3', 'An entry of the outline gets another title', '-?--'],
    ['outline-action', 'form', 'approval', '§12.3.3', 'An entry of the outline leads to the web', '-?--'],
    ['outline-removed', 'form', 'approval', '§12.3.3', 'The outline goes', '-?--'],
    ['destination-added', 'form', 'approval', '§12.3.2.4', 'A new named destination', '-+--', 'NAMES'],
    ['destination-moved', 'form', 'approval', '§12.3.2.4', 'A name leads to another page', '-+--', 'NAMES'],
    ['labels', 'form', 'approval', '§12.4.2', 'Pages get labels', '-?--'],
    ['open-action', 'plain', 'approval', '§12.6.2', 'A script when the document opens', '-?--'],
    ['script', 'plain', 'approval', '§12.6.4.17', 'A script of the document', '-+--', 'ATTACHMENTS'],
    ['attachment', 'plain', 'approval', '§7.11.4', 'An attached file', '-+--', 'ATTACHMENTS'],
    ['viewer', 'plain', 'approval', '§12.2', 'The window of the viewer', '-?--'],
    ['layer', 'plain', 'approval', '§8.11', 'A layer', '-?--'],
    ['title', 'form', 'approval', '§14.3.3', 'Another title in the information', '++++'],
    ['title', 'form', 'p1', '§14.3.3', 'Another title in the information', '+?++'],
    ['metadata', 'form', 'approval', '§14.3.2', 'Other metadata', '++++'],
  ],
  'Security store': [
    ['store-added', 'plain', 'p1', '§12.8.4.3', 'A security store is added', '++++'],
    ['store-certificate-added', 'plain', 'B-LTA', '§12.8.4.3', 'The store gets a certificate', '++++'],
    ['store-entry', 'plain', 'B-LTA', '§12.8.4.3', 'The store gets an entry of another kind', '++-+', 'STORE_ENTRY'],
    ['store-certificates-removed', 'plain', 'B-LTA', '§12.8.4.3', 'The store loses its certificates', '++++'],
    ['store-emptied', 'plain', 'B-LTA', '§12.8.4.3', 'The store is emptied', '++++'],
    ['store-removed', 'plain', 'B-LTA', '§12.8.4.3', 'The store goes', '+++-', 'STORE_GONE'],
  ],
  'Extensions and version': [
    ['extension-added', 'form', 'p1', '§7.12', 'An extension is named', '+?++'],
    ['extension-raised', 'form', 'approval', '§7.12', 'The level of an extension rises', '++++'],
    ['extension-lowered', 'form', 'approval', '§7.12', 'The level of an extension falls', '-++-', 'EXTENSIONS'],
    [
      'extension-base-lowered',
      'form',
      'approval',
      '§7.12',
      'The base version of an extension falls',
      '-++-',
      'EXTENSIONS',
    ],
    ['extensions-removed', 'form', 'approval', '§7.12', 'The extensions go', '-+--', 'EXTENSIONS'],
    ['version-raised', 'plain', 'approval', '§7.2.2', 'The version rises', '++++'],
    ['version-lowered', 'plain', 'approval', '§7.2.2', 'The catalog names a version below the header’s', '++++'],
  ],
  Pages: [
    ['pages-nested', 'form', 'approval', '§7.7.3.2', 'A page gets a node of its own', '+?--', 'REHUNG'],
    ['page-added', 'form', 'approval', 'Table 257', 'A new page', '----'],
    ['page-removed', 'form', 'approval', 'Table 257', 'A page goes', '----'],
    ['pages-swapped', 'form', 'approval', '§7.7.3.2', 'Two pages change places', '-+-+', 'SWAPPED'],
    ['page-turned', 'plain', 'approval', 'Table 31', 'A page is turned', '-?--'],
    ['page-box', 'plain', 'approval', '§14.11.2', 'A page is cropped', '-?--'],
    ['page-unit', 'plain', 'approval', 'Table 31', 'A page gets a larger unit', '-?--'],
    ['page-content', 'plain', 'approval', '§7.8.2', 'A page is painted over', '-?--'],
    ['page-content-replaced', 'plain', 'approval', '§7.8.2', 'A page gets another content', '-?--'],
    ['page-font', 'plain', 'approval', '§7.8.3', 'A page gets a font', '-?--'],
    ['page-date', 'plain', 'approval', '§14.5', 'A page names the date of its change', '+?--', 'DATE'],
    ['page-private', 'plain', 'approval', '§14.5', 'A page gets data of a program', '-+--', 'CONTENT'],
    ['page-action', 'plain', 'approval', '§12.6.3', 'A page gets a script', '-?--'],
  ],
  'Objects without a use, and fonts': [
    ['unused-added', 'plain', 'approval', '§7.5.6', 'A new object without a use', '++++'],
    ['unused-changed', 'form', 'approval', '§7.5.6', 'An object without a use changes', '++-+', 'UNUSED'],
    ['unused-rewritten', 'plain', 'approval', '§7.5.6', 'A font is written again, unchanged', '++++'],
    ['font-changed', 'plain', 'approval', '§9.6', 'The font of a page becomes another font', '-?--'],
    ['font-freed', 'plain', 'approval', '§7.5.6', 'The font of a page goes', '-+--', 'CONTENT'],
  ],
};

/** The rows by their group. */
export const LATER_CHANGES: Readonly<Record<string, readonly LaterChange[]>> = Object.fromEntries(
  Object.entries(ROWS).map(([group, rows]) => [
    group,
    rows.map(([change, base, signature, section, what, marks, why]) => ({
      change,
      base,
      signature,
      section,
      what,
      marks,
      why,
    })),
  ]),
);

/** True where another validator contradicts Sinete. */
export const isDisputed = ({ marks }: Pick<LaterChange, 'marks'>): boolean => {
  const [ours = '', ...others] = marks;
  return others.some((mark) => mark !== '?' && mark !== ours);
};
