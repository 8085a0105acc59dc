import type {
  CachedUser,
  ApplicationRegistrar,
  Assistant,
  ComputerApplication,
  IdentityProvider,
  UserCertificate,
  UserKey,
  AssistantStore,
} from './assistant.ts';
import {
  type AliasedKey,
  normalizeTaxpayerNumber,
  parseCertificate,
  readIcpBrasilIdentity,
  SigningError,
} from '../../signing/index.ts';
import { type CertificateEntry, placeOf, toPem } from '../certificates/index.ts';
import { type FieldProblem, ServiceError } from '../errors/index.ts';
import { isTaxpayerNumber } from '../users/index.ts';

/** Caches the store's users, because pages request the selected user frequently. Only this instance writes them. */
export class UserCache {
  readonly #store: Pick<AssistantStore, 'users'>;
  #users: Promise<readonly CachedUser[]> | undefined;

  constructor(store: Pick<AssistantStore, 'users'>) {
    this.#store = store;
  }

  /** In the order of addition. */
  async users(): Promise<readonly CachedUser[]> {
    const reading = this.#users ?? this.#store.users();
    this.#users = reading;
    try {
      return await reading;
    } catch (error) {
      if (this.#users === reading) this.#users = undefined;
      throw error;
    }
  }

  async selected(): Promise<CachedUser | undefined> {
    return (await this.users()).find(({ selected }) => selected);
  }

  /** To be called after every write. */
  forget(): void {
    this.#users = undefined;
  }
}

/** Services for the assistant. */
export interface AssistantDependencies {
  readonly store: AssistantStore;
  readonly identity: IdentityProvider;
  readonly registrar: ApplicationRegistrar;
  /** Ends the tokens of a removed user. */
  readonly revokeTokens: (username: string) => Promise<void>;
  readonly keys: { list(): Promise<readonly AliasedKey[]> };
  /** The entry of certificate information, with the certificate's state. */
  readonly describe: (key: AliasedKey) => Promise<CertificateEntry>;
  readonly now: () => Date;
}

/** Builds the assistant of this computer. */
export function createAssistant(dependencies: AssistantDependencies): Assistant {
  const { store, identity, revokeTokens, now } = dependencies;
  const cache = new UserCache(store);
  const listeners = new Set<() => void>();
  const changed = (): void => {
    cache.forget();
    for (const listener of [...listeners]) listener();
  };
  return {
    async addUser(username, code, origin) {
      const person = await identity.authenticate(checkCredentials(username, code), code.trim(), origin);
      const user = await store.putUser({ ...person, updatedAt: now() });
      changed();
      return user;
    },
    users: async () => cache.users(),
    async removeUser(id) {
      const user = await store.removeUser(id);
      if (user === undefined) throw unknownUser();
      changed();
      await revokeTokens(user.username);
    },
    selectedUser: async () => cache.selected(),
    async selectUser(username) {
      const user = await store.selectUser(checkUsername(username));
      if (user === undefined) throw unknownUser();
      changed();
      return user;
    },
    certificatesOf: async (user) => certificatesOf(dependencies, user),
    async keysOf(username) {
      const user = await findUser(store, username);
      return (await keysOf(dependencies, user)).map((key) => describeUserKey(key, user));
    },
    async linkCertificate(username, fingerprint) {
      const user = await findUser(store, username);
      const keys = await dependencies.keys.list();
      if (!keys.some((key) => key.fingerprint === fingerprint)) {
        throw new ServiceError(
          'CERTIFICATE_NOT_FOUND',
          'No key with this certificate is here: insert its token first.',
        );
      }
      await store.link(user.id, fingerprint);
      changed();
    },
    async unlinkCertificate(username, fingerprint) {
      await store.unlink((await findUser(store, username)).id, fingerprint);
      changed();
    },
    registerComputer: async (clientName, force) => registerComputer(dependencies, clientName, force),
    computer: async () => store.computer(),
    renameComputer: async (clientName) => renameComputer(dependencies, clientName),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function keysOf(
  { store, keys }: Pick<AssistantDependencies, 'store' | 'keys'>,
  user: CachedUser,
): Promise<readonly AliasedKey[]> {
  const byHand = new Set(await store.linkedCertificates(user.id));
  return (await keys.list()).filter((key) => byHand.has(key.fingerprint) || names(key, user.username));
}

function describeUserKey(key: AliasedKey, { username }: CachedUser): UserKey {
  const { alias, fingerprint, token } = key;
  return { alias, fingerprint, present: token?.present ?? true, linked: !names(key, username) };
}

async function certificatesOf(
  dependencies: AssistantDependencies,
  user: CachedUser,
): Promise<readonly UserCertificate[]> {
  const keys = await keysOf(dependencies, user);
  return Promise.all(
    keys.map(async (key): Promise<UserCertificate> => ({
      ...describeUserKey(key, user),
      source: key.source,
      place: placeOf(key),
      token: key.token === undefined ? null : tokenName(key.token),
      pem: toPem('CERTIFICATE', key.certificate),
      entry: await dependencies.describe(key),
    })),
  );
}

function tokenName({ module, label, serialNumber }: NonNullable<AliasedKey['token']>): UserCertificate['token'] {
  return { module, label, serialNumber };
}

/** False for an unreadable certificate. */
function names(key: AliasedKey, username: string): boolean {
  try {
    const identity = readIcpBrasilIdentity(parseCertificate(key.certificate));
    const numbers = [identity?.cpf, identity?.cnpj];
    return numbers.some((number) => number !== undefined && normalizeTaxpayerNumber(number) === username);
  } catch (error) {
    if (error instanceof SigningError) return false;
    throw error;
  }
}

async function registerComputer(
  { store, registrar }: AssistantDependencies,
  name: string,
  force: boolean,
): Promise<ComputerApplication> {
  const clientName = checkClientName(name);
  const earlier = await store.computer();
  if (earlier !== undefined && !force) {
    const message = `This computer is registered already, as "${earlier.clientName}": send force to replace it.`;
    throw new ServiceError('APPLICATION_EXISTS', message);
  }
  const application = { clientName, ...(await registrar.register(clientName)) };
  await store.putComputer(application);
  if (earlier !== undefined) await registrar.remove(earlier.clientId);
  return application;
}

async function renameComputer({ store, registrar }: AssistantDependencies, name: string): Promise<ComputerApplication> {
  const clientName = checkClientName(name);
  const earlier = await store.computer();
  if (earlier === undefined) {
    throw new ServiceError('APPLICATION_NOT_FOUND', 'This computer is not registered: POST /application first.');
  }
  await registrar.rename(earlier.clientId, clientName);
  const application = { ...earlier, clientName };
  await store.putComputer(application);
  return application;
}

async function findUser(store: AssistantStore, username: string): Promise<CachedUser> {
  const wanted = checkUsername(username);
  const user = (await store.users()).find((one) => one.username === wanted);
  if (user === undefined) throw unknownUser();
  return user;
}

function unknownUser(): ServiceError {
  return new ServiceError('USER_NOT_FOUND', 'No user of this computer has this name: GET /user lists the users.');
}

/** The username without punctuation. */
function checkCredentials(username: string, code: string): string {
  const problems = [...usernameProblems(username), ...codeProblems(code)];
  if (problems.length > 0) throw invalid(problems);
  return normalizeTaxpayerNumber(username);
}

function checkUsername(username: string): string {
  const problems = usernameProblems(username);
  if (problems.length > 0) throw invalid(problems);
  return normalizeTaxpayerNumber(username);
}

function usernameProblems(username: string): readonly FieldProblem[] {
  if (isTaxpayerNumber(normalizeTaxpayerNumber(username))) return [];
  const detail = 'Give a CPF (11 digits) or a CNPJ (14 characters) with right check digits.';
  return [{ field: 'username', code: 'INVALID_VALUE', detail }];
}

function codeProblems(code: string): readonly FieldProblem[] {
  const length = code.trim().length;
  if (length > 0 && length <= 64) return [];
  return [{ field: 'password', code: 'INVALID_VALUE', detail: 'Give the one-time password that is shown now.' }];
}

function checkClientName(name: string): string {
  const clientName = name.trim();
  if (clientName !== '' && name.length <= 100 && !/\p{C}/u.test(clientName)) return clientName;
  const detail = 'Give a name of 1 to 100 characters for this computer.';
  throw invalid([{ field: 'client_name', code: 'INVALID_VALUE', detail }]);
}

function invalid(problems: readonly FieldProblem[]): ServiceError {
  const fields = problems.map(({ field }) => field).join(', ');
  return new ServiceError('REQUEST_INVALID', `Correct these fields: ${fields}.`, { problems });
}
