import { type AliasedKey, SigningError, normalizeTaxpayerNumber, parseCertificate } from '../../../signing/index.ts';
import {
  aliasFor,
  byCertificate,
  isHolder,
  namesTaxpayer,
  readDefaultCertificate,
  sentenceFor,
  type AliasSight,
} from '../../certificates/index.ts';
import type {
  SigningServices,
  TransactionContext,
  TransactionDependencies,
  TransactionMemory,
  TransactionStores,
} from '../dependencies.ts';
import { isTaxpayerNumber } from '../../users/index.ts';
import { ServiceError, toServiceError } from '../../errors/index.ts';

type Choice = Pick<TransactionContext, 'keys' | 'settings' | 'now'>;

/**
 * The keys of a person: those with the person in the certificate, and those linked to the person by hand. The default
 * certificate counts only if it is among these keys. Undefined: all keys of this computer.
 */
export async function keysOfPerson(
  context: SigningServices & TransactionStores & TransactionMemory,
  username: string | undefined,
): Promise<Choice> {
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
      find: async (alias, at) => {
        const key = await keys.find(alias, at);
        if (isTheirs(key)) return key;
        throw new SigningError('KEY_NOT_FOUND', `"${alias}" is not a certificate of the person who signs.`);
      },
      open: async (key) => keys.open(key),
    },
  };
}

const FIELD = 'certificate_alias';
const DIGITAL_SIGNATURE = 0;
const NON_REPUDIATION = 1;

type Needs = Pick<TransactionDependencies, 'keys' | 'settings' | 'now'>;

/**
 * The signing key of a transaction: the key with this alias, or of the holder with this CPF or CNPJ; without an alias
 * the default key, else the only usable key. Rejects with `CERTIFICATE_NOT_FOUND`, `CERTIFICATE_AMBIGUOUS` or
 * `CERTIFICATE_NOT_VALID`, and with `KEY_SOURCE_UNAVAILABLE` for a key on a token that is away or whose driver is not
 * used now. The reasons name certificates only where `sight` allows.
 */
export async function chooseCertificate(
  needs: Needs,
  alias: string | undefined,
  sight: AliasSight,
): Promise<AliasedKey> {
  const named = alias?.trim() ?? '';
  const key = named === '' ? await chooseWithoutAlias(needs, sight) : await findByAlias(needs, named, sight);
  refuseUnusable(key, needs.now(), sight, named);
  return key;
}

async function findByAlias(needs: Needs, alias: string, sight: AliasSight): Promise<AliasedKey> {
  try {
    return await needs.keys.find(alias, needs.now());
  } catch (error) {
    const { code, message } = toServiceError(error);
    if (!(error instanceof SigningError)) throw error;
    if (code === 'KEY_SOURCE_UNAVAILABLE') throw unavailable(sentenceFor(sight, message, AWAY), error);
    if (code === 'CERTIFICATE_AMBIGUOUS') throw refusal(code, sentenceFor(sight, message, NOT_ENOUGH), error);
    const all = await needs.keys.list();
    const found = isTaxpayerNumber(alias)
      ? findByHolder(all, normalizeTaxpayerNumber(alias), needs.now(), sight)
      : findByMask(all, alias, sight);
    if (found !== undefined) return found;
    throw refusal('CERTIFICATE_NOT_FOUND', sentenceFor(sight, `${message} ${listOf(all)}`, UNKNOWN), error);
  }
}

/** The reasons for callers that may not read certificates. */
const UNKNOWN = 'No certificate with this name can sign for this caller.';
const NOT_ENOUGH = 'This name is not enough, because several certificates have it: send the SHA-256 of one.';
const AWAY = 'The certificate is not here now: its token is not connected, or its driver is not used.';

