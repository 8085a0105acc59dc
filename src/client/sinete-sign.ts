/**
 * `<sinete-sign>`: a button that signs files, with its progress, its states and its help, in English and Portuguese. One
 * ES module without dependencies; the page needs no script of its own.
 *
 * ```html
 * <script type="module" src="sinete-sign.js"></script>
 * <sinete-sign type="PAdES" accept=".pdf"></sinete-sign>
 * ```
 */
import {
  Sinete,
  SineteError,
  type FindOptions,
  type SignedFile,
  type SignOptions,
  type SignProgress,
} from './index.ts';
import { elementStyle, elementWords, type ElementWords } from './sinete-sign-parts.ts';

export { Sinete, SineteError };

/** Outside of a page there are no elements; programs can still import the module. */
const Base = (typeof HTMLElement === 'undefined' ? Object : HTMLElement) as typeof HTMLElement;

/** States of the element, also its attribute `state`, for style sheets. */
export type SineteSignState = 'idle' | 'finding' | 'working' | 'done' | 'problem';

/**
 * Attributes: `type` (default `PAdES`), `policy`, `certificate`, `hash`, `accept`, `for` (the id of the page's own file
 * input), `way`, `ports` (separated by commas), `help` (address of the page's own help), `lang`. Events, which bubble:
 * `sinete-progress` with a `SignProgress`, `sinete-signed` with the results as `SignedFile[]`, and `sinete-error` with a
 * `SineteError`, each in `detail`.
 */
