/** The collection of docs/examples/bruno, sent by Bruno's own command line to real instances. */
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collectionRequests, type CollectionRequest, environmentText, stepRequests } from '../docs/bruno-collection.ts';
import type { DocumentedWorld } from '../docs/documented-world.ts';
import { OperationWorlds } from '../docs/prepare-operations.ts';
import { runNode } from '../oracles/run-program.ts';
import { installSuite } from '../setup/install-suite.ts';

const root = join(import.meta.dirname, '../..');
const suite = 'test/clients/bruno';
const bru = join(root, suite, 'node_modules/@usebruno/cli/bin/bru.js');

/** Requests that are not sent: the command line waits for the end of a stream, or the example names things elsewhere. */
function isSent({ operation, example }: CollectionRequest): boolean {
  const { documents_source: source = '', policy = 'none' } = (example ?? {}) as Readonly<Record<string, string>>;
  const needsOthers = /STORE|FILE_PATH/.test(source) || policy !== 'none';
  return !operation.operationId.startsWith('stream') && !needsOthers;
}

/** Copies the collection into the folder of a world: the requests name files there. */
async function place(world: DocumentedWorld): Promise<void> {
  await cp(join(root, 'docs/examples/bruno'), world.folder, { recursive: true });
}

/** Values of the secret variables, from the files of the world. */
async function secretsOf(world: DocumentedWorld): Promise<Readonly<Record<string, string>>> {
  const read = async (name: string): Promise<string> =>
    (await world.read(`${name}.txt`).catch(() => Buffer.of())).toString();
  const names = ['client_secret', 'code', 'code_verifier', 'password', 'refresh_token', 'token'];
  const entries = await Promise.all(names.map(async (name) => [name, await read(name)] as const));
  const application = world.applicationCredentials.replace('Sinete ', '');
  return { ...Object.fromEntries(entries), application, access_token: await read('token') };
}

/** The part of the command line's report used here. */
type Report = readonly [
  {
    readonly results: readonly {
      readonly status: string;
      readonly error: unknown;
      readonly response: { readonly status: unknown; readonly data: unknown };
      readonly assertionResults: readonly { readonly status: string }[];
    }[];
  },
];

/** Sends requests in one run of the command line. Throws the answer that an assertion of the collection refuses. */
async function send(world: DocumentedWorld, files: readonly string[]): Promise<void> {
  const values = Object.entries(world.variables).map(([name, value]) => [name.toLowerCase(), value]);
  const text = environmentText(Object.fromEntries(values) as Record<string, string>, await secretsOf(world));
  await writeFile(join(world.folder, 'environments/Test.bru'), text, { mode: 0o600 });
  const report = join(world.folder, 'report.json');
  await rm(report, { force: true });
  const words = [bru, 'run', ...files, '--env', 'Test', '--bail', '--noproxy', '--reporter-json', report];
  // A refused answer ends the command line with 1: the report says more than its output.
  await runNode(words, { folder: world.folder }).catch(() => undefined);
  const [{ results }] = JSON.parse(await readFile(report, 'utf8')) as Report;
  const good = results.filter(
    ({ status, assertionResults: [first, ...others] }) =>
      status === 'pass' && [first, ...others].every((one) => one?.status === 'pass'),
  );
  if (good.length === files.length) return;
  const refused = results.find((one) => !good.includes(one));
  throw new Error(JSON.stringify({ error: refused?.error, response: refused?.response }).slice(0, 2000));
}

/** Sends each request of the collection; `step` prints the outcome. */
export async function checkCollection(
  step: (name: string, work: () => Promise<void>) => Promise<boolean>,
): Promise<void> {
  installSuite(suite);
  const worlds = await OperationWorlds.open();
  try {
    const usual = worlds.worldOf('');
    for (const world of new Set([usual, worlds.worldOf('authorizeTransaction')])) await place(world);
    await step("Bruno's command line signs in the four steps of the collection", async () => {
      await send(usual, stepRequests.map(({ file }) => file)); // prettier-ignore
    });
    const failures: string[] = [];
    const sent = collectionRequests.filter(isSent);
    await step(
      `Bruno's command line gets the expected answer to ${sent.length} requests of the collection`,
      async () => {
        for (const { file, text, operation } of sent) {
          try {
            await worlds.prepare(operation.operationId, text);
            await send(worlds.worldOf(operation.operationId), [file]);
          } catch (error) {
            failures.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
          }
        }
        if (failures.length > 0) throw new Error(failures.join('\n'));
      },
    );
  } finally {
    await worlds.close();
  }
}
