/** Converts failures of a driver to errors of this core, and finds a way to recover. */
import { SigningError, type SigningErrorCode } from '../../errors.ts';
import type { DriverProblem } from '../key-source.ts';
import { Ckr } from './cryptoki/cryptoki.ts';
import { missingBindingWords, type MissingBinding } from './missing-binding.ts';
import type { HostFailure } from './protocol.ts';

/**
 * A failure of a driver, with the CKR name and number if known. The error never holds arguments of the call, because an
 * argument may be a PIN.
 */
export class CryptokiError extends Error {
  readonly failure: HostFailure;

  constructor(failure: HostFailure) {
    super(`${failure.operation}: ${failure.name}`);
    this.name = 'CryptokiError';
    this.failure = failure;
  }

  /** The CK_RV; 0 when the failure did not come from the driver. */
  get code(): number {
    return this.failure.code;
  }
}

/** A failure without a CK_RV. */
export function hostFailure(kind: HostFailure['kind'], operation: string, name: string, detail = ''): CryptokiError {
  return new CryptokiError({ kind, name, code: 0, operation, detail: detail.slice(0, 1024) });
}

/** `CKR_USER_NOT_LOGGED_IN`, from our own check of the login state before calling the driver. */
export function notLoggedIn(operation: string): CryptokiError {
  return new CryptokiError({
    kind: 'cryptoki',
    name: 'CKR_USER_NOT_LOGGED_IN',
    code: Ckr.userNotLoggedIn,
    operation,
    detail: '',
  });
}

/**
 * Converts any error to a failure. The text of an unknown error is dropped, because the text may repeat an argument.
 */
export function toCryptokiError(thrown: unknown, operation: string): CryptokiError {
  if (thrown instanceof CryptokiError) return thrown;
  return hostFailure('usage', operation, thrown instanceof Error ? thrown.name.slice(0, 128) : 'not an error');
}

/** Ways to recover from a failure without asking the user. */
export type Recovery =
  /** The session or its objects are gone: open a new session and try again once. */
  | 'renew-session'
  /** The user has to enter the PIN. A PIN is never retried automatically. */
  | 'log-in'
  /** Not a failure: the requested state already exists. */
  | 'success'
  | 'none';

/** The recovery table. */
export function recoveryOf(code: number): Recovery {
  switch (code) {
    case Ckr.sessionHandleInvalid:
    case Ckr.sessionClosed:
    case Ckr.objectHandleInvalid:
    case Ckr.keyHandleInvalid:
    case Ckr.operationActive:
    case Ckr.slotIdInvalid:
    case Ckr.deviceError:
    case Ckr.deviceRemoved:
    case Ckr.tokenNotPresent:
    case Ckr.tokenNotRecognized:
      return 'renew-session';
    case Ckr.userNotLoggedIn:
      return 'log-in';
    case Ckr.userAlreadyLoggedIn:
    case Ckr.cryptokiAlreadyInitialized:
      return 'success';
    default:
      return 'none';
  }
}

/** `HostFailure.name` of the kind `key` where nothing tells which of several keys belongs to a certificate. */
export const SEVERAL_KEYS = 'several private keys';

/** A return value for people: its name, and its number as manuals of drivers write it. */
const shownCode = ({ name, code }: HostFailure): string => `${name} (0x${code.toString(16).toUpperCase()})`;

function describeReturnValue(failure: HostFailure): readonly [SigningErrorCode, string] {
  switch (failure.code) {
    case Ckr.pinIncorrect:
      return ['PIN_INCORRECT', 'The token did not accept the PIN. Each wrong PIN uses up an attempt.'];
    case Ckr.pinLocked:
      return ['PIN_LOCKED', 'The token has locked its PIN after too many wrong ones; its PUK unlocks it.'];
    case Ckr.pinInvalid:
    case Ckr.pinLengthRange:
      return ['PIN_INVALID', 'The PIN is too short, too long or has characters that the token does not take.'];
    case Ckr.pinExpired:
      return ['PIN_INVALID', "The PIN has expired: change it with the token maker's program."];
    case Ckr.userNotLoggedIn:
      return ['PIN_REQUIRED', 'The token asks for its PIN.'];
    case Ckr.sessionHandleInvalid:
    case Ckr.sessionClosed:
      // The renewed session failed too: after the computer's sleep, the login is lost together with the session.
      return ['PIN_REQUIRED', 'The token has ended its session, and asks for its PIN again.'];
    case Ckr.sessionCount:
      // Other nodes or programs have all sessions of the token; one will be free again.
      return ['QUEUE_FULL', 'Every session of the token is in use. Try again later.'];
    case Ckr.deviceRemoved:
    case Ckr.tokenNotPresent:
    case Ckr.slotIdInvalid:
      return ['TOKEN_REMOVED', 'The token is not connected.'];
    default:
      return ['TOKEN_ERROR', `The token's driver answered ${shownCode(failure)} to ${failure.operation}.`];
  }
}

