/** The calls of the child process to a token, seen by its driver. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Ck,
  Ckr,
  TokenFlag,
  type Cryptoki,
  type CryptokiTokenInfo,
} from '../../../../src/signing/keys/pkcs11/cryptoki/cryptoki.ts';
import { CryptokiError } from '../../../../src/signing/keys/pkcs11/errors.ts';
import { HostToken } from '../../../../src/signing/keys/pkcs11/host-token.ts';

const PIN = 'segredo';
const INFORMATION: CryptokiTokenInfo = {
  label: 'card',
  manufacturerID: 'maker',
  model: 'model',
  serialNumber: '1',
  flags: TokenFlag.loginRequired | TokenFlag.tokenInitialized,
  minPinLen: 4,
  maxPinLen: 8,
};

const failureOf = (name: string, code: number): CryptokiError =>
  new CryptokiError({ kind: 'cryptoki', name, code, operation: 'C_Sign', detail: '' });

/** A driver with a single key asking for the PIN each time; the driver writes down its calls. */
class FakeDriver {
  readonly calls: string[] = [];
  /** The memory used to hand over PINs. */
  readonly pins: Buffer[] = [];
  sessionsLeft = Infinity;
  /** The next signature fails, because its session is not there any more. */
  isSessionLost = false;
  #found = false;

  note(name: string, ...parts: readonly unknown[]): void {
    this.calls.push([name, ...parts].join(' '));
  }
  C_OpenSession(): bigint {
    if (this.sessionsLeft-- <= 0) throw failureOf('CKR_SESSION_COUNT', Ckr.sessionCount);
    this.note('C_OpenSession');
    return BigInt(this.calls.length);
  }
  C_CloseSession(): void {
    this.note('C_CloseSession');
  }
  C_GetSessionInfo(): { state: number } {
    return { state: Ck.CKS_RO_USER_FUNCTIONS };
  }
  C_Login(_: bigint, user: number, pin: Buffer | null): void {
    this.note('C_Login', user, pin?.toString('utf8') ?? 'NULL');
    if (pin !== null) this.pins.push(pin);
  }
  C_Logout(): void {
    this.note('C_Logout');
  }
  C_FindObjectsInit(): void {
    this.#found = false;
  }
  C_FindObjects(): bigint[] {
    const first = !this.#found;
    this.#found = true;
    return first ? [7n] : [];
  }
  C_FindObjectsFinal(): void {
    this.#found = false;
  }
  C_GetAttributeValue(): Buffer {
    return Buffer.of(1);
  }
  C_SignInit(): void {
    if (this.isSessionLost) {
      this.isSessionLost = false;
      throw failureOf('CKR_SESSION_CLOSED', Ckr.sessionClosed);
    }
    this.note('C_SignInit');
  }
  C_Sign(): Buffer {
    this.note('C_Sign');
    return Buffer.of(1, 2);
  }
  C_SignAsync(): Promise<Buffer> {
    this.note('C_SignAsync');
    return Promise.resolve(Buffer.of(1, 2));
  }
}

let driver: FakeDriver;

function open(threadSafe = true, information = INFORMATION, sessions = 1): HostToken {
  const style = { signInPool: () => threadSafe, sessions, pinIdleMilliseconds: 30_000 };
  return new HostToken(driver as unknown as Cryptoki, style, 1n, information);
}

const work = { key: { keyId: '01', publicKey: '01' }, mechanism: { name: 'ecdsa' }, input: Buffer.alloc(32) } as const;
const sign = (token: HostToken): Promise<Buffer> => token.sign(work, () => true);

