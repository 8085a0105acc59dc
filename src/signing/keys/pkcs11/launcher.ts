/** How the child process of a module is started: by Node here, by Electron behind the same interface. */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HostRequest } from './protocol.ts';

/** How a child process ended: with an exit code, or by a signal. */
export interface HostExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running child process. */
export interface HostProcess {
  /** Undefined when it could not be started; `onExit` is then called too. */
  readonly pid: number | undefined;
  /** Messages to a process that has ended are dropped. */
  send(request: HostRequest): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once. */
  onExit(listener: (exit: HostExit) => void): void;
  /** Ends it at once; a driver gets no chance to refuse. */
  kill(): void;
  /** The end of what the driver has printed. Some print PINs when they debug: stop the capture before one is sent. */
  output(): string;
  stopCapture(): void;
}

export interface HostLauncher {
  /** Starts `host.ts` with exactly this environment. Does not throw. */
  launch(environment: Readonly<Record<string, string>>): HostProcess;
}

const MAX_OUTPUT = 8_192;
/** The program of the token process, for whoever starts it. */
export const HOST_FILE = fileURLToPath(new URL('./host.ts', import.meta.url));
const SHELL = '/bin/sh';

/**
 * What a driver may need from the environment of this process: where files, the smart card daemon, the desktop (some
 * drivers ask for the PIN in a window) and its own settings are. Everything else stays here.
 */
const INHERITED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'XDG_RUNTIME_DIR',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'PCSCLITE_CSOCK_NAME',
  'OPENSC_CONF',
  'SOFTHSM2_CONF',
  'SystemRoot',
  'SystemDrive',
  'windir',
  'ComSpec',
  'PATHEXT',
  'APPDATA',
  'LOCALAPPDATA',
  'ProgramData',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'CommonProgramFiles',
  'USERPROFILE',
  'USERNAME',
  'ALLUSERSPROFILE',
] as const;

/** Variables that change which code a process runs; a child that holds a PIN takes them from nobody. */
const FORBIDDEN = /^(?:NODE_|ELECTRON_|LD_PRELOAD$|LD_AUDIT$|DYLD_INSERT_LIBRARIES$)/i;

/** The environment of a child: the allow-listed variables of `own`, and `additional` ones, which win. */
export function childEnvironment(
  additional: Readonly<Record<string, string>> = {},
  own: Readonly<NodeJS.ProcessEnv> = process.env,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = own[name];
    if (value !== undefined) environment[name] = value;
  }
  for (const [name, value] of Object.entries(additional)) {
    if (!FORBIDDEN.test(name)) environment[name] = value;
  }
  return environment;
}

class ForkedHost implements HostProcess {
  readonly pid: number | undefined;
  readonly #child: ChildProcess;
  #output = '';
  #capturing = true;
  #ended = false;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.pid = child.pid;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8');
      stream?.on('data', (text: string) => this.#capture(text));
    }
  }

  send(request: HostRequest): void {
    if (!this.#child.connected) return;
    this.#child.send(request, () => {
      // A message that could not be delivered is known by the exit that follows.
    });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#child.on('message', listener);
  }

  onExit(listener: (exit: HostExit) => void): void {
    const end = (code: number | null, signal: string | null): void => {
      if (this.#ended) return;
      this.#ended = true;
      listener({ code, signal });
    };
    this.#child.once('exit', end);
    this.#child.on('error', () => {
      if (this.#child.pid === undefined) end(null, null);
    });
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  output(): string {
    return this.#output;
  }

  stopCapture(): void {
    this.#capturing = false;
  }

  #capture(text: string): void {
    if (this.#capturing) this.#output = (this.#output + text).slice(-MAX_OUTPUT);
  }
}

/**
 * Forks the running Node. Flags of this process are not inherited. Where there is a POSIX shell, it sets the size of
 * core files to zero and becomes the child: a memory image of it could hold a PIN.
 */
export class NodeHostLauncher implements HostLauncher {
  launch(environment: Readonly<Record<string, string>>): HostProcess {
    const throughShell = process.platform !== 'win32' && existsSync(SHELL);
    const child = fork(HOST_FILE, [], {
      execPath: throughShell ? SHELL : process.execPath,
      execArgv: throughShell ? ['-c', 'ulimit -c 0; exec "$0" "$@"', process.execPath] : [],
      env: { ...environment },
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
    });
    return new ForkedHost(child);
  }
}
