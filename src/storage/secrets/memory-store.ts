import { randomBytes } from 'node:crypto';
import { MASTER_KEY_LENGTH, type SecretStore } from './secret-store.ts';

/** A master key for the lifetime of the process: sealed values cannot be opened after a restart. */
export function memorySecretStore(detail: string | null = null): SecretStore {
  const key = randomBytes(MASTER_KEY_LENGTH);
  return {
    kind: 'memory',
    detail,
    getMasterKey: () => Promise.resolve(Buffer.from(key)),
    probe: () => Promise.resolve({ state: 'ok' }),
  };
}
