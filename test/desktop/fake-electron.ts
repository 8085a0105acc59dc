/**
 * Stands in for the module `electron`: the main process runs in plain Node against it, and its window is a page of a
 * real Chromium, with the real preload script and the real answers of `app://ui` (served as `https://ui.test`, because
 * Chromium alone knows no such scheme). The stand-in refuses everything refused by Electron, and unsafe settings of
 * windows besides.
 *
 * Only Electron can prove its sandbox, its menus and trays drawn by the system, and its fuses.
 */
import { EventEmitter } from 'node:events';
import { fork, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { collectFaults } from '../renderer/browser.ts';

/** The parts of the stand-in for tests to prepare or inspect. */
export const stage = {
  browser: undefined as Browser | undefined,
  /** `locale` of the page. */
  locale: 'pt-BR',
  /** Whether another process holds the lock of the single instance. */
  isSecond: false,
  /** Paths known to `webUtils.getPathForFile`, by the name of the file; `__paths` of the page has later paths. */
  paths: new Map<string, string>(),
  /** The answer of the folder dialog. */
  chosenFolder: undefined as string | undefined,
  proxyList: 'DIRECT',
  folders: new Map<string, string>(),
  /** All effects on the system, in order: `quit`, `openExternal https://…`. */
  did: [] as string[],
};

const uiTest = 'https://ui.test/';
const toTest = (address: string): string => address.replace('app://ui/', uiTest);
const toApp = (address: string): string => address.replace(uiTest, 'app://ui/');

type ProtocolHandler = (request: Request) => Promise<Response>;
type IpcHandler = (event: object, request: unknown) => Promise<unknown>;

// A folder without an installed application's parts.
Object.assign(process, { resourcesPath: '/nowhere' });

const schemes = new Set<string>();
let protocolHandler: ProtocolHandler | undefined;
const ipcHandlers = new Map<string, IpcHandler>();

/** An event a listener may prevent. */
class Preventable {
  prevented = false;
  preventDefault(): void {
    this.prevented = true;
  }
}

class FakeApp extends EventEmitter {
  isPackaged = false;
  ready = false;
  exitCode: number | undefined;

  requestSingleInstanceLock(): boolean {
    stage.did.push('lock');
    return !stage.isSecond;
  }
  enableSandbox(): void {
    if (this.ready) throw new Error('app.enableSandbox() can only be called before app is ready');
    stage.did.push('enableSandbox');
  }
  async whenReady(): Promise<void> {
    this.ready = true;
    return Promise.resolve();
  }
  setAppUserModelId(): void {
    stage.did.push('setAppUserModelId');
  }
  setAsDefaultProtocolClient(scheme: string): boolean {
    stage.did.push(`protocol ${scheme}`);
    return true;
  }
  getLocale(): string {
    return stage.locale;
  }
  getPath(name: string): string {
    const path = stage.folders.get(name);
    if (path === undefined) throw new Error(`Failed to get '${name}' path`);
    return path;
  }
  getLoginItemSettings(): object {
    return { openAtLogin: false, wasOpenedAtLogin: false };
  }
  focus(): void {
    stage.did.push('focus');
  }
  exit(code: number): void {
    this.exitCode = code;
    stage.did.push(`exit ${code}`);
  }
  /** Like in Electron: windows are closed, then `will-quit` may still put the end off. */
  quit(): void {
    this.emit('before-quit', { preventDefault: () => undefined });
    const event = new Preventable();
    this.emit('will-quit', event);
    if (event.prevented) return;
    stage.did.push('quit');
    this.emit('quit');
  }
}

class FakeWebContents extends EventEmitter {
  static next = 1;
  readonly id = FakeWebContents.next++;
  page: Page | undefined;
  windowOpen: ((details: { readonly url: string }) => { readonly action: string }) | undefined;
  #destroyed = false;

  setWindowOpenHandler(handler: (details: { readonly url: string }) => { readonly action: string }): void {
    this.windowOpen = handler;
  }
  isDestroyed(): boolean {
    return this.#destroyed;
  }
  destroy(): void {
    this.#destroyed = true;
  }
  send(channel: string, message: unknown): void {
    // A page gone hears nothing.
    this.page
      ?.evaluate(([name, value]) => globalThis.__ipcTell(name, value), [channel, message] as const)
      .catch(() => undefined);
  }
}

declare global {
  var __ipcTell: (channel: string, message: unknown) => void;
}

/** A window with a page of Chromium. */
export class BrowserWindow extends EventEmitter {
  static readonly all: BrowserWindow[] = [];
  readonly webContents = new FakeWebContents();
  readonly #options: Electron.BrowserWindowConstructorOptions;
  #context: BrowserContext | undefined;
  #visible = false;
  #destroyed = false;
  /** Errors of the page. */
  faults: readonly string[] = [];
  /** Ends when Chromium has closed the page of a destroyed window: only then may the browser itself be closed. */
  closing: Promise<unknown> = Promise.resolve();
  alwaysOnTop = false;
  protectedContent = false;

  constructor(options: Electron.BrowserWindowConstructorOptions) {
    super();
    if (!app.ready) throw new Error('Cannot create BrowserWindow before app is ready');
    const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } = options.webPreferences ?? {};
    const safe = sandbox === true && contextIsolation === true && nodeIntegration === false && webSecurity === true;
    if (!safe || webviewTag === true || options.webPreferences?.allowRunningInsecureContent === true) {
      throw new Error('unsafe webPreferences');
    }
    this.#options = options;
    BrowserWindow.all.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  get page(): Page {
    if (this.webContents.page === undefined) throw new Error('The window shows nothing yet.');
    return this.webContents.page;
  }

  async loadURL(address: string): Promise<void> {
    if (stage.browser === undefined || protocolHandler === undefined) throw new Error('ERR_UNKNOWN_URL_SCHEME');
    const { width = 800, height = 600, webPreferences } = this.#options;
    this.#context = await stage.browser.newContext({
      locale: stage.locale,
      reducedMotion: 'reduce',
      viewport: { width, height },
      acceptDownloads: true,
    });
    await this.#context.route('**/*', async (route) => {
      // A page still loading while the program ends gets ERR_UNKNOWN_URL_SCHEME from Electron.
      if (!route.request().url().startsWith(uiTest) || protocolHandler === undefined) return route.abort();
      const { status, headers, body } = await answer(route.request().url(), route.request().method());
      return route.fulfill({ status, headers, body });
    });
    const page = await this.#context.newPage();
    page.setDefaultTimeout(60_000);
    this.webContents.page = page;
    this.faults = await collectFaults(page, () => uiTest);
    await page.exposeFunction('__ipcInvoke', async (channel: string, request: string) => {
      const handler = ipcHandlers.get(channel);
      if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
      const senderFrame = { url: toApp(page.url()), parent: null };
      return JSON.stringify(await handler({ sender: this.webContents, senderFrame }, revive(request)));
    });
    await page.addInitScript({ content: preloadScript(readFileSync(webPreferences?.preload ?? '', 'utf8')) });
    page.on('crash', () => this.webContents.emit('render-process-gone', {}, { reason: 'crashed' }));
    await page.goto(toTest(address));
    this.emit('ready-to-show');
  }

  show(): void {
    this.#visible = true;
    stage.did.push('show');
  }
  hide(): void {
    this.#visible = false;
    stage.did.push('hide');
  }
  focus(): void {
    this.emit('focus');
  }
  close(): void {
    const event = new Preventable();
    this.emit('close', event);
    if (!event.prevented) this.destroy();
  }
  destroy(): void {
    this.#destroyed = true;
    this.webContents.destroy();
    this.closing = Promise.all([this.closing, this.#context?.close()]);
    this.emit('closed');
  }
  isDestroyed = (): boolean => this.#destroyed;
  isVisible = (): boolean => this.#visible;
  isMinimized = (): boolean => false;
  restore = (): void => undefined;
  moveTop = (): void => undefined;
  removeMenu = (): void => undefined;
  flashFrame = (): void => undefined;
  setAlwaysOnTop(flag: boolean, level?: string): void {
    this.alwaysOnTop = flag;
    if (flag) stage.did.push(`on top ${level ?? 'floating'}`);
  }
  setContentProtection(flag: boolean): void {
    this.protectedContent = flag;
  }
}

async function answer(
  address: string,
  method: string,
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  const response = await (protocolHandler as ProtocolHandler)(new Request(toApp(address), { method }));
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

/** Typed arrays go as base64, because the way out of the page is JSON. */
function revive(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$bytes' in value)) return value;
    return new Uint8Array(Buffer.from(value.$bytes as string, 'base64'));
  });
}

