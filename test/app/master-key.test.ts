import { hash } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { TOTP, URI } from 'otpauth';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildUiCalls } from '../../src/app/calls/ui-calls.ts';
import { openCore, requesters, type Core } from '../../src/app/compose/open-core.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { sealedColumns, SqlKeyVault } from '../../src/storage/index.ts';
import { makeWorkplace, runSinete, type Workplace } from './run-sinete.ts';

let place: Workplace;
let keyFile: string;
let next: string;

beforeEach(async () => {
  place = await makeWorkplace();
  keyFile = place.environment['SINETE_SECRET_STORE_KEY_FILE'] ?? '';
  next = join(place.folder, 'keys', 'next.key');
  expect((await runSinete(place, ['master-key', 'make', next])).code).toBe(0);
});
afterEach(async () => place.remove());

async function open(): Promise<Core> {
  const configuration = await readConfiguration({ dataFolder: place.data, environment: place.environment });
  return openCore({ dataFolder: place.data, configuration });
}

const server = { id: 'acme', url: 'https://tsa.example/', digest: 'sha256', timeout: 5 } as const;
const bucket = {
  id: 'a',
  kind: 's3',
  bucket: 'bucket',
  prefix: '',
  region: 'sa-east-1',
  pathStyle: true,
  overwrite: false,
} as const;
const cpf = '11144477735';

/** Seals a value of every kind; answers functions to read some again. */
async function sealEverything(core: Core): Promise<() => Promise<readonly unknown[]>> {
  const calls = buildUiCalls(core, requesters['command-line'], () => '');
  await calls['certificates.makeTestIdentity']({ name: 'ANA LIMA', cpf });
  const offer = await core.accounts.begin({ name: 'ANA LIMA', username: cpf });
  const totp = URI.parse(offer.otpauthUri);
  await core.accounts.confirm(offer.enrolment, totp instanceof TOTP ? totp.generate() : '');
  const about = { name: 'Portal', comments: '', email: '', redirectUris: ['https://portal.example/back'] };
  const { clientId } = (await core.applications.register(about)).application;
  const hook = await core.webhooks.add({
    clientId,
    url: 'https://hooks.example/',
    events: ['transaction.signed'],
    enabled: true,
    baseUrl: 'http://127.0.0.1:1',
    fromLoopback: false,
  });
  await core.webhooks.rotate(clientId, hook.endpoint.id, 3600);
  await core.assistant.registerComputer('This computer', false);
  await core.timestampServers.add({ ...server, authentication: { kind: 'basic', user: 'u', password: 'p' } });
  const credentials = { kind: 'keys', accessKeyId: 'k', secretAccessKey: 's' } as const;
  await core.namedStores.add({ ...bucket, endpoint: 'https://s3.example', credentials });
  await core.audit.seal();
  return async () => {
    const again = await open();
    try {
      await again.checkMasterKey();
      const vault = new SqlKeyVault(again.storage.database, again.secrets);
      const [key] = await vault.list();
      return [
        hash('sha256', await vault.readPrivateKey(key?.id ?? '')),
        await again.applications.webhookSecret(clientId),
        await again.assistant.computer(),
        await again.timestampServers.open('acme'),
        (await again.namedStores.open('a')).credentials,
        (await again.audit.verify()).state,
      ];
    } finally {
      await again.close();
    }
  };
}

describe('sinete master-key rotate', () => {
  it('seals every secret under the new key, able to open all from then on, and the earlier key none', async () => {
    const core = await open();
    const readEverything = await sealEverything(core);
    await core.close();
    const before = await readEverything();
    expect(before).toHaveLength(6);
    const { code, stdout } = await runSinete(place, ['master-key', 'rotate', next]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^12 secrets are sealed/)]);
    await expect(
      open().then(async (one) => one.checkMasterKey().finally(async () => one.close())),
    ).rejects.toMatchObject({
      code: 'SECRET_UNREADABLE',
    });
    await copyFile(next, keyFile);
    expect(await readEverything()).toEqual(before);
  });

  it('names every sealed column of the database', async () => {
    const core = await open();
    const { database } = core.storage;
    const found = await sql<{ table: string; column: string }>`
      select m.name as "table", c.name as "column" from sqlite_master m, pragma_table_info(m.name) c
      where m.type = 'table' and c.name like '%sealed%'`.execute(database);
    await core.close();
    const named = sealedColumns.map(({ table, column }) => `${table}.${column}`);
    expect(found.rows.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(named.toSorted());
  });

  it('changes nothing for a running instance, a missing file, the present key, or a key outside of a file', async () => {
    const core = await open();
    await (await sealEverything(core))().catch(() => undefined);
    const locked = await runSinete(place, ['master-key', 'rotate', next]);
    expect([locked.code, locked.stderr]).toEqual([3, expect.stringMatching(/Another Sinete is running/)]);
    await core.close();
    expect((await runSinete(place, ['master-key', 'rotate', `${next}.none`])).code).toBe(2);
    const same = await runSinete(place, ['master-key', 'rotate', keyFile]);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('present master key')]);
    const environment = { SINETE_SECRET_STORE_MODE: 'memory' };
    expect((await runSinete(place, ['master-key', 'rotate', next], { environment })).code).toBe(2);
  });
});
