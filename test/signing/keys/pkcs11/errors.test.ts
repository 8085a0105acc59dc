import pkcs11js from 'pkcs11js';
import { describe, expect, it } from 'vitest';
import {
  hostFailure,
  recoveryOf,
  toCryptokiError,
  toSigningError,
} from '../../../../src/signing/keys/pkcs11/errors.ts';

describe('toCryptokiError', () => {
  it("reads the binding's own errors by their code", () => {
    const error = toCryptokiError(new pkcs11js.Pkcs11Error('CKR_PIN_INCORRECT:160', 160), 'C_Login');
    expect(error.failure).toMatchObject({
      kind: 'cryptoki',
      name: 'CKR_PIN_INCORRECT',
      code: 160,
      operation: 'C_Login',
    });
  });

  it('reads the plain errors of C_FindObjects by their text', () => {
    const error = toCryptokiError(new Error('CKR_SESSION_HANDLE_INVALID:179'), 'C_FindObjects');
    expect(error.failure).toMatchObject({ kind: 'cryptoki', name: 'CKR_SESSION_HANDLE_INVALID', code: 179 });
  });

  it('keeps the number of a code that the maker has invented', () => {
    expect(toCryptokiError(new Error('CKR_VENDOR_DEFINED:2147483649'), 'C_Sign').code).toBe(0x80000001);
  });

  it('says what the loader said when a library cannot be loaded', () => {
    const error = toCryptokiError(new Error('file too short'), 'load');
    expect(error.failure).toMatchObject({ kind: 'load', detail: 'file too short' });
    expect(toSigningError(error.failure).code).toBe('MODULE_NOT_LOADABLE');
  });

  it.each([new TypeError('Argument "secret-pin" is wrong'), 'secret-pin', { pin: 'secret-pin' }])(
    'never repeats the text of an error that it does not know (%s)',
    (thrown) => {
      const { failure } = toCryptokiError(thrown, 'C_Login');
      expect(JSON.stringify(failure)).not.toContain('secret-pin');
      expect(failure.kind).toBe('usage');
      expect(toSigningError(failure).code).toBe('TOKEN_ERROR');
    },
  );
});

describe('toSigningError', () => {
  it.each([
    ['CKR_PIN_INCORRECT', 0xa0, 'PIN_INCORRECT'],
    ['CKR_PIN_INVALID', 0xa1, 'PIN_INVALID'],
    ['CKR_PIN_LEN_RANGE', 0xa2, 'PIN_INVALID'],
    ['CKR_PIN_EXPIRED', 0xa3, 'PIN_INVALID'],
    ['CKR_PIN_LOCKED', 0xa4, 'PIN_LOCKED'],
    ['CKR_USER_NOT_LOGGED_IN', 0x101, 'PIN_REQUIRED'],
    ['CKR_DEVICE_REMOVED', 0x32, 'TOKEN_REMOVED'],
    ['CKR_TOKEN_NOT_PRESENT', 0xe0, 'TOKEN_REMOVED'],
    ['CKR_DEVICE_ERROR', 0x30, 'TOKEN_ERROR'],
    ['CKR_ARGUMENTS_BAD', 0x07, 'TOKEN_ERROR'],
    ['CKR_VENDOR_DEFINED', 0x80000001, 'TOKEN_ERROR'],
  ])('%s (%i) is %s', (name, code, expected) => {
    const error = toSigningError({ kind: 'cryptoki', name, code, operation: 'C_Sign', detail: '' });
    expect(error.code).toBe(expected);
    expect(error.cause).toMatchObject({ code });
    if (expected === 'TOKEN_ERROR') expect(error.message).toContain(name);
  });

  it('tells a token that is gone, a missing key and an impossible PIN apart', () => {
    const codes = (['removed', 'key', 'pin-length'] as const).map(
      (kind) => toSigningError(hostFailure(kind, 'x', 'x').failure).code,
    );
    expect(codes).toEqual(['TOKEN_REMOVED', 'KEY_NOT_FOUND', 'PIN_INVALID']);
  });
});

describe('recoveryOf', () => {
  it.each([179, 130, 48, 50, 224])('%i: another session, once', (code) => {
    expect(recoveryOf(code)).toBe('renew-session');
  });

  it.each([160, 161, 162, 164])('%i: a PIN is never tried again', (code) => {
    expect(recoveryOf(code)).toBe('none');
  });

  it('takes states that are already there for success, and a lost login for a question to the user', () => {
    expect([401, 256, 257].map(recoveryOf)).toEqual(['success', 'success', 'log-in']);
  });
});
