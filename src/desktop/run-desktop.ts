import { fileURLToPath } from 'node:url';
import { app, dialog, protocol, session, shell, type Session, type WebContents } from 'electron';
import type { FileOpener } from '../app/compose/file-opener.ts';
import { readConfiguration } from '../app/config/config.ts';
import { dataFolder } from '../app/config/data-folder.ts';
import { stopSignals } from '../app/cli/stop-signal.ts';
import { rendererFolder, startSinete, type Sinete } from '../app/instance/start-sinete.ts';
import { wrappersEnd } from '../app/instance/wrappers.ts';
import type { ResultFile } from '../service/transactions/index.ts';
import { StorageError } from '../storage/index.ts';
import { hiddenFlag } from './autostart.ts';
import { deepLinkAmong, linkScheme, parseDeepLink, type DeepLink } from './deep-links.ts';
import { Desktop } from './desktop.ts';
import { systemProxy } from './system-proxy.ts';
import { languageOf, textsOf } from './texts.ts';
import { uiProtocol } from './ui-protocol.ts';
import { UtilityHostLauncher } from './utility-host-launcher.ts';
import { MainWindow } from './window.ts';
import { isUiPage } from './ui-address.ts';

/** Places of the parts outside of the main process's code. */
export interface DesktopFiles {
  /** The folder of the built GUI. */
  readonly renderer: string;
  readonly preload: string;
  readonly icons: string;
}

const builtFiles: DesktopFiles = {
  renderer: rendererFolder,
  preload: fileURLToPath(new URL('../../out/preload/preload.cjs', import.meta.url)),
  icons: fileURLToPath(new URL('../../assets/icons', import.meta.url)),
};

/**
 * Runs the desktop until its end. Called once, before Electron is ready, by the process with the lock. Answers the core
 * after the window is there; on failure a dialog shows the reason, and the process ends.
 */
export async function runDesktop(files: DesktopFiles = builtFiles): Promise<Sinete | undefined> {
  const links = listenForLinks();
  lockNavigation();
  app.setAppUserModelId('br.sinete.desktop');
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  // The tray keeps the application alive.
  app.on('window-all-closed', () => undefined);
  await app.whenReady();
  denyPermissions(session.defaultSession);
  let sinete: Sinete | undefined;
  try {
    sinete = await startCore();
    const desktop = await openDesktop(sinete, files);
    links.follow((link) => desktop.followLink(link));
    return sinete;
  } catch (error) {
    dialog.showErrorBox(textsOf(languageOf(app.getLocale())).startFailed, reasonOf(error));
    await sinete?.stop();
    app.exit(3);
    return undefined;
  }
}

/** Electron passes a path on unchanged, so a comma or a space in it has no special meaning. */
const shellFileOpener: FileOpener = {
  open: async (path) => (await shell.openPath(path)) === '',
  reveal: async (path) => {
    shell.showItemInFolder(path);
    return Promise.resolve(true);
  },
};

async function startCore(): Promise<Sinete> {
  const folder = dataFolder(undefined);
  const configuration = await readConfiguration({ dataFolder: folder, environment: process.env });
  return startSinete({
    dataFolder: folder,
    configuration,
    launcher: new UtilityHostLauncher(),
    fileOpener: shellFileOpener,
    findSystemProxy: systemProxy(session.defaultSession),
  });
}

/** Opens the window with everything around it. */
async function openDesktop(sinete: Sinete, { renderer, preload, icons }: DesktopFiles): Promise<Desktop> {
  const { transactions } = sinete.core;
  const result = async (tcn: string, documentId: string): Promise<ResultFile> => transactions.result(tcn, documentId);
  protocol.handle('app', await uiProtocol({ folder: renderer, result }));
  const window = new MainWindow({ preload, iconFolder: icons, session: session.defaultSession });
  const desktop = await Desktop.open({ sinete, window, icons });
  stopOnQuit(sinete, desktop);
  await window.prepare();
  if (!startsHidden()) window.show();
  return desktop;
}

function reasonOf(error: unknown): string {
  if (error instanceof StorageError) return `${error.message} ${error.remedy}`.trim();
  return error instanceof Error ? error.message : '';
}

/** Links wait until the desktop can follow them. macOS sends links by an event, other systems by a second start. */
function listenForLinks(): { follow(follower: (link: DeepLink) => void): void } {
  const early = [deepLinkAmong(process.argv)];
  let follow = (link: DeepLink): void => void early.push(link);
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = parseDeepLink(url);
    if (link !== undefined) follow(link);
  });
  app.on('second-instance', (_event, words) => {
    follow(deepLinkAmong(words) ?? { kind: 'open' });
  });
  app.on('activate', () => {
    follow({ kind: 'open' });
  });
  return {
    follow: (follower) => {
      follow = follower;
      for (const link of early) if (link !== undefined) follower(link);
    },
  };
}

function startsHidden(): boolean {
  return process.argv.includes(hiddenFlag) || app.getLoginItemSettings().wasOpenedAtLogin;
}

/** Running signatures are finished before the process ends. */
function stopOnQuit(sinete: Sinete, desktop: Desktop): void {
  let stopped = false;
  app.on('will-quit', (event) => {
    if (stopped) return;
    event.preventDefault();
    desktop.close();
    void sinete.stop().finally(() => {
      stopped = true;
      app.quit();
    });
  });
  const quit = (): void => app.quit();
  for (const signal of stopSignals) process.on(signal, quit);
  void wrappersEnd().then(quit);
  app.once('quit', () => {
    for (const signal of stopSignals) process.off(signal, quit);
  });
}

/** Denies every permission: the window needs none, and Electron grants all by default. */
function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, callback) => {
    callback(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler(null);
  session.setSpellCheckerEnabled(false);
}

/** Keeps every web contents, even an unintended one, on our own page and in its own window. */
function lockNavigation(): void {
  app.on('web-contents-created', (_event, contents) => {
    lockContents(contents);
  });
}

function lockContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.on('will-navigate', (event) => {
    if (!isUiPage(event.url)) event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    if (!isUiPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    event.preventDefault();
  });
}