/** The only certificate whose masked alias this is. Only callers that get masked aliases may send them. */
function findByMask(keys: readonly AliasedKey[], masked: string, sight: AliasSight): AliasedKey | undefined {
  if (sight === 'whole' || !masked.includes('*')) return undefined;
  const fitting = keys.filter(({ alias }) => aliasFor(sight, alias) === masked);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Maximum number of aliases in a sentence. */
const aliasesShown = 20;

function listOf(keys: readonly AliasedKey[]): string {
  if (keys.length === 0) return 'There is none: import a file or insert a token.';
  const more = keys.length > aliasesShown ? `, and ${keys.length - aliasesShown} more` : '';
  const aliases = keys.slice(0, aliasesShown).map(({ alias }) => `"${alias}"`);
  return `Use one of ${aliases.join(', ')}${more}.`;
}

/**
 * The certificate of a CPF or CNPJ, which existing clients send as the alias: the only certificate with this number, or
 * the only usable one of its holder. Undefined if there is none; `CERTIFICATE_AMBIGUOUS` if there are several.
 */
function findByHolder(
  keys: readonly AliasedKey[],
  number: string,
  now: Date,
  sight: AliasSight,
): AliasedKey | undefined {
  const named = keys.filter((key) => namesTaxpayer(key, number));
  const own = named.filter((key) => isHolder(key, number));
  const narrowed = own.length === 0 ? named : own;
  const usable = narrowed.filter((key) => whyUnusable(key, now) === undefined);
  const left = usable.length === 0 ? narrowed : usable;
  if (left.length <= 1) return left[0];
  const detail = `Several certificates have this CPF or CNPJ. ${listOf(left)}`;
  throw refusal('CERTIFICATE_AMBIGUOUS', sentenceFor(sight, detail, NOT_ENOUGH));
}

async function chooseWithoutAlias({ keys, settings, now }: Needs, sight: AliasSight): Promise<AliasedKey> {
  const all = await keys.list();
  const chosen = await readDefaultCertificate(settings);
  if (chosen !== undefined) {
    const key = all.find(({ fingerprint }) => fingerprint === chosen);
    if (key !== undefined) return key;
    await keys.find(chosen).catch((error: unknown) => {
      const { code, message } = toServiceError(error);
      if (code === 'KEY_SOURCE_UNAVAILABLE') throw unavailable(sentenceFor(sight, message, AWAY), error);
    });
    throw refusal(
      'CERTIFICATE_NOT_FOUND',
      'The default certificate is not here: insert its token or name another one.',
    );
  }
  const usable = all.filter((key) => whyUnusable(key, now()) === undefined);
  const [only] = usable;
  if (only === undefined) {
    const [first] = all;
    if (first === undefined) {
      throw refusal('CERTIFICATE_NOT_FOUND', 'There is no certificate here: import a file or insert a token.');
    }
    const reason = whyUnusable(first, now(), aliasFor(sight, first.alias)) ?? '';
    throw refusal('CERTIFICATE_NOT_VALID', `No certificate here can sign now. ${reason}`);
  }
  if (usable.length === 1) return only;
  const aliases = usable.map((key) => key.alias).join(', ');
  const detail = `Several certificates can sign: choose one of ${aliases}.`;
  const withoutNames = 'Several certificates can sign: name one in certificate_alias.';
  throw refusal('CERTIFICATE_AMBIGUOUS', sentenceFor(sight, detail, withoutNames));
}

/** Rejects with `CERTIFICATE_NOT_VALID` when the certificate cannot sign at `now`. */
export function refuseUnusable(key: AliasedKey, now: Date, sight: AliasSight, sent?: string): void {
  const reason = whyUnusable(key, now, aliasFor(sight, key.alias, sent));
  if (reason !== undefined) throw refusal('CERTIFICATE_NOT_VALID', reason);
}

const usageOf = byCertificate((certificate) => {
  const { notBefore, notAfter, keyUsage } = parseCertificate(certificate);
  return { notBefore, notAfter, keyUsage };
});

/**
 * The reason why this certificate cannot sign at `now`; undefined for a usable certificate. Revocation and trust are
 * not checked.
 */
function whyUnusable({ certificate, alias: own, hasKey }: AliasedKey, now: Date, alias = own): string | undefined {
  if (hasKey === false) return `The token holds no private key for the certificate "${alias}": choose another one.`;
  const { notBefore, notAfter, keyUsage } = usageOf(certificate);
  if (now < notBefore) return `The certificate "${alias}" is not valid before ${notBefore.toISOString()}.`;
  if (now > notAfter) return `The certificate "${alias}" expired at ${notAfter.toISOString()}: choose another one.`;
  // Without the extension any use is allowed (RFC 5280 §4.2.1.3).
  const maySign = keyUsage?.some((bit) => bit === DIGITAL_SIGNATURE || bit === NON_REPUDIATION) ?? true;
  return maySign ? undefined : `The certificate "${alias}" is not meant for signatures: its key usage says so.`;
}

/** Seconds until a caller may try again: a person inserts a token, or a quarantine ends. */
const RETRY_AFTER = 30;

/** The error for a known certificate whose token or driver is missing. */
function unavailable(detail: string, cause: unknown): ServiceError {
  const code = 'KEY_SOURCE_UNAVAILABLE';
  const problems = [{ field: FIELD, code, detail }];
  return new ServiceError(code, detail, { cause, problems, retryAfter: RETRY_AFTER });
}

function refusal(
  code: 'CERTIFICATE_NOT_FOUND' | 'CERTIFICATE_AMBIGUOUS' | 'CERTIFICATE_NOT_VALID',
  detail: string,
  cause?: unknown,
): ServiceError {
  return new ServiceError(code, detail, { cause, problems: [{ field: FIELD, code, detail }] });
}
