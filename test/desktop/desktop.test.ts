import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DesktopPreload } from '../../src/ui-contract/desktop-contract.ts';
import type { CallResult } from '../../src/ui-contract/ui-contract.ts';
import { launchChromium } from '../renderer/browser.ts';
import { buildParts, type BuiltParts } from './build-parts.ts';
import * as electron from './fake-electron.ts';
import { openOnDesktop, type Host } from './hosts.ts';

vi.mock('electron', async () => import('./fake-electron.ts'));

const { stage } = electron;
const person = { name: 'MARIA DA SILVA', cpf: '52998224725' };
const request = {
  type: 'CAdES-attached',
  digest: 'sha256',
  mode: 'async',
  policy: 'none',
  settings: [{ id: 'default' }],
  destination: 'LOCAL',
  reach: { kind: 'owner', overNetwork: false },
  autoFixDocument: false,
  returnSignature: false,
  documentsSource: 'DATA_URL',
  documents: [{ data: 'data:,pedido', originalFileName: 'pedido.txt' }],
} as const;

let browser: Browser;
let parts: BuiltParts;
let host: Host;

/** Whether the last test has ended the desktop. */
let hasEnded = false;

// One desktop for all groups, in their order: begins without a certificate, and ends with the last test.
beforeAll(async () => {
  [browser, parts] = await Promise.all([launchChromium(), buildParts()]);
  host = await openOnDesktop(browser, parts);
  await host.page.locator('main h1').waitFor();
});
afterAll(async () => {
  await (hasEnded ? host.place.remove() : host.close());
  await browser.close();
  await parts.remove();
});

/** The window of the desktop. */
function window(): electron.BrowserWindow {
  const [only] = electron.BrowserWindow.all;
  if (only === undefined) throw new Error('There is no window.');
  return only;
}

/** The tray's menu: its lines with their targets. */
function menu(): readonly Electron.MenuItemConstructorOptions[] {
  return electron.Tray.last?.menu ?? [];
}

async function call(name: string, input: unknown = {}): Promise<CallResult<unknown>> {
  return host.page.evaluate(
    async ([wanted, value]) => (globalThis as unknown as { sinete: DesktopPreload }).sinete.call(wanted, value),
    [name, input] as const,
  );
}

async function click(label: RegExp): Promise<void> {
  await vi.waitFor(() => expect(menu().map((item) => item.label)).toContainEqual(expect.stringMatching(label)));
  const item = menu().find((one) => label.test(one.label ?? ''));
  (item?.click as () => void)();
}

describe('the tray', () => {
  it('tells of a missing certificate, and of a present one', async () => {
    await vi.waitFor(() => expect(electron.Tray.last?.image).toMatch(/no-key\.png$/));
    await access(electron.Tray.last?.image ?? '');
    await host.sinete.handlers['user-interface']['certificates.makeTestIdentity'](person);
    await vi.waitFor(() => expect(electron.Tray.last?.image).toMatch(/(idle|error)\.png$/), 60_000);
  });

  it('pauses the interface: programs are told to come back, the window works on', async () => {
    await click(/^Pausar/);
    await vi.waitFor(() => expect(electron.Tray.last?.image).toMatch(/paused\.png$/));
    const refused = await fetch(`${host.sinete.baseUrl}/health-check`);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(await refused.json()).toMatchObject({ code: 'BUSY' });
    expect(await call('desktop.read')).toMatchObject({ ok: true, value: { paused: true } });
    expect(await call('desktop.setPaused', { paused: false })).toMatchObject({ ok: true, value: { paused: false } });
    expect((await fetch(`${host.sinete.baseUrl}/health-check`)).headers.get('Retry-After')).not.toBe('30');
  });

  it('opens the window', async () => {
    window().close();
    await click(/^Abrir/);
    expect(window().isVisible()).toBe(true);
  });

  it('speaks the language of the window', async () => {
    await vi.waitFor(() => expect(menu().at(-1)?.label).toBe('Encerrar'));
    await call('desktop.setLanguage', { language: 'en' });
    await vi.waitFor(() => expect(menu().at(-1)?.label).toBe('Quit'));
    await call('desktop.setLanguage', { language: 'pt-BR' });
    await vi.waitFor(() => expect(menu().at(-1)?.label).toBe('Encerrar'));
  });
});

