import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, makeWorkplace, spawnSinete, type Workplace } from '../app/run-sinete.ts';

let place: Workplace;

beforeAll(async () => {
  place = await makeWorkplace();
  const environment = { ...place.environment, SINETE_TEST_SERVICES_PORT: String(await freePort()) };
  place = { ...place, environment };
});
afterAll(async () => place.remove());

/** Runs a command expected to succeed; answers its output. */
async function sinete(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await spawnSinete(place, words);
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

describe('the walk of the README, on Windows', () => {
  it('tells its version', async () => {
    expect(await sinete('--version')).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('signs a first document with a test identity, and finds the signature intact', async () => {
    await sinete('certificates', 'test-identity', '--name', 'Maria da Silva', '--cpf', '529.982.247-25');
    await writeFile(join(place.folder, 'carta é.txt'), 'Olá\r\n');
    await sinete('sign', 'carta é.txt', '--type', 'CAdES-detached', '--approve-here');
    expect((await readFile(join(place.folder, 'carta é.txt.p7s')))[0]).toBe(0x30);
    const told = await spawnSinete(place, ['validate', 'carta é.txt.p7s', '--content', 'carta é.txt', '--json']);
    expect(JSON.parse(told.stdout)).toMatchObject([
      { signatures: [{ indication: expect.stringMatching(/PASSED|INDET/) as string }] },
    ]);
  });

  it('demonstrates all levels up to B-LTA, each verified', async () => {
    const told = await sinete('demo', '--out', 'shown');
    expect(told.match(/✔ verified: intact/g)).toHaveLength(3);
    expect(told).toContain('time-stamped as a whole on 2');
  });

  it('keeps the master key in the Credential Manager, and finds the key in the next process', async () => {
    const data = join(place.folder, 'with-keychain');
    const environment = { SINETE_DATA: data, SINETE_SECRET_STORE_MODE: 'os-keychain' };
    const words = ['certificates', 'test-identity', '--name', 'Joana', '--cpf', '529.982.247-25'];
    const made = await spawnSinete(place, words, { environment });
    expect(made.code, made.stderr).toBe(0);
    await writeFile(join(place.folder, 'a.txt'), 'a');
    const signed = await spawnSinete(place, ['sign', 'a.txt', '--type', 'CMS', '--approve-here'], { environment });
    expect(signed.code, signed.stderr).toBe(0);
  });

  it('restores its backup into another folder', async () => {
    const input = 'a passphrase of the tests\n';
    const file = join(place.folder, 'all.backup');
    const made = await spawnSinete(place, ['backup', file, '--verify'], { input });
    expect(made.code, made.stderr).toBe(0);
    const environment = {
      SINETE_DATA: join(place.folder, 'restored'),
      SINETE_SECRET_STORE_KEY_FILE: join(place.folder, 'keys', 'restored.key'),
    };
    const restored = await spawnSinete(place, ['restore', file], { environment, input });
    expect(restored.code, restored.stderr).toBe(0);
    const listed = await spawnSinete(place, ['certificates', 'list'], { environment });
    expect(listed.stdout).toContain('Maria da Silva');
  });
});
