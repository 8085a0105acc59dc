import { existsSync, readFileSync } from 'node:fs';
import type { AppUpdater } from 'electron-updater';
import type { Configuration } from '../app/config/config.ts';
import type { DesktopView } from '../ui-contract/desktop-contract.ts';

type UpdateView = DesktopView['updates'];

/** The facts that decide whether this installation searches for updates. */
export interface UpdateSurroundings {
  readonly mode: Configuration['updates'];
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** `app-update.yml`, written by the installer's build with an address of updates. */
  readonly settingsFile: string;
}

/** Milliseconds between two searches for an update. */
const period = 24 * 3600 * 1000;

/**
 * True if updates are searched for. An installer without an address has no updates. On Windows an address without the
 * publisher's name would leave signatures unchecked, so it counts as none.
 */
export function mayUpdate({ mode, isPackaged, platform, settingsFile }: UpdateSurroundings): boolean {
  if (mode === 'off' || !isPackaged || !existsSync(settingsFile)) return false;
  const text = readFileSync(settingsFile, 'utf8');
  if (/^url:\s*['"]?http:/m.test(text)) return false;
  return platform !== 'win32' || /^publisherName:/m.test(text);
}

/**
 * Updates by electron-updater. On Windows it compares the publisher, on macOS the code signature. It checks no
 * signature of Linux packages, so there the owner is only informed, and nothing is downloaded.
 */
export class Updates {
  readonly #surroundings: UpdateSurroundings;
  readonly #load: () => Promise<AppUpdater>;
  readonly #onChange: (view: UpdateView) => void;
  #updater: AppUpdater | undefined;
  #timer: NodeJS.Timeout | undefined;
  #view: UpdateView = { state: 'off', version: null };

  constructor(
    surroundings: UpdateSurroundings,
    onChange: (view: UpdateView) => void,
    load: () => Promise<AppUpdater> = async () => (await import('electron-updater')).default.autoUpdater,
  ) {
    this.#surroundings = surroundings;
    this.#onChange = onChange;
    this.#load = load;
  }

  get view(): UpdateView {
    return this.#view;
  }

  /** Searches now and once a day, if updates are allowed. */
  async start(): Promise<void> {
    if (!mayUpdate(this.#surroundings)) return;
    const updater = await this.#load();
    this.#updater = updater;
    const { mode, platform } = this.#surroundings;
    updater.autoDownload = platform !== 'linux';
    updater.autoInstallOnAppQuit = mode === 'automatic' && platform !== 'linux';
    updater.allowDowngrade = false;
    updater.logger = null;
    this.#follow(updater);
    this.#timer = setInterval(() => void this.check(), period);
    await this.check();
  }

  /** Searches now. The view shows failures. */
  async check(): Promise<void> {
    const { state } = this.#view;
    if (this.#updater === undefined || state === 'ready' || state === 'downloading') return;
    await this.#updater.checkForUpdates().catch(() => this.#set('failed', null));
  }

  /** Quits and installs the ready update, if any. */
  install(): void {
    if (this.#view.state === 'ready') this.#updater?.quitAndInstall(false, true);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #follow(updater: AppUpdater): void {
    const fetches = updater.autoDownload;
    updater.on('checking-for-update', () => this.#set('checking', null));
    updater.on('update-not-available', () => this.#set('current', null));
    updater.on('update-available', ({ version }) => this.#set(fetches ? 'downloading' : 'available', version));
    updater.on('update-downloaded', ({ version }) => this.#set('ready', version));
    updater.on('error', () => this.#set('failed', null));
  }

  #set(state: UpdateView['state'], version: string | null): void {
    this.#view = { state, version };
    this.#onChange(this.#view);
  }
}
