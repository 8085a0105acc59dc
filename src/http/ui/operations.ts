import type { Transactions } from '../../service/transactions/index.ts';
import type { Life } from '../life.ts';
import { forEverybody, withSession, type Operation } from '../operation.ts';
import type { UploadLimits } from '../signing-service/read-form.ts';
import {
  callUi,
  issueUiLink,
  openUiSession,
  readUiEvents,
  sendUiDocument,
  sendUiFile,
  type ReceiveUiFile,
  type UiBridge,
} from './bridge.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { HttpError } from '../http-error.ts';
import { sendPage, workerPolicy } from '../pages/pages.ts';

/** Placeholder in the built page for the style nonce of each answer. */
const noncePlaceholder = '__CSP_NONCE__';

/** `GET /ui/`: the built window, with this answer's nonce. */
function showUi(rendererFolder: string): RequestHandler {
  return async (_request, response) => {
    const html = await readFile(join(rendererFolder, 'index.html'), 'utf8').catch((cause: unknown) => {
      throw new HttpError('PAGE_NOT_BUILT', 'The window has not been built: run "npm run build" once.', { cause });
    });
    sendPage(response, (nonce) => html.replaceAll(noncePlaceholder, nonce));
  };
}

/** `GET /ui/assets/<asset>`: a resource of the page. Names come from the build, one level deep. */
function readUiAsset(rendererFolder: string): RequestHandler<{ asset: string }> {
  const folder = join(rendererFolder, 'assets');
  return (request, response, next) => {
    // Workers are the only stand-alone modules of the bundle.
    if (request.params.asset.endsWith('.mjs')) response.set('Content-Security-Policy', workerPolicy);
    const options = { root: folder, cacheControl: false, dotfiles: 'deny' } as const;
    response.sendFile(request.params.asset, options, (error: unknown) => {
      if (error === undefined || response.headersSent) return;
      next(new HttpError('ADDRESS_NOT_FOUND', 'There is no such file.', { cause: error }));
    });
  };
}

/** Services of the window. */
export interface WindowParts {
  readonly bridge: UiBridge;
  readonly receiveUiFile: ReceiveUiFile;
  readonly transactions: Transactions;
  readonly limits: UploadLimits;
  readonly life: Life;
  /** Folder of the built window. */
  readonly rendererFolder: string;
}

const page = { method: 'get', access: forEverybody('window'), body: 'none' } as const;
const ofSession = { guard: 'ui', access: withSession } as const;

/** The window: its page, its session, and its calls. */
export const windowOperations: readonly Operation<WindowParts>[] = [
  { id: 'showUi', paths: ['/ui'], guard: 'page', ...page, handle: ({ rendererFolder }) => showUi(rendererFolder) },
  {
    id: 'readUiAsset',
    paths: ['/ui/assets/:asset'],
    guard: 'asset',
    ...page,
    handle: ({ rendererFolder }) => readUiAsset(rendererFolder),
  },
  {
    id: 'openUiSession',
    method: 'post',
    paths: ['/ui/session'],
    guard: 'ui',
    access: forEverybody('window'),
    body: 'json',
    handle: ({ bridge }) => openUiSession(bridge.sessions),
  },
  {
    id: 'issueUiLink',
    method: 'post',
    paths: ['/ui/links'],
    ...ofSession,
    body: 'none',
    handle: ({ bridge }) => issueUiLink(bridge.sessions),
  },
  {
    id: 'callUi',
    method: 'post',
    paths: ['/ui/rpc'],
    ...ofSession,
    body: 'json',
    handle: ({ bridge }) => callUi(bridge),
  },
  {
    id: 'readUiEvents',
    method: 'get',
    paths: ['/ui/events'],
    ...ofSession,
    body: 'none',
    handle: ({ bridge, life }) => readUiEvents(bridge, life),
  },
  {
    id: 'sendUiDocument',
    method: 'put',
    paths: ['/ui/documents/:tcn'],
    ...ofSession,
    body: 'stream',
    handle: ({ transactions, limits }) => sendUiDocument(transactions, limits),
  },
  {
    id: 'sendUiFile',
    method: 'put',
    paths: ['/ui/files'],
    ...ofSession,
    body: 'stream',
    handle: ({ receiveUiFile }) => sendUiFile(receiveUiFile),
  },
];
