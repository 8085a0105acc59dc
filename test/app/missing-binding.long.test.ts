/** Messages to the user if the package calling token drivers is missing, or has no binary for the system. */
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool } from '../oracles/run-program.ts';
import { itNeeding } from '../setup/needs.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';
import { copyProgram } from './copy-program.ts';
import { makeWorkplace, serve, spawnSinete, type ServingProcess, type Workplace } from './run-sinete.ts';

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

/** The status answered by an instance to curl, with the code of the problem, if any. */
async function answerOf(words: readonly string[], options: { readonly user?: number } = {}): Promise<string> {
  const output = await runTool('curl', ['-s', '-w', '\\n%{http_code}', ...words], options);
  const end = output.lastIndexOf('\n');
  const { code = '' } = JSON.parse(output.slice(0, end)) as { code?: string };
  return `${output.slice(end + 1)} ${code}`.trim();
}

describe('where the package koffi is not installed', () => {
  const problem = 'koffi, which calls their drivers, is not installed';
  const remedy = 'Run "npm ci"';
  let program: string;

  beforeAll(async () => {
    program = await copyProgram(join(place.folder, 'without-koffi'), { without: ['koffi', '@koromix'] });
  });

  it('modules test says so in a single line, with the remedy, and tells of no crash of the driver', async () => {
    const { code, stdout, stderr } = await spawnSinete(place, ['modules', 'test', token.modulePath], { program });
    expect(code).toBe(1);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining(problem)]);
    expect(stdout).toContain(remedy);
    expect(stdout + stderr).not.toMatch(/crash/i);
  });

  it('the list of drivers says so too, while commands without need of a token work', async () => {
    expect((await spawnSinete(place, ['modules'], { program })).stdout).toContain(problem);
    const { code, stdout } = await spawnSinete(place, ['certificates', '--json'], { program });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('the health check and the Doctor name the package and the way to get it', async () => {
    const { checks } = JSON.parse((await spawnSinete(place, ['doctor', '--json'], { program })).stdout) as Told;
    for (const id of [/^key-source:token:/, /^driver-binding$/]) {
      const check = checks.find((one) => id.test(one.id));
      expect(check).toMatchObject({ ok: false });
      expect(check?.message).toContain(problem);
      expect(check?.remedy).toContain(remedy);
    }
  });

  describe('an instance', () => {
    let instance: ServingProcess;
    let channel: readonly string[];

    beforeAll(async () => {
      instance = await serve(place, [], program);
      const file = JSON.parse(await readFile(join(place.data, 'instance.json'), 'utf8')) as { channel: string };
      channel = ['--unix-socket', file.channel, 'http://localhost/dashboard'];
    });
    afterAll(async () => {
      expect(await instance.stop()).toBe(0);
    });

    // Only Linux has the tables, and names the callers of Unix sockets.
    itNeeding('Linux')('knows its user by the tables of connections, and by the folder of the channel', async () => {
      expect(await answerOf([`${instance.baseUrl}/dashboard`])).toBe('200');
      expect(await answerOf(channel)).toBe('200');
      await chmod(place.data, 0o755);
      expect(await answerOf(channel)).toBe('403 PROOF_REQUIRED');
      expect(await spawnSinete(place, ['certificates'], { program })).toMatchObject({ code: 0, stderr: '' });
      await chmod(place.data, 0o700);
    });

    // Only root can become another user.
    itNeeding('root')('refuses another user', async () => {
      const nobody = { user: 65534 };
      expect(await answerOf([`${instance.baseUrl}/dashboard`], nobody)).toBe('403 USER_NOT_ALLOWED');
      await expect(answerOf(channel, nobody)).rejects.toThrow();
    });
  });
});

describe('where the package koffi has no binary for this system', () => {
  it('modules test names the package with the binding', async () => {
    const program = await copyProgram(join(place.folder, 'without-binary'), { without: ['@koromix'] });
    const { code, stdout } = await spawnSinete(place, ['modules', 'test', token.modulePath], { program });
    const system = `${process.platform}-${process.arch}`;
    expect(code).toBe(1);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining(`koffi has no binary for ${system}`)]);
    expect(stdout).toContain(`@koromix/koffi-${system}`);
  });
});
