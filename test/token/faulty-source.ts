/** A key source in front of a driver misbehaving on command, with short deadlines; a fresh source for each test. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  Pin,
  referenceModule,
  SigningError,
  TokenKeySource,
  type KeyDescription,
  type Signer,
  type TokenKeySourceOptions,
} from '../../src/signing/index.ts';
import { createFaultyModule, type FaultyModule } from './fault-module/build-fault-module.ts';
import { createSoftHsm, type SoftHsm } from './softhsm.ts';

/** Deadlines and waits for cheap hangs. */
export const QUICK = {
  deadlines: { slots: 600, certificates: 600, login: 600, loginOnPinPad: 3_000, logout: 600, sign: 600 },
  timing: { backOff: [20, 40], crashLimit: 4, loadRetry: 100 },
} as const;

/** Registers the hooks of a test file. `current` holds the parts in use by the running test. */
export class FaultySource {
  hsm!: SoftHsm;
  driver!: FaultyModule;
  source!: TokenKeySource;

  constructor() {
    beforeAll(async () => {
      const keys = [{ label: 'p256', keyId: '0a', kind: 'ec-p256' as const }];
      this.hsm = await createSoftHsm([{ label: 'faulty', keys }]);
      this.driver = await createFaultyModule(this.hsm);
    });
    afterAll(() => this.hsm.remove());
    beforeEach(async () => {
      this.driver.faults();
      this.driver.clearTrace();
      await this.reopen();
    });
    afterEach(() => this.source.close());
  }

  /** Replaces the source by another with other options. */
  async reopen(options: Partial<TokenKeySourceOptions> = {}): Promise<void> {
    if ((this.source as TokenKeySource | undefined) !== undefined) await this.source.close();
    const module = await referenceModule(this.driver.modulePath, 'Faulty driver');
    this.source = new TokenKeySource({ module, environment: this.driver.environment, ...QUICK, ...options });
  }

  async onlyKey(): Promise<KeyDescription> {
    const [key] = await this.source.list();
    return key!;
  }

  async unlock(pin = this.hsm.pin): Promise<Signer> {
    const { id } = await this.onlyKey();
    await this.source.unlock(id, new Pin(pin));
    return this.source.open(id);
  }
}

export const sign = (signer: Signer, text = 'text'): Promise<Buffer> =>
  signer.sign(Buffer.from(text), { scheme: 'ecdsa', digest: 'sha256' });

export async function errorOf(promise: Promise<unknown>): Promise<SigningError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof SigningError) return error;
    throw error;
  }
  throw new Error('It was expected to fail.');
}

export const codeOf = async (promise: Promise<unknown>): Promise<string> => (await errorOf(promise)).code;
