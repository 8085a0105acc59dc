import { describe, expect, it } from 'vitest';
import { isPersonsSession } from '../../../src/app/config/persons-session.ts';

describe('the session of a person', () => {
  it.each([
    ['a screen', { DISPLAY: ':0' }],
    ['a screen of Wayland', { WAYLAND_DISPLAY: 'wayland-0' }],
    ['a login at a terminal', { XDG_SESSION_ID: '3' }],
  ])('is recognised by %s', (_what, environment) => {
    expect(isPersonsSession(environment)).toBe(true);
  });

  it('is not assumed for a service, which has none of these', () => {
    expect(isPersonsSession({ INVOCATION_ID: 'a', HOME: '/var/lib/sinete', DISPLAY: '' })).toBe(false);
  });
});
