import type { GrantScopeView } from '../../../src/ui-contract/site-calls.ts';

/** The permissions of a site, in the order in which they are shown, with the names of their texts. */
export const grantScopes = [
  { scope: 'certificates:read', text: 'certificatesRead' },
  { scope: 'sign', text: 'sign' },
  { scope: 'user:read', text: 'userRead' },
  { scope: 'user:write', text: 'userWrite' },
  { scope: 'application:read', text: 'applicationRead' },
] as const satisfies readonly { readonly scope: GrantScopeView; readonly text: string }[];

/** For how many days a site may be let in; null: until it is revoked. */
export const grantDurations = [
  { name: 'day', days: 1 },
  { name: 'month', days: 30 },
  { name: 'revoked', days: null },
] as const;

export type GrantDuration = (typeof grantDurations)[number]['name'];

/** For how long a site that asks may be let in: besides the usual times for what it is doing now. */
export const questionDurations = [{ name: 'once', days: 'once' }, ...grantDurations] as const;

export type QuestionDuration = (typeof questionDurations)[number]['name'];

/** Days of a choice. */
export function daysOf(duration: GrantDuration): number | null {
  return grantDurations.find(({ name }) => name === duration)?.days ?? null;
}
