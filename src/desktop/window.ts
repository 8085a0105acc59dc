import { join } from 'node:path';
import { app, BrowserWindow, type Session, type WebContents } from 'electron';
import { uiPage } from './ui-address.ts';

/** Parts of the window. */
export interface WindowParts {
  /** The preload script, a CommonJS file. */
  readonly preload: string;
  readonly iconFolder: string;
  readonly session: Session;
}

/**
 * The only window. Closing hides it: Sinete stays in the tray. When something waits for the owner, the window comes to
 * the front with the keyboard focus, and stays there until the owner switches to another window.
 */
export class MainWindow {
  readonly #parts: WindowParts;
  #window: BrowserWindow | undefined;
  #loaded: Promise<void> = Promise.resolve();
  /** True if the window was hidden before an approval brought it to the front. */
  #raisedFromHiding = false;
  #quitting = false;

  constructor(parts: WindowParts) {
    this.#parts = parts;
    app.on('before-quit', () => {
      this.#quitting = true;
    });
  }

  /** The contents of the window; undefined while there is none. */
  get contents(): WebContents | undefined {
    return this.#window?.isDestroyed() === false ? this.#window.webContents : undefined;
  }

  /** Creates the hidden window in advance. */
  async prepare(): Promise<void> {
    this.#open();
    return this.#loaded;
  }

  /** Shows the window on its owner's request. */
  show(): void {
    this.#raisedFromHiding = false;
    const window = this.#open();
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Brings the window to the front with the keyboard focus. */
  raise(): void {
    const window = this.#open();
    const hidden = !window.isVisible() || window.isMinimized();
    this.#raisedFromHiding ||= hidden;
    window.setAlwaysOnTop(true, 'screen-saver');
    if (window.isMinimized()) window.restore();
    window.show();
    window.moveTop();
    app.focus({ steal: true });
    window.focus();
    window.flashFrame(true);
  }

  /** Called when nothing waits any more: a window shown only for approvals is hidden again. */
  settle(): void {
    const window = this.#window;
    if (window === undefined || window.isDestroyed()) return;
    window.setAlwaysOnTop(false);
    window.flashFrame(false);
    if (this.#raisedFromHiding) window.hide();
    this.#raisedFromHiding = false;
  }

  /** Keeps the window out of screenshots and shared screens while secrets are typed; Linux has no such feature. */
  protect(secret: boolean): void {
    this.#window?.setContentProtection(secret);
  }

  #open(): BrowserWindow {
    const known = this.#window;
    if (known?.isDestroyed() === false) return known;
    const window = new BrowserWindow(this.#options());
    this.#window = window;
    window.removeMenu();
    window.on('close', (event) => {
      if (this.#quitting) return;
      event.preventDefault();
      this.#raisedFromHiding = false;
      window.hide();
    });
    window.on('blur', () => {
      window.setAlwaysOnTop(false);
    });
    window.on('focus', () => {
      window.flashFrame(false);
    });
    // A crashed renderer closes its window; the next use creates another.
    window.webContents.on('render-process-gone', () => {
      window.destroy();
    });
    this.#loaded = window.loadURL(uiPage);
    return window;
  }

  #options(): Electron.BrowserWindowConstructorOptions {
    const { preload, session, iconFolder } = this.#parts;
    return {
      width: 1100,
      height: 760,
      minWidth: 480,
      minHeight: 420,
      show: false,
      title: 'Sinete',
      icon: join(iconFolder, 'app', '256.png'),
      autoHideMenuBar: true,
      webPreferences: {
        preload,
        session,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        navigateOnDragDrop: false,
        spellcheck: false,
        devTools: !app.isPackaged,
      },
    };
  }
}
