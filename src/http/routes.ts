import { authorizationRoutes, type AuthorizationOperation } from './authorization/routes.ts';
import { assistantRoutes, type AssistantOperation } from './assistant/routes.ts';
import { webhookRoutes, type WebhookOperation } from './webhooks/webhook-routes.ts';
import type { GuardClass } from './local-guard.ts';

/** Names of the operations, as in the OpenAPI document. */
export type OperationId =
  | AssistantOperation
  | AuthorizationOperation
  | WebhookOperation
  | 'createTransaction'
  | 'uploadDocuments'
  | 'queryTransaction'
  | 'listTransactions'
  | 'readStatuses'
  | 'streamOwnTransactions'
  | 'streamTransaction'
  | 'authorizeTransaction'
  | 'cancelTransaction'
  | 'downloadDocument'
  | 'validateSignatures'
  | 'readDashboard'
  | 'checkHealth'
  | 'checkLiveness'
  | 'checkReadiness'
  | 'readMetrics'
  | 'discover'
  | 'readOpenApi'
  | 'readClient'
  | 'showHome'
  | 'showDocs'
  | 'showGuide'
  | 'showProblem'
  | 'readDocsAsset'
  | 'showUi'
  | 'readUiAsset'
  | 'openUiSession'
  | 'issueUiLink'
  | 'callUi'
  | 'readUiEvents'
  | 'sendUiDocument'
  | 'sendUiFile';

/** A row of the table of endpoints. */
export interface Route {
  readonly operation: OperationId;
  /** The endpoint's number in the interface document; null for an endpoint outside of the document. */
  readonly number: number | null;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** All forms of the path, in Express's syntax. The interface document shows the first form. */
  readonly paths: readonly [string, ...string[]];
  /** The rule of the local guard. */
  readonly guard: GuardClass;
  /**
   * How the body is read. `json`: as JSON, before the handler; `form`: as a form or JSON; `stream`: by the handler
   * itself; `none`: no body.
   */
  readonly body: 'json' | 'form' | 'stream' | 'none';
}

/**
 * Every endpoint of this server; nothing else is registered. The upload has optional groups because an empty path
 * segment does not match a named parameter.
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
    operation: 'listTransactions',
    number: null,
    method: 'get',
    paths: ['/signature-service'],
    guard: 'granted',
    body: 'none',
  },
  {
    operation: 'readStatuses',
    number: null,
    method: 'post',
    paths: ['/signature-service/status'],
    guard: 'granted',
    body: 'json',
  },
  // Must come before the query, whose path would match this word as a TCN.
  {
    operation: 'streamOwnTransactions',
    number: null,
    method: 'get',
    paths: ['/signature-service/events'],
    guard: 'granted',
    body: 'none',
  },
  {
    operation: 'streamTransaction',
    number: null,
    method: 'get',
    paths: ['/signature-service/:tcn/events'],
    guard: 'granted',
    body: 'none',
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
    operation: 'authorizeTransaction',
    number: null,
    method: 'post',
    paths: ['/signature-service/:tcn/authorize'],
    guard: 'token',
    body: 'none',
  },
  {
    operation: 'cancelTransaction',
    number: null,
    method: 'delete',
    paths: ['/signature-service/:tcn'],
    guard: 'sign',
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
  { operation: 'checkLiveness', number: null, method: 'get', paths: ['/live'], guard: 'api', body: 'none' },
  { operation: 'checkReadiness', number: null, method: 'get', paths: ['/ready'], guard: 'api', body: 'none' },
  { operation: 'readMetrics', number: null, method: 'get', paths: ['/metrics'], guard: 'api', body: 'none' },
  ...authorizationRoutes,
  ...assistantRoutes,
  ...webhookRoutes,
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
  // Must come before the assets of /docs, whose path would match this word as a file.
  {
    operation: 'showGuide',
    number: null,
    method: 'get',
    paths: ['/docs/guide', '/docs/guide/*path'],
    guard: 'page',
    body: 'none',
  },
  { operation: 'showProblem', number: null, method: 'get', paths: ['/problems/:code'], guard: 'page', body: 'none' },
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

/** The shape of a path: paths that differ only in the names of their parameters have the same shape. */
function shapeOf(path: string): string {
  return path.replaceAll(/[:*][a-zA-Z]+/g, ':');
}

/** The routes of one address, which differ in their methods. */
export type SameAddress = readonly [Route, ...Route[]];

/** Each form of an address by its shape: a path of it, and its routes, whose methods are all that it allows. */
export const addresses: ReadonlyMap<string, readonly [path: string, routes: SameAddress]> = routesByShape();

function routesByShape(): Map<string, readonly [path: string, routes: SameAddress]> {
  const byShape = new Map<string, readonly [path: string, routes: SameAddress]>();
  for (const route of routes) {
    for (const path of route.paths) {
      const shape = shapeOf(path);
      const [first, known] = byShape.get(shape) ?? [path, undefined];
      byShape.set(shape, [first, known === undefined ? [route] : [...known, route]]);
    }
  }
  return byShape;
}
