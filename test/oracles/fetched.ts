/**
 * Programs outside of all Debian packages: fetched from Maven Central, PyPI, the proxy of Go and crates.io on first use,
 * and kept in `test/.work`.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemFile } from '../setup/system-packages.ts';
import { runProgram, type ProgramResult } from './run-program.ts';

const KEPT = fileURLToPath(new URL('../.work/fetched', import.meta.url));

const POM = 'pom.xml';

/** A finished program, its parameters, and its end. */
interface Ran extends ProgramResult {
  readonly command: readonly string[];
}

/**
 * Fills a new folder by a command; the folder appears only when the command has ended well. Throws an error naming
 * the command, with `project` in the place of the copy in the folder, and its last words.
 */
async function fetchInto(folder: string, fill: (target: string) => Promise<Ran>, project = ''): Promise<string> {
  if (existsSync(folder)) return folder;
  await mkdir(KEPT, { recursive: true });
  const target = await mkdtemp(join(KEPT, 'fetching-'));
  const { code, output, errors, command } = await fill(target);
  if (code !== 0) {
    await rm(target, { recursive: true, force: true });
    const tail = `${output}${errors}`.trim().split('\n').slice(-3).join('\n');
    const words = command.map((word) => word.replace(join(target, POM), project).replace(target, folder)).join(' ');
    throw new Error(`${basename(folder)} could not be fetched. This command fetches it: ${words}\n${tail}`);
  }
  // Another run may have fetched the same meanwhile: its folder is as good.
  await rename(target, folder).catch(() => rm(target, { recursive: true, force: true }));
  return folder;
}

/**
 * The JAR files named by a Maven project as its dependencies.
 *
 * @param name the folder for the files, with the versions in its name, to fetch a new version again
 * @param project the `pom.xml`
 */
export async function fetchJars(name: string, project: URL): Promise<readonly string[]> {
  const fill = async (target: string): Promise<Ran> => {
    // Maven writes beside the project file.
    const copy = join(target, POM);
    await copyFile(project, copy);
    const words = ['-q', '-B', '-f', copy, 'dependency:copy-dependencies', `-DoutputDirectory=${target}`];
    return { command: ['mvn', ...words], ...(await runProgram('mvn', words)) };
  };
  const folder = await fetchInto(join(KEPT, name), fill, fileURLToPath(project));
  return (await readdir(folder)).filter((file) => file.endsWith('.jar')).map((file) => join(folder, file));
}

/** The folder of a package of PyPI with all its needs; the requirement names its version (`name==1.2`). */
export function fetchPythonPackage(requirement: string): Promise<string> {
  systemFile('pip');
  return fetchInto(join(KEPT, requirement), async (target) => {
    const words = ['-m', 'pip', '-q', 'install', '--upgrade', '--target', target, requirement];
    return { command: ['python3', ...words], ...(await runProgram('python3', words)) };
  });
}

/** The path of a program compiled by Go from its proxy of modules. */
export async function fetchGoProgram(module: string, version: string): Promise<string> {
  const name = basename(module);
  const folder = await fetchInto(join(KEPT, `${name}-${version}`), async (target) => {
    const words = ['install', `${module}@${version}`];
    return { command: ['go', ...words], ...(await runProgram('go', words, { environment: { GOBIN: target } })) };
  });
  return join(folder, name);
}

/** The path of a program compiled by Cargo from crates.io. */
export async function fetchCrateProgram(crate: string, version: string): Promise<string> {
  const folder = await fetchInto(join(KEPT, `${crate}-${version}`), async (target) => {
    const words = ['install', '--quiet', '--locked', '--root', target, '--version', version, crate];
    return { command: ['cargo', ...words], ...(await runProgram('cargo', words)) };
  });
  return join(folder, 'bin', crate);
}

/** The parameters to run a Python script with the packages of a folder. */
export const pythonScript = (packages: string, script: URL): readonly string[] => {
  const begin =
    'import runpy, sys; sys.path.insert(0, sys.argv[1]); sys.argv = sys.argv[2:]; runpy.run_path(sys.argv[0], run_name="__main__")';
  return ['-c', begin, packages, fileURLToPath(script)];
};
