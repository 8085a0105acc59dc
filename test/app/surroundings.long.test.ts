import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool } from '../oracles/run-program.ts';
import { makeWorkplace, runSinete, serve, type Workplace } from './run-sinete.ts';

let place: Workplace;
const fileOf = (name: string): string => join(place.folder, name);

beforeAll(async () => {
  place = await makeWorkplace();
  await writeFile(fileOf('own.toml'), 'approve = "all"\n');
  await writeFile(fileOf('other.toml'), 'approve = "ask"\n');
  await writeFile(fileOf('wrong.toml'), 'aprove = "all"\n');
});
afterAll(async () => place.remove());

const errorOf = (stdout: string): unknown => (JSON.parse(stdout) as { error: unknown }).error;

describe.each(['without', 'with'])('a command %s a running instance', (instance) => {
  let stop: (() => Promise<unknown>) | undefined;
  beforeAll(async () => {
    if (instance === 'with') {
      const running = await serve(place, ['--config', 'own.toml']);
      stop = async () => running.stop();
    }
  });
  afterAll(async () => stop?.());

  it.each([
    ['an unknown variable', [], { SINETE_PROT: '1' }, /SINETE_PROT is unknown. Did you mean "SINETE_PORT"/],
    ['a wrong value of a variable', [], { SINETE_PORT: 'x' }, /"port" is wrong/],
    ['a missing configuration file', ['--config', 'none.toml'], {}, /no configuration file none\.toml/],
    ['a file with an unknown key', ['--config', 'wrong.toml'], {}, /Did you mean "approve/],
  ] as const)('refuses %s with 2, before anything is done', async (_name, words, environment, message) => {
    const outcome = await runSinete(place, ['certificates', 'list', ...words], { environment });
    expect([outcome.code, outcome.stdout, outcome.stderr]).toEqual([2, '', expect.stringMatching(message)]);
  });

  it('refuses a missing data folder without making the folder', async () => {
    const missing = fileOf('typo');
    const listed = await runSinete(place, ['certificates', 'list'], { environment: { SINETE_DATA: missing } });
    const given = await runSinete(place, ['users', 'list', '--data', missing]);
    expect([listed.code, given.code]).toEqual([2, 2]);
    expect(listed.stderr).toContain(`There is no data folder ${missing}`);
    expect(existsSync(missing)).toBe(false);
  });

  it('answers failures as JSON too with --json, on standard output', async () => {
    const usage = await runSinete(place, ['certificates', 'list', '--json', '--bogus']);
    expect([usage.code, errorOf(usage.stdout)]).toEqual([
      2,
      { code: 'USAGE', detail: expect.stringContaining('--bogus') as string, exit_code: 2 },
    ]);
    const own = await runSinete(place, ['extend', 'none.pdf', '--json']);
    expect([own.code, errorOf(own.stdout)]).toMatchObject([2, { code: 'USAGE' }]);
    const refused = await runSinete(place, ['certificates', 'show', 'nobody', '--json']);
    expect([refused.code, errorOf(refused.stdout)]).toMatchObject([1, { code: 'KEY_NOT_FOUND' }]);
    expect(refused.stderr).toMatch(/^sinete: /);
  });
});

describe('a data folder still missing', () => {
  it('is made by the commands beginning a folder, with a message', async () => {
    const fresh = fileOf('fresh');
    const words = ['certificates', 'test-identity', '--name', 'ANA LIMA', '--cpf', '11144477735', '--data', fresh];
    const made = await runSinete(place, words);
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining(`no data folder ${fresh} yet`)]);
    expect((await runSinete(place, ['certificates', 'list', '--data', fresh])).stdout).toContain('ANA LIMA');
  });
});

describe('a running instance with a configuration file of its own', () => {
  it('answers commands naming the same file, and no other', async () => {
    const instance = await serve(place, ['--config', 'own.toml']);
    try {
      expect(await runSinete(place, ['certificates', 'list', '--config', './own.toml'])).toMatchObject({ code: 0 });
      const other = await runSinete(place, ['certificates', 'list', '--config', 'other.toml']);
      expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('leave --config out')]);
    } finally {
      await instance.stop();
    }
  });
});

describe('an unwritable output', () => {
  it('is told in a single line, with exit code 3', async () => {
    const node = [process.execPath, join(import.meta.dirname, '../../src/app/sinete.js'), 'certificates', '--json'];
    const script = 'out=$1; shift; "$@" > "$out" 2> errors; echo "$?"; cat errors';
    const words = ['-c', script, 'bash', '/dev/full', ...node];
    const said = await runTool('bash', words, { folder: place.folder, environment: place.environment });
    expect(said).toBe('3\nsinete: The answer could not be written: the disk is full.\n');
  });
});