export class SineteSign extends Base {
  readonly #root: ShadowRoot;
  #running: AbortController | undefined;
  #links: string[] = [];

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    // A constructed style sheet needs no permission of the page's content security policy.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(elementStyle);
    this.#root.adoptedStyleSheets = [sheet];
  }

  /** Called by the browser. */
  connectedCallback(): void {
    if (this.#root.childElementCount > 0) return;
    const words = this.#words();
    const picker = labelled('label', words.choose, 'picker');
    const input = Object.assign(document.createElement('input'), { type: 'file', multiple: true });
    input.id = 'files';
    input.accept = this.getAttribute('accept') ?? '';
    picker.append(input);
    picker.hidden = this.hasAttribute('for');
    const buttons = document.createElement('div');
    buttons.className = 'buttons';
    buttons.append(
      button('sign', words.sign, () => void this.#run(this.#way())),
      button('bridge', words.bridge, () => void this.#run('bridge'), true),
      button('cancel', words.cancel, () => this.#running?.abort(), true),
    );
    const progress = document.createElement('progress');
    progress.max = 1;
    progress.hidden = true;
    progress.setAttribute('aria-label', words.progress);
    const status = document.createElement('p');
    status.id = 'status';
    status.setAttribute('role', 'status');
    const help = Object.assign(document.createElement('a'), { id: 'help', target: '_blank', rel: 'noopener' });
    help.textContent = words.help;
    help.hidden = true;
    const results = document.createElement('ul');
    results.setAttribute('aria-label', words.results);
    this.#root.append(picker, buttons, progress, status, help, results);
    this.#show('idle', '');
  }

  /** Called by the browser: the work ends with the element. */
  disconnectedCallback(): void {
    this.#running?.abort();
    this.#forgetResults();
  }

  /** Signs the chosen files, as a click on the button does; call it from a click. */
  async sign(): Promise<void> {
    await this.#run(this.#way());
  }

  #words(): ElementWords {
    const language = this.closest('[lang]')?.getAttribute('lang') ?? navigator.language;
    return elementWords[/^pt\b/i.test(language) ? 'pt-BR' : 'en'];
  }

  #way(): FindOptions['way'] {
    const way = this.getAttribute('way');
    return way === 'direct' || way === 'bridge' ? way : 'auto';
  }

  #files(): readonly File[] {
    const id = this.getAttribute('for');
    const input =
      id === null ? this.#root.querySelector<HTMLInputElement>('#files') : this.ownerDocument.getElementById(id);
    return [...((input as HTMLInputElement | null)?.files ?? [])];
  }

  async #run(way: FindOptions['way']): Promise<void> {
    if (this.#running !== undefined) return;
    const words = this.#words();
    const files = this.#files();
    if (files.length === 0) {
      this.#show('problem', words.noFiles);
      return;
    }
    const running = new AbortController();
    this.#running = running;
    this.#forgetResults();
    this.#show('finding', words.finding);
    let sinete: Sinete | undefined;
    try {
      // Without an await before it: a window opens only during the click.
      sinete = await Sinete.find({ way, ports: this.#ports(), help: this.#attribute('help'), signal: running.signal });
      this.#show('working', words.phases.uploading);
      const signed = await sinete.sign(files, { ...this.#options(), signal: running.signal });
      await this.#list(signed, words);
      const done = signed.filter(({ status }) => status === 'SIGNED').length;
      this.#show(done === signed.length ? 'done' : 'problem', words.done(done, signed.length));
      this.#tell('sinete-signed', signed);
    } catch (error) {
      this.#showError(error, words);
    } finally {
      sinete?.close();
      this.#running = undefined;
      this.#hide('cancel', true);
    }
  }

  #attribute(name: string): string | undefined {
    return this.getAttribute(name) ?? undefined;
  }

  #ports(): readonly number[] | undefined {
    return this.#attribute('ports')
      ?.split(',')
      .map((text) => Number(text))
      .filter((port) => Number.isInteger(port) && port > 0 && port < 65_536);
  }

  #options(): SignOptions {
    return {
      type: (this.#attribute('type') ?? 'PAdES') as SignOptions['type'],
      policy: this.#attribute('policy'),
      certificate: this.#attribute('certificate'),
      hash: this.#attribute('hash') as SignOptions['hash'],
      onProgress: (progress) => {
        this.#showProgress(progress);
      },
    };
  }

  #showProgress(told: SignProgress): void {
    const { phase, sent, size, signed, failed, documents } = told;
    const words = this.#words();
    this.#show('working', words.phases[phase]);
    const progress = this.#root.querySelector('progress');
    const uploaded = size === 0 ? 0 : sent / size;
    if (progress !== null) progress.value = uploaded / 2 + (signed + failed) / documents / 2;
    this.#tell('sinete-progress', told);
  }

  async #list(signed: readonly SignedFile[], words: ElementWords): Promise<void> {
    const list = this.#root.querySelector('ul');
    for (const file of signed) {
      const item = document.createElement('li');
      if (file.status === 'SIGNED') {
        const result = await file.download();
        const link = document.createElement('a');
        link.href = URL.createObjectURL(result);
        this.#links.push(link.href);
        link.download = result.name;
        link.textContent = result.name;
        item.append(link);
      } else {
        item.className = 'failed';
        item.textContent = `${file.source.name}: ${file.error?.detail ?? words.notSigned}`;
      }
      list?.append(item);
    }
  }

  #showError(error: unknown, words: ElementWords): void {
    const told = error instanceof SineteError ? error : new SineteError('FAILED', String(error), { cause: error });
    const language = words === elementWords['pt-BR'] ? 'pt-BR' : 'en';
    this.#show('problem', told.forUser[language]);
    this.#hide('bridge', !told.offersBridge);
    const help = this.#root.querySelector<HTMLAnchorElement>('#help');
    if (help !== null) {
      help.hidden = told.help === undefined;
      if (told.help !== undefined) help.href = told.help;
    }
    this.#tell('sinete-error', told);
  }

  #show(state: SineteSignState, text: string): void {
    this.setAttribute('state', state);
    const isBusy = state === 'finding' || state === 'working';
    const status = this.#root.querySelector('#status');
    if (status !== null && status.textContent !== text) status.textContent = text;
    const sign = this.#root.querySelector<HTMLButtonElement>('#sign');
    if (sign !== null) sign.disabled = isBusy;
    const progress = this.#root.querySelector('progress');
    if (progress !== null) {
      progress.hidden = state !== 'working';
      if (state === 'finding') progress.value = 0;
    }
    this.#hide('cancel', !isBusy);
    this.#hide('bridge', true);
    this.#hide('help', true);
  }

  #hide(id: string, isHidden: boolean): void {
    const element = this.#root.querySelector<HTMLElement>(`#${id}`);
    if (element !== null) element.hidden = isHidden;
  }

  #forgetResults(): void {
    for (const link of this.#links) URL.revokeObjectURL(link);
    this.#links = [];
    this.#root.querySelector('ul')?.replaceChildren();
  }

  #tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

function labelled(name: 'label', text: string, className: string): HTMLLabelElement {
  const element = document.createElement(name);
  element.className = className;
  const span = document.createElement('span');
  span.textContent = text;
  element.append(span);
  return element;
}

function button(id: string, text: string, press: () => void, isHidden = false): HTMLButtonElement {
  const element = Object.assign(document.createElement('button'), { id, type: 'button', hidden: isHidden });
  element.textContent = text;
  element.addEventListener('click', press);
  return element;
}

if (typeof customElements !== 'undefined' && customElements.get('sinete-sign') === undefined) {
  customElements.define('sinete-sign', SineteSign);
}
