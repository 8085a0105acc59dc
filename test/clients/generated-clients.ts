/** Clients made by openapi-generator from the OpenAPI document, each compiled by the tools of its language. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCompiled, runTool, type ProgramOptions } from '../oracles/run-program.ts';
import { systemFile, systemTool } from '../setup/system-packages.ts';
import { npmTool } from '../setup/npm-tool.ts';

/** Fetched things are kept for the next run. */
const kept = fileURLToPath(new URL('../.work/clients', import.meta.url));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.17.0';

/** Runs a program of this Node; rejects with its output on failure. */
async function runNode(words: readonly string[]): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], (error, output) => {
      if (error === null) resolve();
      else reject(new Error(`${error.message}\n${output}`));
    });
  });
}

async function openGenerator(): Promise<string> {
  const jar = join(kept, 'openapi-generator-cli-7.17.0.jar');
  if (existsSync(jar)) return jar;
  await runTool('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${kept}`]);
  return jar;
}

/** A generator of openapi-generator, and for Java the library of the client. */
export type Language = 'python' | 'typescript-fetch' | 'go' | 'java' | 'java native' | 'php';

const compilers: Readonly<Record<Language, (folder: string) => Promise<void>>> = {
  python: async (folder) => {
    const libraries = join(folder, 'libraries');
    const words = ['-m', 'pip', '-q', 'install', '--target', libraries, '-r', join(folder, 'requirements.txt')];
    await runTool('python3', words);
    const script = 'import sinete_client; from sinete_client import *';
    await runTool('python3', ['-c', script], pythonOptions(folder));
  },
  'typescript-fetch': async (folder) => {
    const options = {
      strict: true,
      target: 'es2022',
      module: 'commonjs',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom'],
      types: [],
      outDir: 'compiled',
    };
    const project = join(folder, 'tsconfig.json');
    await writeFile(project, JSON.stringify({ compilerOptions: options, include: ['index.ts'] }));
    await runNode([npmTool('typescript', 'tsc'), '-p', project]);
  },
  go: async (folder) => {
    // The Go of Debian 12 is older than the Go named by the generator; the code needs nothing newer.
    const options = { folder, environment: { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' } };
    await runTool('go', ['mod', 'edit', '-go=1.19', '-require=golang.org/x/oauth2@v0.7.0'], options);
    await rm(join(folder, 'test'), { recursive: true, force: true });
    await mkdir(join(folder, 'sign'));
    await copyFile(here('programs/openapi-generator.go'), join(folder, 'sign/main.go'));
    await runTool('go', ['build', '-o', 'sign-first', './sign'], options);
  },
  php: async (folder) => {
    for (const name of await readdir(join(folder, 'lib'), { recursive: true })) {
      if (name.endsWith('.php')) await runTool('php', ['-l', join(folder, 'lib', name)]);
    }
  },
  java: compileJava,
  'java native': compileJava,
};

async function compileJava(folder: string): Promise<void> {
  systemTool('javac');
  await copyFile(here('programs/SignFirst.java'), join(folder, 'src/main/java/SignFirst.java'));
  const classPath = ['dependency:build-classpath', '-Dmdep.outputFile=class-path'];
  await runTool('mvn', ['-q', '-B', '-Dmaven.test.skip=true', 'compile', ...classPath], { folder });
}

const properties: Readonly<Partial<Record<Language, string>>> = {
  python: 'packageName=sinete_client',
  go: 'packageName=sinete,withGoMod=true',
};

/** Makes and compiles a client below `folder`; answers its folder. */
export async function generateClient(language: Language, document: string, folder: string): Promise<string> {
  const place = join(folder, language.replace(' ', '-'));
  await mkdir(place, { recursive: true });
  const jar = await openGenerator();
  const more = properties[language];
  const [generator = '', library] = language.split(' ');
  const words = ['-jar', jar, 'generate', '-i', document, '-g', generator, '-o', place];
  if (library !== undefined) words.push('--library', library);
  await runTool('java', more === undefined ? words : [...words, `--additional-properties=${more}`]);
  await compilers[language](place);
  return place;
}

const pythonOptions = (folder: string): ProgramOptions => ({
  environment: { PYTHONPATH: `${join(folder, 'libraries')}:${folder}` },
});

/** Signs a PDF through create, upload, query and download with the Python client. */
export async function signWithPython(
  client: string,
  { url, input, output }: { readonly url: string; readonly input: string; readonly output: string },
): Promise<void> {
  await runTool('python3', [here('sign_first.py'), url, input, output], pythonOptions(client));
}

/** The same with the client for TypeScript. */
export async function signWithTypeScript(
  client: string,
  { url, input, output }: { readonly url: string; readonly input: string; readonly output: string },
): Promise<void> {
  await runNode([here('sign-first.ts'), join(client, 'compiled/index.js'), url, input, output]);
}

type Files = Parameters<typeof signWithPython>[1];

/** The same with the client for PHP, over Debian's Guzzle. */
export async function signWithPhp(client: string, { url, input, output }: Files): Promise<void> {
  systemFile('Guzzle');
  await runTool('php', [here('programs/sign-first.php'), join(client, 'lib'), url, input, output]);
}

/** The same with the client for Go. */
export async function signWithGo(client: string, { url, input, output }: Files): Promise<void> {
  await runCompiled(join(client, 'sign-first'), [url, input, output]);
}

/** The same with a client for Java. */
export async function signWithJava(client: string, { url, input, output }: Files): Promise<void> {
  const libraries = await readFile(join(client, 'class-path'), 'utf8');
  const classPath = `${join(client, 'target/classes')}:${libraries.trim()}`;
  await runTool('java', ['-cp', classPath, 'SignFirst', url, input, output]);
}
