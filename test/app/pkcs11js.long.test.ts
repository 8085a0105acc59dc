/** Tokens through the second binding, installed as a person would, where the first one is not there at all. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runTool } from '../oracles/run-program.ts';
import { buildPkcs11js, PKCS11JS_FOLDER } from '../token/pkcs11js/build-pkcs11js.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';
import { copyProgram } from './copy-program.ts';
import { makeWorkplace, spawnSinete, type CommandOutcome, type Workplace } from './run-sinete.ts';

let place: Workplace;
let token: SoftHsm;
let program: string;

beforeAll(async () => {
  await buildPkcs11js();
  token = await createSoftHsm([{ label: 'carteira', keys: [{ label: 'rsa', keyId: '01', kind: 'rsa-2048' }] }]);
  const made = await makeWorkplace();
  const own = {
    SINETE_PKCS11_ENVIRONMENT: JSON.stringify(token.environment),
    SINETE_MODULES_BINDING: 'pkcs11js',
  };
  place = { ...made, environment: { ...made.environment, ...own } };
  program = await copyProgram(join(place.folder, 'program'), {
    without: ['koffi', '@koromix', 'pkcs11js'],
    added: { pkcs11js: PKCS11JS_FOLDER },
  });
  await writeFile(join(place.folder, 'pin'), token.pin);
  await writeFile(join(place.folder, 'wrong'), '0000');
  await writeFile(join(place.folder, 'a.txt'), 'texto');
});
afterAll(async () => {
  await place.remove();
  await token.remove();
});

const run = (...words: readonly string[]): Promise<CommandOutcome> => spawnSinete(place, words, { program });

it('modules.binding = "pkcs11js" tests and adds a driver, refuses a wrong PIN and signs with the right one', async () => {
  const added = await run('modules', 'add', token.modulePath, '--json');
  expect(JSON.parse(added.stdout), added.stderr).toMatchObject({ works: true, tokens: [{ label: 'carteira' }] });
  const refused = await run('sign', 'a.txt', '--detached', '--approve-here', '--pin-file', 'wrong');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/PIN/);
  const signed = await run('sign', 'a.txt', '--approve-here', '--pin-file', 'pin', '--json');
  expect(JSON.parse(signed.stdout), signed.stderr).toMatchObject([{ status: 'SIGNED' }]);
  const verified = ['cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'a.txt.p7m'];
  expect(await runTool('openssl', verified, { folder: place.folder })).toBe('texto');
});
