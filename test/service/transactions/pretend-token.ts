import { createPrivateKey } from 'node:crypto';
import {
  type KeyDescription,
  type KeySource,
  type Signer,
  SigningError,
  softwareSigner,
  type TokenState,
} from '../../../src/signing/index.ts';
import type { TestIdentity } from '../../../src/test-authority/index.ts';

/** A key source with the behaviour of a token: may be away, locked, or refuse in the middle of a batch. */
export class PretendToken implements KeySource {
  readonly id = 'pretend-token';
  readonly asksDriver = true;
  readonly rank = 1;
  readonly #identity: TestIdentity;
  present = true;
  unlocked = false;
  /** Called before each signature. */
  beforeSign: () => void | Promise<void> = () => undefined;
  signatures = 0;

  constructor(identity: TestIdentity) {
    this.#identity = identity;
  }

  list(): Promise<readonly KeyDescription[]> {
    const { certificate, chain } = this.#identity;
    const token: TokenState = {
      module: 'pretend',
      label: 'token',
      serialNumber: '1',
      present: true,
      loginRequired: true,
      loggedIn: this.unlocked,
      pinAttempts: 'normal',
      pinPad: false,
    };
    const key: KeyDescription = { id: 'key', source: 'token', label: '', certificate, chain, token };
    return Promise.resolve(this.present ? [key] : []);
  }

  open(): Promise<Signer> {
    if (!this.present) return Promise.reject(new SigningError('KEY_NOT_FOUND', 'The token is away.'));
    const { certificate, chain, privateKey } = this.#identity;
    const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
    const signer = softwareSigner(key, certificate, chain);
    return Promise.resolve({
      ...signer,
      sign: async (...parameters) => {
        await this.beforeSign();
        if (!this.present) throw new SigningError('TOKEN_REMOVED', 'The token is away.');
        if (!this.unlocked) throw new SigningError('PIN_REQUIRED', 'The token needs its PIN.');
        this.signatures++;
        return signer.sign(...parameters);
      },
    });
  }

  unlock(): Promise<void> {
    this.unlocked = true;
    return Promise.resolve();
  }

  lock(): Promise<void> {
    this.unlocked = false;
    return Promise.resolve();
  }

  health(): Promise<{ id: string; name: string; state: 'ok' }> {
    return Promise.resolve({ id: this.id, name: 'Pretend token', state: 'ok' });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
