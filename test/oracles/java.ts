import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.ts';

/** Where Debian keeps Java libraries (`libbcpkix-java`, `libpdfbox2-java`). */
const LIBRARIES = '/usr/share/java';

/** A Java program of this folder, and the names of the libraries it needs, without `.jar`. */
export interface JavaProgram {
  readonly source: string;
  readonly libraries: readonly string[];
}

/** Compiles a single-file program in memory, runs it, and answers the lines that it printed (JEP 330). */
export async function runJava(
  { source, libraries }: JavaProgram,
  programArguments: readonly string[],
): Promise<readonly string[]> {
  const paths = libraries.map((name) => `${LIBRARIES}/${name}.jar`);
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`These Java libraries are not installed: ${missing.join(', ')}.`);
  const file = fileURLToPath(new URL(source, import.meta.url));
  const options = ['-XX:TieredStopAtLevel=1', '--class-path', paths.join(':'), file];
  const { code, output, errors } = await runProgram('java', [...options, ...programArguments]);
  if (code !== 0) throw new Error(`${source} ended with ${code ?? 'a signal'}: ${errors}`);
  return output.split('\n').filter((line) => line !== '');
}
