/** Makes later changes with iText 9, and asks Sinete, EU DSS, pyHanko and iText 9 about the oldest signature. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeFields } from '../../src/signing/pdf/differences/with-pdf-facts.ts';
import { fetchPythonPackage, pythonScript } from '../oracles/fetched.ts';
import { fetchDss, fetchIText9, PYHANKO } from '../oracles/foreign-writers.ts';
import { runJava, type JavaProgram } from '../oracles/java.ts';
import { runTool } from '../oracles/run-program.ts';
import { writeLaterBase, type LaterBase, type LaterSignature } from './later-change-bases.ts';
import type { Writers } from './writers.ts';

const judgeSource = (name: string): URL => new URL(`judges/${name}`, import.meta.url);

const CHANGER: JavaProgram = {
  main: 'ChangeWithIText9',
  sources: [new URL('../oracles/writers/ChangeWithIText9.java', import.meta.url)],
  libraries: [],
  jars: fetchIText9,
};
const ITEXT: JavaProgram = {
  main: 'JudgeWithIText9',
  sources: [judgeSource('JudgeWithIText9.java')],
  libraries: [],
  jars: fetchIText9,
};
const DSS: JavaProgram = {
  main: 'JudgeWithDss',
  sources: [judgeSource('JudgeWithDss.java')],
  libraries: [],
  jars: fetchDss,
};

/** A change over a signed document. */
export interface LaterStep {
  readonly change: string;
  readonly base: LaterBase;
  readonly signature: LaterSignature;
}

/** `doubted`: a verdict with a warning that the change may not be allowed. */
export type LaterVerdict = 'allowed' | 'doubted' | 'forbidden';

/** The verdicts on the oldest signature, with the judges' own words. */
export interface LaterVerdicts {
  readonly sinete: LaterVerdict;
  readonly dss: LaterVerdict;
  readonly pyhanko: LaterVerdict;
  readonly itext: LaterVerdict;
  readonly words: readonly string[];
}

const first = (line: string): LaterVerdict => (line.startsWith('allowed') ? 'allowed' : 'forbidden');

/**
 * The messages of DSS 6.4 about the format of a PDF: permissions, locks and objects of unknown changes. The message about
 * another look (IVDBSFR) says nothing, because DSS gives it for each change of a page with fields.
 */
const DSS_DOUBTS = /BBB_FC_(?!IVDBSFR)/;

function readDss(line: string): LaterVerdict {
  if (!line.startsWith('INDETERMINATE') && !line.startsWith('TOTAL_PASSED')) return 'forbidden';
  return DSS_DOUBTS.test(line) ? 'doubted' : 'allowed';
}

async function judgeOurselves(path: string): Promise<readonly [LaterVerdict, string]> {
  const [oldest] = await judgeFields(path, {});
  const codes = [...new Set(oldest?.changes.map(({ code }) => code))].join(' ');
  const isAllowed = oldest !== undefined && oldest.problem === undefined && oldest.changesAllowed;
  return [isAllowed ? 'allowed' : 'forbidden', oldest?.problem?.code ?? codes];
}

/** Makes the changes and judges each, in the order of the steps. */
export async function judgeLaterChanges(
  folder: string,
  steps: readonly LaterStep[],
  writers: Writers,
): Promise<readonly LaterVerdicts[]> {
  const bases = new Map<string, Promise<string>>();
  const paths: string[] = [];
  for (const [index, { change, base, signature }] of steps.entries()) {
    const name = `${base}-${signature}`;
    const input = await (bases.get(name) ??
      bases.set(name, writeLaterBase(folder, base, signature, writers)).get(name)!);
    const path = join(folder, `later-${index}.pdf`);
    await runJava(CHANGER, [change, input, path]);
    const [before, after] = [await readFile(input), await readFile(path)];
    if (before.length >= after.length || !before.equals(after.subarray(0, before.length))) {
      throw new Error(`${change} on ${name} is no later revision.`);
    }
    paths.push(path);
  }
  const itext = await runJava(ITEXT, paths);
  const dss = await runJava(DSS, [writers.root, ...paths]);
  const script = pythonScript(await fetchPythonPackage(PYHANKO), judgeSource('judge_with_pyhanko.py'));
  const pyhanko = (await runTool('python3', [...script, ...paths])).trim().split('\n');
  const found: LaterVerdicts[] = [];
  for (const [index, path] of paths.entries()) {
    const [sinete, codes] = await judgeOurselves(path);
    const lines = [dss, pyhanko, itext].map((all) => all[index] ?? 'ERROR no answer');
    const [ofDss = '', ofPyhanko = '', ofIText = ''] = lines;
    const verdicts = { sinete, dss: readDss(ofDss), pyhanko: first(ofPyhanko), itext: first(ofIText) };
    found.push({ ...verdicts, words: [codes, ...lines] });
  }
  return found;
}
