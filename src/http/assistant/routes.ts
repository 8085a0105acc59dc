import type { GuardClass } from '../local-guard.ts';

/** The operations of the assistant. */
export type AssistantOperation =
  | 'addUser'
  | 'listUsers'
  | 'removeUser'
  | 'readSelectedUser'
  | 'changeSelectedUser'
  | 'listSelectedUserCertificates'
  | 'registerComputer'
  | 'readComputer'
  | 'changeComputer';

interface AssistantRoute {
  readonly operation: AssistantOperation;
  readonly number: number;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly paths: readonly [string];
  readonly guard: GuardClass;
  readonly body: 'form' | 'none';
}

/**
 * Endpoints 12 to 20. Web sites need a granted scope for routes that show or create the secret of this computer; the
 * window never asks its user to grant that scope.
 */
export const assistantRoutes: readonly AssistantRoute[] = [
  { operation: 'addUser', number: 12, method: 'post', paths: ['/user'], guard: 'user:write', body: 'form' },
  { operation: 'listUsers', number: 13, method: 'get', paths: ['/user'], guard: 'user:read', body: 'none' },
  { operation: 'removeUser', number: 14, method: 'delete', paths: ['/user/:id'], guard: 'user:write', body: 'none' },
  {
    operation: 'readSelectedUser',
    number: 15,
    method: 'get',
    paths: ['/selected-user'],
    guard: 'user:read',
    body: 'none',
  },
  {
    operation: 'changeSelectedUser',
    number: 16,
    method: 'put',
    paths: ['/selected-user'],
    guard: 'user:write',
    body: 'form',
  },
  {
    operation: 'listSelectedUserCertificates',
    number: 17,
    method: 'get',
    paths: ['/selected-user/certificates'],
    guard: 'certificates:read',
    body: 'none',
  },
  {
    operation: 'registerComputer',
    number: 18,
    method: 'post',
    paths: ['/application'],
    guard: 'application:read',
    body: 'form',
  },
  {
    operation: 'readComputer',
    number: 19,
    method: 'get',
    paths: ['/application'],
    guard: 'application:read',
    body: 'none',
  },
  {
    operation: 'changeComputer',
    number: 20,
    method: 'put',
    paths: ['/application'],
    guard: 'application:read',
    body: 'form',
  },
];

const firstSegments: ReadonlySet<string> = new Set(assistantRoutes.map(({ paths: [path] }) => segmentOf(path)));

/** True for an address of the assistant, with or without a route: the assistant's errors have their own form. */
export function isAssistantPath(path: string): boolean {
  return firstSegments.has(segmentOf(path));
}

/** Express matches paths without regard to case. */
function segmentOf(path: string): string {
  return path.split('/', 2)[1]?.toLowerCase() ?? '';
}
