import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool } from '../oracles/run-program.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';
import {
  makeWorkplace,
  runSinete,
  serve,
  type CommandOutcome,
  type ServingProcess,
  type Workplace,
} from './run-sinete.ts';

let place: Workplace;
let token: SoftHsm;
let alias: string;

beforeAll(async () => {
  token = await createSoftHsm([
    { label: 'carteira', keys: [{ label: 'rsa', keyId: '01', kind: 'rsa-2048', name: 'DONA DA CHAVE' }] },
  ]);
  const made = await makeWorkplace();
  place = {
    ...made,
    environment: { ...made.environment, SINETE_PKCS11_ENVIRONMENT: JSON.stringify(token.environment) },
  };
  await writeFile(join(place.folder, 'pin'), token.pin);
  await writeFile(join(place.folder, 'wrong'), '0000');
  await writeFile(join(place.folder, 'a.txt'), 'texto');
});
afterAll(async () => {
  await place.remove();
  await token.remove();
});

const verifies = (name: string): Promise<string> =>
  runTool('openssl', ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', join(place.folder, name)]);

describe('a token behind a PKCS#11 driver', () => {
  it('is seen once its driver was tested and added, and its certificate without a PIN', async () => {
    const tested = await runSinete(place, ['modules', 'test', token.modulePath, '--json']);
    expect(JSON.parse(tested.stdout)).toMatchObject({ works: true, tokens: [{ label: 'carteira' }] });
    const added = await runSinete(place, ['modules', 'add', token.modulePath]);
    expect(added.code, added.stderr).toBe(0);
    const tokens = await runSinete(place, ['tokens', '--json']);
    expect(JSON.parse(tokens.stdout)).toMatchObject([{ label: 'carteira', logged_in: false }]);
    const listed = JSON.parse((await runSinete(place, ['certificates', '--json'])).stdout) as { alias: string }[];
    expect(listed).toMatchObject([{ holder: 'DONA DA CHAVE', source: 'token', locked: true }]);
    alias = listed[0]?.alias ?? '';
  });

  it('signs with the PIN from a file, in a single command', async () => {
    const words = ['sign', 'a.txt', '--approve-here', '--pin-file', 'pin', '--json'];
    const signed = await runSinete(place, words);
    expect(JSON.parse(signed.stdout), signed.stderr).toMatchObject([{ status: 'SIGNED' }]);
    expect(await verifies('a.txt.p7m')).toBe('texto');
    expect(signed.stderr + signed.stdout).not.toContain(token.pin);
  });

  it('does not try a wrong PIN twice, and ends', async () => {
    const words = ['sign', 'a.txt', '--detached', '--approve-here', '--pin-file', 'wrong'];
    const refused = await runSinete(place, words);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/PIN/);
  });

  it('holds a transaction of the interface until the user unlocks the token, and then signs it', async () => {
    const instance: ServingProcess = await serve(place, ['--approve', 'all']);
    try {
      const created = await fetch(`${instance.baseUrl}/signature-service`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ type: 'CMS', documents_source: 'DATA_URL', documents: 'data:,oi' }),
      });
      const { tcn } = (await created.json()) as { tcn: string };
      const query = async (): Promise<{ status: string; waiting_for: string | null }> =>
        (await (await fetch(`${instance.baseUrl}/signature-service/${tcn}?wait=5`)).json()) as never;
      let state = await query();
      for (let tries = 0; state.waiting_for !== 'pin' && tries < 10; tries += 1) state = await query();
      expect(state).toMatchObject({ status: 'WAITING', waiting_for: 'pin' });
      const unlocked: CommandOutcome = await runSinete(place, [
        'certificates',
        'unlock',
        alias,
        '--pin-file',
        'pin',
        '--json',
      ]);
      expect(JSON.parse(unlocked.stdout), unlocked.stderr).toMatchObject([{ locked: false }]);
      for (let tries = 0; state.status === 'WAITING' && tries < 10; tries += 1) state = await query();
      expect(state.status).toBe('SIGNED');
      const locked = await runSinete(place, ['certificates', 'lock', alias, '--json']);
      expect(JSON.parse(locked.stdout)).toMatchObject([{ locked: true }]);
    } finally {
      expect(await instance.stop()).toBe(0);
    }
  });

  it('is not used any more when its driver was removed', async () => {
    const [module] = JSON.parse((await runSinete(place, ['modules', '--json'])).stdout) as [
      { id: string; state: string },
    ];
    expect(module.state).toBe('ok');
    expect((await runSinete(place, ['modules', 'remove', module.id])).code).toBe(0);
    expect(JSON.parse((await runSinete(place, ['certificates', '--json'])).stdout)).toEqual([]);
  });
});
