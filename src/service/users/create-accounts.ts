import { randomBytes } from 'node:crypto';
import { maskTaxpayerNumber, normalizeTaxpayerNumber } from '../../signing/index.ts';
import { ServiceError } from '../errors/index.ts';
import type { Sealer } from '../secrets/index.ts';
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
  readonly now: () => Date;
  /** Ends the tokens and sessions of a removed person. */
  readonly onRemoved: (username: string) => Promise<void>;
  /** Called after every change, so that listeners read again. */
  readonly onChange?: () => void;
}

/** An enrolment waiting for its first code, in memory only. */
interface Enrolment {
  readonly person: CheckedPerson;
  readonly secret: Buffer;
  readonly expiresAt: Date;
  wrongCodes: number;
}

const enrolmentLifetime = 10 * 60 * 1000;
/** Most unconfirmed enrolments; the oldest is dropped first. */
const enrolmentsAtOnce = 50;
const wrongCodesAllowed = 10;

/** The seal's place of a TOTP secret: the person's number, which is never used for another row. */
const placeOf = (username: string): string => `accounts|${username}|totp_secret`;

/** No account has this id. */
const nobody = 0;

const invalidCredentials = (): ServiceError =>
  new ServiceError('INVALID_CREDENTIALS', 'The CPF or CNPJ or the one-time password is not right.');

/** The accounts of this instance, over a store. */
export function createAccounts(dependencies: AccountDependencies): Accounts {
  const { store, sealer, now, onChange = () => undefined } = dependencies;
  const enrolments = new Map<string, Enrolment>();
  const decoy = new Decoy(sealer);
  return {
    begin: async (person) => {
      const checked = checkPerson(person);
      if ((await store.find(checked.username)) !== undefined) throw alreadyEnrolled();
      return offer(enrolments, checked, now());
    },
    confirm: async (id, code) => {
      const confirmed = await confirm(dependencies, enrolments, id, code);
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

function offer(enrolments: Map<string, Enrolment>, person: CheckedPerson, now: Date): EnrolmentOffer {
  for (const [id, { expiresAt }] of enrolments) {
    if (expiresAt <= now || enrolments.size >= enrolmentsAtOnce) enrolments.delete(id);
  }
  const enrolment = randomBytes(16).toString('base64url');
  const secret = newTotpSecret();
  enrolments.set(enrolment, {
    person,
    secret,
    expiresAt: new Date(now.getTime() + enrolmentLifetime),
    wrongCodes: 0,
  });
  const label = `${person.name} (${maskTaxpayerNumber(person.username)})`;
  return { enrolment, otpauthUri: otpauthUri(secret, label), secret: totpSecretText(secret) };
}

async function confirm(
  { store, sealer, now }: AccountDependencies,
  enrolments: Map<string, Enrolment>,
  id: string,
  code: string,
): Promise<{ readonly account: Account; readonly recoveryCodes: readonly string[] }> {
  const enrolment = enrolments.get(id);
  const at = now();
  if (enrolment === undefined || enrolment.expiresAt <= at) {
    enrolments.delete(id);
    throw new ServiceError('NOT_FOUND', 'This enrolment is over: begin again.');
  }
  const { person, secret } = enrolment;
  const lastStep = matchingStep(secret, code.replaceAll(/\s/g, ''), at);
  if (lastStep === undefined) {
    enrolment.wrongCodes += 1;
    if (enrolment.wrongCodes >= wrongCodesAllowed) enrolments.delete(id);
    const detail = 'This is not the code that the authenticator shows now: check the clock of both, and try again.';
    throw new ServiceError('INVALID_CREDENTIALS', detail);
  }
  enrolments.delete(id);
  const recoveryCodes = newRecoveryCodes();
  const recoveryHashes = recoveryCodes.map(recoveryHash).filter((hash) => hash !== undefined);
  const sealedSecret = await sealer.seal(secret, placeOf(person.username));
  secret.fill(0);
  const account = await store.insert({ ...person, sealedSecret, lastStep, recoveryHashes, at });
  if (account === undefined) throw alreadyEnrolled();
  return { account, recoveryCodes };
}

/**
 * Unknown people take the same steps as known people, with a secret of nobody. The code is compared before it is spent;
 * a spent code is refused like a wrong code.
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

/** A sealed secret for unknown people, so that their attempts take as long. */
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
