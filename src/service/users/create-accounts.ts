import { randomBytes } from 'node:crypto';
import { maskTaxpayerNumber, normalizeTaxpayerNumber } from '../../signing/index.ts';
import { ServiceError } from '../errors/index.ts';
import type { Sealer } from '../secrets/index.ts';
import { keyOf, type ShortLivedStore } from '../short-lived/index.ts';
import type { AccountStore, StoredAccount, Account, Accounts, EnrolmentOffer } from './accounts.ts';
import type { AttemptLimits } from './attempt-limits.ts';
import { checkChange, checkPerson, type CheckedPerson } from './check-person.ts';
import {
  matchingStep,
  newTotpSecret,
  otpauthUri,
  totpSecretText,
  newRecoveryCodes,
  recoveryHash,
} from './one-time-password.ts';

/** Services for accounts. */
export interface AccountDependencies {
  readonly store: AccountStore;
  readonly limits: AttemptLimits;
  readonly sealer: Sealer;
  /** Where enrolments wait for their first code. */
  readonly shortLived: ShortLivedStore;
  readonly now: () => Date;
  /** Ends the tokens and sessions of a removed person. */
  readonly onRemoved: (username: string) => Promise<void>;
  /** Called after every change, so that listeners read again. */
  readonly onChange?: () => void;
}

/** An enrolment waiting for its first code, as JSON. */
interface Enrolment {
  readonly person: CheckedPerson;
  /** The TOTP secret, sealed for its enrolment; base64. */
  readonly sealedSecret: string;
  readonly wrongCodes: number;
}

const enrolmentLifetime = 10 * 60 * 1000;
/** Maximum number of unconfirmed enrolments; the oldest is dropped first. */
const enrolmentLimits = { most: 50, whenFull: 'drop-oldest' } as const;
const kind = 'enrolment';
const wrongCodesAllowed = 10;

/** The place to which the seal of a TOTP secret is bound: the person's number, which is never used for another row. */
const placeOf = (username: string): string => `accounts|${username}|totp_secret`;

const placeOfEnrolment = (key: string): string => `short_lived|${key}|totp_secret`;

/** No account has this id. */
const nobody = 0;

const invalidCredentials = (): ServiceError =>
  new ServiceError('INVALID_CREDENTIALS', 'The CPF or CNPJ or the one-time password is not right.');

/** The accounts of this instance, over a store. */
export function createAccounts(dependencies: AccountDependencies): Accounts {
  const { store, sealer, now, onChange = () => undefined } = dependencies;
  const decoy = new Decoy(sealer);
  return {
    begin: async (person) => {
      const checked = checkPerson(person);
      if ((await store.find(checked.username)) !== undefined) throw alreadyEnrolled();
      return offer(dependencies, checked);
    },
    confirm: async (id, code) => {
      const confirmed = await confirm(dependencies, id, code);
      onChange();
      return confirmed;
    },
    list: () => store.list(),
    find: async (username) => {
      const found = await store.find(normalizeTaxpayerNumber(username));
      return found === undefined ? undefined : withoutSecret(found);
    },
    change: async (id, change) => {
      const changed = await store.change(id, checkChange(change), now());
      if (changed === undefined) throw notFound();
      onChange();
      return changed;
    },
    remove: async (id) => {
      const removed = await store.remove(id);
      if (removed === undefined) throw notFound();
      await dependencies.onRemoved(removed.username);
      onChange();
    },
    authenticate: (username, code, origin) => authenticate(dependencies, decoy, { username, code, origin }),
  };
}

async function offer({ shortLived, sealer, now }: AccountDependencies, person: CheckedPerson): Promise<EnrolmentOffer> {
  const enrolment = randomBytes(16).toString('base64url');
  const key = keyOf(enrolment);
  const secret = newTotpSecret();
  const label = `${person.name} (${maskTaxpayerNumber(person.username)})`;
  const offered = { enrolment, otpauthUri: otpauthUri(secret, label), secret: totpSecretText(secret) };
  const sealed = await sealer.seal(secret, placeOfEnrolment(key));
  secret.fill(0);
  const waiting: Enrolment = { person, sealedSecret: sealed.toString('base64'), wrongCodes: 0 };
  const at = now();
  const endsAt = new Date(at.getTime() + enrolmentLifetime);
  const entry = { key, owner: person.username, content: JSON.stringify(waiting), endsAt };
  await shortLived.add(kind, entry, enrolmentLimits, at);
  return offered;
}

