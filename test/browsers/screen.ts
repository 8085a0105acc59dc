/** A screen in memory with a window manager, its keyboard and its mouse. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { runTool } from '../oracles/run-program.ts';
import { systemTool } from '../setup/system-packages.ts';
import { letTimePass, until } from '../setup/waits.ts';

/** Milliseconds for a window to take in a key, before the next key. */
const BETWEEN_KEYS = 400;

export class Screen {
  /** `:91` */
  readonly display: string;
  readonly #processes: ChildProcess[];

  private constructor(display: string, processes: ChildProcess[]) {
    this.display = display;
    this.#processes = processes;
  }

  static async open(): Promise<Screen> {
    // Xvfb itself chooses a free display, and writes its number.
    const server = spawn(systemTool('Xvfb'), ['-displayfd', '1', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [number] = (await once(server.stdout, 'data')) as [Buffer];
    const display = `:${number.toString('utf8').trim()}`;
    const manager = spawn(systemTool('openbox'), [], { stdio: 'ignore', env: { ...process.env, DISPLAY: display } });
    process.once('exit', () => {
      for (const child of [manager, server]) child.kill('SIGTERM');
    });
    await until(() => existsSync(`/tmp/.X11-unix/X${display.slice(1)}`), 'the screen is there');
    return new Screen(display, [manager, server]);
  }

  /** Presses keys, one after the other, in the window with the focus. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.#tool(['key', '--clearmodifiers', key]);
      await letTimePass(BETWEEN_KEYS);
    }
  }

  async click(x: number, y: number): Promise<void> {
    await this.#tool(['mousemove', String(x), String(y), 'click', '1']);
  }

  /** Types into the window with the focus. */
  async type(text: string): Promise<void> {
    await this.#tool(['type', '--delay', '20', text]);
  }

  /** A picture of the screen as PNG. */
  async picture(file: string): Promise<void> {
    await runTool('import', ['-window', 'root', file], { environment: { DISPLAY: this.display } });
  }

  async close(): Promise<void> {
    for (const child of this.#processes) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  }

  async #tool(words: readonly string[]): Promise<void> {
    await runTool('xdotool', words, { environment: { DISPLAY: this.display } });
  }
}
