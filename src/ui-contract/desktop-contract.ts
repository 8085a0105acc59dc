/**
 * What only the desktop's shell can do for its window, and what its preload script puts into it. A browser has none of
 * this. The calls about signing are those of `ui-contract.ts`, carried beside these by the same channel.
 */
import { z } from 'zod';
import type { CallResult, UiEvent } from './ui-contract.ts';
import { nothing } from './views.ts';

/** The languages of tray and notifications. */
export const desktopLanguage = z.enum(['pt-BR', 'en']);

export const desktopView = z.object({
  /** Whether Sinete starts with the session of its user; null where that cannot be chosen (a checkout). */
  autostart: z.boolean().nullable(),
  /** Whether programs and sites are refused for now. */
  paused: z.boolean(),
  language: desktopLanguage,
  updates: z.object({
    /**
     * - `off`: by configuration or policy, or because no address of updates is configured.
     * - `current`: nothing newer; `available`: there is something newer, `version` tells which.
     * - `ready`: `version` is here and checked, and is installed by `desktop.installUpdate` or when Sinete quits.
     * - `failed`: the address of updates did not answer well.
     */
    state: z.enum(['off', 'current', 'checking', 'available', 'downloading', 'ready', 'failed']),
    version: z.string().nullable(),
  }),
});

/** Addresses that the window may open in the browser; the shell knows them by name only. */
export const desktopLink = z.enum(['validar', 'interface']);

/** Name → schemas of input and output. */
export const desktopCalls = {
  'desktop.read': { input: nothing, output: desktopView },
  'desktop.setAutostart': { input: z.object({ enabled: z.boolean() }), output: desktopView },
  'desktop.setLanguage': { input: z.object({ language: desktopLanguage }), output: desktopView },
  'desktop.setPaused': { input: z.object({ paused: z.boolean() }), output: desktopView },
  /** Asks for a folder; null when the dialog was closed. `from` is where it begins. */
  'desktop.chooseFolder': {
    input: z.object({ title: z.string().max(200), from: z.string().max(4096).optional() }),
    output: z.object({ path: z.string().nullable() }),
  },
  'desktop.copyText': { input: z.object({ text: z.string().max(1_000_000) }), output: nothing },
  'desktop.openLink': { input: z.object({ link: desktopLink }), output: nothing },
  'desktop.checkForUpdates': { input: nothing, output: desktopView },
  /** Quits and installs what is `ready`. */
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

/** What the window sends to the main process: one schema for each channel, checked there. Each is answered by a value. */
export const ipcRequests = {
  /** A call of either table. */
  'sinete:call': z.object({ name: z.string().max(100), input: z.unknown() }),
  /** The next document of a transaction; `id` is the window's own, for progress and for cancelling. */
  'sinete:send-document': z.object({
    id: z.number().int(),
    tcn: z.string().max(200),
    end: z.boolean(),
    source: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('path'), path: z.string().min(1).max(4096) }),
      /** For what lies in no folder, such as an attachment dragged out of a mail. */
      z.object({ kind: z.literal('content'), name: z.string().max(255), content: z.instanceof(Uint8Array) }),
    ]),
  }),
  'sinete:cancel-document': z.object({ id: z.number().int() }),
  /** A file that lies in no folder, for a call that names it. */
  'sinete:give-file': z.object({ name: z.string().max(255), content: z.instanceof(Uint8Array) }),
} as const;

export type IpcChannel = keyof typeof ipcRequests;
export type IpcRequest<Channel extends IpcChannel> = z.output<(typeof ipcRequests)[Channel]>;

/** The channel on which the main process tells the window of things. */
export const ipcEventChannel = 'sinete:event';

/** What it tells. */
export type DesktopEvent =
  | { readonly name: 'core'; readonly event: UiEvent }
  /** `desktop.read` answers something else. */
  | { readonly name: 'desktop-changed' }
  /** Octets of a document that have been read. */
  | { readonly name: 'progress'; readonly id: number; readonly sent: number }
  /** A deep link or the tray asks for a page: the part of the address behind `#`. */
  | { readonly name: 'go-to'; readonly address: string };

/** What the preload script puts into the window, as `window.sinete`. */
export interface DesktopPreload {
  call(name: string, input: unknown): Promise<CallResult<unknown>>;
  onEvent(listener: (event: DesktopEvent) => void): () => void;
  /** The absolute path of a `File`; an empty text for one that lies in no folder. */
  pathOf(file: object): string;
  sendDocument(request: IpcRequest<'sinete:send-document'>): Promise<CallResult<{ readonly documentId: string }>>;
  cancelDocument(id: number): void;
  giveFile(request: IpcRequest<'sinete:give-file'>): Promise<CallResult<{ readonly upload: string }>>;
}
