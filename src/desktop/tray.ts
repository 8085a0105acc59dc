import { join } from 'node:path';
import { Menu, nativeImage, Tray, type MenuItemConstructorOptions, type NativeImage } from 'electron';
import type { DesktopTexts } from './texts.ts';
import { trayMenu, trayState, type TrayCommand, type TrayFacts, type TrayItem, type TrayState } from './tray-model.ts';

/** Shows the model in the system's tray. */
export class TrayIcon {
  readonly #tray: Tray;
  readonly #iconFolder: string;
  readonly #onCommand: (command: TrayCommand) => void;
  #shown = '';

  constructor(iconFolder: string, onCommand: (command: TrayCommand) => void) {
    this.#iconFolder = iconFolder;
    this.#onCommand = onCommand;
    this.#tray = new Tray(this.#icon('idle'));
    this.#tray.on('click', () => {
      onCommand({ kind: 'open', address: '' });
    });
  }

  /** Redraws only after changes, because redrawing would close an open menu. */
  show(facts: TrayFacts, texts: DesktopTexts): void {
    const state = trayState(facts);
    const items = trayMenu(facts, texts);
    const shown = JSON.stringify([state, items]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#tray.setImage(this.#icon(state));
    this.#tray.setToolTip(texts.state[state]);
    this.#tray.setContextMenu(Menu.buildFromTemplate(items.map((item) => this.#template(item))));
  }

  close(): void {
    this.#tray.destroy();
  }

  #icon(state: TrayState): NativeImage {
    return nativeImage.createFromPath(join(this.#iconFolder, 'tray', trayIconName(state, process.platform)));
  }

  #template(item: TrayItem): MenuItemConstructorOptions {
    switch (item.kind) {
      case 'separator':
        return { type: 'separator' };
      case 'label':
        return { label: item.text, enabled: false };
      case 'command':
        return { label: item.text, click: () => this.#onCommand(item.command) };
      case 'check':
        return {
          label: item.text,
          type: 'checkbox',
          checked: item.checked,
          click: () => this.#onCommand(item.command),
        };
      case 'choice':
        return { label: item.text, type: 'radio', checked: item.checked, click: () => this.#onCommand(item.command) };
      case 'submenu':
        return { label: item.text, submenu: item.items.map((inner) => this.#template(inner)) };
    }
  }
}

/** The file of an icon: Windows chooses a size from an ICO, macOS colours a template image, Linux needs a PNG. */
export function trayIconName(state: TrayState, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `${state}.ico`;
  return platform === 'darwin' ? `${state}-Template.png` : `${state}.png`;
}
