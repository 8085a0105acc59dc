/** One loaded driver inside the child process: its slots, its tokens, and the operations for the parent. */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Ck, Ckr, TokenFlag, type Cryptoki, type CryptokiTokenInfo, type Handle } from './cryptoki/cryptoki.ts';
import { hostFailure, recoveryOf, toCryptokiError } from './errors.ts';
import type { HostSession } from './host-session.ts';
import { HostToken, type CallStyle } from './host-token.ts';
import type {
  LibraryInformation,
  Operation,
  SignOutcome,
  SlotList,
  TokenContents,
  TokenInformation,
} from './protocol.ts';

type ProbeOperation = Extract<Operation, { op: 'probe' }>;
type SignOperation = Extract<Operation, { op: 'sign' }>;

/**
 * Milliseconds after which signatures of a batch are reported as a group: a slow token shows progress, and a fast token
 * needs few messages.
 */
const REPORT_AFTER_MILLISECONDS = 5;
const PIN_IDLE_MILLISECONDS = 30_000;

const version = (value: { readonly major: number; readonly minor: number }): string => `${value.major}.${value.minor}`;

/** Fixed-length fields of PKCS#11 are padded with blanks, by some drivers with zeros. */
const unpad = (text: string): string => text.replace(/[\s\0]+$/u, '');

function pinAttempts(flags: number): TokenInformation['pinAttempts'] {
  if (flags & TokenFlag.userPinLocked) return 'locked';
  if (flags & TokenFlag.userPinFinalTry) return 'last';
  if (flags & TokenFlag.userPinCountLow) return 'low';
  return flags & TokenFlag.userPinInitialized ? 'normal' : 'unknown';
}

/**
 * The name of a token: its serial number. Some cards with two PINs are two tokens with one serial number, and all
 * databases of NSS have the same: then the label, and at last the slot, tell them apart. The first keeps the bare serial
 * number, because stored identifiers of keys begin with it. A token without a serial number is named by label and slot,
 * both stable while the token is plugged in.
 */
function nameToken(information: CryptokiTokenInfo, slot: Handle, taken: ReadonlySet<string>): string {
  const serial = unpad(information.serialNumber);
  const label = unpad(information.label);
  const place = `@${slot.toString(16)}`;
  if (serial === '') return label + place;
  const names = [serial, `${serial} (${label})`];
  return names.find((name) => !taken.has(name)) ?? `${serial} (${label})${place}`;
}

function nameMechanisms(types: readonly number[]): TokenInformation['mechanisms'] {
  const names: TokenInformation['mechanisms'] = [];
  if (types.includes(Ck.CKM_RSA_PKCS)) names.push('rsa-pkcs1');
  if (types.includes(Ck.CKM_RSA_PKCS_PSS)) names.push('rsa-pss');
  if (types.includes(Ck.CKM_ECDSA)) names.push('ecdsa');
  if (types.includes(Ck.CKM_EDDSA)) names.push('eddsa');
  return names;
}

/** Outcomes of a batch, which are reported as groups and in the order of the batch. */
class OrderedOutcomes {
  readonly #report: (outcomes: SignOutcome[]) => void;
  readonly #waiting = new Map<number, SignOutcome>();
  #reported = 0;
  #reportedAt = performance.now();

  constructor(report: (outcomes: SignOutcome[]) => void) {
    this.#report = report;
  }

  /** Answers whether it was time for a report. */
  add(index: number, outcome: SignOutcome): boolean {
    this.#waiting.set(index, outcome);
    if (performance.now() - this.#reportedAt < REPORT_AFTER_MILLISECONDS) return false;
    this.finish();
    this.#reportedAt = performance.now();
    return true;
  }

  /** Reports the outcomes behind which none is missing. */
  finish(): void {
    const ready: SignOutcome[] = [];
    for (;;) {
      const next = this.#waiting.get(this.#reported);
      if (next === undefined) break;
      this.#waiting.delete(this.#reported++);
      ready.push(next);
    }
    if (ready.length > 0) this.#report(ready);
  }
}

export class HostModule {
  readonly #cryptoki: Cryptoki;
  readonly #tokens = new Map<string, HostToken>();
  readonly #mechanisms = new Map<string, TokenInformation['mechanisms']>();
  readonly #style: CallStyle;
  #threadSafe = true;
  #lastSlots = '';
  #waitsForEvents = true;

