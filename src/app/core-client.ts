import { ServiceError, SigningError } from '../service/index.ts';
import type { CallInput, CallName, CallOutput, CallResult } from '../ui-contract/ui-contract.ts';
import { AppError } from './app-error.ts';
import { readConfiguration } from './config.ts';
import { dataFolder } from './data-folder.ts';
import { readInstanceFile, type InstanceFile } from './instance-file.ts';
import { openCore, requesters } from './open-core.ts';
import { askPassphraseHere } from './secret-input.ts';
import { buildUiCalls } from './ui-calls.ts';

/** What a command of the command line asks the core through: the same calls as the GUI's. */
export interface CoreClient {
  /** True when another process runs the core: what it keeps in memory stays there. */
  readonly remote: boolean;
  /** Rejects with `AppError` that says what the core refused. */
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>>;
  close(): Promise<void>;
}

/** Where a command works, as its options say. */
export interface ClientOptions {
  readonly data?: string;
  readonly config?: string;
}

/** A running instance that answers, with the key to call it. */
export interface RunningInstance extends InstanceFile {
  readonly baseUrl: string;
}

/** Talks to the instance that runs on the data folder, or opens the core in this process when none does. */
export async function openCoreClient(options: ClientOptions): Promise<CoreClient> {
  const folder = dataFolder(options.data);
  const running = await findRunningInstance(folder);
  if (running !== undefined) return remoteClient(running);
  const configuration = await readConfiguration({
    dataFolder: folder,
    ...(options.config === undefined ? {} : { file: options.config }),
    environment: process.env,
  });
  const core = await openCore({ dataFolder: folder, configuration, askPassphrase: askPassphraseHere });
  const handlers = buildUiCalls(core, requesters['command-line'], () => '');
  return {
    remote: false,
    call: async (name, input) => {
      // The handler of this very name; the compiler cannot follow the pair through the table.
      const handle = handlers[name] as (input: unknown) => Promise<never>;
      return handle(input).catch(rethrowForPeople);
    },
    close: async () => core.close(),
  };
}

/** The instance on this data folder, if one answers there; a file that was left behind is not one. */
export async function findRunningInstance(folder: string): Promise<RunningInstance | undefined> {
  const file = await readInstanceFile(folder);
  if (file === undefined) return undefined;
  const baseUrl = `http://127.0.0.1:${file.port}`;
  try {
    const response = await fetch(`${baseUrl}/.well-known/sinete`, { signal: AbortSignal.timeout(5000) });
    const answer = (await response.json()) as { readonly instance?: unknown };
    return answer.instance === file.instance ? { ...file, baseUrl } : undefined;
  } catch {
    return undefined;
  }
}

/** A fresh one-time link from a running instance. */
export async function requestLink({ baseUrl, controlKey }: RunningInstance): Promise<string> {
  const headers = { Authorization: `Sinete-Control ${controlKey}` };
  const response = await fetch(`${baseUrl}/ui/links`, { method: 'POST', headers });
  const answer = (await response.json()) as { readonly link?: unknown };
  if (typeof answer.link !== 'string') throw new AppError(3, 'The running instance gave no link.');
  return answer.link;
}

function remoteClient(running: RunningInstance): CoreClient {
  return {
    remote: true,
    call: async (name, input) => callRemote(running, name, input),
    close: async () => Promise.resolve(),
  };
}

async function callRemote<Name extends CallName>(
  { baseUrl, controlKey }: RunningInstance,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> {
  const response = await fetch(`${baseUrl}/ui/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Sinete-Control ${controlKey}` },
    body: JSON.stringify({ call: name, input }),
  }).catch((cause: unknown) => {
    throw new AppError(3, 'The running instance does not answer.', { cause });
  });
  if (!response.ok) throw new AppError(3, `The running instance refused the call with status ${response.status}.`);
  const result = (await response.json()) as CallResult<CallOutput<Name>>;
  if (result.ok) return result.value;
  throw new AppError(exitCodeOf(result.error.code), result.error.message);
}

function rethrowForPeople(error: unknown): never {
  const known = error instanceof ServiceError || error instanceof SigningError;
  if (!known) throw error;
  throw new AppError(exitCodeOf(error.code), error.message, { cause: error });
}

/** Codes that say that something is out of reach; the others say no. */
function exitCodeOf(code: string): 1 | 2 | 3 {
  if (code === 'INPUT_INVALID' || code === 'REQUEST_INVALID') return 2;
  return /UNAVAILABLE|STORAGE|MODULE_|TOKEN_|UNREACHABLE|BUSY|INTERNAL/.test(code) ? 3 : 1;
}
