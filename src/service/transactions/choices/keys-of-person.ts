import { type AliasedKey, SigningError } from '../../../signing/index.ts';
import { readDefaultCertificate, namesTaxpayer } from '../../certificates/index.ts';
import type { TransactionContext } from '../dependencies.ts';

type Choice = Pick<TransactionContext, 'keys' | 'settings' | 'now'>;

/**
 * Finds a person's keys: keys with the person in the certificate, and keys linked to the person by hand. The default
 * certificate counts only if it is among these keys. Undefined: all keys of this computer.
 */
export async function keysOfPerson(context: TransactionContext, username: string | undefined): Promise<Choice> {
  if (username === undefined) return context;
  const linked = new Set(await context.linkedCertificates(username));
  const isTheirs = (key: AliasedKey): boolean => linked.has(key.fingerprint) || namesTaxpayer(key, username);
  const { keys, settings, now } = context;
  const list = async (): Promise<readonly AliasedKey[]> => (await keys.list()).filter(isTheirs);
  const chosen = await readDefaultCertificate(settings);
  const isDefaultTheirs = (await list()).some(({ fingerprint }) => fingerprint === chosen);
  return {
    now,
    settings: isDefaultTheirs ? settings : { ...settings, read: async () => Promise.resolve(undefined) },
    keys: {
      list,
      find: async (alias) => {
        const key = await keys.find(alias);
        if (isTheirs(key)) return key;
        throw new SigningError('KEY_NOT_FOUND', `"${alias}" is not a certificate of the person who signs.`);
      },
      open: async (key) => keys.open(key),
    },
  };
}
