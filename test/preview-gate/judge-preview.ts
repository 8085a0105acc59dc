/** Judges the pictures and the words of the approval about a PDF by the drawings of other programs. */
import { compareDrawings, type Drawing } from '../../renderer/src/components/pdf/compare-drawings.ts';
import { examinePdf, SigningError } from '../../src/signing/index.ts';
import { runProgram } from '../oracles/run-program.ts';
import type { FieldArea, PageLook } from './look.ts';
import type { Look, PreviewStage } from './open-stage.ts';
import { drawWith, otherPrograms } from './other-programs.ts';

/**
 * - `alike`: all programs draw the same, and there is no concern. `false alarm`: the same, with a concern.
 * - `told`: programs differ, and there is a concern. `silent`: the drawings differ, and there is none.
 * - `not shown`: the approval calls the file, or one of its first pages, impossible to show.
 * - `other fonts`: alike but for letters from each program's own font.
 */
export type PreviewState = 'alike' | 'false alarm' | 'told' | 'silent' | 'not shown' | 'other fonts';

export interface PreviewVerdict {
  readonly path: string;
  readonly state: PreviewState;
  /** Concerns of the document, and the words of the window about its pages. */
  readonly concerns: readonly string[];
  /** Where programs differ. */
  readonly differences: readonly string[];
}

/** Pages of a drawn file. */
const MOST_PAGES = 3;

/** Pixels of a page that are unlike, as a share, on a page drawn alike by programs. */
const MOST_UNLIKE = 0.005;

/**
 * Concerns about other matters than the looks of pages: programs may draw such a PDF alike, and the signer should know
 * of actions and attachments, and of parts that nobody could examine.
 */
const NOT_ABOUT_LOOKS: ReadonlySet<string> = new Set([
  'javascript',
  'launch',
  'submit',
  'attachment',
  'media',
  'opens-other',
  'portfolio',
  'xfa',
  'external',
  'unreadable',
  'incomplete',
  'encrypted',
]);

/** Draws a file in all programs and judges the file. */
export async function judgePreview(stage: PreviewStage, path: string, password = ''): Promise<PreviewVerdict> {
  const [look, { ofDocument, signed }] = await Promise.all([
    stage.look(path, MOST_PAGES, password),
    concernsOf(path, password),
  ]);
  const ofPages = look.looks.flatMap((page, index) => saidOf(page).map((text) => `page ${index + 1}: ${text}`));
  const concerns = [...ofDocument, ...ofPages];
  const judged = { path, concerns };
  if (look.opening !== 'open') return { ...judged, state: 'not shown', differences: [look.opening] };
  const hasForeignFonts = await usesForeignFonts(path, password);
  const empty = emptyFields(look, signed);
  const differences = await differencesOf(look, path, password, { hasForeignFonts, empty });
  const verdict = { ...judged, differences };
  if (differences.length === 0 && look.looks.some(({ width }) => width === 0))
    return { ...verdict, state: 'not shown' };
  if (differences.length > 0) return { ...verdict, state: concerns.length > 0 ? 'told' : 'silent' };
  if (hasForeignFonts) return { ...verdict, state: 'other fonts' };
  const isAboutLooks = concerns.some((concern) => !NOT_ABOUT_LOOKS.has(concern));
  return { ...verdict, state: isAboutLooks ? 'false alarm' : 'alike' };
}

/** The window's words about a page, printed by the gate. */
function saidOf({ drawing, opinion }: PageLook): readonly string[] {
  const parts = drawing === 'complete' ? [] : [drawing];
  return opinion === null || opinion === 'same' ? parts : [...parts, `second drawing ${opinion}`];
}

/** The concerns of a document, and the names of its signed fields. */
async function concernsOf(
  path: string,
  password: string,
): Promise<{ readonly ofDocument: readonly string[]; readonly signed: readonly string[] }> {
  try {
    const { activeContent, complete, signedFields } = await examinePdf(path, password === '' ? {} : { password });
    return { ofDocument: [...activeContent, ...(complete ? [] : ['incomplete'])], signed: signedFields };
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    return { ofDocument: [error.code === 'PDF_MALFORMED' ? 'unreadable' : 'encrypted'], signed: [] };
  }
}

