/**
 * The client packages of `clients/` and `src/client`: each is built and installed from the built file in an empty
 * folder, and the five recipes run against a real instance.
 */
import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sampleDocuments } from '../../src/app/demo/sample-documents.ts';
import { assembleClientPackage } from '../dist/pack-client.ts';
import { locationOf, requestIdOf } from '../http/authorization/oauth-world.ts';
import type { RealInstance } from '../interface/real-instance.ts';
import { runNode, runProgram, runTool } from '../oracles/run-program.ts';
import { npmTool } from '../setup/npm-tool.ts';
import { systemFile, systemTool } from '../setup/system-packages.ts';
import { untilDefined } from '../setup/waits.ts';

const root = join(import.meta.dirname, '../..');
const kept = join(root, 'test/.work/clients');

const recipes = ['sign-one', 'sign-batch', 'receive-callback', 'validate', 'authorize'] as const;
type Recipe = (typeof recipes)[number];

/** A program of the table, or this Node. */
type Runtime = 'python3' | 'php' | 'node';

interface ClientPackage {
  readonly language: string;
  /** Builds the package, and installs the built file in an empty folder. */
  install(place: string): Promise<void>;
  /** Runs the compiler or the type checker over the recipes. */
  check(place: string): Promise<void>;
  /** The program and the words to run a recipe in the folder of `install`. */
  command(place: string, recipe: Recipe): readonly [Runtime, ...string[]];
  readonly environment?: (place: string) => Readonly<Record<string, string>>;
}

/** Copies sources: builders write beside the copy only. */
async function copySources(name: string, place: string): Promise<string> {
  const sources = join(place, 'sources');
  await cp(join(root, name), sources, { recursive: true });
  return sources;
}

const pythonLibraries = (place: string): string => join(place, 'project/libraries');
const pythonRecipe = (recipe: Recipe): string => `${recipe.replaceAll('-', '_')}.py`;

const python: ClientPackage = {
  language: 'Python',
  install: async (place) => {
    systemFile('pip');
    const sources = await copySources('clients/python', place);
    const project = join(place, 'project');
    await mkdir(project, { recursive: true });
    await runTool('python3', ['-m', 'pip', '-q', 'wheel', '--no-deps', '-w', place, sources]);
    const wheel = await fileEndingIn(place, '.whl');
    const words = ['-m', 'pip', '-q', 'install', '--no-index', '--target', pythonLibraries(place), join(place, wheel)];
    await runTool('python3', words);
    await cp(join(sources, 'recipes'), project, { recursive: true });
  },
  check: async (place) => {
    const tools = join(kept, 'mypy');
    const words = ['-m', 'pip', '-q', 'install', '--upgrade', '--target', tools, 'mypy==1.15.0'];
    if (!existsSync(join(tools, 'mypy'))) await runTool('python3', words);
    // The recipes see the installed package (py.typed), as the program of a stranger does.
    const project = join(place, 'project');
    const files = [join(pythonLibraries(place), 'sinete'), ...recipes.map((one) => join(project, pythonRecipe(one)))];
    const { code, output } = await runProgram(
      'python3',
      ['-m', 'mypy', '--strict', '--scripts-are-modules', ...files],
      {
        folder: pythonLibraries(place),
        environment: { PYTHONPATH: tools, MYPY_CACHE_DIR: join(place, 'mypy') },
      },
    );
    if (code !== 0) throw new Error(output);
    const rules = join(place, 'sources/tests/test_rules.py');
    await runTool('python3', [rules], { environment: { PYTHONPATH: pythonLibraries(place) } });
  },
  command: (place, recipe) => ['python3', join(place, 'project', pythonRecipe(recipe))],
  environment: (place) => ({ PYTHONPATH: pythonLibraries(place) }),
};

