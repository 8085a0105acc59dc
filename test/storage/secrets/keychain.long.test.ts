import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runNode, runTool } from '../../oracles/run-program.ts';
import { systemTool } from '../../setup/system-packages.ts';
import type { ChildOutcome, ChildRequest } from './keychain-child.ts';

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const CHILD = script('keychain-child.ts');
const SESSION = script('keyring-session.sh');
const PASSPHRASE = 'only-for-tests';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sinete-keyring-'));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

/** Nothing of this session's own keychain, bus or display. */
async function privateEnvironment(): Promise<Record<string, string>> {
  const runtime = await mkdtemp(join(home, 'run-'));
  await chmod(runtime, 0o700);
  return { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: runtime, LC_ALL: 'C.UTF-8' };
}

const parse = (stdout: string): ChildOutcome[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ChildOutcome);

/** Runs each request as a process of its own, all in a single session, with a keyring under this passphrase. */
async function inSession(passphrase: string, ...requests: readonly ChildRequest[]): Promise<ChildOutcome[]> {
  const commands = requests.map((_request, index) => `"$0" "$1" "$${index + 2}"`).join(' && ');
  const parameters = ['--', SESSION, 'sh', '-c', commands, process.execPath, CHILD];
  const environment = {
    ...(await privateEnvironment()),
    KEYRING_PASSPHRASE: passphrase,
    KEYRING_DAEMON: systemTool('gnome-keyring-daemon'),
    GDBUS: systemTool('gdbus'),
  };
  const words = [...parameters, ...requests.map((one) => JSON.stringify(one))];
  return parse(await runTool('dbus-run-session', words, { onlyEnvironment: environment }));
}

async function withoutBus(request: ChildRequest): Promise<ChildOutcome> {
  const onlyEnvironment = await privateEnvironment();
  return parse(await runNode([CHILD, JSON.stringify(request)], { onlyEnvironment }))[0]!;
}

describe('the keychain store on a real Secret Service', () => {
  it('makes one key, and gives this key to later processes and to a later session', async () => {
    const [first, second] = await inSession(PASSPHRASE, { mode: 'os-keychain' }, { mode: 'auto' });
    expect(first).toMatchObject({ kind: 'os-keychain', detail: null });
    expect(second).toEqual(first);
    const [later] = await inSession(PASSPHRASE, { mode: 'auto', expectedKind: 'os-keychain' });
    expect(later).toEqual(first);
  });

  it('keeps the keys of two data folders apart', async () => {
    const [first, second] = await inSession(
      PASSPHRASE,
      { mode: 'os-keychain', account: 'master-key-a' },
      { mode: 'os-keychain', account: 'master-key-b' },
    );
    expect(first).toMatchObject({ kind: 'os-keychain' });
    expect(second).toMatchObject({ kind: 'os-keychain' });
    expect(second).not.toEqual(first);
  });

  it('does not take a locked keyring for an empty keyring', async () => {
    const [before] = await inSession(PASSPHRASE, { mode: 'os-keychain' });
    const locked = await inSession(
      'another passphrase, which unlocks nothing',
      { mode: 'os-keychain' },
      { mode: 'auto', expectedKind: 'os-keychain' },
      { mode: 'os-keychain', expectedKind: 'os-keychain' },
      { mode: 'auto' },
    );
    for (const outcome of locked.slice(0, 3)) {
      expect(outcome).toMatchObject({
        code: 'SECRET_STORE_UNAVAILABLE',
        message: expect.stringContaining('locked') as string,
        remedy: expect.stringMatching(/./) as string,
      });
    }
    expect(locked[3]).toMatchObject({ kind: 'memory', detail: expect.stringContaining('locked') as string });
    const [after] = await inSession(PASSPHRASE, { mode: 'auto', expectedKind: 'os-keychain' });
    expect(after).toEqual(before);
  });

  it('makes no second key where the first is missing', async () => {
    const [outcome] = await inSession(PASSPHRASE, { mode: 'auto', expectedKind: 'os-keychain' });
    expect(outcome).toMatchObject({
      code: 'SECRET_STORE_UNAVAILABLE',
      message: 'The keychain no longer has the master key.',
    });
  });
});

describe('the keychain store without a session bus', () => {
  it('falls back to memory where nothing is sealed yet, and says why', async () => {
    expect(await withoutBus({ mode: 'auto' })).toMatchObject({
      kind: 'memory',
      detail: expect.stringContaining('cannot be reached') as string,
    });
  });

  it.each<ChildRequest>([
    { mode: 'os-keychain' },
    { mode: 'auto', expectedKind: 'os-keychain' },
    { mode: 'os-keychain', expectedKind: 'os-keychain' },
  ])('is refused with a remedy when needed: %o', async (request) => {
    const outcome = await withoutBus(request);
    expect(outcome).toMatchObject({
      code: 'SECRET_STORE_UNAVAILABLE',
      message: expect.stringContaining('cannot be reached') as string,
      remedy: expect.stringMatching(/./) as string,
    });
  });

  it("leaves nothing in the kernel's keyring", async () => {
    await withoutBus({ mode: 'auto' });
    expect(await readFile('/proc/keys', 'latin1')).not.toContain('Sinete');
  });
});
