/** What a person is told where the package that calls token drivers is missing, or has no binary for the system. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';
import { copyProgram } from './copy-program.ts';
import { makeWorkplace, spawnSinete, type Workplace } from './run-sinete.ts';

let place: Workplace;
let token: SoftHsm;

beforeAll(async () => {
  token = await createSoftHsm([{ label: 'carteira', keys: [{ label: 'p256', keyId: '01', kind: 'ec-p256' }] }]);
  const made = await makeWorkplace();
  place = {
    ...made,
    environment: { ...made.environment, SINETE_PKCS11_ENVIRONMENT: JSON.stringify(token.environment) },
  };
  const added = await spawnSinete(place, ['modules', 'add', token.modulePath]);
  expect(added.code, added.stderr).toBe(0);
});
afterAll(async () => {
  await place.remove();
  await token.remove();
});

interface Told {
  readonly checks: readonly { id: string; ok: boolean; message: string; remedy: string | null }[];
}

describe('where the package koffi is not installed', () => {
  const problem = 'koffi, which calls their drivers, is not installed';
  const remedy = 'Run "npm ci"';
  let program: string;

  beforeAll(async () => {
    program = await copyProgram(join(place.folder, 'without-koffi'), { without: ['koffi', '@koromix'] });
  });

  it('modules test says so in one line, with the remedy, and not that the driver has crashed', async () => {
    const { code, stdout, stderr } = await spawnSinete(place, ['modules', 'test', token.modulePath], { program });
    expect(code).toBe(1);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining(problem)]);
    expect(stdout).toContain(remedy);
    expect(stdout + stderr).not.toMatch(/crash/i);
  });

  it('the list of drivers says so too, while commands that need no token work', async () => {
    expect((await spawnSinete(place, ['modules'], { program })).stdout).toContain(problem);
    const { code, stdout } = await spawnSinete(place, ['certificates', '--json'], { program });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('the health check and the Doctor name it and say how to get it', async () => {
    const { checks } = JSON.parse((await spawnSinete(place, ['doctor', '--json'], { program })).stdout) as Told;
    for (const id of [/^key-source:token:/, /^driver-binding$/]) {
      const check = checks.find((one) => id.test(one.id));
      expect(check).toMatchObject({ ok: false });
      expect(check?.message).toContain(problem);
      expect(check?.remedy).toContain(remedy);
    }
  });
});

describe('where the package koffi has no binary for this system', () => {
  it('modules test names the package that has it', async () => {
    const program = await copyProgram(join(place.folder, 'without-binary'), { without: ['@koromix'] });
    const { code, stdout } = await spawnSinete(place, ['modules', 'test', token.modulePath], { program });
    const system = `${process.platform}-${process.arch}`;
    expect(code).toBe(1);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining(`koffi has no binary for ${system}`)]);
    expect(stdout).toContain(`@koromix/koffi-${system}`);
  });
});

describe('where modules.binding names a package that is not installed', () => {
  it('modules test names it, and how to get it', async () => {
    const environment = { SINETE_MODULES_BINDING: 'pkcs11js' };
    const { code, stdout } = await spawnSinete(place, ['modules', 'test', token.modulePath], { environment });
    expect(code).toBe(1);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining('pkcs11js, which modules.binding names')]);
    expect(stdout).toContain('npm install --no-save pkcs11js@');
  });

  it('a name that is no binding is refused with the key', async () => {
    const { code, stderr } = await spawnSinete(place, ['modules'], {
      environment: { SINETE_MODULES_BINDING: 'other' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('modules.binding');
  });
});
