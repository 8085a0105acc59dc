/** The steps of `npm run fresh`: each is a walk of somebody with a fresh clone of the repository. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { letTimePass } from '../setup/waits.ts';
import {
  ordinaryUser,
  superuser,
  type CommandOptions,
  type OpenRoot,
  type Person,
  type RunningCommand,
} from './debian-root.ts';
import { openProxy, openRegistry } from './network-gate.ts';
import type { ReadmeCommands } from './readme-commands.ts';
import { StepError, type StepTable } from './step-table.ts';
import { cloneOf, type Workspace } from './workspace.ts';

/** The parameters of the steps. */
export interface FreshRun {
  readonly workspace: Workspace;
  readonly table: StepTable;
  readonly readme: ReadmeCommands;
}

/** A walk by its name in `--only`. */
export type WalkName = 'start' | 'demo' | 'test' | 'user' | 'pack' | 'network';

/** The walks in the order of their runs. */
export const walks: Readonly<Record<WalkName, (run: FreshRun) => Promise<void>>> = {
  start: walkStart,
  demo: walkDemo,
  pack: walkPack,
  network: walkNetwork,
  test: walkTest,
  user: walkUser,
};

/** Downloads of npm are shared by the walks of a single run, unless the walk is about downloading itself. */
const NPM_CACHE = 'npm';

/**
 * A script for Node inside the root, where the modules of the tests are missing. Asks an address until the first
 * answer; fails where nobody ever listens.
 */
const ASK_UNTIL_ANSWERED = `
  const [url] = process.argv.slice(1);
  for (let tries = 0; tries < 1200; tries += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer !== undefined) {
      console.log(answer.status, await answer.text());
      process.exit(answer.ok ? 0 : 1);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.exit(1);`;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Works in a fresh root and removes the root afterwards. */
