/** Firefox without a window, driven over WebDriver BiDi (W3C Working Draft), as far as the walk of the window needs it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemTool } from '../setup/system-packages.ts';
import { until } from '../setup/waits.ts';

interface Answer {
  readonly id?: number;
  readonly type: 'success' | 'error' | 'event';
  readonly result?: Readonly<Record<string, unknown>>;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

type Waiting = (answer: Answer) => void;

/** One tab of a Firefox with a profile of its own. */
export class Firefox {
  /** Errors of the console and of scripts, as Firefox tells them. */
  readonly faults: string[] = [];
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  #context = '';
  #nextId = 1;

  private constructor(process: ChildProcess, profile: string, socket: WebSocket) {
    this.#process = process;
    this.#profile = profile;
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data)) as Answer));
  }

  /** Starts Firefox and opens a session with its first tab. */
  static async open(): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), 'sinete-firefox-'));
    const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
    const process = spawn(systemTool('firefox-esr'), options, { stdio: ['ignore', 'ignore', 'pipe'] });
    const address = await listeningAddress(process);
    const socket = new WebSocket(`${address}/session`);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error('Firefox refuses the connection.')), { once: true });
    });
    const firefox = new Firefox(process, profile, socket);
    await firefox.#send('session.new', { capabilities: {} });
    await firefox.#send('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = await firefox.#send('browsingContext.getTree', {});
    firefox.#context = (contexts as readonly { readonly context: string }[])[0]?.context ?? '';
    return firefox;
  }

  async close(): Promise<void> {
    this.#socket.close();
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await ended;
    await rm(this.#profile, { recursive: true, force: true });
  }

  async goTo(url: string): Promise<void> {
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' });
  }

  /** The value of an expression in the page: a text, a number, a truth value, or null. */
  async read(expression: string): Promise<unknown> {
    const target = { context: this.#context };
    const { result } = await this.#send('script.evaluate', { expression, target, awaitPromise: true });
    return (result as { readonly value?: unknown } | undefined)?.value ?? null;
  }

  /** Waits until the page shows a text. */
  async see(text: string): Promise<void> {
    await until(
      async () => (await this.read(`document.body.innerText.includes(${JSON.stringify(text)})`)) === true,
      `Firefox shows “${text}”`,
    );
  }

  /** Chooses files in the first element of a selector. */
  async chooseFiles(selector: string, files: readonly string[]): Promise<void> {
    await this.#send('input.setFiles', { context: this.#context, element: await this.#find(selector), files });
  }

  /** Clicks the first element of a selector with the mouse. */
  async click(selector: string): Promise<void> {
    const element = await this.#find(selector);
    await this.read(`document.querySelector(${JSON.stringify(selector)}).scrollIntoView({ block: 'center' })`);
    const pointer = [
      { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    const actions = [{ type: 'pointer', id: 'mouse', actions: pointer }];
    await this.#send('input.performActions', { context: this.#context, actions });
  }

  async #find(selector: string): Promise<{ readonly sharedId: string }> {
    const locator = { type: 'css', value: selector };
    let found: readonly { readonly sharedId: string }[] = [];
    await until(async () => {
      const { nodes } = await this.#send('browsingContext.locateNodes', { context: this.#context, locator });
      found = nodes as typeof found;
      return found.length > 0;
    }, `Firefox has an element ${selector}`);
    return { sharedId: found[0]!.sharedId };
  }

  async #send(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const id = this.#nextId++;
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
    if (answer.type === 'error') throw new Error(`${method}: ${answer.message ?? ''}`);
    return answer.result ?? {};
  }

  #take(answer: Answer): void {
    if (answer.type === 'event') {
      const { level, text } = answer.params ?? {};
      if (level === 'error') this.faults.push(String(text));
      return;
    }
    this.#waiting.get(answer.id ?? 0)?.(answer);
    this.#waiting.delete(answer.id ?? 0);
  }
}

/** Resolves with `ws://127.0.0.1:PORT`, which Firefox writes to its standard error. */
async function listeningAddress(process: ChildProcess): Promise<string> {
  if (process.stderr === null) throw new Error('Firefox has no standard error.');
  for await (const line of createInterface({ input: process.stderr })) {
    const [address] = /ws:\/\/\S+/.exec(line) ?? [];
    if (address !== undefined) {
      process.stderr.resume();
      return address;
    }
  }
  throw new Error('Firefox ended before it listened.');
}
