import { utilityProcess, type UtilityProcess } from 'electron';
import { HOST_FILE, type HostExit, type HostLauncher, type HostProcess, type HostRequest } from '../signing/index.ts';

/** Maximum number of characters kept of a driver's output, as with Node's fork. */
const MAX_OUTPUT = 8_192;

/**
 * Starts token processes as utility processes: `fork` does not work, because the fuse for running Electron as Node is
 * off. On macOS only this kind of process may load a vendor's library.
 */
export class UtilityHostLauncher implements HostLauncher {
  launch(environment: Readonly<Record<string, string>>): HostProcess {
    return new UtilityHost(
      utilityProcess.fork(HOST_FILE, [], {
        serviceName: 'sinete-token',
        env: { ...environment },
        execArgv: [],
        stdio: 'pipe',
        allowLoadingUnsignedLibraries: true,
        disclaim: true,
      }),
    );
  }
}

class UtilityHost implements HostProcess {
  readonly #child: UtilityProcess;
  #output = '';
  #capturing = true;
  #ended = false;

  constructor(child: UtilityProcess) {
    this.#child = child;
    child.once('exit', () => {
      this.#ended = true;
    });
    // Electron reports fatal errors of V8 here; the exit follows in another event.
    child.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer | string) => {
        if (this.#capturing) this.#output = (this.#output + text.toString()).slice(-MAX_OUTPUT);
      });
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(request: HostRequest): void {
    if (!this.#ended) this.#child.postMessage(request);
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#child.on('message', listener);
  }

  onExit(listener: (exit: HostExit) => void): void {
    this.#child.once('exit', (code: number) => {
      listener({ code, signal: null });
    });
  }

  kill(): void {
    const { pid } = this.#child;
    if (this.#ended || pid === undefined) {
      this.#child.kill();
      return;
    }
    try {
      // Electron's own `kill` sends SIGTERM, which a hanging driver ignores.
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended meanwhile.
    }
  }

  output(): string {
    return this.#output;
  }

  stopCapture(): void {
    this.#capturing = false;
  }
}