const php: ClientPackage = {
  language: 'PHP',
  install: async (place) => {
    systemFile('PHP curl');
    systemFile('PHP zip');
    const sources = await copySources('clients/php', place);
    const project = join(place, 'project');
    await mkdir(project, { recursive: true });
    const environment = {
      COMPOSER_ALLOW_SUPERUSER: '1',
      COMPOSER_HOME: join(place, 'composer'),
      COMPOSER_DISABLE_NETWORK: '1',
    };
    const archive = ['archive', '--no-interaction', '--format=zip', `--dir=${place}`, '--file=sinete-client'];
    await runTool('composer', archive, { folder: sources, environment });
    const repositories = [{ type: 'artifact', url: place }, { 'packagist.org': false }];
    const description = { repositories, require: { 'sinete/client': '*' } };
    await writeFile(join(project, 'composer.json'), JSON.stringify(description));
    await runTool('composer', ['install', '--no-interaction', '--no-progress'], { folder: project, environment });
    await cp(join(sources, 'recipes'), project, { recursive: true });
  },
  check: async (place) => {
    const installed = join(place, 'project/vendor/sinete/client/src');
    const files = (await readdir(installed)).map((name) => join(installed, name));
    for (const file of files) {
      await runTool('php', ['-l', file]);
      if (!(await readFile(file, 'utf8')).includes('declare(strict_types=1);'))
        throw new Error(`${file} is not strict.`);
    }
    const errors = ['-d', 'error_reporting=-1', '-d', 'display_errors=stderr'];
    await runTool('php', [...errors, join(place, 'sources/tests/rules.php')], { folder: join(place, 'project') });
  },
  command: (place, recipe) => {
    const file = join(place, 'project', `${recipe}.php`);
    return ['php', '-d', 'error_reporting=-1', '-d', 'display_errors=stderr', file];
  },
};

const javascript: ClientPackage = {
  language: 'JavaScript',
  install: async (place) => {
    await runNode([join(root, 'src/app/build-client.ts')]);
    const assembled = join(place, 'package');
    assembleClientPackage(assembled);
    npm(place, 'pack', assembled, '--pack-destination', place);
    const project = join(place, 'project');
    await mkdir(project, { recursive: true });
    await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const words = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error'];
    npm(project, ...words, join(place, await fileEndingIn(place, '.tgz')));
    await cp(join(root, 'clients/javascript'), project, { recursive: true });
  },
  check: async (place) => {
    const project = join(place, 'project');
    const program = [
      `import { Sinete, type SignOptions } from 'sinete-client';`,
      `import { OAuthApplication, verifyWebhook, type Token } from 'sinete-client/server';`,
      `export const options: SignOptions = { type: 'PAdES' };`,
      `export const sinete: Promise<Sinete> = Sinete.at('http://127.0.0.1:17171');`,
      `export const token = (flow: OAuthApplication): Promise<Token> => flow.clientToken();`,
      `export const body = verifyWebhook(new Headers(), '', 'whsec_AA==');`,
      `// @ts-expect-error The type is required.`,
      `export const wrong: SignOptions = {};`,
    ];
    await writeFile(join(project, 'program.ts'), program.join('\n'));
    const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext', '--skipLibCheck'];
    const words = [npmTool('typescript', 'tsc'), ...options, '--lib', 'es2024,dom', 'program.ts'];
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' });
    if (status !== 0) throw new Error(stdout);
  },
  command: (place, recipe) => ['node', join(place, 'project', `${recipe}.mjs`)],
};

const packages: readonly ClientPackage[] = [python, php, javascript];

async function fileEndingIn(folder: string, ending: string): Promise<string> {
  const name = (await readdir(folder)).find((one) => one.endsWith(ending));
  if (name === undefined) throw new Error(`${folder} has no file that ends in ${ending}.`);
  return name;
}

function npm(folder: string, ...words: readonly string[]): void {
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

const starters: Readonly<Record<Runtime, (words: readonly string[], options: SpawnOptions) => ChildProcess>> = {
  node: (words, options) => spawn(process.execPath, words, options),
  php: (words, options) => spawn(systemTool('php'), words, options),
  python3: (words, options) => spawn(systemTool('python3'), words, options),
};

/** A running recipe, with the output of both kinds so far. */
class RunningRecipe {
  output = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;

  constructor([program, ...words]: readonly [Runtime, ...string[]], folder: string, environment: NodeJS.ProcessEnv) {
    const options = { cwd: folder, env: { ...process.env, ...environment } };
    this.#child = starters[program](words, options);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.#ended = new Promise((resolve, reject) => {
      this.#child.on('error', reject).on('close', resolve);
    });
  }

  /** The first match in the output. */
  async find(pattern: RegExp): Promise<string> {
    let hasEnded = false;
    void this.#ended.finally(() => (hasEnded = true));
    const read = (): string | undefined => {
      const found = pattern.exec(this.output);
      if (found === null && hasEnded) throw new Error(`The recipe has ended: ${this.output}`);
      return found?.[1] ?? found?.[0];
    };
    try {
      return await untilDefined(read, `${String(pattern)} in the output of a recipe`);
    } catch (error) {
      throw new Error(this.output, { cause: error });
    }
  }

  async end(): Promise<string> {
    const code = await this.#ended;
    if (code !== 0) throw new Error(`The recipe ended with ${code ?? 'a signal'}: ${this.output}`);
    return this.output;
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#ended;
  }
}

