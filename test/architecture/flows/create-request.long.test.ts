import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkplace, serve, spawnSinete, type ServingProcess, type Workplace } from '../../app/run-sinete.ts';
import { watchCoverage, type CoverageWatch } from './files-that-ran.ts';
import { ParameterWalk } from './walk-parameter.ts';

/** Most files with executed functions for a create request with later uploads. */
const mostFiles = 70;
/** Most returns of the request to files. */
const mostReturns = 12;

const root = join(import.meta.dirname, '../../..');
const intake = 'src/service/transactions/intake';

describe('a create request in a running instance', () => {
  let place: Workplace;
  let instance: ServingProcess;
  let watch: CoverageWatch;

  beforeAll(async () => {
    place = await makeWorkplace();
    instance = await serve(place, ['--approve', 'all'], undefined, ['--inspect=127.0.0.1:0']);
    const words = ['certificates', 'test-identity', '--name', 'Maria da Silva', '--cpf', '529.982.247-25'];
    expect((await spawnSinete(place, words)).code).toBe(0);
    watch = await watchCoverage(instance.output());
  });

  afterAll(async () => {
    watch.close();
    await instance.stop();
    await place.remove();
  });

  async function create(): Promise<void> {
    const answer = await fetch(`${instance.baseUrl}/signature-service`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'PAdES', documents_source: 'UPLOAD_REFERENCE' }),
    });
    expect(answer.status, await answer.text()).toBe(201);
  }

  it(`runs functions of at most ${mostFiles} files the second time`, async () => {
    await create();
    const ran = (await watch.during(create)).filter(({ functions }) => functions.length > 0);
    const files = ran.map(({ file }) => file);
    expect(files).toContain('service/transactions/intake/create.ts');
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(mostFiles);
  });
});

describe('the request in the sources', () => {
  const forms = ['PlacedRequest', 'PlacedDocument', 'CheckedRequest', 'CheckedDocument', 'ReadSource'];
  const { stays, returns } = new ParameterWalk(root, `${intake}/create.ts`, forms).follow(
    `${intake}/create.ts`,
    'createTransaction',
    1,
  );
  const way = stays.map(({ file, functions }) => `${file}: ${functions.join(', ')}`).join('\n');

  it('is followed to the places, the check, the bytes and the record', () => {
    const files = new Set(stays.map(({ file }) => file));
    for (const name of ['document-places', 'check-request', 'take-documents', 'document-records']) {
      expect(files, way).toContain(`${intake}/${name}.ts`);
    }
  });

  it(`returns to files at most ${mostReturns} times, and to each of them once`, () => {
    const all = [...returns.values()];
    expect(
      all.reduce((sum, one) => sum + one, 0),
      way,
    ).toBeLessThanOrEqual(mostReturns);
    expect(Math.max(...all), way).toBe(1);
  });
});
