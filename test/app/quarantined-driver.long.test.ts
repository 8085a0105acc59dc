/** A driver crashing again and again, in the eyes of callers over HTTP. */
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfiguration } from '../../src/app/config/config.ts';
import { startSinete, type Sinete } from '../../src/app/instance/start-sinete.ts';
import { until } from '../setup/waits.ts';
import { createFaultyModule, type FaultyModule } from '../token/fault-module/build-fault-module.ts';
import { createSoftHsm, type SoftHsm } from '../token/softhsm.ts';

let folder: string;
let token: SoftHsm;
let driver: FaultyModule;
let sinete: Sinete;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-driver-'));
  token = await createSoftHsm([{ label: 'carteira', keys: [{ label: 'p256', keyId: '01', kind: 'ec-p256' }] }]);
  driver = await createFaultyModule(token);
  const environment = {
    SINETE_SECRET_STORE_MODE: 'key-file',
    SINETE_SECRET_STORE_KEY_FILE: join(folder, 'keys', 'master.key'),
    SINETE_PKCS11_ENVIRONMENT: JSON.stringify(driver.environment),
  };
  const dataFolder = join(folder, 'data');
  const configuration = await readConfiguration({ dataFolder, environment });
  sinete = await startSinete({ dataFolder, configuration: { ...configuration, port: 0 } });
});
afterAll(async () => {
  await sinete.stop();
  await token.remove();
  rmSync(folder, { recursive: true });
});

const create = async (alias: string): Promise<Response> =>
  fetch(`${sinete.baseUrl}/signature-service`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      type: 'CAdES',
      certificate_alias: alias,
      documents_source: 'DATA_URL',
      documents: 'data:text/plain;base64,dGV4dG8=',
    }),
  });

it('a request for a key behind a quarantined driver gets 503 with Retry-After, until the driver is tried again', async () => {
  const calls = sinete.handlers['user-interface'];
  await calls['modules.add']({ path: driver.modulePath });
  const [key] = await calls['certificates.list']({});
  const alias = key?.alias ?? '';
  expect((await create(alias)).status).toBe(201);
  driver.faults('slots=segv');
  const stateOf = async () => (await calls['modules.list']({}))[0];
  await until(async () => {
    await calls['certificates.list']({}).catch(() => undefined);
    return (await stateOf())?.state === 'quarantined';
  }, 'the driver is quarantined');
  const refused = await create(alias);
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'KEY_SOURCE_UNAVAILABLE' }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  driver.faults();
  await calls['modules.retry']({ id: (await stateOf())?.id ?? '' });
  expect((await create(alias)).status).toBe(201);
});