describe('work waiting for the owner', () => {
  it('brings a hidden window over all others, tells of the work once, and hides the window again when the caller has gone', async () => {
    window().close();
    expect(window().isVisible()).toBe(false);
    const { tcn } = await host.sinete.core.transactions.create(request, { kind: 'native-program', name: 'Programa' });
    await vi.waitFor(() => expect(window().isVisible()).toBe(true), 60_000);
    expect(stage.did).toContain('on top screen-saver');
    expect(stage.did).toContain('focus');
    expect(electron.Notification.shown.map(({ title, body }) => `${title}: ${body}`)).toEqual([
      'Programa pede a sua assinatura: 1 documento espera por você.',
    ]);
    await vi.waitFor(() => expect(electron.Tray.last?.image).toMatch(/waiting\.png$/));
    await host.sinete.core.transactions.decide(tcn, 'refuse');
    await vi.waitFor(() => expect(window().isVisible()).toBe(false), 60_000);
    expect(window().alwaysOnTop).toBe(false);
  });
});

describe('the window', () => {
  it('is locked in: no permission, no other page, no second window, no frame of another', () => {
    const { defaultSession } = electron.session;
    const granted: boolean[] = [];
    for (const permission of ['media', 'notifications', 'local-network-access', 'clipboard-read', 'openExternal']) {
      defaultSession.permissionRequest?.({}, permission, (answer) => granted.push(answer));
    }
    expect(granted).toEqual([false, false, false, false, false]);
    expect([defaultSession.permissionCheck?.(), defaultSession.device?.()]).toEqual([false, false]);
    const { webContents } = window();
    expect(webContents.windowOpen?.({ url: 'https://example.com' })).toEqual({ action: 'deny' });
    for (const [event, url, prevented] of [
      ['will-navigate', 'https://example.com/', 1],
      ['will-navigate', 'app://other/', 1],
      ['will-navigate', 'app://ui/results/x/y', 1],
      ['will-navigate', 'file:///etc/passwd', 1],
      ['will-frame-navigate', 'http://127.0.0.1:17171/', 1],
      ['will-redirect', 'app://ui/', 1],
      ['will-attach-webview', '', 1],
      ['will-navigate', 'app://ui/#/sign', 0],
    ] as const) {
      const preventDefault = vi.fn();
      webContents.emit(event, { url, preventDefault });
      expect([event, url, preventDefault.mock.calls.length]).toEqual([event, url, prevented]);
    }
  });

  it('has a policy without any connection, a fresh nonce each time, and only the files of the build', async () => {
    const [one, other] = [await electron.askProtocol('app://ui/'), await electron.askProtocol('app://ui/')];
    const policy = one.headers.get('Content-Security-Policy') ?? '';
    expect(policy).toContain("connect-src 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(other.headers.get('Content-Security-Policy')).not.toBe(policy);
    const [asset] = /\/ui\/assets\/[^"]+\.js/.exec(await one.text()) ?? [];
    expect((await electron.askProtocol(`app://ui${asset ?? ''}`)).status).toBe(200);
    for (const address of [
      'app://ui/ui/assets/../../../package.json',
      'app://ui/ui/assets/%2e%2e/index.html',
      'app://ui/package.json',
      'app://other/',
      'app://ui/results/x/y',
    ]) {
      expect([address, (await electron.askProtocol(address)).status]).toEqual([address, 404]);
    }
    expect((await electron.askProtocol('app://ui/', 'POST')).status).toBe(404);
    expect(host.faults).toEqual([]);
  });

  it('is the only window with answers to its main frame', async () => {
    const ask = electron.handlerOf('sinete:call');
    const sender = window().webContents;
    const good = { url: 'app://ui/#/sign', parent: null };
    const home = { name: 'home.read', input: {} };
    expect(await ask({ sender, senderFrame: good }, home)).toMatchObject({ ok: true });
    for (const event of [
      { sender, senderFrame: null },
      { sender, senderFrame: { url: 'https://example.com/', parent: null } },
      { sender, senderFrame: { url: 'app://ui.example/', parent: null } },
      { sender, senderFrame: { ...good, parent: {} } },
      { sender: { id: sender.id + 1 }, senderFrame: good },
    ]) {
      expect(await ask(event, home)).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
    }
    for (const wrong of [null, {}, { name: 1 }, 'home.read']) {
      expect(await ask({ sender, senderFrame: good }, wrong)).toMatchObject({ error: { code: 'INPUT_INVALID' } });
    }
  });

  it('gives no call by a name of JavaScript, by another spelling, or with hostile input', async () => {
    const ask = electron.handlerOf('sinete:call');
    const event = { sender: window().webContents, senderFrame: { url: 'app://ui/', parent: null } };
    const hostile = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'HOME.READ', 'home.read ', 'home.read\u0000', 'desktop.__proto__', '']; // prettier-ignore
    for (const name of hostile)
      expect([name, await ask(event, { name, input: {} })]).toMatchObject([name, { ok: false }]);
    const input = JSON.parse('{"__proto__":{"paused":true},"constructor":1}') as unknown;
    expect(await ask(event, { name: 'desktop.setPaused', input })).toMatchObject({ error: { code: 'INPUT_INVALID' } });
    expect(await ask(event, { name: 'x'.repeat(101), input: {} })).toMatchObject({ error: { code: 'INPUT_INVALID' } });
    expect(({} as { readonly paused?: boolean }).paused).toBeUndefined();
  });

  it('goes to no address of another scheme or spelling, in no frame either', () => {
    const { webContents } = window();
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,<script>1</script>',
      'blob:app://ui/0',
      'view-source:app://ui/',
      'app://ui@evil.example/',
      'app://ui.evil.example/',
      'app://evil.example/ui/',
      'app:///ui/',
      'sinete://open',
      'ftp://ui/',
      'about:blank',
    ]) {
      for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
        const preventDefault = vi.fn();
        webContents.emit(event, { url, preventDefault });
        expect([event, url, preventDefault.mock.calls.length]).toEqual([event, url, 1]);
      }
    }
  });

  it('sends no device and no folder as a document, and forgets an upload that it does not know', async () => {
    const created = await host.sinete.handlers['user-interface']['sign.create']({
      type: 'CMS-attached',
      digest: 'sha256',
      files: [{ name: 'a.txt' }],
    });
    const event = { sender: window().webContents, senderFrame: { url: 'app://ui/', parent: null } };
    const send = electron.handlerOf('sinete:send-document');
    for (const path of ['/dev/zero', '/dev/stdin', '/proc', 'relative.txt', `${host.folder}/../no-such-file`]) {
      const answer = await send(event, { tcn: created.tcn, end: true, id: 1, source: { kind: 'path', path } });
      expect([path, answer]).toMatchObject([path, { ok: false }]);
    }
    expect(await electron.handlerOf('sinete:cancel-document')(event, { id: 99 })).toMatchObject({ ok: true });
    await host.sinete.core.transactions.cancel(created.tcn).catch(() => undefined);
  });

  it('takes files by their path, or by their content, and refuses other things than files', async () => {
    const created = await host.sinete.handlers['user-interface']['sign.create']({
      type: 'CMS-attached',
      digest: 'sha256',
      files: [{ name: 'a.txt' }, { name: 'b.txt' }],
    });
    const path = join(host.folder, 'a.txt');
    await writeFile(path, 'conteúdo');
    const send = electron.handlerOf('sinete:send-document');
    const event = { sender: window().webContents, senderFrame: { url: 'app://ui/', parent: null } };
    const base = { tcn: created.tcn, end: false };
    expect(await send(event, { ...base, id: 1, source: { kind: 'path', path: host.folder } })).toMatchObject({
      error: { code: 'DOCUMENT_UNREADABLE' },
    });
    expect(await send(event, { ...base, id: 2, source: { kind: 'path', path: `${path}x` } })).toMatchObject({
      error: { code: 'DOCUMENT_UNREADABLE' },
    });
    expect(await send(event, { ...base, id: 3, source: { kind: 'path', path } })).toMatchObject({ ok: true });
    const content = { kind: 'content', name: 'b.txt', content: new TextEncoder().encode('dentro') };
    expect(await send(event, { ...base, end: true, id: 4, source: content })).toMatchObject({ ok: true });
    const give = electron.handlerOf('sinete:give-file');
    const given = await give(event, { name: 'b.p7s', content: new TextEncoder().encode('nada') });
    expect(given).toMatchObject({ ok: true, value: { upload: expect.any(String) as string } });
    const { value } = given as { readonly value: { readonly upload: string } };
    expect(await host.sinete.callUi('validation.run', { signature: value, language: 'en' })).toMatchObject({
      error: { code: 'NOT_A_SIGNATURE' },
    });
    const view = await host.sinete.core.transactions.query(created.tcn);
    expect(view.documents.map(({ originalFileName, size }) => [originalFileName, size])).toEqual([
      ['a.txt', 9],
      ['b.txt', 6],
    ]);
  });

  it('hides when closed, and Sinete stays', () => {
    const preventDefault = vi.fn();
    window().show();
    window().emit('close', { preventDefault });
    expect([preventDefault.mock.calls.length, window().isVisible(), window().isDestroyed()]).toEqual([1, false, false]);
  });
});