/** The preload script in a function with the gifts of Electron's sandbox, and nothing else. */
function preloadScript(source: string): string {
  return `(() => {
    const listeners = new Map();
    globalThis.__ipcTell = (channel, message) => (listeners.get(channel) ?? []).forEach((one) => one({}, message));
    const paths = ${JSON.stringify(Object.fromEntries(stage.paths))};
    const bytes = (_key, value) => value instanceof Uint8Array ? { $bytes: value.toBase64 ? value.toBase64() : btoa(Array.from(value, (one) => String.fromCharCode(one)).join('')) } : value;
    const electron = {
      contextBridge: { exposeInMainWorld: (name, api) => Object.defineProperty(globalThis, name, { value: Object.freeze(api) }) },
      ipcRenderer: {
        invoke: async (channel, request) => JSON.parse(await globalThis.__ipcInvoke(channel, JSON.stringify(request, bytes))),
        on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
        off: (channel, listener) => void listeners.set(channel, (listeners.get(channel) ?? []).filter((one) => one !== listener)),
      },
      webUtils: { getPathForFile: (file) => { if (!(file instanceof File)) throw new TypeError('not a File'); return paths[file.name] ?? globalThis.__paths?.[file.name] ?? ''; } },
    };
    const require = (name) => { if (name !== 'electron') throw new Error('module not found: ' + name); return electron; };
    const module = { exports: {} };
    (function (require, module, exports) {
      ${source}
    })(require, module, module.exports);
  })();`;
}

