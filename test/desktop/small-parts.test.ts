import { EventEmitter } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AutostartEntry, autostartEntry } from '../../src/desktop/autostart.ts';
import { deepLinkAmong, parseDeepLink } from '../../src/desktop/deep-links.ts';
import { lockTokens } from '../../src/desktop/power.ts';
import { parseProxyList, systemProxy } from '../../src/desktop/system-proxy.ts';
import { languageOf, textsOf } from '../../src/desktop/texts.ts';
import { trayMenu, trayState, trayStates, type TrayFacts } from '../../src/desktop/tray-model.ts';
import { trayIconName } from '../../src/desktop/tray.ts';
import { mayUpdate, Updates } from '../../src/desktop/updates.ts';
import { makeTransaction } from './transactions.ts';

vi.mock('electron', async () => import('./fake-electron.ts'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-shell-'));
});
afterAll(async () => rm(folder, { recursive: true }));

describe('a deep link', () => {
  it.each([
    ['sinete://open', { kind: 'open' }],
    ['sinete://open/', { kind: 'open' }],
    ['SINETE://open', { kind: 'open' }],
    ['sinete://pair?origin=https://portal.example', { kind: 'pair', origin: 'https://portal.example' }],
    ['sinete://pair?origin=http://localhost:3000', { kind: 'pair', origin: 'http://localhost:3000' }],
  ])('%s is understood', (text, link) => {
    expect(parseDeepLink(text)).toEqual(link);
  });

  it.each([
    'sinete://sign?file=/etc/passwd',
    'sinete://open?then=sign',
    'sinete://open/sign',
    'sinete://open#sign',
    'sinete://user:secret@open',
    'sinete://pair',
    'sinete://pair?origin=http://portal.example',
    'sinete://pair?origin=https://portal.example/path',
    'sinete://pair?origin=https://portal.example&scopes=sign',
    'sinete://pair?origin=javascript:alert(1)',
    'sinete://pair?origin=null',
    'sinete://pair?origin=https://portal.example&origin=https://evil.example',
    'sinete://pair?origin=https://portal.example%00',
    'sinete://pair?origin=https://user@portal.example',
    'sinete://pair?origin=https://PORTAL.example',
    'sinete://pair?origin=file:///etc/passwd',
    'sinete://pair?origin=data:text/html,x',
    'sinete:open',
    'sinete:///open',
    ' sinete://pair?scopes=sign',
    'https://open',
    '--flag',
    '',
    `sinete://pair?origin=https://${'a'.repeat(600)}.example`,
  ])('%s is not', (text) => {
    expect(parseDeepLink(text)).toBeUndefined();
  });

  it('is found among the words of a start', () => {
    expect(deepLinkAmong(['/opt/Sinete/sinete', '--hidden', 'sinete://open'])).toEqual({ kind: 'open' });
    expect(deepLinkAmong(['/opt/Sinete/sinete'])).toBeUndefined();
  });
});

