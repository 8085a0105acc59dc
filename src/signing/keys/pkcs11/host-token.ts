/**
 * One token inside the child process: its session, its login state and its signatures. One session per token is enough:
 * a session runs one operation at a time, and so do real cards.
 */
import {
  Ck,
  TokenFlag,
  type AttributeTemplate,
  type Cryptoki,
  type CryptokiTokenInfo,
  type Handle,
} from './cryptoki/cryptoki.ts';
import { toCryptokiMechanism } from './cryptoki/cryptoki-mechanisms.ts';
import { hostFailure, notLoggedIn, recoveryOf, toCryptokiError, type CryptokiError } from './errors.ts';
import { KeptPin } from './kept-pin.ts';
import type { TokenContents, TokenMechanism } from './protocol.ts';

const MAX_OBJECTS = 512;
const MAX_SIGNATURE = 2048;

/** A private key in the current session. */
interface FoundKey {
  readonly handle: Handle;
  /** CKA_ALWAYS_AUTHENTICATE: the token demands the PIN for each signature (§4.9). */
  readonly alwaysAuthenticate: boolean;
}

/** How to call the module. */
export interface CallStyle {
  /**
   * True when a signature runs in the thread pool, so that other tokens are served meanwhile, at a fifth of the rate.
   * Always false when the driver refused CKF_OS_LOCKING_OK: then calls must not overlap, and all calls use this thread.
   */
  readonly signInPool: () => boolean;
  /** How long the PIN of a key with CKA_ALWAYS_AUTHENTICATE is kept after the last signature. */
  readonly pinIdleMilliseconds: number;
}

export class HostToken {
  slot: Handle;
  information: CryptokiTokenInfo;
  loggedIn = false;
  readonly #cryptoki: Cryptoki;
  readonly #style: CallStyle;
  readonly #keys = new Map<string, FoundKey>();
  readonly #output = Buffer.alloc(MAX_SIGNATURE);
  readonly #pin: KeptPin;
  #session: Handle | undefined;

  constructor(cryptoki: Cryptoki, style: CallStyle, slot: Handle, information: CryptokiTokenInfo) {
    this.#cryptoki = cryptoki;
    this.#style = style;
    this.#pin = new KeptPin(style.pinIdleMilliseconds);
    this.slot = slot;
    this.information = information;
  }

  get pinPad(): boolean {
    return (this.information.flags & TokenFlag.protectedAuthenticationPath) !== 0;
  }

  get loginRequired(): boolean {
    return (this.information.flags & TokenFlag.loginRequired) !== 0;
  }

  /** `CKU_USER` login. `CKR_USER_ALREADY_LOGGED_IN` is success. A PIN of impossible length is not even tried. */
  login(pin: string): void {
    const bytes = Buffer.from(pin, 'utf8');
    try {
      this.#logIn(this.pinPad && bytes.length === 0 ? null : bytes);
    } finally {
      bytes.fill(0);
    }
  }

  /** Logs in. Null: the user types the PIN on the reader. */
  #logIn(pin: Buffer | null): void {
    if (pin !== null) this.#checkLength(pin);
    const session = this.#openSession();
    try {
      this.#cryptoki.C_Login(session, Ck.CKU_USER, pin);
    } catch (error) {
      if (recoveryOf(toCryptokiError(error, 'C_Login').code) !== 'success') throw error;
    }
    this.loggedIn = true;
    this.#keys.clear();
    if (pin === null || this.pinPad) return;
    if (this.#privateKeyIds().some((id) => this.#findKey(id).alwaysAuthenticate)) this.#pin.keep(pin);
  }

