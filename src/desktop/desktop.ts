import { join } from 'node:path';
import { app, session } from 'electron';
import type { Sinete } from '../app/instance/start-sinete.ts';
import { desktopLanguage, type DesktopLanguage, type DesktopView } from '../ui-contract/desktop-contract.ts';
import { Attention } from './attention.ts';
import { openAutostart } from './autostart.ts';
import { CoreWatch, type CoreFacts } from './core-watch.ts';
import type { DeepLink } from './deep-links.ts';
import { desktopCallHandlers } from './desktop-calls.ts';
import { openIpc, tellWindow } from './ipc.ts';
import { lockTokensWhenAway } from './power.ts';
import { languageOf, textsOf, type DesktopTexts } from './texts.ts';
import type { TrayCommand } from './tray-model.ts';
import { TrayIcon } from './tray.ts';
import { Updates } from './updates.ts';
import type { MainWindow } from './window.ts';

/** Parts of the desktop. */
export interface DesktopParts {
  readonly sinete: Sinete;
  readonly window: MainWindow;
  readonly icons: string;
}

/** The setting with the language of tray and notifications. */
const languageSetting = 'desktop.language';

/** Tray, notifications, calls of the window and events of the system, around a running core. */
export class Desktop {
  readonly #sinete: Sinete;
  readonly #window: MainWindow;
  readonly #tray: TrayIcon;
  readonly #attention: Attention;
  readonly #updates: Updates;
  readonly #watch: CoreWatch;
  readonly #leave: () => void;
  #language: DesktopLanguage;

  private constructor({ sinete, window, icons }: DesktopParts, language: DesktopLanguage) {
    this.#sinete = sinete;
    this.#window = window;
    this.#language = language;
    this.#attention = new Attention(window);
    this.#tray = new TrayIcon(icons, (command) => this.#obey(command));
    this.#watch = new CoreWatch(sinete, (facts, before) => this.#show(facts, before));
    this.#updates = new Updates(
      {
        mode: sinete.core.configuration.updates,
        isPackaged: app.isPackaged,
        platform: process.platform,
        settingsFile: join(process.resourcesPath, 'app-update.yml'),
      },
      (view) => this.#tellUpdate(view),
    );
    this.#leave = sinete.onEvent((event) => tellWindow(window.contents, { name: 'core', event }));
  }

  static async open(parts: DesktopParts): Promise<Desktop> {
    const { settings } = parts.sinete.core.storage;
    const chosen = desktopLanguage.safeParse(await settings.read(languageSetting));
    const desktop = new Desktop(parts, chosen.success ? chosen.data : languageOf(app.getLocale()));
    desktop.#answerWindow();
    keepResultsInDownloads();
    lockTokensWhenAway(parts.sinete);
    desktop.#watch.lookSoon();
    void desktop.#updates.start();
    return desktop;
  }

  /** Shows the page of a link; the owner decides there. */
  followLink(link: DeepLink): void {
    switch (link.kind) {
      case 'open':
        this.#open('');
        return;
      case 'pair':
        this.#open(`#/sites?pair=${encodeURIComponent(link.origin)}`);
    }
  }

  close(): void {
    this.#leave();
    this.#watch.close();
    this.#updates.close();
    this.#tray.close();
  }

  get #texts(): DesktopTexts {
    return textsOf(this.#language);
  }

  #answerWindow(): void {
    const { core, pause, baseUrl } = this.#sinete;
    const onFailure = (error: unknown, call: string): void => {
      core.log.failure(call, error);
    };
    const language = {
      read: () => this.#language,
      write: async (chosen: DesktopLanguage) => {
        this.#language = chosen;
        await core.storage.settings.write(languageSetting, chosen);
      },
    };
    const onChange = (): void => this.#changed();
    const desktop = desktopCallHandlers({
      autostart: openAutostart(),
      pause,
      updates: this.#updates,
      language,
      onChange,
      interfacePage: `${baseUrl}/`,
    });
    openIpc({ sinete: this.#sinete, desktop, window: () => this.#window.contents, onFailure });
  }

  #changed(): void {
    tellWindow(this.#window.contents, { name: 'desktop-changed' });
    this.#draw();
  }

  #show(facts: CoreFacts, before: CoreFacts): void {
    this.#attention.look(facts, before, this.#texts);
    if (facts.paused === before.paused) this.#draw();
    else this.#changed();
  }

  #draw(): void {
    const { facts } = this.#watch;
    const { state, version } = this.#updates.view;
    const update = state === 'ready' ? version : null;
    const waiting = facts.waiting.length + facts.questions.length;
    this.#tray.show({ ...facts, waiting, update }, this.#texts);
  }

  #tellUpdate({ state, version }: DesktopView['updates']): void {
    this.#changed();
    if (version === null) return;
    const title = this.#texts.updateTitle(version);
    if (state === 'ready') this.#attention.tell(title, this.#texts.updateReady);
    if (state === 'available') this.#attention.tell(title, this.#texts.updateElsewhere);
  }

  #open(address: string): void {
    this.#window.show();
    if (address !== '') tellWindow(this.#window.contents, { name: 'go-to', address });
  }

  #obey(command: TrayCommand): void {
    switch (command.kind) {
      case 'open':
        this.#open(command.address);
        return;
      case 'select-user':
        void this.#sinete.callUi('assistant.select', { username: command.username }).then(() => this.#watch.lookSoon());
        return;
      case 'pause':
        this.#sinete.pause.set(command.paused);
        return;
      case 'install-update':
        this.#updates.install();
        return;
      case 'quit':
        app.quit();
    }
  }
}

/** Asks the owner where to save a result or report, starting in the downloads folder. */
function keepResultsInDownloads(): void {
  session.defaultSession.on('will-download', (event, item) => {
    const address = item.getURL();
    // The page itself makes reports, as blobs of its own origin.
    if (!address.startsWith('app://ui/results/') && !address.startsWith('blob:app://ui/')) {
      event.preventDefault();
      return;
    }
    item.setSaveDialogOptions({ defaultPath: join(app.getPath('downloads'), item.getFilename()) });
  });
}
