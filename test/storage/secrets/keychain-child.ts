/** Opens a secret store as a program of its own and prints the outcome as a line of JSON. */
import { createHash } from 'node:crypto';
import { StorageError } from '../../../src/storage/errors.ts';
import { openSecretStore, type SecretStoreKind, type SecretStoreMode } from '../../../src/storage/secrets/index.ts';

/** The task of the child: its only parameter, as JSON. */
export interface ChildRequest {
  readonly mode: SecretStoreMode;
  readonly expectedKind?: SecretStoreKind;
  readonly account?: string;
}

/** The result of the child. */
export type ChildOutcome =
  | { readonly kind: SecretStoreKind; readonly detail: string | null; readonly keyDigest: string }
  | { readonly code: string; readonly message: string; readonly remedy: string };

async function run({ account, ...request }: ChildRequest): Promise<ChildOutcome> {
  try {
    const keychain = { timeout: 20_000, account };
    const store = await openSecretStore({ ...request, keychain });
    const key = await store.getMasterKey();
    if (key.length !== 32) throw new Error('The master key does not have 32 bytes.');
    const { kind, detail } = store;
    return { kind, detail, keyDigest: createHash('sha256').update(key).digest('hex') };
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    const { code, message, remedy } = error;
    return { code, message, remedy };
  }
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as ChildRequest)));