async function confirm(
  { store, sealer, shortLived, now }: AccountDependencies,
  id: string,
  code: string,
): Promise<{ readonly account: Account; readonly recoveryCodes: readonly string[] }> {
  const at = now();
  const key = keyOf(id);
  const entry = await shortLived.find(kind, key, at);
  if (entry === undefined) throw enrolmentIsOver();
  const { person, sealedSecret: sealed } = JSON.parse(entry.content) as Enrolment;
  const secret = await sealer.open(Buffer.from(sealed, 'base64'), placeOfEnrolment(key));
  const lastStep = matchingStep(secret, code.replaceAll(/\s/g, ''), at);
  if (lastStep === undefined) {
    secret.fill(0);
    await shortLived.change(kind, key, at, countWrongCode);
    const detail = 'This is not the code that the authenticator shows now: check the clock of both, and try again.';
    throw new ServiceError('INVALID_CREDENTIALS', detail);
  }
  // The first right code confirms; a simultaneous second one finds no enrolment.
  if ((await shortLived.take(kind, key, at)) === undefined) throw enrolmentIsOver();
  const recoveryCodes = newRecoveryCodes();
  const recoveryHashes = recoveryCodes.map(recoveryHash).filter((hash) => hash !== undefined);
  const sealedSecret = await sealer.seal(secret, placeOf(person.username));
  secret.fill(0);
  const account = await store.insert({ ...person, sealedSecret, lastStep, recoveryHashes, at });
  if (account === undefined) throw alreadyEnrolled();
  return { account, recoveryCodes };
}

/** Counts a wrong code; null ends the enrolment after too many. */
function countWrongCode(content: string): string | null {
  const enrolment = JSON.parse(content) as Enrolment;
  const wrongCodes = enrolment.wrongCodes + 1;
  return wrongCodes >= wrongCodesAllowed ? null : JSON.stringify({ ...enrolment, wrongCodes });
}

const enrolmentIsOver = (): ServiceError =>
  new ServiceError('NOT_FOUND', 'This enrolment has expired: start it again.');

/**
 * Authenticates a person. Unknown people take the same steps as known people, with the decoy's secret. The code is
 * compared before it is used up; a used code is refused like a wrong one.
 */
async function authenticate(
  { store, limits, sealer, now }: AccountDependencies,
  decoy: Decoy,
  attempt: { readonly username: string; readonly code: string; readonly origin: string },
): Promise<Account> {
  const username = normalizeTaxpayerNumber(attempt.username);
  const code = attempt.code.replaceAll(/\s/g, '');
  const counted = await limits.begin({ subject: username, origin: attempt.origin });
  const found = await store.find(username);
  const { sealedSecret, place } =
    found === undefined ? await decoy.get() : { sealedSecret: found.sealedSecret, place: placeOf(found.username) };
  const secret = await sealer.open(sealedSecret, place);
  const step = matchingStep(secret, code, now());
  secret.fill(0);
  const recovery = recoveryHash(code);
  const id = found?.id ?? nobody;
  const isSpent =
    step !== undefined
      ? await store.spendStep(id, step)
      : recovery !== undefined && (await store.spendRecoveryCode(id, recovery));
  if (found === undefined || !isSpent) throw invalidCredentials();
  await counted.succeeded();
  return (await store.find(username).then((after) => after && withoutSecret(after))) ?? withoutSecret(found);
}

/** A sealed secret for unknown people, so that their attempts take as long as others. */
class Decoy {
  readonly #sealer: Sealer;
  #sealed: Promise<Buffer> | undefined;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  async get(): Promise<{ readonly sealedSecret: Buffer; readonly place: string }> {
    const place = placeOf('nobody');
    const attempt = this.#sealed ?? this.#sealer.seal(newTotpSecret(), place);
    this.#sealed = attempt;
    try {
      return { sealedSecret: await attempt, place };
    } catch (error) {
      this.#sealed = undefined;
      throw error;
    }
  }
}

function withoutSecret({ id, name, username, photo, createdAt, updatedAt, recoveryCodes }: StoredAccount): Account {
  return { id, name, username, photo, createdAt, updatedAt, recoveryCodes };
}

function alreadyEnrolled(): ServiceError {
  const detail = 'This person is enrolled already: remove the account first to enrol again.';
  return new ServiceError('REQUEST_INVALID', detail, { problems: [{ field: 'username', code: 'TAKEN', detail }] });
}

function notFound(): ServiceError {
  return new ServiceError('NOT_FOUND', 'There is no account with this id.');
}
