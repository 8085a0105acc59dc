/**
 * Generators beside openapi-generator: each makes a client from the document, the tools of its language compile the
 * client, and a program with the client signs a PDF. `programs/` has the programs.
 */
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchCrateProgram, fetchGoProgram } from '../oracles/fetched.ts';
import { runCompiled, runNode, runTool } from '../oracles/run-program.ts';
import { installSuite } from '../setup/install-suite.ts';
import { systemFile } from '../setup/system-packages.ts';

const program = (name: string): string => join(import.meta.dirname, 'programs', name);
const kept = join(import.meta.dirname, '../.work/clients');

/** The documents of the instance, and the files of a signature. */
export interface SignatureFiles {
  readonly url: string;
  readonly input: string;
  readonly output: string;
}

/** A generator: `make` compiles a client in an empty folder, `sign` runs the program with the client. */
export interface Generator {
  readonly name: string;
  /** The version of OpenAPI that the generator reads. */
  readonly version: '3.0' | '3.1';
  readonly make: (document: string, folder: string) => Promise<void>;
  readonly sign: (folder: string, files: SignatureFiles) => Promise<void>;
}

const goOptions = (folder: string) => ({
  folder,
  environment: { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
});

/** Compiles a module `sinete` of a client in `client` and a program. */
async function compileGo(folder: string, source: string): Promise<void> {
  await writeFile(join(folder, 'go.mod'), 'module sinete\n\ngo 1.24\n');
  await copyFile(program(source), join(folder, 'main.go'));
  await runTool('go', ['mod', 'tidy'], goOptions(folder));
  await runTool('go', ['build', '-o', 'sign-first', '.'], goOptions(folder));
}

const signWithGo: Generator['sign'] = async (folder, { url, input, output }) => {
  await runCompiled(join(folder, 'sign-first'), [url, input, output]);
};

const oapiCodegen: Generator = {
  name: 'oapi-codegen',
  version: '3.0',
  make: async (document, folder) => {
    const tool = await fetchGoProgram('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', 'v2.8.2');
    await mkdir(join(folder, 'client'));
    const words = ['-generate', 'types,client', '-package', 'client', '-o', join(folder, 'client/client.go'), document];
    await runCompiled(tool, words);
    await compileGo(folder, 'oapi-codegen.go');
  },
  sign: signWithGo,
};

const ogen: Generator = {
  name: 'ogen',
  version: '3.0',
  make: async (document, folder) => {
    const tool = await fetchGoProgram('github.com/ogen-go/ogen/cmd/ogen', 'v1.24.0');
    await runCompiled(tool, ['--target', join(folder, 'client'), '--package', 'client', document]);
    await compileGo(folder, 'ogen.go');
  },
  sign: signWithGo,
};

const pythonPath = (folder: string) => ({
  environment: { PYTHONPATH: `${join(kept, 'openapi-python-client')}:${folder}` },
});

const pythonClient: Generator = {
  name: 'openapi-python-client',
  version: '3.1',
  make: async (document, folder) => {
    const tools = join(kept, 'openapi-python-client');
    const words = ['-m', 'pip', '-q', 'install', '--target', tools, 'openapi-python-client==0.29.1'];
    systemFile('pip');
    if (!existsSync(tools)) await runTool('python3', words);
    const place = join(folder, 'made');
    const generate = ['-m', 'openapi_python_client', 'generate', '--path', document, '--output-path', place];
    await runTool('python3', generate, pythonPath(folder));
    await rename(join(place, 'sinete_client'), join(folder, 'sinete_client'));
    const script =
      'import pkgutil, importlib, sinete_client\n' +
      'for one in pkgutil.walk_packages(sinete_client.__path__, "sinete_client."): importlib.import_module(one.name)';
    await runTool('python3', ['-c', script], pythonPath(folder));
  },
  sign: async (folder, { url, input, output }) => {
    const words = [program('sign_with_openapi_python_client.py'), url, input, output];
    await runTool('python3', words, pythonPath(folder));
  },
};

const suite = join(import.meta.dirname, 'generators');

/** The script of a package's command. */
async function commandOf(name: string, command = name): Promise<string> {
  const folder = join(suite, 'node_modules', name);
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly bin: string | Readonly<Record<string, string>>;
  };
  return join(folder, typeof bin === 'string' ? bin : (bin[command] ?? ''));
}

const compilerOptions = {
  strict: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
  lib: ['es2022', 'dom', 'dom.iterable'],
};

