import type { GrantScopeView } from '../../../src/ui-contract/site-calls.ts';

/** The permissions of a site, in the displayed order, with the names of their texts. */
export const grantScopes = [
  { scope: 'certificates:read', text: 'certificatesRead' },
  { scope: 'sign', text: 'sign' },
  { scope: 'sign_raw', text: 'signRaw' },
  { scope: 'user:read', text: 'userRead' },
  { scope: 'user:write', text: 'userWrite' },
  { scope: 'application:read', text: 'applicationRead' },
] as const satisfies readonly { readonly scope: GrantScopeView; readonly text: string }[];

/** Days of a site's grant; null: until revoked. */
export const grantDurations = [
  { name: 'day', days: 1 },
  { name: 'month', days: 30 },
  { name: 'revoked', days: null },
] as const;

export type GrantDuration = (typeof grantDurations)[number]['name'];

/** Durations for a site with a question: the usual durations, and the present action only. */
export const questionDurations = [{ name: 'once', days: 'once' }, ...grantDurations] as const;

export type QuestionDuration = (typeof questionDurations)[number]['name'];

/** Days of a choice. */
export function daysOf(duration: GrantDuration): number | null {
  return grantDurations.find(({ name }) => name === duration)?.days ?? null;
}
