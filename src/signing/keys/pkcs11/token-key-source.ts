import { SigningError } from '../../errors.ts';
import type { KeyDescription, KeySource, KeySourceHealth, TokenState } from '../key-source.ts';
import type { Pin } from '../pin.ts';
import type { Signer } from '../signer.ts';
import { driverProblemOf, missingBinding, NO_KEY } from './errors.ts';
import { schemesOf } from './mechanisms.ts';
import type { ModuleReference } from './module-paths.ts';
import { MAX_PIN_LENGTH, type LibraryInformation, type SlotList, type TokenInformation } from './protocol.ts';
import { ModuleSupervisor, type SupervisorOptions } from './supervisor.ts';
import { readTokenKeys, type TokenKey } from './token-contents.ts';
import { tokenSigner } from './token-signer.ts';

/** The module of a token, and the limits and observers of its process. */
export interface TokenKeySourceOptions extends SupervisorOptions {
  readonly module: ModuleReference;
}

/** A change for listeners. `health`: the result of `health()` has changed. */
export type TokenChange =
  | { readonly kind: 'inserted' | 'removed'; readonly serialNumber: string; readonly label: string }
  | { readonly kind: 'health' };

/** Lifetime of a card's cached certificates in milliseconds, because another program may write to the card. */
const CONTENTS_LIFETIME_MILLISECONDS = 15_000;

interface KnownToken {
  information: TokenInformation;
  keys: readonly TokenKey[] | undefined;
  /** The findings of the last login by `TokenKey.id`, so that the list stays the same after a logout. */
  readonly hasKey: Map<string, boolean>;
  readAt: number;
  /** The reason for the last failure to read the certificates. */
  trouble: SigningError | undefined;
}

const isModuleFailure = (error: unknown): boolean => error instanceof SigningError && error.code.startsWith('MODULE_');

/**
 * The keys of all tokens of one PKCS#11 module. The module runs in a child process. Whatever happens there, every call
 * ends with a result or with a `SigningError`.
 */
export class TokenKeySource implements KeySource {
  readonly id: string;
  readonly asksDriver = true;
  readonly rank = 1;
  readonly module: ModuleReference;
  readonly #supervisor: ModuleSupervisor;
  readonly #tokens = new Map<string, KnownToken>();
  readonly #listeners = new Set<(change: TokenChange) => void>();

  constructor(options: TokenKeySourceOptions) {
    this.module = options.module;
    this.id = `token:${options.module.id}`;
    const events = {
      slots: (slots: SlotList) => this.#update(slots),
      state: () => this.#hostChanged(),
    };
    this.#supervisor = new ModuleSupervisor(options.module, events, options);
  }

  /** The library's description of itself; undefined until loaded. */
  get library(): LibraryInformation | undefined {
    return this.#supervisor.library;
  }

  /** The number of the running child process; undefined without a child. */
  get processId(): number | undefined {
    return this.#supervisor.processId;
  }

  /** The driver's output before the first login, at most 8 KiB, for diagnostics requested by the owner. */
  get output(): string {
    return this.#supervisor.output;
  }