async function inRoot(
  { workspace }: FreshRun,
  people: readonly Person[],
  work: (root: OpenRoot, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await workspace.makeRoot(people);
  const root = await workspace.open(folder, NPM_CACHE);
  try {
    await work(root, folder);
  } finally {
    await root.close();
  }
  await workspace.removeRoot(folder);
}

/** Where a user's commands run, with the shared downloads. */
function inClone(person: Person, environment: Readonly<Record<string, string>> = {}): CommandOptions {
  return {
    as: person,
    folder: cloneOf(person),
    environment: { npm_config_cache: `/mnt/${person.name}`, ...environment },
  };
}

/** npm wants to own its folder of downloads. */
async function giveCache(root: OpenRoot, person: Person): Promise<void> {
  await expectSuccess(
    root,
    `mkdir -p /mnt/root && if [ ! -e /mnt/${person.name} ]; then cp -a /mnt/root /mnt/${person.name}; fi && chown -R ${person.id}:${person.id} /mnt/${person.name}`,
  );
}

/** Runs a command inside; throws on failure with the end of its output. */
async function expectSuccess(root: OpenRoot, command: string, options: CommandOptions = {}): Promise<string> {
  const { code, output } = await root.run(command, options);
  if (code !== 0) throw new StepError(`${command} ended with ${code ?? 'a signal'}`, output);
  return output;
}

/** The root of these steps has no compiler. */
async function expectNoCompiler(root: OpenRoot): Promise<string> {
  const tools = ['gcc', 'cc', 'c++', 'make', 'python3', 'git', 'curl'];
  const found = await root.run(`for name in ${tools.join(' ')}; do command -v $name; done; ls -d /usr/include/node`);
  const there = found.output.split('\n').filter((line) => line.startsWith('/'));
  if (there.length > 0) throw new StepError(`the root already holds ${there.join(', ')}`);
  return `Node ${(await expectSuccess(root, 'node --version')).trim()}, npm ${(await expectSuccess(root, 'npm --version')).trim()}, no ${tools.join(', ')}`;
}

/** Runs the README's first command until the instance answers, does the work, and ends the instance with Ctrl+C. */
async function withInstance(
  root: OpenRoot,
  command: string,
  options: CommandOptions,
  work: (baseUrl: string) => Promise<string>,
): Promise<string> {
  const running = root.start(command, options);
  const ended = running.ended.then(
    ({ code, output }) => new StepError(`${command} ended with ${code ?? 'a signal'} before it answered`, output),
  );
  const address = await outputWith(/(http:\/\/127\.0\.0\.1:\d+)/, running);
  if (address === undefined) throw await ended;
  // An instance answers no other user of the computer, not even the superuser.
  const ask = root.run(`node --input-type=module -e ${quote(ASK_UNTIL_ANSWERED)} ${address}/health-check`, options);
  const answer = await Promise.race([ask, ended]);
  if (answer instanceof StepError) throw answer;
  if (answer.code !== 0) throw new StepError(`${address}/health-check does not answer`, answer.output);
  const result = await work(address);
  running.interrupt('SIGINT');
  await running.ended;
  const later = await root.run(
    `node -e ${quote(`fetch('${address}/health-check').then(() => process.exit(1), () => process.exit(0))`)}`,
    options,
  );
  if (later.code !== 0) throw new StepError(`${address} still answers after Ctrl+C`);
  return result;
}

/** Waits until a command prints a text, and answers its first group. Undefined when the command ends before. */
async function outputWith(pattern: RegExp, running: RunningCommand): Promise<string | undefined> {
  const state = { hasEnded: false };
  void running.ended.then(() => (state.hasEnded = true));
  for (;;) {
    const found = pattern.exec(running.output());
    if (found !== null || state.hasEnded) return found?.[1] ?? found?.[0];
    await letTimePass(100);
  }
}

/** The demonstration has to sign and verify three documents. */
function readDemo(output: string): string {
  const intact = output.match(/\bintact\b/g)?.length ?? 0;
  if (output.includes('Left out')) throw new StepError('the demonstration left a part out', output);
  if (intact < 3 || !output.includes('Done.'))
    throw new StepError('the demonstration did not verify three documents', output);
  return `${intact} documents signed and verified`;
}

/** The closing line of the tests: all have passed, and there are some. */
function readTests({ code, output }: { readonly code: number | null; readonly output: string }): string {
  const closing = output.trimEnd().split('\n').at(-1) ?? '';
  if (code !== 0 || !/^[1-9]\d* passed, 0 failed( \(.*\))?$/.test(closing)) {
    throw new StepError(`the tests ended with ${code ?? 'a signal'}: ${closing}`, output);
  }
  return closing;
}

async function startAndWalk(run: FreshRun, root: OpenRoot, person: Person): Promise<void> {
  const { table, readme } = run;
  await table.step(`${person.name}: ${readme.start}`, async () =>
    withInstance(root, readme.start, inClone(person), async (address) =>
      Promise.resolve(`answers at ${address}, ends with Ctrl+C`),
    ),
  );
}

/** The demonstration in a namespace of its own on the network, where no other program holds a port. */
async function runDemo(run: FreshRun, folder: string, person: Person): Promise<void> {
  const { table, readme, workspace } = run;
  await table.step(`${person.name}: ${readme.demo}`, async () => {
    const apart = await workspace.open(folder, NPM_CACHE, 'apart');
    try {
      return readDemo(await expectSuccess(apart, readme.demo, inClone(person)));
    } finally {
      await apart.close();
    }
  });
}

async function walkStart(run: FreshRun): Promise<void> {
  await inRoot(run, [superuser], async (root) => {
    await run.table.step('a root with Node and nothing else', async () => expectNoCompiler(root));
    await giveCache(root, superuser);
    await startAndWalk(run, root, superuser);
  });
}

async function walkDemo(run: FreshRun): Promise<void> {
  await inRoot(run, [superuser], async (root, folder) => {
    await giveCache(root, superuser);
    await run.table.step('root: npm ci', async () => {
      const output = await expectSuccess(root, 'npm ci', inClone(superuser));
      return `${output.match(/npm warn EBADENGINE Unsupported/g)?.length ?? 0} warnings of EBADENGINE`;
    });
    await runDemo(run, folder, superuser);
  });
}

async function walkTest(run: FreshRun): Promise<void> {
  const { table, readme } = run;
  await inRoot(run, [superuser], async (root) => {
    await giveCache(root, superuser);
    await table.step(`root: ${readme.test}`, async () => readTests(await root.run(readme.test, inClone(superuser))));
  });
}

async function walkUser(run: FreshRun): Promise<void> {
  const { table, readme } = run;
  await inRoot(run, [ordinaryUser], async (root, folder) => {
    await giveCache(root, ordinaryUser);
    await startAndWalk(run, root, ordinaryUser);
    await runDemo(run, folder, ordinaryUser);
    let command = '';
    await table.step(`${ordinaryUser.name}: ${readme.test}, without the packages`, async () => {
      const { code, output } = await root.run(readme.test, inClone(ordinaryUser));
      command = /^\s*(sudo apt-get .*install .*)$/m.exec(output)?.[1] ?? '';
      if (code === 0) throw new StepError('it succeeded', output);
      if (command === '') throw new StepError('it named no apt-get command', output);
      return 'fails and names the apt-get command';
    });
    await table.step('root: that apt-get command', async () => {
      await expectSuccess(root, command.replaceAll('sudo ', ''));
      return `${command.split(' ').length} words`;
    });
    await table.step(`${ordinaryUser.name}: ${readme.test}, with the packages`, async () =>
      readTests(await root.run(readme.test, inClone(ordinaryUser))),
    );
  });
}

/** The packed product, installed where there is no checkout. */
async function walkPack(run: FreshRun): Promise<void> {
  const { table, readme, workspace } = run;
  await inRoot(run, [superuser], async (root) => {
    await giveCache(root, superuser);
    await table.step('root: npm ci && npm run pack', async () => {
      await expectSuccess(root, 'npm ci && npm run pack', inClone(superuser));
      return (
        await expectSuccess(root, 'mkdir /mnt/packed && cp -v release/*.tgz /mnt/packed', inClone(superuser))
      ).trim();
    });
  });
  await inRoot(run, [], async (root, folder) => {
    const options = { ...inClone(superuser), folder: '/root/empty' };
    await table.step('root: npm install of the packed product in an empty folder', async () => {
      await expectSuccess(root, 'mkdir /root/empty');
      await expectSuccess(root, 'npm init --yes && npm install /mnt/packed/*.tgz', options);
      return (await expectSuccess(root, 'npx sinete --version', options)).trim();
    });
    await table.step(`root: ${readme.demo}, from the packed product`, async () => {
      const apart = await workspace.open(folder, NPM_CACHE, 'apart');
      try {
        return readDemo(await expectSuccess(apart, readme.demo, options));
      } finally {
        await apart.close();
      }
    });
  });
}

/** Both commands where the only way out is a proxy, or a private registry; without IPv6, and with port 17171 taken. */
async function walkNetwork(run: FreshRun): Promise<void> {
  const { table, readme, workspace } = run;
  const proxy = 'http://127.0.0.1:3128';
  const ways = [
    {
      name: 'behind a proxy',
      port: 3128,
      open: openProxy,
      environment: { https_proxy: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, HTTP_PROXY: proxy },
    },
    {
      name: 'with a private registry',
      port: 4873,
      open: async (socket: string) => openRegistry(socket, 'http://127.0.0.1:4873/', workspace.settings),
      environment: { npm_config_registry: 'http://127.0.0.1:4873/' },
    },
  ] as const;
  for (const way of ways) {
    const shared = `outside-${way.port}`;
    mkdirSync(join(workspace.folder, shared));
    const gate = await way.open(join(workspace.folder, shared, 'gate.sock'), workspace.settings);
    const folder = await workspace.makeRoot([superuser]);
    const root = await workspace.open(folder, shared, 'apart');
    try {
      // Nothing downloaded by an earlier walk: every package comes this way.
      const options: CommandOptions = { folder: cloneOf(superuser), environment: way.environment };
      await holdPort(root, `${way.port} /mnt/gate.sock`);
      await holdPort(root, '17171');
      await expectNoWayOut(root);
      await table.step(`${way.name}, without IPv6, port 17171 taken: ${readme.start}`, async () =>
        withInstance(root, readme.start, options, async (address) => {
          if (address.endsWith(':17171')) throw new StepError('it uses the port that is taken');
          return Promise.resolve(`answers at ${address}; ${gate.served()} requests went that way`);
        }),
      );
      if (gate.served() === 0) throw new StepError('no request went that way');
      await table.step(`${way.name}, without IPv6, port 17171 taken: ${readme.demo}`, async () =>
        readDemo(await expectSuccess(root, readme.demo, options)),
      );
    } finally {
      await root.close();
      await gate.close();
    }
    await workspace.removeRoot(folder);
  }
}

/** Starts the relay inside and waits until the relay listens. */
async function holdPort(root: OpenRoot, words: string): Promise<void> {
  const relay = root.start(`node ${cloneOf(superuser)}/test/fresh/relay.mjs ${words}`);
  if ((await outputWith(/listening/, relay)) === undefined) {
    throw new StepError(`the port of "${words}" cannot be held`, relay.output());
  }
}

/** Neither IPv6 nor any address outside is there, so everything arriving has come through the gate. */
async function expectNoWayOut(root: OpenRoot): Promise<void> {
  const listen = `require('net').createServer().on('error', () => process.exit(0)).listen(0, '::1', () => process.exit(1))`;
  await expectSuccess(root, `node -e ${quote(listen)}`);
  const interfaces = (await expectSuccess(root, 'cat /proc/net/dev')).match(/^\s*\w+:/gm)?.map((name) => name.trim());
  if (interfaces?.join() !== 'lo:')
    throw new StepError(`the root has other interfaces: ${interfaces?.join(' ') ?? 'none'}`);
}