describe('the calls of the shell', () => {
  it('copy text, choose folders, and open only addresses with a name', async () => {
    stage.chosenFolder = '/chosen';
    expect(await call('desktop.chooseFolder', { title: 'x' })).toEqual({ ok: true, value: { path: '/chosen' } });
    stage.chosenFolder = undefined;
    expect(await call('desktop.chooseFolder', { title: 'x' })).toEqual({ ok: true, value: { path: null } });
    await call('desktop.copyText', { text: 'abc' });
    await call('desktop.openLink', { link: 'validar' });
    expect(await call('desktop.openLink', { link: 'https://evil.example' })).toMatchObject({ ok: false });
    expect(stage.did.filter((one) => /^(copied|openExternal)/.test(one))).toEqual([
      'copied abc',
      'openExternal https://validar.iti.gov.br/',
    ]);
  });

  it("open and reveal a result by Electron's shell, with its unchanged path", async () => {
    const { sinete, folder } = host;
    const letter = join(folder, 'a, b.txt');
    const results = [join(folder, 'c, d.p7s'), join(folder, 'e.unknown')];
    await writeFile(letter, 'a letter');
    const documents = results.map((destinationFileName) => ({ data: letter, destinationFileName }));
    const files = { documentsSource: 'FILE_PATH', destination: 'FILE_PATH', documents } as const;
    const requester = { kind: 'command-line', name: 'The command line' } as const;
    const { tcn } = await sinete.core.transactions.create({ ...request, ...files }, requester);
    await sinete.core.transactions.decide(tcn, 'approve');
    await expect.poll(async () => (await sinete.core.transactions.query(tcn)).status).toBe('SIGNED');
    const [path, unknown] = results;
    expect(await call('results.reveal', { tcn, documentId: '0' })).toMatchObject({ value: { opened: true, path } });
    expect(await call('results.open', { tcn, documentId: '0' })).toMatchObject({ value: { opened: true, path } });
    expect(await call('results.open', { tcn, documentId: '1' })).toMatchObject({ value: { opened: false } });
    expect(stage.did.filter((one) => /^(openPath|showItem)/.test(one))).toEqual([
      `showItemInFolder ${path}`,
      `openPath ${path}`,
      `openPath ${unknown}`,
    ]);
  });

  it('cannot start a checkout with the session, and have no updates there', async () => {
    expect(await call('desktop.read')).toMatchObject({
      ok: true,
      value: { autostart: null, updates: { state: 'off', version: null } },
    });
  });
});