describe('the model of the tray', () => {
  const calm: TrayFacts = {
    failing: false,
    paused: false,
    waiting: 0,
    certificates: 1,
    tokens: [],
    users: [],
    recent: [],
    update: null,
  };

  it.each([
    ['idle', {}],
    ['no-key', { certificates: 0 }],
    ['waiting', { certificates: 0, waiting: 2 }],
    ['paused', { waiting: 2, paused: true }],
    ['error', { waiting: 2, paused: true, failing: true }],
  ] as const)('shows %s for %o', (state, changes) => {
    expect(trayState({ ...calm, ...changes })).toBe(state);
  });

  it('lists users to choose from, tokens, waiting requests and the last signatures, shortened and on one line', () => {
    const long = `${'x'.repeat(60)}\u202e\n.pdf`;
    const facts: TrayFacts = {
      ...calm,
      waiting: 1,
      users: [
        { username: 'ana', name: 'Ana & Filhos', selected: true },
        { username: 'rui', name: 'Rui', selected: false },
      ],
      tokens: [
        {
          module: 'm',
          label: 'Meu token',
          serialNumber: '1',
          present: true,
          loginRequired: true,
          loggedIn: false,
          pinAttempts: 'normal',
          pinPad: false,
        },
      ],
      recent: [makeTransaction({ status: 'SIGNED', names: [long, 'b.pdf'] }), makeTransaction({ status: 'ERROR' })],
      update: '2.0.0',
    };
    expect(trayMenu(facts, textsOf('en'))).toEqual([
      { kind: 'label', text: 'Sinete: something waits for you' },
      { kind: 'command', text: 'Look at 1 waiting request', command: { kind: 'open', address: '' } },
      { kind: 'separator' },
      {
        kind: 'submenu',
        text: 'User: Ana && Filhos',
        items: [
          { kind: 'choice', text: 'Ana && Filhos', checked: true, command: { kind: 'select-user', username: 'ana' } },
          { kind: 'choice', text: 'Rui', checked: false, command: { kind: 'select-user', username: 'rui' } },
        ],
      },
      { kind: 'label', text: 'Token: Meu token' },
      {
        kind: 'submenu',
        text: 'Last signatures',
        items: [{ kind: 'command', text: `${'x'.repeat(47)}… +1`, command: { kind: 'open', address: '#/history' } }],
      },
      { kind: 'separator' },
      {
        kind: 'check',
        text: 'Pause requests of programs and sites',
        checked: false,
        command: { kind: 'pause', paused: true },
      },
      { kind: 'command', text: 'Open Sinete', command: { kind: 'open', address: '' } },
      { kind: 'command', text: 'Install version 2.0.0 and restart', command: { kind: 'install-update' } },
      { kind: 'command', text: 'Quit', command: { kind: 'quit' } },
    ]);
  });

  it('has a picture for each state on each system, and for screens of twice the density', async () => {
    const icons = join(import.meta.dirname, '../../assets/icons/tray');
    for (const state of trayStates) {
      for (const platform of ['linux', 'win32', 'darwin'] as const) {
        const name = trayIconName(state, platform);
        expect((await stat(join(icons, name))).size).toBeGreaterThan(100);
        if (platform !== 'win32') await stat(join(icons, name.replace('.png', '@2x.png')));
      }
    }
  });

  it('speaks Portuguese where the locale does, else English', () => {
    expect(['pt-BR', 'pt-PT', 'en-US', 'de'].map(languageOf)).toEqual(['pt-BR', 'pt-BR', 'en', 'en']);
    expect(Object.keys(textsOf('en'))).toEqual(Object.keys(textsOf('pt-BR')));
  });
});

describe('autostart on Linux', () => {
  it('writes an entry, reads what other programs did to it, and removes it', async () => {
    const entry = new AutostartEntry('/opt/Sinete/sinete', join(folder, 'autostart'));
    const file = join(folder, 'autostart', 'sinete.desktop');
    expect(await entry.read()).toBe(false);
    await entry.write(true);
    expect(await entry.read()).toBe(true);
    expect(await readFile(file, 'utf8')).toContain('Exec="/opt/Sinete/sinete" --hidden\n');
    await writeFile(file, `${await readFile(file, 'utf8')}Hidden=true\n`);
    expect(await entry.read()).toBe(false);
    await entry.write(false);
    await expect(stat(file)).rejects.toThrow();
  });

  it('quotes the program as desktop entries have it', () => {
    expect(autostartEntry('/home/ana/My "$Apps"/100%/Sinete.AppImage')).toContain(
      'Exec="/home/ana/My \\\\"\\\\$Apps\\\\"/100%%/Sinete.AppImage" --hidden',
    );
  });
});