/**
 * Reasons why a library cannot be used as a driver: values of `HostFailure.detail` with their own message and remedy.
 */
export const LoadDetail = {
  noDriver: 'no C_GetFunctionList',
  missingLibrary: 'Win32 error 126',
  otherVersion: 'Win32 error 127',
  otherFormat: 'Win32 error 193',
} as const;

function loadWords(detail: string): string {
  switch (detail) {
    case LoadDetail.noDriver:
      return 'The file is no PKCS#11 driver (it has no C_GetFunctionList). Choose the PKCS#11 library of the token.';
    case LoadDetail.missingLibrary:
      return `The driver cannot be loaded: another library that it needs is missing (${detail}). Install the driver again with its maker's installer.`;
    case LoadDetail.otherVersion:
      return `The driver cannot be loaded: another library that it needs is there in another version (${detail}). Install the driver again with its maker's installer.`;
    case LoadDetail.otherFormat:
      return `The driver cannot be loaded: the file is not made for this computer (${detail}). Install the maker's driver for 64 bits.`;
    default:
      return `The driver cannot be loaded: ${detail}.`;
  }
}

/** The sentence for a certificate on a token without its private key. */
export const NO_KEY = 'The token holds no private key for this certificate.';
const severalKeys =
  'The token has several keys with the identifier of this certificate, and does not tell which one belongs to it. ' +
  "Give each key an identifier of its own with the token maker's program.";

function describe(failure: HostFailure): readonly [SigningErrorCode, string] {
  switch (failure.kind) {
    case 'cryptoki':
      return describeReturnValue(failure);
    case 'load':
      return ['MODULE_NOT_LOADABLE', loadWords(failure.detail)];
    case 'key':
      return ['KEY_ABSENT', failure.name === SEVERAL_KEYS ? severalKeys : NO_KEY];
    case 'removed':
      return ['TOKEN_REMOVED', 'The token is not connected.'];
    case 'pin-length':
      return ['PIN_INVALID', 'The PIN is shorter or longer than this token allows; it was not tried.'];
    case 'binding':
      return ['MODULE_BINDING_MISSING', sentences(missingBindingWords(failure))];
    case 'usage':
      return ['TOKEN_ERROR', `The token process refused the call ${failure.operation} (${failure.name}).`];
  }
}

const loadProblems: Readonly<Record<string, DriverProblem>> = {
  [LoadDetail.noDriver]: 'MODULE_NOT_A_DRIVER',
  [LoadDetail.missingLibrary]: 'MODULE_LIBRARY_MISSING',
  [LoadDetail.otherVersion]: 'MODULE_LIBRARY_OTHER',
  [LoadDetail.otherFormat]: 'MODULE_FORMAT_OTHER',
};

/**
 * Names a driver's failure by a code, for messages in any language. An error of another kind is `MODULE_NOT_LOADABLE`.
 */
export function driverProblemOf(error: unknown): DriverProblem {
  if (!(error instanceof SigningError)) return 'MODULE_NOT_LOADABLE';
  const { cause, code } = error;
  if (cause instanceof CryptokiError && cause.failure.kind === 'load')
    return loadProblems[cause.failure.detail] ?? code;
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT' ? 'MODULE_FILE_MISSING' : code;
}

/** The core's error for a failure reported by the child. */
export function toSigningError(failure: HostFailure): SigningError {
  const [code, message] = describe(failure);
  return new SigningError(code, message, { cause: new CryptokiError(failure) });
}

/** The message for the error `MODULE_BINDING_MISSING`; undefined for other errors. */
export function missingBinding(error: unknown): MissingBinding | undefined {
  if (!(error instanceof SigningError) || !(error.cause instanceof CryptokiError)) return undefined;
  const { failure } = error.cause;
  return failure.kind === 'binding' ? missingBindingWords(failure) : undefined;
}

const sentences = ({ problem, remedy }: MissingBinding): string => `${problem} ${remedy}`;
