import { authorizationRoutes, type AuthorizationOperation } from './authorization/routes.ts';
import { assistantRoutes, type AssistantOperation } from './assistant/routes.ts';
import type { GuardClass } from './local-guard.ts';

/** Names of the operations, as the OpenAPI document calls them. */
export type OperationId =
  | AssistantOperation
  | AuthorizationOperation
  | 'createTransaction'
  | 'uploadDocuments'
  | 'queryTransaction'
  | 'downloadDocument'
  | 'validateSignatures'
  | 'readDashboard'
  | 'checkHealth'
  | 'readMetrics'
  | 'discover'
  | 'readOpenApi'
  | 'readClient'
  | 'showHome'
  | 'showDocs'
  | 'readDocsAsset'
  | 'showUi'
  | 'readUiAsset'
  | 'openUiSession'
  | 'issueUiLink'
  | 'callUi'
  | 'readUiEvents'
  | 'sendUiDocument'
  | 'sendUiFile';

/** One row of the table of endpoints. */
export interface Route {
  readonly operation: OperationId;
  /** The endpoint's number in the interface document; null for what the document does not name. */
  readonly number: number | null;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** All forms of the path, in Express's syntax. The first is the one that the interface document shows. */
  readonly paths: readonly [string, ...string[]];
  /** Which rule of the local guard applies. */
  readonly guard: GuardClass;
  /**
   * `json`: the body is read as JSON before the handler; `form`: as a form or JSON; `stream`: the handler reads it;
   * `none`: there is none.
   */
  readonly body: 'json' | 'form' | 'stream' | 'none';
}

/**
 * Every endpoint that this server answers; the server registers these and nothing else. An empty path segment does not
 * match a named parameter, therefore the optional groups of the upload.
 */
export const routes: readonly Route[] = [
  {
    operation: 'createTransaction',
    number: 1,
    method: 'post',
    paths: ['/signature-service'],
    guard: 'sign',
    body: 'json',
  },
  {
    operation: 'uploadDocuments',
    number: 2,
    method: 'post',
    paths: ['/file-transfer/:tcn/{:eot}/{:setting}', '/file-transfer/:tcn', '/file-transfer/:tcn/:eot'],
    guard: 'sign',
    body: 'stream',
  },
  {
    operation: 'queryTransaction',
    number: 3,
    method: 'get',
    paths: ['/signature-service/:tcn'],
    guard: 'granted',
    body: 'none',
  },
  {
    operation: 'downloadDocument',
    number: 4,
    method: 'get',
    paths: ['/file-transfer/:tcn/:documentId'],
    guard: 'download',
    body: 'none',
  },
  {
    operation: 'validateSignatures',
    number: 5,
    method: 'post',
    paths: ['/validator-service'],
    guard: 'granted',
    body: 'stream',
  },
  { operation: 'readDashboard', number: 6, method: 'get', paths: ['/dashboard'], guard: 'api', body: 'none' },
  { operation: 'checkHealth', number: 7, method: 'get', paths: ['/health-check'], guard: 'api', body: 'none' },
  { operation: 'readMetrics', number: null, method: 'get', paths: ['/metrics'], guard: 'api', body: 'none' },
  ...authorizationRoutes,
  ...assistantRoutes,
  {
    operation: 'discover',
    number: null,
    method: 'get',
    paths: ['/.well-known/sinete'],
    guard: 'discovery',
    body: 'none',
  },
  { operation: 'readOpenApi', number: null, method: 'get', paths: ['/openapi.json'], guard: 'page', body: 'none' },
  {
    operation: 'readClient',
    number: null,
    method: 'get',
    paths: ['/client.js', '/client.d.ts'],
    guard: 'page',
    body: 'none',
  },
  { operation: 'showHome', number: null, method: 'get', paths: ['/'], guard: 'page', body: 'none' },
  { operation: 'showDocs', number: null, method: 'get', paths: ['/docs'], guard: 'page', body: 'none' },
  { operation: 'readDocsAsset', number: null, method: 'get', paths: ['/docs/:asset'], guard: 'asset', body: 'none' },
  { operation: 'showUi', number: null, method: 'get', paths: ['/ui'], guard: 'page', body: 'none' },
  { operation: 'readUiAsset', number: null, method: 'get', paths: ['/ui/assets/:asset'], guard: 'asset', body: 'none' },
  { operation: 'openUiSession', number: null, method: 'post', paths: ['/ui/session'], guard: 'ui', body: 'json' },
  { operation: 'issueUiLink', number: null, method: 'post', paths: ['/ui/links'], guard: 'ui', body: 'none' },
  { operation: 'callUi', number: null, method: 'post', paths: ['/ui/rpc'], guard: 'ui', body: 'json' },
  { operation: 'readUiEvents', number: null, method: 'get', paths: ['/ui/events'], guard: 'ui', body: 'none' },
  {
    operation: 'sendUiDocument',
    number: null,
    method: 'put',
    paths: ['/ui/documents/:tcn'],
    guard: 'ui',
    body: 'stream',
  },
  { operation: 'sendUiFile', number: null, method: 'put', paths: ['/ui/files'], guard: 'ui', body: 'stream' },
];

/** Two forms of a path that differ only in the names of their parameters have the same shape. */
export function shapeOf(path: string): string {
  return path.replaceAll(/:[a-zA-Z]+/g, ':');
}