/** The signature fields of each page that nobody has signed. */
const emptyFields = ({ looks }: Look, signed: readonly string[]): readonly (readonly FieldArea[])[] =>
  looks.map(({ fields }) => fields.filter(({ name }) => !signed.includes(name)));

async function differencesOf(
  look: Look,
  path: string,
  password: string,
  about: { readonly hasForeignFonts: boolean; readonly empty: readonly (readonly FieldArea[])[] },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [page, own] of look.drawings) {
    // The second program of the window is one of those that have to agree.
    const opinion = look.looks[page - 1]?.opinion ?? 'same';
    if (opinion !== 'same') found.push(`page ${page}: PDFium ${opinion}`);
    for (const program of otherPrograms) {
      const other = await drawWith(program, path, page, own, password);
      // MuPDF puts a word of its own, SIGN, over an empty signature field. Where the document draws nothing, the word
      // hides nothing.
      const covered = program === 'mupdf' ? (about.empty[page - 1] ?? []).filter((field) => isBlank(own, field)) : [];
      const [one, two] = [own, other].map((drawing) => drawing && withoutBoxes(drawing, covered));
      const difference = one && two ? differenceBetween(one, two, about.hasForeignFonts) : 'draws nothing';
      if (difference !== null) found.push(`page ${page}: ${program} ${difference}`);
    }
  }
  return found;
}

/** True for a field without an appearance, or with one colour in its whole box. */
function isBlank(drawing: Drawing, field: FieldArea): boolean {
  if (!field.hasAppearance) return true;
  const colours = new Set<string>();
  for (const [start, end] of rowsOf(drawing, field)) {
    for (let at = start; at < end; at += 4) colours.add(drawing.pixels.subarray(at, at + 3).join(' '));
  }
  return colours.size <= 1;
}

/** The drawing with white boxes. */
function withoutBoxes(drawing: Drawing, boxes: readonly FieldArea[]): Drawing {
  if (boxes.length === 0) return drawing;
  const pixels = drawing.pixels.slice();
  for (const box of boxes) for (const [start, end] of rowsOf(drawing, box)) pixels.fill(255, start, end);
  return { ...drawing, pixels };
}

/** Bounds of each row of a box in the pixels of a drawing. */
function* rowsOf({ width, height }: Drawing, box: FieldArea): Generator<readonly [start: number, end: number]> {
  const [first, last] = [Math.max(0, Math.floor(box.left)), Math.min(width, Math.ceil(box.left + box.width))];
  const end = Math.min(height, Math.ceil(box.top + box.height));
  for (let y = Math.max(0, Math.floor(box.top)); y < end; y += 1)
    yield [(y * width + first) * 4, (y * width + last) * 4];
}

/** Letters of another font differ by their edges: only the share counts on such a page. */
function differenceBetween(own: Drawing, other: Drawing, hasForeignFonts: boolean): string | null {
  const { unlike, areas } = compareDrawings(own, other);
  const share = unlike / (own.width * own.height);
  if (share <= MOST_UNLIKE && (hasForeignFonts || areas.length === 0)) return null;
  return `differs in ${(share * 100).toFixed(2)} % of the pixels, ${areas.length} places`;
}

/** True when a font of the first pages is not in the file. */
async function usesForeignFonts(path: string, password: string): Promise<boolean> {
  const secret = password === '' ? [] : ['-upw', password];
  const { output } = await runProgram('pdffonts', ['-l', String(MOST_PAGES), ...secret, path]);
  const columns = output
    .split('\n')
    .slice(2)
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));
  return columns.some((words) => words.at(-5) === 'no');
}

/** Counts of verdicts, and the share of false alarms among the PDFs drawn alike by all programs. */
export function summaryOf(verdicts: readonly PreviewVerdict[]): {
  readonly counts: Readonly<Record<PreviewState, number>>;
  readonly falseShare: number;
} {
  const counts: Record<PreviewState, number> = {
    alike: 0,
    'false alarm': 0,
    told: 0,
    silent: 0,
    'not shown': 0,
    'other fonts': 0,
  };
  for (const { state } of verdicts) counts[state] += 1;
  const alike = counts.alike + counts['false alarm'];
  return { counts, falseShare: alike === 0 ? 0 : counts['false alarm'] / alike };
}