  /** `sessions`: sessions of each token in which signatures are made at the same time. */
  constructor(
    cryptoki: Cryptoki,
    { sessions, ownKeysHavePublicKeys = false }: Pick<ProbeOperation, 'sessions' | 'ownKeysHavePublicKeys'>,
  ) {
    this.#cryptoki = cryptoki;
    const signInPool = (): boolean => this.#threadSafe && (this.#tokens.size > 1 || sessions > 1);
    this.#style = { signInPool, sessions, pinIdleMilliseconds: PIN_IDLE_MILLISECONDS, ownKeysHavePublicKeys };
  }

  /** Loads and initialises the driver. */
  probe({ path, parameters }: Pick<ProbeOperation, 'path' | 'parameters'>): LibraryInformation {
    try {
      this.#cryptoki.load(path);
    } catch (error) {
      throw toCryptokiError(error, 'load');
    }
    this.#initialise(parameters);
    try {
      const information = this.#cryptoki.C_GetInfo();
      return {
        description: unpad(information.libraryDescription),
        manufacturer: unpad(information.manufacturerID),
        libraryVersion: version(information.libraryVersion),
        cryptokiVersion: version(information.cryptokiVersion),
      };
    } catch (error) {
      throw toCryptokiError(error, 'C_GetInfo');
    }
  }

  /**
   * Asks for locking by the operating system. A driver without this support is called from one thread only (§5.4.1).
   */
  #initialise(libraryParameters: string | undefined): void {
    try {
      this.#cryptoki.C_Initialize({ flags: Ck.CKF_OS_LOCKING_OK, libraryParameters });
    } catch (thrown) {
      const error = toCryptokiError(thrown, 'C_Initialize');
      if (recoveryOf(error.code) === 'success') return;
      const lockless = [Ckr.cantLock, Ckr.argumentsBad, Ckr.needToCreateThreads] as readonly number[];
      if (!lockless.includes(error.code)) throw error;
      this.#threadSafe = false;
      try {
        this.#cryptoki.C_Initialize(libraryParameters === undefined ? undefined : { flags: 0, libraryParameters });
      } catch (second) {
        const failure = toCryptokiError(second, 'C_Initialize');
        if (recoveryOf(failure.code) !== 'success') throw failure;
      }
    }
  }

  /** The plugged-in tokens. The state of removed tokens is dropped. */
  slots(): SlotList {
    const slots = this.#listSlots();
    const tokens: TokenInformation[] = [];
    const present = new Set<string>();
    for (const slot of slots) {
      const token = this.#readToken(slot, present);
      if (token !== undefined) tokens.push(token);
    }
    for (const [name, token] of this.#tokens) {
      if (present.has(name)) continue;
      token.forget();
      this.#tokens.delete(name);
      this.#mechanisms.delete(name);
    }
    this.#lastSlots = slots.map((slot) => slot.toString(16)).join();
    return { slotCount: slots.length, tokens };
  }

