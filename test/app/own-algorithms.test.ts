/** The algorithms of the configuration decide the verdicts of an instance. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildUiCalls } from '../../src/app/calls/ui-calls.ts';
import { openCore, requesters } from '../../src/app/compose/open-core.ts';
import { readConfiguration } from '../../src/app/config/config.ts';
import { craftCms } from '../signing/validation/craft-cms.ts';
import { ValidationWorld } from '../signing/validation/validation-world.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-own-algorithms-'));
});
afterEach(async () => rm(folder, { recursive: true }));

/** Codes of the findings about the only signature of the file, in an instance with these settings. */
async function findingsOf(path: string, settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const environment = {
    SINETE_SECRET_STORE_MODE: 'key-file',
    SINETE_SECRET_STORE_KEY_FILE: join(folder, 'keys', 'master.key'),
    ...settings,
  };
  const dataFolder = join(folder, 'data');
  const core = await openCore({ dataFolder, configuration: await readConfiguration({ dataFolder, environment }) });
  try {
    const calls = buildUiCalls(core, requesters['command-line'], () => '');
    const { report } = await calls['validation.run']({ signature: { path }, offline: true, language: 'en' });
    return report.signatures.flatMap(({ checks }) => checks.map(({ code }) => code));
  } finally {
    await core.close();
  }
}

it('finds a hash function and a key weak that the organisation does not accept', async () => {
  const world = await ValidationWorld.open();
  const path = join(folder, 'signature.p7s');
  await writeFile(path, craftCms(await world.person()));
  expect(await findingsOf(path, {})).toContain('ALGORITHMS_STRONG');
  const noHash = await findingsOf(path, { SINETE_VALIDATION_HASHES: '{"sha256":"never"}' });
  expect(noHash).toContain('HASH_WEAK');
  const longKeys = await findingsOf(path, { SINETE_VALIDATION_CURVE_KEYS: '{"384":"always"}' });
  expect(longKeys).toContain('KEY_TOO_SHORT');
});