  /**
   * Lists the keys. A failing token is left out while others work, and is reported by `health`. Rejects with
   * `MODULE_…`.
   */
  async list(): Promise<readonly KeyDescription[]> {
    const lists = await Promise.all((await this.#readTokens()).map((token) => this.#listToken(token)));
    return lists.flat();
  }

  /** The plugged-in tokens, including tokens without certificates. Rejects with `MODULE_…`. */
  async tokens(): Promise<readonly TokenState[]> {
    return (await this.#readTokens()).map(({ information }) => this.#describe(information));
  }

  /** Opens a signer. `signal` cancels signatures that still wait for the token; they reject with `CANCELLED`. */
  async open(keyId: string, signal?: AbortSignal): Promise<Signer> {
    const { token, key } = await this.#find(keyId);
    if (key.hasKey === false) throw new SigningError('KEY_ABSENT', NO_KEY);
    const { serialNumber, mechanisms } = token.information;
    const publicKey = key.certificate.publicKey();
    const schemes = schemesOf(publicKey, mechanisms);
    if (schemes.length === 0) {
      throw new SigningError('ALGORITHM_UNSUPPORTED', 'This kind of key cannot sign on this token.');
    }
    return tokenSigner({
      supervisor: this.#supervisor,
      key: { tokenSerial: serialNumber, keyId: key.keyId, publicKey: key.publicKey },
      certificate: key.certificate.der,
      chain: key.chain,
      publicKey,
      schemes,
      removed: () => this.#forget(serialNumber),
      signal,
    });
  }

  /** Logs in with a single attempt on the token, which is never repeated. The caller wipes the PIN. */
  async unlock(keyId: string, pin: Pin): Promise<void> {
    const { token } = await this.#find(keyId);
    const { serialNumber, pinPad } = token.information;
    const { login, loginOnPinPad } = this.#supervisor.deadlines;
    const deadline = pinPad ? loginOnPinPad : login;
    await pin.use(async (text) => {
      if (text.length > MAX_PIN_LENGTH) throw new SigningError('PIN_INVALID', 'The PIN is too long; it was not tried.');
      await this.#supervisor.call<'login'>({ op: 'login', tokenSerial: serialNumber, pin: text }, deadline);
    });
    token.information = { ...token.information, loggedIn: true };
    token.keys = undefined;
  }

  /**
   * Cancels the waiting requests of the token and logs out. After the last logout of the module its process is
   * replaced, because JavaScript cannot wipe the text of a PIN.
   */
  async lock(keyId: string): Promise<void> {
    const token = [...this.#tokens.values()].find((one) => keyId.startsWith(`${one.information.serialNumber}:`));
    if (token === undefined) return;
    const { serialNumber } = token.information;
    this.#supervisor.cancelSignatures(serialNumber);
    try {
      // Without a child there is no login.
      if (this.#supervisor.state === 'ready') await this.#logOut(serialNumber);
    } finally {
      token.information = { ...token.information, loggedIn: false };
      token.keys = undefined;
      this.#retireUnlessNeeded();
    }
  }

  async #logOut(tokenSerial: string): Promise<void> {
    try {
      await this.#supervisor.call<'logout'>({ op: 'logout', tokenSerial }, this.#supervisor.deadlines.logout);
    } catch (error) {
      // A child that ends during the logout is logged out as well.
      if (!isModuleFailure(error)) throw error;
    }
  }

  /** Reads the tokens, and loads the driver if necessary, so that the result is current. Does not reject. */
  async health(): Promise<KeySourceHealth> {
    const shown = { id: this.id, name: this.module.product };
    try {
      await this.list();
    } catch (error) {
      const missing = missingBinding(error);
      if (missing !== undefined) {
        const { problem: detail, remedy } = missing;
        return { ...shown, state: 'failing', problem: 'MODULE_BINDING_MISSING', detail, remedy };
      }
      const state = error instanceof SigningError && error.code === 'MODULE_QUARANTINED' ? 'quarantined' : 'failing';
      const detail = error instanceof Error ? error.message : 'The driver does not answer.';
      return { ...shown, state, problem: driverProblemOf(error), detail };
    }
    const trouble = [...this.#tokens.values()].map((token) => token.trouble).find((error) => error !== undefined);
    if (trouble === undefined) return { ...shown, state: 'ok' };
    return { ...shown, state: 'failing', problem: trouble.code, detail: trouble.message };
  }

  /** Allows another attempt at the next call, for a driver in quarantine or unloadable. */
  release(): void {
    this.#supervisor.release();
  }

  /**
   * Reports added and removed tokens from now on, and keeps the child process running meanwhile. The returned function
   * ends the reports.
   */
  onChange(listener: (change: TokenChange) => void): () => void {
    this.#listeners.add(listener);
    this.#supervisor.watch();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#supervisor.unwatch();
    };
  }

  /** Reads the certificates anew at the next list, because the caller knows of a change. */
  forgetContents(): void {
    for (const token of this.#tokens.values()) token.keys = undefined;
  }

  /** Ends an idle child process; the next call starts another. Logins end with the process. */
  retire(): void {
    this.#supervisor.retireWhenIdle();
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    this.#tokens.clear();
    await this.#supervisor.close();
  }

  async #readTokens(): Promise<readonly KnownToken[]> {
    this.#update(await this.#supervisor.call<'slots'>({ op: 'slots' }, this.#supervisor.deadlines.slots));
    return [...this.#tokens.values()];
  }

  async #listToken(token: KnownToken): Promise<readonly KeyDescription[]> {
    const keys = await this.#readKeys(token);
    return keys.map(({ id, label, certificate, chain, hasKey }) => ({
      id,
      source: 'token',
      label,
      certificate: certificate.der,
      chain,
      token: this.#describe(token.information),
      hasKey,
    }));
  }

  async #readKeys(token: KnownToken): Promise<readonly TokenKey[]> {
    const now = performance.now();
    if (token.keys !== undefined && now - token.readAt < CONTENTS_LIFETIME_MILLISECONDS) return token.keys;
    const { serialNumber } = token.information;
    try {
      const contents = await this.#supervisor.call<'certificates'>(
        { op: 'certificates', tokenSerial: serialNumber },
        this.#supervisor.deadlines.certificates,
      );
      token.keys = readTokenKeys(serialNumber, contents).map((key) => {
        if (key.hasKey !== undefined) token.hasKey.set(key.id, key.hasKey);
        return { ...key, hasKey: token.hasKey.get(key.id) };
      });
      token.readAt = now;
      token.trouble = undefined;
      return token.keys;
    } catch (error) {
      if (!(error instanceof SigningError) || isModuleFailure(error) || error.code === 'CANCELLED') throw error;
      if (error.code !== 'TOKEN_REMOVED') token.trouble = error;
      return [];
    }
  }

  async #find(keyId: string): Promise<{ readonly token: KnownToken; readonly key: TokenKey }> {
    const known = this.#lookUp(keyId);
    if (known !== undefined) return known;
    await this.list();
    const found = this.#lookUp(keyId);
    if (found === undefined)
      throw new SigningError('KEY_NOT_FOUND', 'The certificate is on none of the connected tokens. Connect its token.');
    return found;
  }

  #lookUp(keyId: string): { readonly token: KnownToken; readonly key: TokenKey } | undefined {
    for (const token of this.#tokens.values()) {
      const key = token.keys?.find((one) => one.id === keyId);
      if (key !== undefined) return { token, key };
    }
    return undefined;
  }

