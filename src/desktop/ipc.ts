import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron';
import type { Sinete } from '../app/instance/start-sinete.ts';
import {
  desktopCalls,
  ipcEventChannel,
  ipcRequests,
  type DesktopCallName,
  type DesktopEvent,
  type DesktopHandlers,
  type IpcChannel,
  type IpcRequest,
} from '../ui-contract/desktop-contract.ts';
import type { CallError, CallResult } from '../ui-contract/ui-contract.ts';
import { isUiPage } from './ui-address.ts';

/** Handlers of the channels. */
export interface IpcParts {
  readonly sinete: Pick<Sinete, 'callUi' | 'sendDocument' | 'giveFile'>;
  readonly desktop: DesktopHandlers;
  /** The contents of the window; undefined without a window. */
  readonly window: () => WebContents | undefined;
  /** Called for internal failures. */
  readonly onFailure: (error: unknown, call: string) => void;
}

type Answers = {
  readonly [Channel in IpcChannel]: (request: IpcRequest<Channel>) => Promise<CallResult<unknown>>;
};

/** Registers the channels: a handler for each row of the table, and nothing else. */
export function openIpc(parts: IpcParts): void {
  const running = new Map<number, AbortController>();
  const answers: Answers = {
    'sinete:call': async ({ name, input }) =>
      isDesktopCall(name) ? answerDesktop(parts, name, input) : parts.sinete.callUi(name, input),
    'sinete:send-document': async (request) => sendDocument(parts, running, request),
    'sinete:cancel-document': ({ id }) => {
      running.get(id)?.abort();
      return Promise.resolve({ ok: true, value: {} });
    },
    'sinete:give-file': async ({ name, content }) => parts.sinete.giveFile(name, content),
  };
  for (const channel of Object.keys(ipcRequests) as IpcChannel[]) {
    ipcMain.handle(channel, async (event, request: unknown) => {
      if (!isOurs(event, parts.window())) return refused('FORBIDDEN', 'Only the window of Sinete may ask.');
      const checked = ipcRequests[channel].safeParse(request);
      if (!checked.success) return refused('INPUT_INVALID', 'The request is not as the channel takes it.');
      // The schema of this channel has checked the request; the compiler cannot relate the two through the table.
      const answer = answers[channel] as (request: unknown) => Promise<CallResult<unknown>>;
      return answer(checked.data);
    });
  }
}

/** Sends an event to the window, if open. */
export function tellWindow(window: WebContents | undefined, event: DesktopEvent): void {
  if (window?.isDestroyed() === false) window.send(ipcEventChannel, event);
}

/** True for the main frame of our window with our page: a navigating or closed frame has no `senderFrame`. */
function isOurs({ sender, senderFrame }: IpcMainInvokeEvent, window: WebContents | undefined): boolean {
  return (
    window !== undefined &&
    sender.id === window.id &&
    senderFrame !== null &&
    senderFrame.parent === null &&
    isUiPage(senderFrame.url.split('#', 1)[0] ?? '')
  );
}

function isDesktopCall(name: string): name is DesktopCallName {
  return Object.hasOwn(desktopCalls, name);
}

async function answerDesktop(
  { desktop, onFailure }: IpcParts,
  name: DesktopCallName,
  input: unknown,
): Promise<CallResult<unknown>> {
  const checked = desktopCalls[name].input.safeParse(input);
  if (!checked.success) return refused('INPUT_INVALID', 'The input is not as the call takes it.');
  try {
    const handle = desktop[name] as (input: unknown) => Promise<unknown>;
    return { ok: true, value: await handle(checked.data) };
  } catch (error) {
    onFailure(error, name);
    return refused('INTERNAL', 'The system did not do it. The log of this instance tells more.');
  }
}

async function sendDocument(
  { sinete, window }: IpcParts,
  running: Map<number, AbortController>,
  { id, tcn, end, documentId, source }: IpcRequest<'sinete:send-document'>,
): Promise<CallResult<unknown>> {
  const abort = new AbortController();
  running.set(id, abort);
  const onProgress = (sent: number): void => {
    tellWindow(window(), { name: 'progress', id, sent });
  };
  const result = await sinete.sendDocument({ tcn, end, documentId, source, onProgress, signal: abort.signal });
  running.delete(id);
  return abort.signal.aborted ? refused('CANCELLED', 'The upload was cancelled.') : result;
}

function refused(code: CallError['code'], message: string): CallResult<never> {
  return { ok: false, error: { code, message } };
}
