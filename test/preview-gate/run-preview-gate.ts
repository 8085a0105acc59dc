/**
 * `npm run preview-gate -- DIR…`: draws PDFs as the approval does, and with poppler and MuPDF. A PDF with
 * different-looking pages must carry a concern, and PDFs drawn alike by all programs should carry none. Without a
 * folder, PDFs made by code are drawn. Prints a table, and exits with 1 for a silent difference or too many false
 * alarms.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { endlessDrawings, hiddenAmounts, plainDrawings } from './hidden-amounts.ts';
import { judgePreview, summaryOf, type PreviewVerdict } from './judge-preview.ts';
import { openStage } from './open-stage.ts';

/** The share of PDFs drawn alike by all programs and still allowed a concern. */
const MOST_FALSE_ALARMS = 0.02;

async function writeMade(folder: string): Promise<readonly string[]> {
  const made = [...hiddenAmounts, ...plainDrawings, ...endlessDrawings];
  for (const { name, content } of made) await writeFile(join(folder, `${name}.pdf`), content);
  return made.map(({ name }) => join(folder, `${name}.pdf`));
}

async function listFolders(folders: readonly string[]): Promise<readonly string[]> {
  const lists = folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name)));
  return (await Promise.all(lists)).flat().filter((path) => path.toLowerCase().endsWith('.pdf'));
}

function describeVerdict({ path, state, concerns, differences }: PreviewVerdict): string {
  return `${state.padEnd(12)} ${path} [${concerns.join(', ')}]${differences.map((one) => `\n             ${one}`).join('')}`;
}

if (!ensureSystemPackages('preview-gate')) process.exit(2);
const folder = await mkdtemp(join(tmpdir(), 'sinete-preview-gate-'));
const stage = await openStage();
try {
  const folders = process.argv.slice(2);
  const paths = folders.length === 0 ? await writeMade(folder) : await listFolders(folders);
  const verdicts: PreviewVerdict[] = [];
  for (const path of paths) {
    const verdict = await judgePreview(stage, path);
    verdicts.push(verdict);
    if (verdict.state !== 'alike' && verdict.state !== 'other fonts') console.log(describeVerdict(verdict));
  }
  const { counts, falseShare } = summaryOf(verdicts);
  for (const [state, count] of Object.entries(counts)) console.log(`${String(count).padStart(5)} ${state}`);
  console.log(`${(falseShare * 100).toFixed(1)} % of the PDFs that all programs draw alike carry a concern.`);
  process.exitCode = counts.silent === 0 && falseShare <= MOST_FALSE_ALARMS ? 0 : 1;
} finally {
  await stage.close();
  await rm(folder, { recursive: true, force: true });
}
