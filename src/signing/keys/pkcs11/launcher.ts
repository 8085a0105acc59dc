/** Starts the child process of a module: with Node here, with Electron behind the same interface. */
import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dropUndefined } from '../../../values/drop-undefined.ts';
import type { HostRequest } from './protocol.ts';

/** The end of a child process: an exit code or a signal. */
export interface HostExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running child process. */
export interface HostProcess {
  /** Undefined if the process could not be started; `onExit` is then called too. */
  readonly pid: number | undefined;
  /** Sends a request. Requests to an ended process are dropped. */
  send(request: HostRequest): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once. */
  onExit(listener: (exit: HostExit) => void): void;
  /** Ends the process at once, without the driver's cooperation. */
  kill(): void;
  /**
   * The last part of the driver's output. Some drivers print PINs when debugging, so stop the capture before sending a
   * PIN.
   */
  output(): string;
  stopCapture(): void;
}

/** Starts the process of a PKCS#11 module, under Node or under Electron. */
export interface HostLauncher {
  /** Starts `host.ts` with this environment; Node is told its folder of compiled code besides. Does not throw. */
  launch(environment: Readonly<Record<string, string>>): HostProcess;
}

const MAX_OUTPUT = 8_192;
/** The program of the token process, for launchers. */
export const HOST_FILE = fileURLToPath(new URL('./host.ts', import.meta.url));
const SHELL = '/bin/sh';

/**
 * Environment variables that a driver may need: the places of files, the smart card daemon, the desktop (some drivers
 * ask for the PIN in a window) and the driver's own settings. No other variable is passed on.
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

/**
 * Variables that change the code of a process. A child that holds a PIN never inherits these variables. The folder of
 * compiled code is the exception of `NodeHostLauncher`: this process runs code from it too.
 */
const FORBIDDEN = /^(?:NODE_|ELECTRON_|LD_PRELOAD$|LD_AUDIT$|DYLD_INSERT_LIBRARIES$)/i;

/** The environment of a child: the allow-listed variables of `own`, overridden by `additional`. */
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
      // An undelivered message is noticed by the exit of the process.
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
 * Forks the running Node. Flags of this process are not inherited. The child reads compiled code from the folder that
 * this process reads it from, so that it starts sooner. A POSIX shell, if present, sets the size of core
 * files to zero and then becomes the child, because a memory image could hold a PIN.
 */
export class NodeHostLauncher implements HostLauncher {
  launch(environment: Readonly<Record<string, string>>): HostProcess {
    const throughShell = process.platform !== 'win32' && existsSync(SHELL);
    const child = fork(HOST_FILE, [], {
      execPath: throughShell ? SHELL : process.execPath,
      execArgv: throughShell ? ['-c', 'ulimit -c 0; exec "$0" "$@"', process.execPath] : [],
      env: dropUndefined({ ...environment, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }),
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
    });
    return new ForkedHost(child);
  }
}