/** A session refusing nothing by itself, like Electron's. */
class FakeSession extends EventEmitter {
  permissionRequest: ((contents: object, permission: string, callback: (granted: boolean) => void) => void) | undefined;
  permissionCheck: (() => boolean) | undefined;
  device: (() => boolean) | undefined;
  setPermissionRequestHandler(handler: NonNullable<FakeSession['permissionRequest']>): void {
    this.permissionRequest = handler;
  }
  setPermissionCheckHandler(handler: () => boolean): void {
    this.permissionCheck = handler;
  }
  setDevicePermissionHandler(handler: () => boolean): void {
    this.device = handler;
  }
  setDisplayMediaRequestHandler(): void {
    stage.did.push('no display media');
  }
  setSpellCheckerEnabled(): void {
    stage.did.push('no spell checker');
  }
  async resolveProxy(): Promise<string> {
    return Promise.resolve(stage.proxyList);
  }
}

/** The last drawing of the tray. */
export class Tray extends EventEmitter {
  static last: Tray | undefined;
  image: string;
  toolTip = '';
  menu: readonly Electron.MenuItemConstructorOptions[] = [];
  constructor(image: { readonly path: string }) {
    super();
    this.image = image.path;
    Tray.last = this;
  }
  setImage(image: { readonly path: string }): void {
    this.image = image.path;
  }
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setContextMenu(menu: { readonly template: readonly Electron.MenuItemConstructorOptions[] }): void {
    this.menu = menu.template;
  }
  destroy(): void {
    Tray.last = undefined;
  }
}

/** Notifications shown. */
export class Notification extends EventEmitter {
  static readonly shown: Notification[] = [];
  static isSupported = (): boolean => true;
  readonly title: string;
  readonly body: string;
  constructor({ title, body }: { readonly title: string; readonly body: string }) {
    super();
    this.title = title;
    this.body = body;
  }
  show(): void {
    Notification.shown.push(this);
  }
  close = (): void => undefined;
}

