import { readFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { app } from 'electron';

/** Flag of an automatic start: the window stays closed. */
export const hiddenFlag = '--hidden';

/** Reads and changes the automatic start of Sinete in the session of its user. */
export interface Autostart {
  /** Null if unsupported: a checkout has no installed program to start. */
  read(): Promise<boolean | null>;
  write(enabled: boolean): Promise<void>;
}

/** The system's mechanism: Electron's login items if supported, an entry of our own on Linux. */
export function openAutostart(platform: NodeJS.Platform = process.platform): Autostart {
  if (!app.isPackaged) return { read: async () => Promise.resolve(null), write: async () => Promise.resolve() };
  return platform === 'linux' ? new AutostartEntry(process.env.APPIMAGE ?? process.execPath) : loginItem;
}

const loginItem: Autostart = {
  read: async () => Promise.resolve(app.getLoginItemSettings({ args: [hiddenFlag] }).openAtLogin),
  write: async (enabled) => {
    app.setLoginItemSettings({ openAtLogin: enabled, args: [hiddenFlag] });
    return Promise.resolve();
  },
};

/** An entry in the folder of the Desktop Application Autostart Specification. */
export class AutostartEntry implements Autostart {
  readonly #file: string;
  readonly #program: string;

  constructor(program: string, folder = join(app.getPath('appData'), 'autostart')) {
    this.#program = program;
    this.#file = join(folder, 'sinete.desktop');
  }

  async read(): Promise<boolean> {
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    return text !== '' && !/^(Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(text);
  }

  async write(enabled: boolean): Promise<void> {
    if (!enabled) {
      await rm(this.#file, { force: true });
      return;
    }
    await mkdir(dirname(this.#file), { recursive: true });
    await writeFile(this.#file, autostartEntry(this.#program), { mode: 0o600 });
  }
}

/** The entry's text; the program is quoted by the Desktop Entry Specification. */
export function autostartEntry(program: string): string {
  const quoted = `"${program.replaceAll(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  // A backslash of a string value is itself escaped.
  const exec = `${quoted} ${hiddenFlag}`.replaceAll('\\', '\\\\');
  return ['[Desktop Entry]', 'Type=Application', 'Name=Sinete', `Exec=${exec}`, 'Terminal=false', ''].join('\n');
}
