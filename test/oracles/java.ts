import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { javaLibrary, type JavaLibrary } from '../setup/system-packages.ts';
import { ResidentProgram } from './resident-program.ts';
import { runTool } from './run-program.ts';

/** A Java program of the tests. */
export interface JavaProgram {
  /** The class with the `main` to run. */
  readonly main: string;
  /** Source files of the program. */
  readonly sources: readonly URL[];
  readonly libraries: readonly JavaLibrary[];
  /** Paths of JAR files outside of all Debian packages; these come first. */
  readonly jars?: () => Promise<readonly string[]>;
}

const KEPT = fileURLToPath(new URL('../.work/java', import.meta.url));

/** Starts quickly: these programs end before an optimising compiler or a parallel collector helps. */
const OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Runs the others; compiled with each. */
const RESIDENT = new URL('Resident.java', import.meta.url);

/**
 * Compiles Java sources into a folder. `ecj` of Debian 13 cannot start, because its class path lacks the second of the
 * compiler's two libraries there.
 */
export async function compileJava(classPath: string, folder: string, files: readonly string[]): Promise<void> {
  const core = javaLibrary('eclipse-jdt-core');
  const compiler = [core, join(dirname(core), 'eclipse-jdt-core-compiler-batch.jar')].join(delimiter);
  const main = ['-cp', compiler, 'org.eclipse.jdt.internal.compiler.batch.Main'];
  const options = ['-proc:none', '-nowarn', '-17', '-cp', classPath, '-d', folder];
  await runTool('java', [...OPTIONS, ...main, ...options, ...files]);
}

/** The folder of the compiled classes. Each state of the sources is compiled once, for all files of all runs. */
async function compile({ main, sources }: JavaProgram, classPath: string): Promise<string> {
  const files = sources.map((source) => fileURLToPath(source));
  const hash = createHash('sha256').update(classPath);
  for (const file of files) hash.update(await readFile(file));
  const folder = join(KEPT, `${main}-${hash.digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  await mkdir(KEPT, { recursive: true });
  const fresh = await mkdtemp(join(KEPT, 'compiling-'));
  await compileJava(classPath, fresh, files);
  // Another process may have compiled the same sources meanwhile: its folder is as good.
  await rename(fresh, folder).catch(() => rm(fresh, { recursive: true, force: true }));
  return folder;
}

/** Java machines by their program; each runs the requests of a single class path. */
const residents = new Map<string, Promise<ResidentProgram>>();

async function residentOf(program: JavaProgram, classPath: string): Promise<ResidentProgram> {
  const folder = await compile({ ...program, sources: [...program.sources, RESIDENT] }, classPath);
  return new ResidentProgram('java', [...OPTIONS, '-cp', `${folder}:${classPath}`, 'Resident']);
}

/**
 * Runs a Java program and answers its printed lines; rejects when its `main` throws. The programs are compiled by ecj,
 * and so a Java runtime is enough and no JDK is needed. Programs of a single kind run in sequence in one Java machine;
 * with a folder or an environment of its own, a program gets a machine of its own.
 */
export async function runJava(
  program: JavaProgram,
  parameters: readonly string[],
  options?: Parameters<typeof runTool>[2],
): Promise<readonly string[]> {
  const fetched = (await program.jars?.()) ?? [];
  const classPath = [...fetched, ...program.libraries.map(javaLibrary)].join(':');
  let output: string;
  if (options === undefined) {
    const resident = residents.get(program.main) ?? residentOf(program, classPath);
    residents.set(program.main, resident);
    output = await (await resident).run([program.main, ...parameters]);
  } else {
    const words = [...OPTIONS, '-cp', `${await compile(program, classPath)}:${classPath}`, program.main, ...parameters];
    output = await runTool('java', words, options);
  }
  return output.split('\n').filter((line) => line !== '');
}