describe('links and starts', () => {
  it('show the window, and the page of sites with the origin filled in', async () => {
    window().close();
    electron.app.emit('second-instance', {}, ['sinete', 'sinete://pair?origin=https://portal.example']);
    expect(window().isVisible()).toBe(true);
    await vi.waitFor(async () =>
      expect(await host.page.evaluate(() => location.hash)).toBe('#/sites?pair=https%3A%2F%2Fportal.example'),
    );
    window().close();
    electron.app.emit('open-url', { preventDefault: () => undefined }, 'sinete://sign?file=/etc/passwd');
    expect(window().isVisible()).toBe(false);
    electron.app.emit('open-url', { preventDefault: () => undefined }, 'sinete://open');
    expect(window().isVisible()).toBe(true);
  });

  it('ends with the instance file gone and the port free', async () => {
    const file = join(host.sinete.core.dataFolder, 'instance.json');
    const before = await readFile(file, 'utf8').catch(() => '');
    expect(before).not.toBe('');
    const quit = new Promise((resolve) => electron.app.once('quit', resolve));
    electron.app.quit();
    await quit;
    hasEnded = true;
    expect(await readFile(file, 'utf8').catch(() => 'gone')).toBe('gone');
    await expect(fetch(`${host.sinete.baseUrl}/health-check`)).rejects.toThrow();
  });
});