/** An instance with an enrolled person. */
interface World {
  readonly instance: RealInstance;
  readonly username: string;
  /** One-time codes of the person, each for a single authorization. */
  readonly codes: string[];
}

/** Runs the recipes of a package. `step` prints the outcome of each. */
async function runRecipes(
  one: ClientPackage,
  place: string,
  world: World,
  step: (name: string, work: () => Promise<void>) => Promise<boolean>,
): Promise<void> {
  const { instance } = world;
  const project = join(place, 'project');
  const start = (recipe: Recipe, words: readonly string[], environment: NodeJS.ProcessEnv = {}): RunningRecipe => {
    const own = { SINETE_ADDRESS: instance.url, ...one.environment?.(place), ...environment };
    return new RunningRecipe([...one.command(place, recipe), ...words], project, own);
  };
  const contract = join(project, 'contrato ação.pdf');
  const signed = join(project, 'signed.pdf');
  await writeFile(contract, sampleDocuments(new Date()).contract.content);

  await step(`the recipe of ${one.language} signs one PDF`, async () => {
    await start('sign-one', [contract, signed]).end();
    await expectSigned(contract, signed);
  });
  await step(
    `the recipe of ${one.language} signs a batch, shows its progress and names the file that failed`,
    async () => {
      const batch = join(project, 'batch');
      await mkdir(batch, { recursive: true });
      for (const name of ['a.pdf', 'c.pdf']) await cp(contract, join(batch, name));
      await writeFile(join(batch, 'b.pdf'), 'This is no PDF.');
      const output = await start('sign-batch', [batch, join(project, 'results')]).end();
      expectText(output, /uploading \d+ of \d+ bytes/, /finished: 2 of 3 signed, 1 failed/, /b\.pdf: [A-Z_]+: \S/);
      for (const name of ['a.pdf', 'c.pdf']) await expectSigned(contract, join(project, 'results', name));
    },
  );
  await step(`the recipe of ${one.language} believes a genuine callback, and no other`, async () => {
    await checkCallback(one, world, async (environment) => {
      const isPhp = one.language === 'PHP';
      const [program, ...words] = one.command(place, 'receive-callback');
      const address = `127.0.0.1:${environment.PORT}`;
      const served = [...words.slice(0, -1), '-S', address, ...words.slice(-1)];
      const own = { ...one.environment?.(place), ...environment };
      const recipe = new RunningRecipe([program, ...(isPhp ? served : words)], project, own);
      await recipe.find(isPhp ? /Development Server/ : /http:\S+/);
      return recipe;
    });
  });
  await step(`the recipe of ${one.language} validates a PDF, and sees a change`, async () => {
    expectText(await start('validate', [signed]).end(), /signature: .+ \(1185\)/);
    const changed = join(project, 'changed.pdf');
    const bytes = await readFile(signed);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    await writeFile(changed, bytes);
    expectText(await start('validate', [changed]).end(), /signature: .+ \(118[^5]\)/, /not confirmed/);
  });
  await step(`the recipe of ${one.language} signs for a person who authorized it`, async () => {
    const port = await freePort();
    const application = await registerApplication(instance, `http://127.0.0.1:${port}/back`);
    const environment = { ...application.environment, PORT: String(port) };
    const authorized = join(project, 'authorized.pdf');
    const recipe = start('authorize', [contract, authorized], environment);
    try {
      const page = await recipe.find(/Open (\S+)/);
      const back = await allow(world, page);
      await fetch(back);
      await recipe.end();
    } finally {
      await recipe.stop();
    }
    if (recipe.output.includes(application.secret)) throw new Error('The recipe prints the secret.');
    await expectSigned(contract, authorized);
  });
}

