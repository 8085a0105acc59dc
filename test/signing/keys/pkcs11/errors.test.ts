import { describe, expect, it } from 'vitest';
import { toPkcs11jsError } from '../../../token/pkcs11js/pkcs11js-binding.ts';
import { returnValueError } from '../../../../src/signing/keys/pkcs11/cryptoki/return-values.ts';
import {
  hostFailure,
  missingBinding,
  recoveryOf,
  toCryptokiError,
  toSigningError,
} from '../../../../src/signing/keys/pkcs11/errors.ts';

describe('toCryptokiError', () => {
  it('keeps an error of a binding unchanged', () => {
    const error = returnValueError(160, 'C_Login');
    expect(toCryptokiError(error, 'sign')).toBe(error);
    expect(error.failure).toMatchObject({ kind: 'cryptoki', name: 'CKR_PIN_INCORRECT', operation: 'C_Login' });
  });

  it.each([new TypeError('Argument "secret-pin" is wrong'), 'secret-pin', { pin: 'secret-pin' }])(
    'never repeats the text of an unknown error (%s)',
    (thrown) => {
      const { failure } = toCryptokiError(thrown, 'C_Login');
      expect(JSON.stringify(failure)).not.toContain('secret-pin');
      expect(failure.kind).toBe('usage');
      expect(toSigningError(failure).code).toBe('TOKEN_ERROR');
    },
  );
});

describe('returnValueError', () => {
  it.each([
    [0x82, 'CKR_OBJECT_HANDLE_INVALID'],
    [0x80000001, 'CKR_VENDOR_DEFINED'],
    [0x7fff, 'CKR_UNKNOWN'],
  ])('names %i %s, and keeps the number', (code, name) => {
    expect(returnValueError(code, 'C_Sign').failure).toMatchObject({ name, code, operation: 'C_Sign' });
  });
});

describe('toPkcs11jsError', () => {
  it('reads its own errors by their code, and the plain errors of C_FindObjects by their text', () => {
    const own = Object.assign(new Error('CKR_PIN_INCORRECT'), { code: 160 });
    expect(toPkcs11jsError(own, 'C_Login').failure).toMatchObject({ name: 'CKR_PIN_INCORRECT', code: 160 });
    const plain = new Error('CKR_SESSION_HANDLE_INVALID:179');
    expect(toPkcs11jsError(plain, 'C_FindObjects').failure).toMatchObject({
      kind: 'cryptoki',
      name: 'CKR_SESSION_HANDLE_INVALID',
      code: 179,
      operation: 'C_FindObjects',
    });
  });

  it('keeps the number of a code invented by a maker', () => {
    const { failure } = toPkcs11jsError(new Error('CKR_VENDOR_DEFINED:2147483649'), 'C_Sign');
    expect(failure).toMatchObject({ name: 'CKR_VENDOR_DEFINED', code: 0x80000001 });
  });

  it('does not repeat the text of an unknown error', () => {
    const { failure } = toPkcs11jsError(new TypeError('Argument "secret-pin" is wrong'), 'C_Login');
    expect(failure).toMatchObject({ kind: 'usage', name: 'TypeError', detail: '' });
  });
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

  it.each([
    ['CKR_FUNCTION_FAILED', 0x06, 'CKR_FUNCTION_FAILED (0x6)'],
    ['CKR_VENDOR_DEFINED', 0x80000f0d, 'CKR_VENDOR_DEFINED (0x80000F0D)'],
    ['CKR_NSS_KEYDB_FAILED', 0xce534352, 'CKR_NSS_KEYDB_FAILED (0xCE534352)'],
  ])('shows %s in hexadecimal digits, as manuals of drivers do', (name, code, shown) => {
    const { failure } = returnValueError(code, 'C_Sign');
    expect(failure.name).toBe(name);
    expect(toSigningError(failure).message).toBe(`The token's driver answered ${shown} to C_Sign.`);
  });

  it("passes on the loader's message when a library cannot be loaded", () => {
    const error = toSigningError(hostFailure('load', 'load', 'not loadable', 'file too short').failure);
    expect(error).toMatchObject({
      code: 'MODULE_NOT_LOADABLE',
      message: 'The driver cannot be loaded: file too short.',
    });
  });

  it.each([
    ['koffi', 'not-installed', 'koffi, which calls their drivers, is not installed', 'npm ci'],
    ['koffi', 'no-binary', `has no binary for ${process.platform}-${process.arch}`, 'npm ci --include=optional'],
  ])('names the missing package %s (%s), and the way to get the package', (name, detail, problem, remedy) => {
    const error = toSigningError(hostFailure('binding', 'open', name, detail).failure);
    expect(error.code).toBe('MODULE_BINDING_MISSING');
    expect(error.message).toContain(problem);
    expect(error.message).toContain(remedy);
    expect(error.message).not.toContain('\n');
    const missing = missingBinding(error);
    expect(error.message).toBe(`${missing?.problem ?? ''} ${missing?.remedy ?? ''}`);
  });

  it('tells a token gone, a missing key and an impossible PIN apart', () => {
    const codes = (['removed', 'key', 'pin-length'] as const).map(
      (kind) => toSigningError(hostFailure(kind, 'x', 'x').failure).code,
    );
    expect(codes).toEqual(['TOKEN_REMOVED', 'KEY_ABSENT', 'PIN_INVALID']);
  });
});

describe('recoveryOf', () => {
  it.each([179, 130, 48, 50, 224])('%i: another session, once', (code) => {
    expect(recoveryOf(code)).toBe('renew-session');
  });

  it.each([160, 161, 162, 164])('%i: a PIN is never tried again', (code) => {
    expect(recoveryOf(code)).toBe('none');
  });

  it('takes states already reached for success, and a lost login for a question to the user', () => {
    expect([401, 256, 257].map(recoveryOf)).toEqual(['success', 'success', 'log-in']);
  });
});

describe('a session ended by the token', () => {
  it.each([0xb0, 0xb3])('(%i) makes the document wait for the PIN, as a removed login does', (code) => {
    expect(recoveryOf(code)).toBe('renew-session');
    expect(toSigningError(returnValueError(code, 'C_Sign').failure).code).toBe('PIN_REQUIRED');
  });
});
