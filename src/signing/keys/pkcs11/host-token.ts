/**
 * One token inside the child process: its sessions, its login state and its signatures. One session is enough for real
 * cards, which make one signature at a time; an HSM signs in several sessions at once.
 */
import { Ck, TokenFlag, type Cryptoki, type CryptokiTokenInfo, type Handle } from './cryptoki/cryptoki.ts';
import { toCryptokiMechanism } from './cryptoki/cryptoki-mechanisms.ts';
import { hostFailure, notLoggedIn, recoveryOf, toCryptokiError, type CryptokiError } from './errors.ts';
import { HostSession } from './host-session.ts';
import type { WantedKey } from './pair-keys.ts';
import type { TokenContents, TokenMechanism } from './protocol.ts';

/** The PIN of keys that demand the PIN for each signature: kept while in use, and overwritten afterwards. */
class KeptPin {
  readonly #idleMilliseconds: number;
  #pin: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(idleMilliseconds: number) {
    this.#idleMilliseconds = idleMilliseconds;
  }

  get isThere(): boolean {
    return this.#pin !== undefined;
  }

  /** The stored PIN itself, not a copy: `drop` overwrites the bytes. Empty without a PIN. */
  get bytes(): Buffer {
    return this.#pin ?? Buffer.alloc(0);
  }

  /** Stores a copy of the PIN. */
  keep(pin: Buffer): void {
    this.drop();
    this.#pin = Buffer.from(pin);
    this.prolong();
  }

  /** Restarts the time limit after a use of the PIN. */
  prolong(): void {
    clearTimeout(this.#timer);
    if (this.#pin !== undefined) this.#timer = setTimeout(() => this.drop(), this.#idleMilliseconds);
  }

  drop(): void {
    clearTimeout(this.#timer);
    this.#pin?.fill(0);
    this.#pin = undefined;
  }
}

/** How to call the module. */
export interface CallStyle {
  /**
   * True when a signature runs in the thread pool, so that other tokens are served meanwhile, at a fifth of the rate.
   * Always false when the driver refused CKF_OS_LOCKING_OK: then calls must not overlap, and all calls use this thread.
   */
  readonly signInPool: () => boolean;
  /** Sessions of a token in which signatures are made at the same time. */
  readonly sessions: number;
  /** See `ModuleReference`. */
  readonly ownKeysHavePublicKeys?: boolean;
  /** How long the PIN of a key with CKA_ALWAYS_AUTHENTICATE is kept after the last signature. */
  readonly pinIdleMilliseconds: number;
}

/** One signature: its key, and the input of the mechanism. */
interface SignatureWork {
  readonly key: WantedKey;
  readonly mechanism: TokenMechanism;
  readonly input: Buffer;
}

export class HostToken {
  slot: Handle;
  information: CryptokiTokenInfo;
  loggedIn = false;
  readonly #cryptoki: Cryptoki;
  readonly #style: CallStyle;
  readonly #pin: KeptPin;
  /** The session of the login and of searches, which signs too. */
  readonly #main: HostSession;
  /** Further sessions, which only sign. */
  readonly #others: HostSession[] = [];

  constructor(cryptoki: Cryptoki, style: CallStyle, slot: Handle, information: CryptokiTokenInfo) {
    this.#cryptoki = cryptoki;
    this.#style = style;
    this.#pin = new KeptPin(style.pinIdleMilliseconds);
    this.slot = slot;
    this.information = information;
    this.#main = this.#newSession();
  }

  #newSession(): HostSession {
    return new HostSession(this.#cryptoki, () => this.slot);
  }

  get #sessions(): readonly HostSession[] {
    return [this.#main, ...this.#others];
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
    const session = this.#main.open();
    try {
      this.#cryptoki.C_Login(session, Ck.CKU_USER, pin);
    } catch (error) {
      if (recoveryOf(toCryptokiError(error, 'C_Login').code) !== 'success') throw error;
    }
    this.loggedIn = true;
    for (const one of this.#sessions) one.forgetKeys();
    if (pin === null || this.pinPad) return;
    if (this.#main.asksForEachKey()) this.#pin.keep(pin);
  }

  #checkLength({ length }: Buffer): void {
    const { minPinLen: shortest, maxPinLen: longest } = this.information;
    const bounded = longest > 0 && longest >= shortest;
    if (length === 0 || (bounded && (length < shortest || length > longest))) {
      throw hostFailure('pin-length', 'login', 'PIN length');
    }
  }

  /** Logs out and closes the sessions; failures do not matter, because all are gone afterwards. */
  forget(): void {
    this.#pin.drop();
    const open = this.#sessions.map((session) => session.release()).filter((handle) => handle !== undefined);
    const [first] = open;
    try {
      if (first !== undefined && this.loggedIn) this.#cryptoki.C_Logout(first);
    } catch {
      // A removed token has logged out by itself.
    }
    for (const handle of open) this.#close(handle);
    this.loggedIn = false;
  }

  #close(session: Handle | undefined): void {
    try {
      if (session !== undefined) this.#cryptoki.C_CloseSession(session);
    } catch {
      // The driver has already closed the session.
    }
  }

  /** Tells the holder's certificates from those of correspondents, where the public keys say so. */
  #ownership(): (keyId: string) => boolean {
    if (this.#style.ownKeysHavePublicKeys !== true) return () => true;
    const own = new Set(this.#main.publicKeys().map(({ keyId }) => keyId));
    return (keyId) => own.has(keyId);
  }

  contents(): TokenContents {
    const template = [
      { type: Ck.CKA_CLASS, value: Ck.CKO_CERTIFICATE },
      { type: Ck.CKA_CERTIFICATE_TYPE, value: Ck.CKC_X_509 },
    ];
    const certificates = this.#main.find(template).map((object) => ({
      keyId: this.#main.attribute(object, Ck.CKA_ID).toString('hex'),
      label: this.#main.attribute(object, Ck.CKA_LABEL).toString('utf8'),
      der: this.#main.attribute(object, Ck.CKA_VALUE),
    }));
    const isOwn = this.#ownership();
    const readable = certificates.filter(({ der, keyId }) => der.length > 0 && isOwn(keyId));
    if (this.loginRequired && !this.loggedIn) return { certificates: readable };
    const privateKeys = this.#main.privateKeys().map(({ keyId, publicKey }) => ({ keyId, publicKey }));
    return { certificates: readable, privateKeys };
  }

  /**
   * Sessions for at most `count` signatures at once. There are fewer of them when the token has no more: other nodes
   * and programs may have the rest.
   */
  sessionsFor(count: number): readonly HostSession[] {
    const wanted = this.loginRequired && !this.loggedIn ? 1 : Math.min(count, this.#style.sessions);
    const sessions = [this.#main];
    for (let index = 0; sessions.length < wanted; index++) {
      const session = (this.#others[index] ??= this.#newSession());
      try {
        this.#main.open();
        session.open();
      } catch {
        break;
      }
      sessions.push(session);
    }
    return sessions;
  }

  /** Makes one signature. A dead session is renewed once; a PIN is never tried twice. */
  async sign(work: SignatureWork, isPresent: () => boolean, session = this.#main): Promise<Buffer> {
    try {
      return await this.#signOnce(work, session);
    } catch (thrown) {
      const error = toCryptokiError(thrown, 'C_Sign');
      if (recoveryOf(error.code) !== 'renew-session') throw this.#giveUp(error, session);
    }
    if (!isPresent()) throw this.#giveUp(hostFailure('removed', 'C_Sign', 'token removed'), session);
    try {
      this.#renew(session);
      return await this.#signOnce(work, session);
    } catch (thrown) {
      const error = toCryptokiError(thrown, 'C_Sign');
      // A key has disappeared: the token was removed, and the driver does not report the removal.
      const removed = error.failure.kind === 'key';
      throw this.#giveUp(removed ? hostFailure('removed', 'C_Sign', 'token removed') : error, session);
    }
  }

  /** Clears the state after a failure: no unfinished signature, and no login that the token no longer has. */
  #giveUp(error: CryptokiError, session: HostSession): CryptokiError {
    if (error.failure.kind === 'removed' || recoveryOf(error.code) === 'log-in') {
      this.forget();
      return error;
    }
    try {
      this.#renew(session);
    } catch {
      this.forget();
    }
    return error;
  }

  async #signOnce({ key: wanted, mechanism, input }: SignatureWork, session: HostSession): Promise<Buffer> {
    if (this.loginRequired && !this.loggedIn) throw notLoggedIn('C_Sign');
    const handle = session.open();
    const key = session.findKey(wanted);
    if (key.alwaysAuthenticate && !this.pinPad && !this.#pin.isThere) throw notLoggedIn('C_Sign');
    this.#cryptoki.C_SignInit(handle, toCryptokiMechanism(mechanism), key.handle);
    if (key.alwaysAuthenticate) this.#authenticateOnce(handle);
    const signature = this.#style.signInPool()
      ? await this.#cryptoki.C_SignAsync(handle, input, session.output)
      : this.#cryptoki.C_Sign(handle, input, session.output);
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
   * Replaces a session. The only session is closed after the next one is open, because closing the last session of a
   * token logs out (§5.6.2); with others, it is closed first, so that the limit is kept.
   */
  #renew(session: HostSession): void {
    const isOnly = this.#sessions.every((one) => one === session || !one.isOpen);
    const old = session.release();
    if (!isOnly) this.#close(old);
    try {
      const { state } = this.#cryptoki.C_GetSessionInfo(session.open());
      this.loggedIn = state === Ck.CKS_RO_USER_FUNCTIONS || state === Ck.CKS_RW_USER_FUNCTIONS;
    } finally {
      if (isOnly) this.#close(old);
    }
    if (!this.loggedIn) this.#pin.drop();
  }
}
