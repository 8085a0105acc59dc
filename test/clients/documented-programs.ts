/** The programs of the documentation with a toolchain of this suite: calls in PHP, and the web services to copy. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DocumentedWorld } from '../docs/documented-world.ts';
import { callsFolder, faultsOfCalls } from '../docs/run-calls.ts';
import { runTool } from '../oracles/run-program.ts';
import { systemFile, systemTool } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';

const root = join(import.meta.dirname, '../..');
const recipes = join(root, 'docs/examples/recipes');
const kept = join(root, 'test/.work/clients');

interface Service {
  readonly title: string;
  /** Fetches packages or compiles; answers more of the environment. */
  prepare(place: string): Promise<Readonly<Record<string, string>>>;
  start(place: string, port: number, options: SpawnOptions): ChildProcess;
}

const services: readonly Service[] = [
  {
    title: 'Express',
    prepare: async (place) => {
      await cp(join(recipes, 'express.mjs'), join(root, 'test/.work/express-recipe.mjs'));
      await mkdir(place, { recursive: true });
      return {};
    },
    // Beside node_modules: Express is a package of the product.
    start: (_place, _port, options) => spawn(process.execPath, [join(root, 'test/.work/express-recipe.mjs')], options),
  },
  {
    title: 'FastAPI',
    prepare: async () => {
      systemFile('pip');
      const libraries = join(kept, 'fastapi');
      const packages = ['fastapi==0.115.12', 'uvicorn==0.34.2', 'httpx==0.28.1'];
      if (!existsSync(libraries))
        await runTool('python3', ['-m', 'pip', '-q', 'install', '--target', libraries, ...packages]);
      return { PYTHONPATH: libraries };
    },
    start: (_place, _port, options) => spawn(systemTool('python3'), [join(recipes, 'fastapi_service.py')], options),
  },
  {
    title: 'PHP',
    prepare: async () => Promise.resolve({}),
    start: (_place, port, options) =>
      spawn(systemTool('php'), ['-S', `127.0.0.1:${port}`, join(recipes, 'service.php')], options),
  },
  {
    title: 'Java',
    prepare: async (place) => {
      await runTool('javac', ['-d', place, join(recipes, 'Service.java')]);
      return {};
    },
    start: (place, _port, options) => spawn(systemTool('java'), ['-cp', place, 'Service'], options),
  },
];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Sends a PDF, a broken PDF, a genuine and two forged callbacks to a running service. */
async function judge(world: DocumentedWorld, address: string): Promise<void> {
  const sign = async (body: Uint8Array<ArrayBuffer>): Promise<Response> =>
    fetch(`${address}/sign`, { method: 'POST', headers: { 'Content-Type': 'application/pdf' }, body });
  const original = await world.read('contract.pdf');
  const answer = await sign(new Uint8Array(original));
  const signed = Buffer.from(await answer.arrayBuffer());
  const isKept = signed.subarray(0, original.length).equals(original);
  if (!isKept || !signed.includes('/SubFilter /ETSI.CAdES.detached'))
    throw new Error(`Not signed: ${signed.toString()}`);
  const refused = await sign(new Uint8Array(Buffer.from('no PDF')));
  if (refused.status !== 422) throw new Error(`A broken PDF is answered with ${refused.status}.`);
  const body = '{"status":"SIGNED"}';
  const key = Buffer.from(world.webhookSecret.replace('whsec_', ''), 'base64');
  const post = async (sent: string, age: number): Promise<number> => {
    const time = String(Math.floor(Date.now() / 1000) - age);
    const mac = createHmac('sha256', key).update(`msg_1.${time}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${mac}` };
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: sent };
    return (await fetch(`${address}/signed`, init)).status;
  };
  const statuses = [await post(body, 0), await post(`${body} `, 0), await post(body, 600)];
  if (statuses.join() !== '204,401,401') throw new Error(`Callbacks are answered with ${statuses.join()}.`);
}

async function runService(service: Service, world: DocumentedWorld): Promise<void> {
  const place = join(world.folder, service.title);
  await mkdir(place, { recursive: true });
  const port = await freePort();
  const environment = {
    ...(await service.prepare(place)),
    SINETE_ADDRESS: world.instance.url,
    SINETE_AUTHORIZATION: world.applicationCredentials,
    SINETE_WEBHOOK_SECRET: world.webhookSecret,
    PORT: String(port),
  };
  const child = service.start(place, port, { cwd: place, env: { ...process.env, ...environment } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text: Buffer) => (output += text.toString()));
  const ended = new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  try {
    const address = `http://127.0.0.1:${port}`;
    const isUp = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error(output);
      return fetch(`${address}/signed`, { method: 'POST' }).then(
        () => true,
        () => false,
      );
    };
    await until(isUp, `${service.title} listens`);
    await judge(world, address);
    if (!output.includes('finished: SIGNED')) throw new Error(`The genuine callback is not told: ${output}`);
    if (output.includes(world.clientSecret)) throw new Error('The service prints the secret.');
  } finally {
    child.kill();
    await ended;
  }
}

/** Runs every program; `step` prints the outcome of each. */
export async function checkDocumentedPrograms(
  step: (name: string, work: () => Promise<void>) => Promise<boolean>,
): Promise<void> {
  const world = await DocumentedWorld.open({ approve: 'all' });
  try {
    await step('the calls of the documentation run in PHP', async () => {
      const faults = await faultsOfCalls(world, (options) =>
        runTool('php', ['-d', 'error_reporting=-1', join(callsFolder, 'calls.php')], options),
      );
      if (faults.length > 0) throw new Error(faults.join('\n'));
    });
    for (const service of services) {
      await step(`the service of the documentation runs: ${service.title}`, async () => runService(service, world));
    }
  } finally {
    await world.close();
  }
}
