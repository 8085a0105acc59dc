import type { CallInput, CallName, CallOutput, CallResult } from '../../ui-contract/ui-contract.ts';
import { AppError, exitCodeOf } from '../app-error.ts';
import type { ClientOptions, CoreClient } from './client.ts';
import { dataFolder } from '../config/data-folder.ts';
import { readInstanceFile, type InstanceFile } from '../instance/instance-file.ts';

export type { ClientOptions, CoreClient } from './client.ts';

/** A running instance with an answer, and the key for calls. */
export interface RunningInstance extends InstanceFile {
  readonly baseUrl: string;
}

/** Connects to the running instance of the data folder, or opens the core in this process. */
export async function openCoreClient(options: ClientOptions): Promise<CoreClient> {
  const folder = dataFolder(options.data);
  const running = await findRunningInstance(folder);
  if (running !== undefined) return remoteClient(running);
  // The whole core, which takes far longer to load than a command with a running instance.
  const { openLocalClient } = await import('./local-client.ts');
  return openLocalClient(folder, options);
}

/** The instance of this data folder, if an instance answers; a file left behind does not count. */
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
