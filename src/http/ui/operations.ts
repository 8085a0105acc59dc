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
import { readUiAsset, showUi } from './ui-page.ts';

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