beforeEach(() => {
  vi.useFakeTimers();
  driver = new FakeDriver();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('HostToken', () => {
  it('keeps the PIN of a key asking each time for thirty seconds after the last signature, and no longer', async () => {
    const token = open();
    token.login(PIN);
    await vi.advanceTimersByTimeAsync(29_000);
    await sign(token);
    await vi.advanceTimersByTimeAsync(29_000);
    await sign(token);
    expect(driver.calls.filter((call) => call === `C_Login 2 ${PIN}`)).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(30_001);
    await expect(sign(token)).rejects.toMatchObject({ failure: { name: 'CKR_USER_NOT_LOGGED_IN' } });
    expect(driver.calls.filter((call) => call.startsWith('C_Login 2'))).toHaveLength(2);
  });

  it('calls a driver without locks from this thread only', async () => {
    const token = open(false);
    token.login(PIN);
    await sign(token);
    expect(driver.calls).toContain('C_Sign');
    expect(driver.calls).not.toContain('C_SignAsync');
  });

  it.each(['', '123', '123456789'])('does not try a PIN of impossible length (%j)', (pin) => {
    const token = open();
    expect(() => token.login(pin)).toThrow('PIN length');
    expect(driver.calls).toEqual([]);
  });

  it('counts the length of a PIN in bytes', () => {
    expect(() => open().login('ááááá')).toThrow();
    open().login('áááá');
    expect(driver.calls).toContain('C_Login 1 áááá');
  });

  it("overwrites the PIN in memory after the driver's use", () => {
    open().login(PIN);
    const [handed] = driver.pins;
    expect(handed).toEqual(Buffer.alloc(PIN.length));
  });

  it('overwrites the PIN kept for a key asking each time', async () => {
    const token = open();
    token.login(PIN);
    await sign(token);
    const kept = driver.pins.at(-1);
    expect(kept?.toString('utf8')).toBe(PIN);
    token.forget();
    expect(kept).toEqual(Buffer.alloc(PIN.length));
  });

  it('passes NULL for a PIN typed on the reader, for the login and for each signature', async () => {
    const flags = INFORMATION.flags | TokenFlag.protectedAuthenticationPath;
    const token = open(true, { ...INFORMATION, flags });
    token.login('');
    await sign(token);
    expect(driver.calls.filter((call) => call.startsWith('C_Login'))).toEqual(['C_Login 1 NULL', 'C_Login 2 NULL']);
  });

  it('logs out and closes its session when told to forget', () => {
    const token = open();
    token.login(PIN);
    token.forget();
    expect(driver.calls.slice(-2)).toEqual(['C_Logout', 'C_CloseSession']);
    expect(token.loggedIn).toBe(false);
  });

  it('signs nothing before the login, and does not even ask the driver', async () => {
    await expect(sign(open())).rejects.toMatchObject({ failure: { name: 'CKR_USER_NOT_LOGGED_IN' } });
    expect(driver.calls.filter((call) => call.startsWith('C_Sign'))).toEqual([]);
  });

  it('signs in a single session, unless told to use more', () => {
    const token = open();
    token.login(PIN);
    expect(token.sessionsFor(64)).toHaveLength(1);
    expect(driver.calls.filter((call) => call === 'C_OpenSession')).toHaveLength(1);
  });

  it('opens as many sessions as it may sign in at once, keeps all, and closes all in the end', () => {
    const token = open(true, INFORMATION, 3);
    expect(token.sessionsFor(64)).toHaveLength(1);
    token.login(PIN);
    expect([2, 64, 64].map((count) => token.sessionsFor(count).length)).toEqual([2, 3, 3]);
    expect(driver.calls.filter((call) => call === 'C_OpenSession')).toHaveLength(3);
    token.forget();
    expect(driver.calls.slice(-4)).toEqual(['C_Logout', 'C_CloseSession', 'C_CloseSession', 'C_CloseSession']);
  });

  it('signs in fewer sessions while others have the rest', () => {
    const token = open(true, INFORMATION, 3);
    token.login(PIN);
    driver.sessionsLeft = 1;
    expect(token.sessionsFor(64)).toHaveLength(2);
    driver.sessionsLeft = 1;
    expect(token.sessionsFor(64)).toHaveLength(3);
  });

  it('opens the next session before closing its only one, and after closing one of several', async () => {
    for (const [sessions, expected] of [
      [1, ['C_OpenSession', 'C_CloseSession']],
      [2, ['C_CloseSession', 'C_OpenSession']],
    ] as const) {
      driver = new FakeDriver();
      const token = open(false, INFORMATION, sessions);
      token.login(PIN);
      const session = token.sessionsFor(2).at(-1)!;
      driver.calls.length = 0;
      driver.isSessionLost = true;
      await token.sign(work, () => true, session);
      expect(driver.calls.filter((call) => call.endsWith('Session'))).toEqual(expected);
    }
  });
});
