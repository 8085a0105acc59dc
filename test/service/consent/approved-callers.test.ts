import { describe, expect, it } from 'vitest';
import type { Authority } from '../../../src/service/authorization/index.ts';
import type { Requester } from '../../../src/service/transactions/index.ts';
import {
  isApprovedCaller,
  isCallerName,
  isNamedApplication,
  isPlainHttpOrigin,
  readOrigin,
} from '../../../src/service/consent/approved-callers.ts';

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

describe('an origin to be let in', () => {
  it.each([
    ['https://portal.example', 'https://portal.example'],
    ['  https://PORTAL.example:443/  ', 'https://portal.example'],
    ['https://portal.example:8443', 'https://portal.example:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://app.localhost', 'http://app.localhost'],
    ['http://127.0.0.1', 'http://127.0.0.1'],
    ['http://127.10.20.30:81', 'http://127.10.20.30:81'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['chrome-extension://abcdefgh', 'chrome-extension://abcdefgh'],
    [' moz-extension://0a1b-2c3d ', 'moz-extension://0a1b-2c3d'],
    ['app://my.app', 'app://my.app'],
    ['app://a', 'app://a'],
  ])('%j is %s', (text, origin) => {
    expect(readOrigin(text)).toBe(origin);
    expect(readOrigin(text, true)).toBe(origin);
  });

  const notOrigin = 'Give an origin';
  const plain = 'plain http site';
  const onlyHttps = 'Only https origins';
  it.each([
    ['', notOrigin],
    ['portal.example', notOrigin],
    ['https://portal.example/path', notOrigin],
    ['https://portal.example/?a', notOrigin],
    ['https://portal.example/#a', notOrigin],
    ['https://user@portal.example', notOrigin],
    ['https://:secret@portal.example', notOrigin],
    ['http://portal.example', plain],
    ['http://127.0.0.1.evil.example', plain],
    ['http://a.localhost.evil.example', plain],
    ['http://evil.example.localhost', plain],
    ['http://10.0.0.1', plain],
    ['ftp://portal.example', onlyHttps],
    ['chrome-extension://', notOrigin],
    ['chrome-extension://abc-', notOrigin],
    ['chrome-extension://-abc', notOrigin],
    ['chrome-extension://abc/page', notOrigin],
    ['xchrome-extension://abc', notOrigin],
    ['app://abc.', notOrigin],
    ['app://ABC', notOrigin],
  ])('is not %j', (text, reason) => {
    expect(() => readOrigin(text)).toThrow(reason);
    try {
      readOrigin(text);
    } catch (error) {
      const detail = (error as Error).message;
      expect(error).toMatchObject({
        code: 'REQUEST_INVALID',
        problems: [{ field: 'origin', code: 'INVALID_VALUE', detail }],
      });
    }
  });

  it('may be plain http where the owner says so, and nothing else', () => {
    expect(readOrigin('http://intranet.example', true)).toBe('http://intranet.example');
    expect(() => readOrigin('ftp://intranet.example', true)).toThrow(onlyHttps);
    expect(() => readOrigin('http://intranet.example/a', true)).toThrow(notOrigin);
  });
});

describe('a plain http origin', () => {
  it.each([
    ['http://intranet.example', true],
    ['http://127.0.0.1.evil.example', true],
    ['http://localhost', false],
    ['http://a.localhost:80', false],
    ['http://127.0.0.1:3000', false],
    ['http://[::1]', false],
    ['https://intranet.example', false],
    ['not an origin', false],
  ])('is %s: %s', (origin, expected) => {
    expect(isPlainHttpOrigin(origin)).toBe(expected);
  });
});

describe('the origin of an extension or an application', () => {
  it.each([
    ['chrome-extension://abc', true],
    ['moz-extension://a-b.c', true],
    ['app://a', true],
    ['https://abc', false],
    ['chrome-extension://abc/', false],
    ['chrome-extension://.abc', false],
  ])('is %s: %s', (origin, expected) => {
    expect(isNamedApplication(origin)).toBe(expected);
  });
});