  #listSlots(): readonly Handle[] {
    try {
      return this.#cryptoki.C_GetSlotList(true);
    } catch (error) {
      throw toCryptokiError(error, 'C_GetSlotList');
    }
  }

  /** Undefined for a token without contents, and for a token removed during the read. */
  #readToken(slot: Handle, present: Set<string>): TokenInformation | undefined {
    let information: CryptokiTokenInfo;
    try {
      information = this.#cryptoki.C_GetTokenInfo(slot);
    } catch {
      return undefined;
    }
    if (!(information.flags & TokenFlag.tokenInitialized)) return undefined;
    const name = nameToken(information, slot, present);
    present.add(name);
    const known = this.#tokens.get(name);
    if (known !== undefined && known.slot !== slot) known.forget();
    const token = known ?? new HostToken(this.#cryptoki, this.#style, slot, information);
    token.slot = slot;
    token.information = information;
    this.#tokens.set(name, token);
    return {
      serialNumber: name,
      label: unpad(information.label),
      manufacturer: unpad(information.manufacturerID),
      model: unpad(information.model),
      loginRequired: token.loginRequired,
      loggedIn: token.loggedIn,
      pinPad: token.pinPad,
      pinAttempts: pinAttempts(information.flags),
      mechanisms: this.#mechanismsOf(name, slot),
    };
  }

  #mechanismsOf(name: string, slot: Handle): TokenInformation['mechanisms'] {
    const known = this.#mechanisms.get(name);
    if (known !== undefined) return known;
    try {
      const names = nameMechanisms(this.#cryptoki.C_GetMechanismList(slot));
      this.#mechanisms.set(name, names);
      return names;
    } catch {
      return [];
    }
  }

  /**
   * The new list when tokens were added or removed since the last call, else undefined. Without a change only the slot
   * list is read, so that an idle card is left alone. Never waits: a waiting driver would block the process.
   */
  pollChanges(): SlotList | undefined {
    const event = this.#takeEvents();
    const slots = this.#listSlots()
      .map((slot) => slot.toString(16))
      .join();
    return event || slots !== this.#lastSlots ? this.slots() : undefined;
  }

  #takeEvents(): boolean {
    let seen = false;
    for (let count = 0; this.#waitsForEvents && count < 16; count++) {
      try {
        if (this.#cryptoki.C_WaitForSlotEvent(Ck.CKF_DONT_BLOCK) === null) break;
        seen = true;
      } catch {
        this.#waitsForEvents = false;
      }
    }
    return seen;
  }

  contents(tokenSerial: string): TokenContents {
    return this.#token(tokenSerial).contents();
  }

  login(tokenSerial: string, pin: string): void {
    this.#token(tokenSerial).login(pin);
  }

  logout(tokenSerial: string): void {
    this.#tokens.get(tokenSerial)?.forget();
  }

  /**
   * Signs the inputs in the sessions of the token, and reports the outcomes in order. A failed signature does not stop
   * the others.
   */
  async sign({ key, mechanism, inputs }: SignOperation, report: (outcomes: SignOutcome[]) => void): Promise<void> {
    const token = this.#token(key.tokenSerial);
    const isPresent = (): boolean => this.#refresh(key.tokenSerial) !== undefined;
    const outcomes = new OrderedOutcomes(report);
    const left = inputs.entries();
    const signInSession = async (session: HostSession): Promise<void> => {
      for (const [index, input] of left) {
        const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
        const outcome = await token
          .sign({ key, mechanism, input: bytes }, isPresent, session)
          .catch((error: unknown) => toCryptokiError(error, 'C_Sign').failure);
        // Lets requests for other tokens run, even when all driver calls use this thread.
        if (outcomes.add(index, outcome)) await letOthersRun();
      }
    };
    const sessions = this.#threadSafe ? token.sessionsFor(inputs.length) : token.sessionsFor(1);
    await Promise.all(sessions.map(signInSession));
    outcomes.finish();
  }

  /** Logs out of all tokens and finalises the driver. */
  close(): void {
    for (const token of this.#tokens.values()) token.forget();
    this.#tokens.clear();
    try {
      this.#cryptoki.C_Finalize();
    } catch {
      // The process ends next, and with the process a driver that refuses to finalise.
    }
  }

  #token(name: string): HostToken {
    const token = this.#tokens.get(name) ?? this.#refresh(name);
    if (token === undefined) throw hostFailure('removed', 'C_GetSlotList', 'token removed');
    return token;
  }

  #refresh(name: string): HostToken | undefined {
    this.slots();
    return this.#tokens.get(name);
  }
}
