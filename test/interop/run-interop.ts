/**
 * `npm run interop`: foreign programs and Sinete sign and fill documents of many forms in sequence, and Sinete judges
 * every signature. No honest change may be called wrong, and no hostile change may pass. Then Sinete signs PDF/A and
 * PDF/UA in each way, and veraPDF judges whether both keep their standards. Prints tables and exits with 1 for a false
 * alarm, a missed attack, a lost standard, or a writer failing for another reason than listed.
 *
 * A table of later changes made by iText 9 is compared with the verdicts of four validators; `-- later` takes the table
 * alone.
 *
 * `-- BASE` takes only the bases with the word in their names, without the standards; `-- standards` only the
 * standards; `-- DIR` judges the standards with the PDFs of a folder.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSystemPackages } from '../setup/system-packages.ts';
import { checkStandards } from './check-standards.ts';
import { checkWriters, printList } from './check-writers.ts';

/** True when every standard was kept. */
async function checkAllStandards(folder: string, corpus: string | undefined): Promise<boolean> {
  const { judged, lost } = await checkStandards(folder, corpus);
  console.log(`\n${judged} signed files judged, ${lost.length} lost what they claimed.`);
  printList('Lost', lost);
  return lost.length === 0 && judged > 0;
}

const isFolder = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

if (!ensureSystemPackages('interop')) process.exit(2);
const [wanted = ''] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'sinete-interop-'));
try {
  const corpus = (await isFolder(wanted)) ? wanted : undefined;
  const standardsOnly = corpus !== undefined || wanted === 'standards';
  const areWritersGood = standardsOnly || (await checkWriters(folder, wanted));
  const areStandardsKept = (wanted !== '' && !standardsOnly) || (await checkAllStandards(folder, corpus));
  process.exitCode = areWritersGood && areStandardsKept ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
