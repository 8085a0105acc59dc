/** The requirement of an operation for callers on other computers, as its definition tells it. */
import type { Route } from '../../../src/http/routes.ts';
import type { AdministratorScope } from '../../../src/service/administration/index.ts';

/** Nothing, the caller's own credentials, a session of the window, or an administrator's token with a scope. */
export type Needed = 'nothing' | 'credentials' | 'session' | AdministratorScope;

/** The service of the listener, empty for routes of every listener, and the requirement. */
export function neededFor({ access }: Route): readonly [service: string, needed: Needed] {
  const { service, remote, scope } = access;
  const needed = remote === 'open' ? 'nothing' : remote === 'administrator' ? scope : remote;
  if (needed === undefined) throw new Error('An operation of administrators names the scope of their token.');
  return [service === 'common' ? '' : service, needed];
}
