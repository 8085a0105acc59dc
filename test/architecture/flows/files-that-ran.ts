import { fileURLToPath } from 'node:url';

const source = new URL('../../../src/', import.meta.url).href;

/** The executed functions of a single source file, by name, without anonymous functions. */
export interface RanFile {
  /** Path below `src`. */
  readonly file: string;
  readonly functions: readonly string[];
}

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

/** Watches the main thread of a Node process under `--inspect`. */
export interface CoverageWatch {
  /** Source files with at least one function executed during `action`. */
  during: (action: () => Promise<void>) => Promise<readonly RanFile[]>;
  close: () => void;
}

/** Connects to the inspector at the address in the standard error of a process. */
export async function watchCoverage(output: string): Promise<CoverageWatch> {
  const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1];
  if (address === undefined) throw new Error(`No inspector listens: ${output}`);
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`The inspector at ${address} does not answer.`)));
  });
  const send = commandsOf(socket);
  await send('Profiler.enable');
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async during(action) {
      // Taking the coverage sets all counts to zero.
      await send('Profiler.takePreciseCoverage');
      await action();
      const { result } = (await send('Profiler.takePreciseCoverage')) as { readonly result: readonly ScriptCoverage[] };
      return result.flatMap(ranFile).sort((one, other) => one.file.localeCompare(other.file));
    },
    close: () => socket.close(),
  };
}

/** The way to call the inspector: a command with its parameters, and the result of its answer. */
function commandsOf(socket: WebSocket): (method: string, params?: object) => Promise<unknown> {
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let last = 0;
  return async (method, params = {}) => {
    const id = ++last;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    return answer;
  };
}

function ranFile({ url, functions }: ScriptCoverage): RanFile[] {
  if (!url.startsWith(source)) return [];
  const ran = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
  if (ran.length === 0) return [];
  const names = ran.map(({ functionName }) => functionName).filter((name) => name !== '');
  return [{ file: fileURLToPath(url).slice(fileURLToPath(source).length), functions: names }];
}