/** A utility process: a Node process with its `process.parentPort` made from its channel. */
class FakeUtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;
  constructor(program: string, environment: NodeJS.ProcessEnv) {
    super();
    if (!app.ready) throw new Error('utilityProcess cannot be created before app is ready.');
    const shim = fileURLToPath(new URL('./parent-port-shim.mjs', import.meta.url));
    this.#child = fork(program, [], {
      execArgv: ['--import', shim],
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code) => this.emit('exit', code ?? 1));
  }
  get pid(): number | undefined {
    return this.#child.pid;
  }
  get stdout(): ChildProcess['stdout'] {
    return this.#child.stdout;
  }
  get stderr(): ChildProcess['stderr'] {
    return this.#child.stderr;
  }
  postMessage(message: object): void {
    this.#child.send(message, () => undefined);
  }
  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
}

export const app = new FakeApp();
export const session = { defaultSession: new FakeSession() };
export const powerMonitor = new EventEmitter();
export const ipcMain = {
  handle(channel: string, handler: IpcHandler): void {
    if (ipcHandlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    ipcHandlers.set(channel, handler);
  },
};
export const protocol = {
  registerSchemesAsPrivileged(list: readonly { readonly scheme: string }[]): void {
    if (app.ready) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    for (const { scheme } of list) schemes.add(scheme);
  },
  handle(scheme: string, handler: ProtocolHandler): void {
    if (!app.ready) throw new Error('protocol.handle can only be called after app is ready');
    if (scheme !== 'app') throw new Error(`unknown scheme ${scheme}`);
    protocolHandler = handler;
  },
};
export const Menu = { buildFromTemplate: (template: readonly object[]) => ({ template }) };
export const nativeImage = { createFromPath: (path: string) => ({ path }) };
export const dialog = {
  showErrorBox(title: string, text: string): void {
    stage.did.push(`error ${title}: ${text}`);
  },
  async showOpenDialog(): Promise<{ canceled: boolean; filePaths: string[] }> {
    const { chosenFolder } = stage;
    return Promise.resolve({
      canceled: chosenFolder === undefined,
      filePaths: chosenFolder === undefined ? [] : [chosenFolder],
    });
  },
};
export const clipboard = {
  async writeText(text: string): Promise<void> {
    stage.did.push(`copied ${text}`);
    return Promise.resolve();
  },
};
export const shell = {
  async openExternal(address: string): Promise<void> {
    stage.did.push(`openExternal ${address}`);
    return Promise.resolve();
  },
  /** Answers an empty text for success, or the reason, as Electron does. */
  async openPath(path: string): Promise<string> {
    stage.did.push(`openPath ${path}`);
    return Promise.resolve(path.endsWith('.unknown') ? 'No application is registered.' : '');
  },
  showItemInFolder(path: string): void {
    stage.did.push(`showItemInFolder ${path}`);
  },
};
export const utilityProcess = {
  fork: (program: string, _words: readonly string[], options: { readonly env: NodeJS.ProcessEnv }) =>
    new FakeUtilityProcess(program, options.env),
};

/** Back to a fresh process. */
export function reset(): void {
  app.removeAllListeners();
  Object.assign(app, { ready: false, isPackaged: false, exitCode: undefined });
  session.defaultSession.removeAllListeners();
  powerMonitor.removeAllListeners();
  ipcHandlers.clear();
  schemes.clear();
  protocolHandler = undefined;
  BrowserWindow.all.length = 0;
  Notification.shown.length = 0;
  stage.did.length = 0;
  stage.paths.clear();
  Object.assign(stage, { isSecond: false, chosenFolder: undefined, proxyList: 'DIRECT', locale: 'pt-BR' });
}

/** The handler of a channel, for tests speaking as a foreign page. */
export function handlerOf(channel: string): IpcHandler {
  const handler = ipcHandlers.get(channel);
  if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
  return handler;
}

/** The answer of `app://ui`. */
export async function askProtocol(address: string, method = 'GET'): Promise<Response> {
  return (protocolHandler as ProtocolHandler)(new Request(address, { method }));
}

/** Privileged schemes registered. */
export const registeredSchemes: ReadonlySet<string> = schemes;
