/** Judges the pictures and the words of the approval about a PDF by the drawings of other programs. */
import { compareDrawings, type Drawing } from '../../renderer/src/components/pdf/compare-drawings.ts';
import { examinePdf, SigningError } from '../../src/signing/index.ts';
import { runProgram } from '../oracles/run-program.ts';
import type { PageLook } from './look.ts';
import type { Look, PreviewStage } from './open-stage.ts';
import { drawWith, otherPrograms } from './other-programs.ts';

/**
 * - `alike`: all programs draw the same, and there is no concern. `false alarm`: the same, with a concern.
 * - `told`: programs differ, and there is a concern. `silent`: the drawings differ, and there is none.
 * - `not shown`: the approval calls the file impossible to show.
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
 * Concerns about other matters than the looks of pages: programs may draw such a PDF alike, and the signer should know.
 */
const ABOUT_ACTIONS: ReadonlySet<string> = new Set([
  'javascript',
  'launch',
  'submit',
  'attachment',
  'media',
  'opens-other',
  'portfolio',
  'xfa',
  'external',
]);

/** Draws a file in all programs and judges the file. */
export async function judgePreview(stage: PreviewStage, path: string, password = ''): Promise<PreviewVerdict> {
  const [look, ofDocument] = await Promise.all([stage.look(path, MOST_PAGES, password), concernsOf(path, password)]);
  const ofPages = look.looks.flatMap((page, index) => saidOf(page).map((text) => `page ${index + 1}: ${text}`));
  const concerns = [...ofDocument, ...ofPages];
  const judged = { path, concerns };
  if (look.opening !== 'open') return { ...judged, state: 'not shown', differences: [look.opening] };
  const hasForeignFonts = await usesForeignFonts(path, password);
  const differences = await differencesOf(look, path, password, hasForeignFonts);
  const verdict = { ...judged, differences };
  if (differences.length > 0) return { ...verdict, state: concerns.length > 0 ? 'told' : 'silent' };
  if (hasForeignFonts) return { ...verdict, state: 'other fonts' };
  const isAboutLooks = concerns.some((concern) => !ABOUT_ACTIONS.has(concern));
  return { ...verdict, state: isAboutLooks ? 'false alarm' : 'alike' };
}

/** The window's words about a page, printed by the gate. */
function saidOf({ drawing, opinion }: PageLook): readonly string[] {
  const parts = drawing === 'complete' ? [] : [drawing];
  return opinion === null || opinion === 'same' ? parts : [...parts, `second drawing ${opinion}`];
}

async function concernsOf(path: string, password: string): Promise<readonly string[]> {
  try {
    const { activeContent, complete } = await examinePdf(path, password === '' ? {} : { password });
    return [...activeContent, ...(complete ? [] : ['incomplete'])];
  } catch (error) {
    if (error instanceof SigningError) return [error.code === 'PDF_MALFORMED' ? 'unreadable' : 'encrypted'];
    throw error;
  }
}

async function differencesOf(
  look: Look,
  path: string,
  password: string,
  hasForeignFonts: boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [page, own] of look.drawings) {
    for (const program of otherPrograms) {
      const other = await drawWith(program, path, page, own, password);
      const difference = other === null ? 'draws nothing' : differenceBetween(own, other, hasForeignFonts);
      if (difference !== null) found.push(`page ${page}: ${program} ${difference}`);
    }
  }
  return found;
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