  #describe(information: TokenInformation): TokenState {
    const { label, serialNumber, loginRequired, loggedIn, pinAttempts, pinPad } = information;
    const { product } = this.module;
    return { module: product, label, serialNumber, present: true, loginRequired, loggedIn, pinAttempts, pinPad };
  }

  /** Takes over the module's list of plugged-in tokens. A token with a changed login state is read again. */
  #update({ tokens }: SlotList): void {
    const present = new Set(tokens.map((token) => token.serialNumber));
    for (const serialNumber of this.#tokens.keys()) if (!present.has(serialNumber)) this.#forget(serialNumber);
    for (const information of tokens) {
      const { serialNumber, label } = information;
      const known = this.#tokens.get(serialNumber);
      if (known === undefined) {
        this.#tokens.set(serialNumber, {
          information,
          keys: undefined,
          hasKey: new Map(),
          readAt: 0,
          trouble: undefined,
        });
        this.#tell({ kind: 'inserted', serialNumber, label });
        continue;
      }
      if (known.information.loggedIn !== information.loggedIn) known.keys = undefined;
      known.information = information;
    }
  }

  /**
   * Handles a removed token. Unless another token needs the driver, the driver is restarted, because some drivers never
   * see the token again.
   */
  #forget(serialNumber: string): void {
    const token = this.#tokens.get(serialNumber);
    if (token === undefined) return;
    this.#tokens.delete(serialNumber);
    if (token.information.loggedIn) this.#retireUnlessNeeded();
    this.#tell({ kind: 'removed', serialNumber, label: token.information.label });
  }

  #retireUnlessNeeded(): void {
    const needed = [...this.#tokens.values()].some(({ information }) => information.loggedIn);
    if (!needed) this.#supervisor.retireWhenIdle();
  }

  /** An ended child has lost its logins. */
  #hostChanged(): void {
    for (const token of this.#tokens.values()) {
      if (token.information.loggedIn) token.keys = undefined;
      token.information = { ...token.information, loggedIn: false };
    }
    if (this.#listeners.size > 0 && this.#supervisor.state === 'ready') {
      this.#readTokens().catch(() => {
        // `health` reports the failure.
      });
    }
    this.#tell({ kind: 'health' });
  }

  #tell(change: TokenChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
