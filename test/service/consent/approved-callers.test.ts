import { describe, expect, it } from 'vitest';
import type { Authority } from '../../../src/service/authorization/index.ts';
import type { Requester } from '../../../src/service/transactions/index.ts';
import { isApprovedCaller, isCallerName } from '../../../src/service/consent/approved-callers.ts';

const listed = ['portal-1', 'https://portal.example'];
const bearerOf = (clientId: string): Pick<Authority, 'clientId'> => ({ clientId });

describe('a caller with signatures approved by the configuration', () => {
  it.each<[string, boolean, Requester, Pick<Authority, 'clientId'> | undefined]>([
    ['a listed application', true, { kind: 'application', name: 'Portal' }, bearerOf('portal-1')],
    ['a listed site', true, { kind: 'site', name: 'https://portal.example' }, undefined],
    [
      'a listed application from a page of another site',
      true,
      { kind: 'site', name: 'https://x.example' },
      bearerOf('portal-1'),
    ],
    ['another application', false, { kind: 'application', name: 'portal-1' }, bearerOf('portal-2')],
    ['another site', false, { kind: 'site', name: 'https://portal.example:8443' }, undefined],
    ['a part of a listed origin', false, { kind: 'site', name: 'https://portal.example.evil.example' }, undefined],
    ['a program that calls itself so', false, { kind: 'native-program', name: 'portal-1' }, undefined],
    [
      'a program that calls itself as a site',
      false,
      { kind: 'native-program', name: 'https://portal.example' },
      undefined,
    ],
    ['a person without an application', false, { kind: 'native-program', name: 'curl' }, {}],
    ['the window', false, { kind: 'user-interface', name: 'This window' }, undefined],
  ])('%s: %s', (_name, expected, requester, authority) => {
    expect(isApprovedCaller(listed, requester, authority)).toBe(expected);
  });

  it.each([
    ['portal-1', true],
    ['https://portal.example', true],
    ['https://portal.example:8443', true],
    ['http://127.0.0.1:3000', true],
    ['https://portal.example/', false],
    ['https://portal.example/path', false],
    ['http://portal.example', false],
    ['https://PORTAL.example', false],
    ['*', false],
    ['', false],
  ])('may be named "%s": %s', (name, expected) => {
    expect(isCallerName(name)).toBe(expected);
  });
});