/** A generator of TypeScript: the compiler checks the client and the program together. */
function typeScript(name: string, generate: (folder: string, document: string) => Promise<void>): Generator {
  return {
    name,
    version: '3.1',
    make: async (document, folder) => {
      installSuite('test/clients/generators');
      await symlink(join(suite, 'node_modules'), join(folder, 'node_modules'), 'dir');
      await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
      await generate(folder, document);
      await copyFile(program(`${name}.ts.txt`), join(folder, `${name}.ts`));
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: [`${name}.ts`] }));
      await runNode([await commandOf('typescript', 'tsc'), '-p', folder], { folder });
      const bundle = [`${name}.ts`, '--bundle', '--platform=node', '--format=esm', `--outfile=${name}.mjs`];
      await runNode([await commandOf('esbuild'), '--log-level=error', ...bundle], { folder });
    },
    sign: async (folder, { url, input, output }) => {
      await runNode([join(folder, `${name}.mjs`), url, input, output]);
    },
  };
}

const openapiFetch = typeScript('openapi-fetch', async (folder, document) => {
  await runNode([await commandOf('openapi-typescript'), document, '-o', join(folder, 'schema.ts')], { folder });
});

const heyApi = typeScript('hey-api', async (folder, document) => {
  const command = await commandOf('@hey-api/openapi-ts', 'openapi-ts');
  await runNode([command, '-i', document, '-o', join(folder, 'hey')], { folder });
});

const orval = typeScript('orval', async (folder, document) => {
  const words = ['--input', document, '--output', join(folder, 'orval-client.ts'), '--client', 'fetch'];
  await runNode([await commandOf('orval'), ...words], { folder });
});

/** The paths of an OpenAPI document. */
interface PathsOfDocument {
  readonly paths: Readonly<
    Record<
      string,
      Record<string, { responses?: Record<string, unknown>; requestBody?: { content?: Record<string, unknown> } }>
    >
  >;
}

/**
 * The document as progenitor 0.15 reads it. Its `BodyContentType` has no forms, so an upload is the body itself, and the
 * validator is left out. Its `extract_responses` asserts one type for all successes, and one for all refusals: each
 * operation keeps its first success.
 */
function forProgenitor(text: string): string {
  const document = JSON.parse(text) as PathsOfDocument;
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { responses, requestBody } = operation;
      if (responses === undefined) continue;
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
      operation.responses = Object.fromEntries([success ?? ['200', { description: '' }]]);
      if (requestBody?.content?.['multipart/form-data'] === undefined) continue;
      const binary = { schema: { type: 'string', format: 'binary' } };
      if (path.startsWith('/file-transfer/')) requestBody.content = { 'application/octet-stream': binary };
      else Reflect.deleteProperty(item, method);
    }
  }
  return JSON.stringify(document);
}

const manifest = `[package]
name = "sign-first"
version = "0.1.0"
edition = "2024"

[dependencies]
sinete-client = { path = "../client" }
futures = "0.3"
reqwest = { version = "0.13", default-features = false }
serde_json = "1"
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }
`;

const progenitor: Generator = {
  name: 'progenitor',
  version: '3.0',
  make: async (document, folder) => {
    const tool = await fetchCrateProgram('cargo-progenitor', '0.15.1');
    const prepared = join(folder, 'openapi.json');
    await writeFile(prepared, forProgenitor(await readFile(document, 'utf8')));
    const words = ['progenitor', '-i', prepared, '-o', join(folder, 'client'), '-n', 'sinete-client', '-v', '0.1.0'];
    await runCompiled(tool, words);
    await mkdir(join(folder, 'app/src'), { recursive: true });
    await writeFile(join(folder, 'app/Cargo.toml'), manifest);
    await copyFile(program('progenitor.rs'), join(folder, 'app/src/main.rs'));
    const build = ['build', '--quiet', '--manifest-path', join(folder, 'app/Cargo.toml')];
    await runTool('cargo', build, { environment: { CARGO_TARGET_DIR: join(kept, 'progenitor') } });
    await copyFile(join(kept, 'progenitor/debug/sign-first'), join(folder, 'sign-first'));
  },
  sign: async (folder, { url, input, output }) => {
    await runCompiled(join(folder, 'sign-first'), [url, input, output]);
  },
};

/** All generators of this file. */
export const furtherGenerators: readonly Generator[] = [
  oapiCodegen,
  ogen,
  progenitor,
  pythonClient,
  openapiFetch,
  heyApi,
  orval,
];