/** Sends a genuine callback, a forged callback and a callback without a signature to the recipe. */
async function checkCallback(
  one: ClientPackage,
  { instance }: World,
  start: (environment: { readonly PORT: string; readonly SINETE_WEBHOOK_SECRET: string }) => Promise<RunningRecipe>,
): Promise<void> {
  const port = await freePort();
  const application = await registerApplication(instance, 'https://portal.example/back');
  const recipe = await start({ PORT: String(port), SINETE_WEBHOOK_SECRET: application.webhookSecret });
  try {
    const callback = `http://127.0.0.1:${port}/signed?tcn=`;
    const body = {
      type: 'CAdES-detached',
      documents_source: 'DATA_URL',
      documents: 'data:text/plain,one',
      mode: 'sync',
      notification_callback: callback,
    };
    const created = await fetch(`${instance.url}/signature-service`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: application.authorization },
      body: JSON.stringify(body),
    });
    if (created.status !== 201) throw new Error(await created.text());
    await recipe.find(/genuine: notification SIGNED/);
    const forged = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
    };
    for (const headers of [forged, {}]) {
      const { status } = await fetch(`${callback}x`, { method: 'POST', headers, body: '{"status":"SIGNED"}' });
      if (status !== 401) throw new Error(`A forged callback is answered with ${status}.`);
    }
    await recipe.find(/refused: /);
    if (recipe.output.includes(application.webhookSecret)) throw new Error(`${one.language} prints the secret.`);
  } finally {
    await recipe.stop();
  }
}

async function registerApplication(
  { sinete }: RealInstance,
  redirectUri: string,
): Promise<{
  readonly secret: string;
  readonly webhookSecret: string;
  readonly authorization: string;
  readonly environment: Readonly<Record<string, string>>;
}> {
  const { application, clientSecret, webhookSecret } = await sinete.core.applications.register({
    name: 'Portal',
    comments: '',
    email: '',
    redirectUris: [redirectUri],
  });
  const pair = Buffer.from(`${application.clientId}:${clientSecret}`).toString('base64');
  return {
    secret: clientSecret,
    webhookSecret,
    authorization: `Sinete ${pair}`,
    environment: { SINETE_CLIENT_ID: application.clientId, SINETE_CLIENT_SECRET: clientSecret },
  };
}

/** The person opens the page and allows the application; answers the address of the redirect. */
async function allow({ instance, username, codes }: World, page: string): Promise<string> {
  const { pathname, search } = new URL(page);
  const browser = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  const shown = await instance.send('GET', pathname + search, { headers: { ...browser, 'Sec-Fetch-Site': 'none' } });
  const fields = {
    request: requestIdOf(shown),
    decision: 'allow',
    username,
    password: codes.pop() ?? 'no code is left',
  };
  const headers = { ...browser, 'Sec-Fetch-Site': 'same-origin', Origin: instance.url };
  return locationOf(await instance.send('POST', '/oauth/authorize', { fields, headers }));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The signed file is the original with a signature behind it. */
async function expectSigned(original: string, signed: string): Promise<void> {
  const before = await readFile(original);
  const after = await readFile(signed);
  if (!after.subarray(0, before.length).equals(before)) throw new Error('The original is not kept.');
  if (!after.includes('/SubFilter /ETSI.CAdES.detached')) throw new Error('The file has no PAdES signature.');
}

function expectText(text: string, ...patterns: readonly RegExp[]): void {
  const missing = patterns.filter((pattern) => !pattern.test(text));
  if (missing.length > 0) throw new Error(`${missing.join(', ')} is missing in:\n${text}`);
}

/** Builds, installs and runs every package. */
export async function checkClientPackages(
  instance: RealInstance,
  folder: string,
  step: (name: string, work: () => Promise<void>) => Promise<boolean>,
): Promise<void> {
  const username = '11144477735';
  const codes = await instance.enrol('ANA LIMA', username);
  for (const one of packages) {
    const place = join(folder, `package-${one.language}`);
    await mkdir(place, { recursive: true });
    const isInstalled = await step(`the package for ${one.language} is built, and installed from its file`, async () =>
      one.install(place),
    );
    if (!isInstalled) continue;
    await step(`the package for ${one.language} passes its checker`, async () => one.check(place));
    await runRecipes(one, place, { instance, username, codes }, step);
    await rm(place, { recursive: true, force: true });
  }
}
