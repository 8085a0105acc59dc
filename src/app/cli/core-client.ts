import type { CallInput, CallName, CallOutput, CallResult } from '../../ui-contract/ui-contract.ts';
import { AppError, exitCodeOf } from '../app-error.ts';
import type { ClientOptions, CoreClient, SentFile } from './client.ts';
import { dataFolder } from '../config/data-folder.ts';
import {
  findRunningInstance,
  postToInstance,
  putToInstance,
  readFromInstance,
  type RunningInstance,
} from './channel-client.ts';

export type { ClientOptions, CoreClient } from './client.ts';
export { findRunningInstance } from './channel-client.ts';

/** Connects to the running instance of the data folder, or opens the core in this process. */
export async function openCoreClient(options: ClientOptions): Promise<CoreClient> {
  const folder = dataFolder(options.data);
  const running = await findRunningInstance(folder);
  if (running !== undefined) return clientOf(running);
  // Loads the whole core, which takes far longer than a command with a running instance.
  const { openLocalClient } = await import('./local-client.ts');
  return openLocalClient(folder, options);
}

/** A fresh one-time link from a running instance. */
export async function requestLink(running: RunningInstance): Promise<string> {
  const { body } = await postToInstance(running, '/ui/links', {});
  const { link } = (body ?? {}) as { readonly link?: unknown };
  if (typeof link !== 'string') throw new AppError(3, 'The running instance gave no link.');
  return link;
}

/** The client of a running instance. */
export function clientOf(running: RunningInstance): CoreClient {
  return {
    remote: true,
    call: async (name, input) => callRemote(running, name, input),
    sendDocument: async (tcn, file, end) => {
      await sendFile(running, `/ui/documents/${encodeURIComponent(tcn)}?end=${String(end)}`, file);
    },
    giveFile: async (file) => (await sendFile(running, '/ui/files', file)) as { readonly upload: string },
    readResult: async (tcn, documentId) => {
      const target = `/file-transfer/${encodeURIComponent(tcn)}/${encodeURIComponent(documentId)}`;
      return readFromInstance(running, target);
    },
    close: async () => Promise.resolve(),
  };
}

async function callRemote<Name extends CallName>(
  running: RunningInstance,
  name: Name,
  input: CallInput<Name>,
): Promise<CallOutput<Name>> {
  const { status, body } = await postToInstance(running, '/ui/rpc', { call: name, input });
  if (status !== 200) throw new AppError(3, `The running instance refused the call with status ${status}.`);
  const result = body as CallResult<CallOutput<Name>>;
  if (result.ok) return result.value;
  const { code, message } = result.error;
  throw new AppError(exitCodeOf(code), message, { code });
}

async function sendFile(running: RunningInstance, target: string, file: SentFile): Promise<unknown> {
  const { status, body } = await putToInstance(running, target, file);
  if (status < 300) return body;
  const { code = '', detail = '' } = (body ?? {}) as { readonly code?: string; readonly detail?: string };
  throw new AppError(exitCodeOf(code), detail === '' ? `The file ${file.name} was refused.` : detail, { code });
}
