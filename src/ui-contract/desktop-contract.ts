/**
 * Calls of the window to the desktop's shell, and the objects of its preload script. A browser has neither. The calls
 * about signing are in `ui-contract.ts` and use the same channel.
 */
import { z } from 'zod';
import type { CallResult, UiEvent } from './ui-contract.ts';
import { nothing } from './views.ts';

/** The languages of tray and notifications. */
export const desktopLanguage = z.enum(['pt-BR', 'en']);

export const desktopView = z.object({
  /** True if Sinete starts with its user's session; null if unsupported (a checkout). */
  autostart: z.boolean().nullable(),
  /** Whether programs and sites are refused at present. */
  paused: z.boolean(),
  language: desktopLanguage,
  updates: z.object({
    /**
     * - `off`: by configuration or policy, or without a configured address of updates.
     * - `current`: nothing newer; `available`: `version` is newer.
     * - `ready`: `version` is downloaded and checked; `desktop.installUpdate` or the end of Sinete installs the update.
     * - `failed`: the address of updates did not answer well.
     */
    state: z.enum(['off', 'current', 'checking', 'available', 'downloading', 'ready', 'failed']),
    version: z.string().nullable(),
  }),
});

/** Names of addresses to open in the browser; the window does not know the addresses. */
export const desktopLink = z.enum(['validar', 'interface']);

/** Name → schemas of input and output. */
export const desktopCalls = {
  'desktop.read': { input: nothing, output: desktopView },
  'desktop.setAutostart': { input: z.object({ enabled: z.boolean() }), output: desktopView },
  'desktop.setLanguage': { input: z.object({ language: desktopLanguage }), output: desktopView },
  'desktop.setPaused': { input: z.object({ paused: z.boolean() }), output: desktopView },
  /** Asks for a folder, beginning at `from`; null if the user closed the dialog. */
  'desktop.chooseFolder': {
    input: z.object({ title: z.string().max(200), from: z.string().max(4096).optional() }),
    output: z.object({ path: z.string().nullable() }),
  },
  'desktop.copyText': { input: z.object({ text: z.string().max(1_000_000) }), output: nothing },
  'desktop.openLink': { input: z.object({ link: desktopLink }), output: nothing },
  'desktop.checkForUpdates': { input: nothing, output: desktopView },
  /** Quits and installs the `ready` update. */
  'desktop.installUpdate': { input: nothing, output: nothing },
} as const;

export type DesktopCallName = keyof typeof desktopCalls;
export type DesktopCallInput<Name extends DesktopCallName> = z.input<(typeof desktopCalls)[Name]['input']>;
export type DesktopCallOutput<Name extends DesktopCallName> = z.output<(typeof desktopCalls)[Name]['output']>;
export type DesktopLanguage = z.output<typeof desktopLanguage>;
export type DesktopView = z.output<typeof desktopView>;
export type DesktopLink = z.output<typeof desktopLink>;

/** The shell's side of the table. */
export type DesktopHandlers = {
  readonly [Name in DesktopCallName]: (
    input: z.output<(typeof desktopCalls)[Name]['input']>,
  ) => Promise<DesktopCallOutput<Name>>;
};

/** Messages of the window to the main process, with a schema for each channel. Each message is answered by a value. */
export const ipcRequests = {
  /** A call of either table. */
  'sinete:call': z.object({ name: z.string().max(100), input: z.unknown() }),
  /** The next document of a transaction; `id` is the window's own, for progress and for cancelling. */
  'sinete:send-document': z.object({
    id: z.number().int(),
    tcn: z.string().max(200),
    end: z.boolean(),
    /** The id of the announced document; absent: the next document with this name. */
    documentId: z.string().max(100).optional(),
    source: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('path'), path: z.string().min(1).max(4096) }),
      /** For a file without a path, such as an attachment dragged from a mail. */
      z.object({ kind: z.literal('content'), name: z.string().max(255), content: z.instanceof(Uint8Array) }),
    ]),
  }),
  'sinete:cancel-document': z.object({ id: z.number().int() }),
  /** A file without a path, for a later call that names it. */
  'sinete:give-file': z.object({ name: z.string().max(255), content: z.instanceof(Uint8Array) }),
} as const;

export type IpcChannel = keyof typeof ipcRequests;
export type IpcRequest<Channel extends IpcChannel> = z.output<(typeof ipcRequests)[Channel]>;

/** The channel for events of the main process. */
export const ipcEventChannel = 'sinete:event';

/** An event of the main process. */
export type DesktopEvent =
  | { readonly name: 'core'; readonly event: UiEvent }
  /** The answer of `desktop.read` has changed. */
  | { readonly name: 'desktop-changed' }
  /** Bytes of a document read so far. */
  | { readonly name: 'progress'; readonly id: number; readonly sent: number }
  /** A deep link or the tray opens a page: the part of the address after `#`. */
  | { readonly name: 'go-to'; readonly address: string };

/** The object `window.sinete`, which the preload script provides. */
export interface DesktopPreload {
  call(name: string, input: unknown): Promise<CallResult<unknown>>;
  onEvent(listener: (event: DesktopEvent) => void): () => void;
  /** The absolute path of a `File`; an empty text for a file without a folder. */
  pathOf(file: object): string;
  sendDocument(request: IpcRequest<'sinete:send-document'>): Promise<CallResult<{ readonly documentId: string }>>;
  cancelDocument(id: number): void;
  giveFile(request: IpcRequest<'sinete:give-file'>): Promise<CallResult<{ readonly upload: string }>>;
}
