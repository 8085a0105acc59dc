import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAdministrators, isPermitted, type Administrators } from '../../../src/service/administration/index.ts';
import { auditedAdministrators, type AuditEvent } from '../../../src/service/audit/index.ts';
import { AttemptLimits } from '../../../src/service/users/index.ts';
import { SqlAdministratorStore, SqlAttemptStore, type Storage } from '../../../src/storage/index.ts';
import { openTestStorage } from '../../storage/engine.ts';

const home = '198.51.100.7';
let folder: string;
let storage: Storage;
let time: number;
let administrators: Administrators;
let events: AuditEvent[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-administrators-'));
  storage = await openTestStorage(folder);
  time = Date.parse('2026-03-04T05:06:07Z');
  events = [];
  const now = (): Date => new Date(time);
  const limits = new AttemptLimits(new SqlAttemptStore(storage.database), now);
  const store = new SqlAdministratorStore(storage.database);
  administrators = auditedAdministrators(createAdministrators({ store, limits, now }), async (event) => {
    events.push(event);
    return Promise.resolve();
  });
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

/** Wrong tokens of the right shape, one after the other. */
async function guess(times: number, address: string): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await administrators.authenticate(`sinete_admin_${'x'.repeat(43)}`, address);
  }
}

describe('administrators', () => {
  it('are known by their token, which is kept as a hash only', async () => {
    const { token } = await administrators.add('ops', ['monitor']);
    expect(token).toMatch(/^sinete_admin_[\w-]{43}$/);
    expect(await administrators.authenticate(token, home)).toMatchObject({ name: 'ops', scopes: ['monitor'] });
    const rows = await storage.database.selectFrom('administrators').selectAll().execute();
    expect(rows.map(({ hash }) => hash.length)).toEqual([32]);
    expect(JSON.stringify(rows)).not.toContain(token.slice('sinete_admin_'.length));
  });

  it('are listed with their scopes and their last use', async () => {
    const { token } = await administrators.add('ops', ['monitor', 'users', 'users']);
    await administrators.add('backup', ['all']);
    time += 5 * 60_000;
    await administrators.authenticate(token, home);
    expect(await administrators.list()).toMatchObject([
      { name: 'backup', scopes: ['all'], lastUsedAt: null },
      { name: 'ops', scopes: ['monitor', 'users'], lastUsedAt: new Date(time) },
    ]);
  });

  it('are not known any more after their token was revoked', async () => {
    const { token } = await administrators.add('ops', ['all']);
    await administrators.revoke('ops');
    expect(await administrators.authenticate(token, home)).toBeUndefined();
    await expect(administrators.revoke('ops')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each(['', ' ops', '-ops', 'a/b', 'x'.repeat(65), 'ops\n'])('have no name such as %j', async (name) => {
    await expect(administrators.add(name, ['all'])).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });

  it('have different names', async () => {
    const { token } = await administrators.add('ops', ['monitor']);
    await expect(administrators.add('ops', ['all'])).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    expect(await administrators.authenticate(token, home)).toMatchObject({ scopes: ['monitor'] });
  });

  it('may do what their scopes name, and everything with "all"', () => {
    expect(isPermitted({ scopes: ['monitor'] }, 'monitor')).toBe(true);
    expect(isPermitted({ scopes: ['monitor', 'registry'] }, 'users')).toBe(false);
    expect(isPermitted({ scopes: ['all'] }, 'users')).toBe(true);
  });

  it('wait after ten wrong tokens from their address, also with the right token', async () => {
    const { token } = await administrators.add('ops', ['all']);
    await guess(10, home);
    await expect(administrators.authenticate(token, home)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' });
    expect(await administrators.authenticate(token, '198.51.100.8')).toMatchObject({ name: 'ops' });
    time += 31_000;
    expect(await administrators.authenticate(token, home)).toMatchObject({ name: 'ops' });
  });

  it('are not held up by many right tokens at once', async () => {
    const { token } = await administrators.add('ops', ['all']);
    const found = await Promise.all(Array.from({ length: 40 }, async () => administrators.authenticate(token, home)));
    expect(found.every((one) => one?.name === 'ops')).toBe(true);
  });

  it('leave events of their beginning, their changes and their end', async () => {
    const { token } = await administrators.add('ops', ['users', 'monitor']);
    await administrators.authenticate(token, home);
    await administrators.act('ops', 'addUser');
    await administrators.revoke('ops');
    expect(events).toEqual([
      { kind: 'administrator-added', subject: 'administrator:ops', detail: { scopes: ['monitor', 'users'] } },
      { kind: 'administrator-acted', subject: 'administrator:ops', detail: { operation: 'addUser' } },
      { kind: 'administrator-revoked', subject: 'administrator:ops', detail: {} },
    ]);
  });
});
