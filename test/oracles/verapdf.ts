/** veraPDF, the judge of PDF/A and PDF/UA, from Maven Central. */
import { fetchJars } from './fetched.ts';
import { runJava, type JavaProgram } from './java.ts';

const PROGRAM: JavaProgram = {
  main: 'JudgeStandards',
  sources: [new URL('verapdf/JudgeStandards.java', import.meta.url)],
  libraries: [],
  jars: () => fetchJars('verapdf-1.30.2', new URL('verapdf/pom.xml', import.meta.url)),
};

/** The verdict on a standard claimed by a file. */
export interface StandardVerdict {
  /** veraPDF's name: `1b`, `ua1`. */
  readonly standard: string;
  /** The rules broken by the file, as `clause-test`; none when the file keeps the standard. */
  readonly broken: readonly string[];
}

/**
 * The verdicts on the standards each file claims, in the order of the paths. A file without a claim, or that veraPDF
 * cannot read, has none.
 */
export async function judgeStandards(paths: readonly string[]): Promise<readonly (readonly StandardVerdict[])[]> {
  if (paths.length === 0) return [];
  const lines = await runJava(PROGRAM, paths);
  if (lines.length !== paths.length)
    throw new Error(`veraPDF answered ${lines.length} lines for ${paths.length} files.`);
  return lines.map((line) => (line.startsWith('ERROR') || line === 'none' ? [] : line.split('\t').map(toVerdict)));
}

function toVerdict(text: string): StandardVerdict {
  const [standard = '', rules = ''] = text.split(':');
  return { standard, broken: rules.split(' ').filter((rule) => rule !== '') };
}
