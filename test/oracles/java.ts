import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { javaLibrary, type JavaLibrary } from '../setup/system-packages.ts';
import { runTool } from './run-program.ts';

/** A Java program of the tests. */
export interface JavaProgram {
  /** The class whose `main` runs. */
  readonly main: string;
  /** Source files of the program. */
  readonly sources: readonly URL[];
  readonly libraries: readonly JavaLibrary[];
}

const KEPT = fileURLToPath(new URL('../.work/java', import.meta.url));

/** Starts quickly: these programs end before an optimising compiler or a parallel collector helps them. */
const OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const compiled = new Map<string, Promise<string>>();

/** The folder of the compiled classes. Each state of the sources is compiled once, for all files of all runs. */
async function compile({ main, sources }: JavaProgram, classPath: string): Promise<string> {
  const files = sources.map((source) => fileURLToPath(source));
  const hash = createHash('sha256').update(classPath);
  for (const file of files) hash.update(await readFile(file));
  const folder = join(KEPT, `${main}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  await mkdir(KEPT, { recursive: true });
  const fresh = await mkdtemp(join(KEPT, 'compiling-'));
  await runTool('ecj', ['-proc:none', '-nowarn', '-17', '-cp', classPath, '-d', fresh, ...files]);
  // Another process may have compiled the same sources meanwhile: its folder is as good.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a Java program and answers the lines that it printed. The programs are compiled by ecj, so that a Java runtime
 * is enough and no JDK is needed.
 */
export async function runJava(
  program: JavaProgram,
  parameters: readonly string[],
  options: Parameters<typeof runTool>[2] = {},
): Promise<readonly string[]> {
  const classPath = program.libraries.map(javaLibrary).join(':');
  const classes = compiled.get(program.main) ?? compile(program, classPath);
  compiled.set(program.main, classes);
  const words = [...OPTIONS, '-cp', `${await classes}:${classPath}`, program.main, ...parameters];
  return (await runTool('java', words, options)).split('\n').filter((line) => line !== '');
}
