import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkplace, serve, spawnSinete, type ServingProcess, type Workplace } from './run-sinete.ts';

/** Writes the address of each loaded module into the file named by `LOADED`. */
const recordLoads = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeFileSync } from 'node:fs';
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify(loaded)));
`)}`;

/** Most modules of a command carried out by a running instance. */
const mostModules = 75;

let place: Workplace;
let instance: ServingProcess;

beforeAll(async () => {
  place = await makeWorkplace();
  const recording = { NODE_OPTIONS: `--import=${recordLoads}`, LOADED: join(place.folder, 'of-instance.json') };
  instance = await serve({ ...place, environment: { ...place.environment, ...recording } }, ['--approve', 'all']);
  await writeFile(join(place.folder, 'letter.txt'), 'Dear all');
  const words = ['certificates', 'test-identity', '--name', 'Maria da Silva', '--cpf', '529.982.247-25'];
  expect((await spawnSinete(place, words)).code).toBe(0);
});

afterAll(async () => {
  await instance.stop();
  await place.remove();
});

async function modulesOf(...words: readonly string[]): Promise<readonly string[]> {
  const file = join(place.folder, 'loaded.json');
  const options = { nodeWords: ['--import', recordLoads], environment: { LOADED: file } };
  const { code, stderr } = await spawnSinete(place, words, options);
  expect(code, stderr).toBe(0);
  return JSON.parse(await readFile(file, 'utf8')) as string[];
}

describe('a command carried out by a running instance', () => {
  // Only the proofs of the local channel are taken from http.
  it.each([['sign', 'letter.txt'], ['certificates']])('loads neither the core nor zod: %s', async (...words) => {
    const loaded = await modulesOf(...words);
    expect(loaded.filter((url) => /\/src\/(signing|storage|http\/(?!peer\/))|\/node_modules\/zod\//.test(url))).toEqual(
      [],
    );
    expect(loaded.length).toBeGreaterThan(10);
    expect(loaded.length).toBeLessThan(mostModules);
  });
});

describe('an instance without traces', () => {
  // The package of the metrics loads `@opentelemetry/api` by itself.
  it('has loaded nothing for making, sampling or sending spans at its end', async () => {
    expect(await instance.stop()).toBe(0);
    const loaded = JSON.parse(await readFile(join(place.folder, 'of-instance.json'), 'utf8')) as string[];
    expect(loaded.filter((url) => url.endsWith('/src/app/tracing/open-tracing.ts'))).toHaveLength(1);
    expect(loaded.filter((url) => /\/@opentelemetry\/(?!api\/)|\/open-telemetry\.ts$|\/otlp-/.test(url))).toEqual([]);
  });
});