describe("the system's proxy", () => {
  it.each([
    ['DIRECT', undefined],
    ['', undefined],
    ['PROXY proxy.example:3128', 'http://proxy.example:3128/'],
    ['PROXY proxy.example:3128; DIRECT', 'http://proxy.example:3128/'],
    ['HTTPS proxy.example:443', 'https://proxy.example/'],
    ['SOCKS5 proxy.example:1080; PROXY other.example:8080', 'http://other.example:8080/'],
    ['SOCKS proxy.example:1080', undefined],
    ['DIRECT; PROXY proxy.example:3128', undefined],
    ['PROXY', undefined],
  ])('%s', (list, url) => {
    expect(parseProxyList(list)?.href).toBe(url);
  });

  it('is none where the system cannot tell', async () => {
    const find = systemProxy({ resolveProxy: async () => Promise.reject(new Error('no')) });
    expect(await find(new URL('https://example.com/'))).toBeUndefined();
  });
});

describe('when the screen is locked', () => {
  it('logs out once of each token with an open session, and of no other', async () => {
    const token = (serialNumber: string, loggedIn: boolean): object => ({ serialNumber, loggedIn });
    const certificates = [
      { alias: 'a', token: token('1', true) },
      { alias: 'b', token: token('1', true) },
      { alias: 'c', token: token('2', true) },
      { alias: 'd', token: token('3', false) },
      { alias: 'e', token: null },
    ];
    const asked: unknown[] = [];
    const callUi = async (name: string, input: unknown) => {
      if (name === 'certificates.lock') asked.push(input);
      return Promise.resolve({ ok: true, value: certificates } as const);
    };
    await lockTokens({ callUi });
    expect(asked).toEqual([{ alias: 'b' }, { alias: 'c' }]);
  });
});

describe('updates', () => {
  const settings = async (text: string): Promise<string> => {
    const file = join(folder, 'app-update.yml');
    await writeFile(file, text);
    return file;
  };
  const base = { mode: 'ask', isPackaged: true, platform: 'darwin' } as const;
  const feed = 'provider: generic\nurl: https://updates.example/sinete\n';

  it('are off by policy, in a checkout, without an address, over HTTP, and where Windows could not check who signed', async () => {
    const settingsFile = await settings(feed);
    expect(mayUpdate({ ...base, settingsFile })).toBe(true);
    expect(mayUpdate({ ...base, mode: 'off', settingsFile })).toBe(false);
    expect(mayUpdate({ ...base, isPackaged: false, settingsFile })).toBe(false);
    expect(mayUpdate({ ...base, settingsFile: `${settingsFile}.none` })).toBe(false);
    expect(mayUpdate({ ...base, platform: 'win32', settingsFile })).toBe(false);
    expect(mayUpdate({ ...base, settingsFile: await settings(feed.replace('https', 'http')) })).toBe(false);
    const named = await settings(`${feed}publisherName:\n  - Sinete\n`);
    expect(mayUpdate({ ...base, platform: 'win32', settingsFile: named })).toBe(true);
  });

  it.each([
    ['darwin', 'automatic', 'ready', true, true],
    ['darwin', 'ask', 'ready', true, false],
    ['linux', 'automatic', 'available', false, false],
  ] as const)('on %s, mode %s, end %s', async (platform, mode, state, fetches, installs) => {
    const updater = Object.assign(new EventEmitter(), {
      checkForUpdates: async () => {
        updater.emit('update-available', { version: '2.0.0' });
        if ((updater as unknown as AppUpdater).autoDownload) updater.emit('update-downloaded', { version: '2.0.0' });
        return Promise.resolve(null);
      },
      quitAndInstall: vi.fn(),
    });
    const seen: string[] = [];
    const updates = new Updates(
      { ...base, platform, mode, settingsFile: await settings(feed) },
      (view) => seen.push(view.state),
      async () => Promise.resolve(updater as unknown as AppUpdater),
    );
    await updates.start();
    updates.install();
    updates.close();
    expect(updates.view).toEqual({ state, version: '2.0.0' });
    expect(updater).toMatchObject({ autoDownload: fetches, autoInstallOnAppQuit: installs, allowDowngrade: false });
    expect(updater.quitAndInstall).toHaveBeenCalledTimes(state === 'ready' ? 1 : 0);
  });
});