  #checkLength({ length }: Buffer): void {
    const { minPinLen: shortest, maxPinLen: longest } = this.information;
    const bounded = longest > 0 && longest >= shortest;
    if (length === 0 || (bounded && (length < shortest || length > longest))) {
      throw hostFailure('pin-length', 'login', 'PIN length');
    }
  }

  /** Logs out and closes the session; failures do not matter, because both are gone afterwards. */
  forget(): void {
    this.#pin.drop();
    this.#keys.clear();
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined) {
      const wasLoggedIn = this.loggedIn;
      try {
        if (wasLoggedIn) this.#cryptoki.C_Logout(session);
      } catch {
        // A removed token has logged out by itself.
      }
      try {
        this.#cryptoki.C_CloseSession(session);
      } catch {
        // The driver has already closed the session.
      }
    }
    this.loggedIn = false;
  }

  contents(): TokenContents {
    const template = [
      { type: Ck.CKA_CLASS, value: Ck.CKO_CERTIFICATE },
      { type: Ck.CKA_CERTIFICATE_TYPE, value: Ck.CKC_X_509 },
    ];
    const certificates = this.#find(template).map((object) => ({
      keyId: this.#attribute(object, Ck.CKA_ID).toString('hex'),
      label: this.#attribute(object, Ck.CKA_LABEL).toString('utf8'),
      der: this.#attribute(object, Ck.CKA_VALUE),
    }));
    const readable = certificates.filter((certificate) => certificate.der.length > 0);
    if (this.loginRequired && !this.loggedIn) return { certificates: readable };
    return { certificates: readable, privateKeys: this.#privateKeyIds() };
  }

  /** Makes one signature. A dead session is renewed once; a PIN is never tried twice. */
  async sign(keyId: string, mechanism: TokenMechanism, input: Buffer, isPresent: () => boolean): Promise<Buffer> {
    try {
      return await this.#signOnce(keyId, mechanism, input);
    } catch (thrown) {
      const error = toCryptokiError(thrown, 'C_Sign');
      if (recoveryOf(error.code) !== 'renew-session') throw this.#giveUp(error);
    }
    if (!isPresent()) throw this.#giveUp(hostFailure('removed', 'C_Sign', 'token removed'));
    try {
      this.#renewSession();
      return await this.#signOnce(keyId, mechanism, input);
    } catch (thrown) {
      const error = toCryptokiError(thrown, 'C_Sign');
      // A key has disappeared: the token was removed, and the driver does not report the removal.
      const removed = error.failure.kind === 'key';
      throw this.#giveUp(removed ? hostFailure('removed', 'C_Sign', 'token removed') : error);
    }
  }

  /** Clears the state after a failure: no unfinished signature, and no login that the token no longer has. */
  #giveUp(error: CryptokiError): CryptokiError {
    if (error.failure.kind === 'removed' || recoveryOf(error.code) === 'log-in') {
      this.forget();
      return error;
    }
    try {
      this.#renewSession();
    } catch {
      this.forget();
    }
    return error;
  }

  async #signOnce(keyId: string, mechanism: TokenMechanism, input: Buffer): Promise<Buffer> {
    if (this.loginRequired && !this.loggedIn) throw notLoggedIn('C_Sign');
    const session = this.#openSession();
    const key = this.#findKey(keyId);
    if (key.alwaysAuthenticate && !this.pinPad && !this.#pin.isThere) throw notLoggedIn('C_Sign');
    this.#cryptoki.C_SignInit(session, toCryptokiMechanism(mechanism), key.handle);
    if (key.alwaysAuthenticate) this.#authenticateOnce(session);
    const signature = this.#style.signInPool()
      ? await this.#cryptoki.C_SignAsync(session, input, this.#output)
      : this.#cryptoki.C_Sign(session, input, this.#output);
    return Buffer.from(signature);
  }

  #authenticateOnce(session: Handle): void {
    try {
      this.#cryptoki.C_Login(session, Ck.CKU_CONTEXT_SPECIFIC, this.pinPad ? null : this.#pin.bytes);
    } catch (error) {
      // A refused PIN is not used again.
      this.#pin.drop();
      throw error;
    }
    this.#pin.prolong();
  }

  /**
   * Opens the next session before closing the old session, because closing the last session of a token logs out
   * (§5.6.2).
   */
  #renewSession(): void {
    const old = this.#session;
    this.#session = undefined;
    this.#keys.clear();
    try {
      const session = this.#openSession();
      const { state } = this.#cryptoki.C_GetSessionInfo(session);
      this.loggedIn = state === Ck.CKS_RO_USER_FUNCTIONS || state === Ck.CKS_RW_USER_FUNCTIONS;
    } finally {
      try {
        if (old !== undefined) this.#cryptoki.C_CloseSession(old);
      } catch {
        // The closed session was the dead session.
      }
    }
    if (!this.loggedIn) this.#pin.drop();
  }

  #openSession(): Handle {
    this.#session ??= this.#cryptoki.C_OpenSession(this.slot, Ck.CKF_SERIAL_SESSION);
    return this.#session;
  }

  #findKey(keyId: string): FoundKey {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const [handle] = this.#find([
      { type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY },
      { type: Ck.CKA_ID, value: Buffer.from(keyId, 'hex') },
    ]);
    if (handle === undefined) throw hostFailure('key', 'C_FindObjects', 'no private key');
    const key = { handle, alwaysAuthenticate: this.#attribute(handle, Ck.CKA_ALWAYS_AUTHENTICATE)[0] === 1 };
    this.#keys.set(keyId, key);
    return key;
  }

  #privateKeyIds(): string[] {
    const handles = this.#find([{ type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY }]);
    const ids = handles.map((handle) => this.#attribute(handle, Ck.CKA_ID).toString('hex'));
    return ids.filter((id) => id !== '');
  }

  #find(template: readonly AttributeTemplate[]): readonly Handle[] {
    const session = this.#openSession();
    this.#cryptoki.C_FindObjectsInit(session, template);
    try {
      const found: Handle[] = [];
      while (found.length < MAX_OBJECTS) {
        const more = this.#cryptoki.C_FindObjects(session, 32);
        if (more.length === 0) break;
        found.push(...more);
      }
      return found;
    } finally {
      try {
        this.#cryptoki.C_FindObjectsFinal(session);
      } catch {
        // The search has ended together with its session.
      }
    }
  }

  /**
   * Reads one attribute at a time, because a driver without one of the attributes refuses the whole list. Missing
   * attributes are empty.
   */
  #attribute(object: Handle, type: number): Buffer {
    const session = this.#openSession();
    try {
      return this.#cryptoki.C_GetAttributeValue(session, object, type);
    } catch (thrown) {
      const error = toCryptokiError(thrown, 'C_GetAttributeValue');
      if (recoveryOf(error.code) !== 'none') throw error;
      return Buffer.alloc(0);
    }
  }
}
