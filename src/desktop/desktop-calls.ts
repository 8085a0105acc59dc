import { app, clipboard, dialog, shell, type OpenDialogOptions } from 'electron';
import type { ApiPause } from '../app/instance/readiness.ts';
import type { DesktopHandlers, DesktopLanguage, DesktopLink, DesktopView } from '../ui-contract/desktop-contract.ts';
import type { Autostart } from './autostart.ts';
import type { Updates } from './updates.ts';

/** Services for the calls of the shell. */
export interface DesktopCallParts {
  readonly autostart: Autostart;
  readonly pause: ApiPause;
  readonly updates: Pick<Updates, 'view' | 'check' | 'install'>;
  readonly language: { read(): DesktopLanguage; write(language: DesktopLanguage): Promise<void> };
  /** The page of this instance about the interface: `http://127.0.0.1:17171/`. */
  readonly interfacePage: string;
  /** Called when the answer of `desktop.read` changes. */
  readonly onChange: () => void;
}

/** The shell's side of the table. */
export function desktopCallHandlers(parts: DesktopCallParts): DesktopHandlers {
  const { autostart, pause, updates, language, onChange } = parts;
  const read = async (): Promise<DesktopView> => ({
    autostart: await autostart.read(),
    paused: pause.paused,
    language: language.read(),
    updates: updates.view,
  });
  const changed = async (): Promise<DesktopView> => {
    onChange();
    return read();
  };
  return {
    'desktop.read': read,
    'desktop.setAutostart': async ({ enabled }) => {
      await autostart.write(enabled);
      return changed();
    },
    'desktop.setLanguage': async ({ language: chosen }) => {
      await language.write(chosen);
      return changed();
    },
    'desktop.setPaused': async ({ paused }) => {
      pause.set(paused);
      return changed();
    },
    'desktop.chooseFolder': async ({ title, from }) => ({ path: await chooseFolder(title, from) }),
    'desktop.copyText': async ({ text }) => {
      await clipboard.writeText(text);
      return {};
    },
    'desktop.openLink': async ({ link }) => {
      await shell.openExternal(linkAddresses(parts.interfacePage)[link]);
      return {};
    },
    'desktop.checkForUpdates': async () => {
      await updates.check();
      return read();
    },
    'desktop.installUpdate': async () => {
      updates.install();
      return Promise.resolve({});
    },
  };
}

/** Every address opened by the shell in a browser. */
function linkAddresses(interfacePage: string): Readonly<Record<DesktopLink, string>> {
  return { validar: 'https://validar.iti.gov.br/', interface: interfacePage };
}

async function chooseFolder(title: string, from: string | undefined): Promise<string | null> {
  const options: OpenDialogOptions = {
    title,
    defaultPath: from ?? app.getPath('documents'),
    properties: ['openDirectory', 'createDirectory'],
  };
  const { canceled, filePaths } = await dialog.showOpenDialog(options);
  return canceled ? null : (filePaths[0] ?? null);
}
