import { ServiceError } from '../../service/errors/index.ts';
import type { Requester } from '../../service/transactions/index.ts';
import { StorageError, type StorageErrorCode } from '../../storage/index.ts';
import type { CallHandlers, CallName, Home } from '../../ui-contract/ui-contract.ts';
import { applicationCalls } from './applications.ts';
import { archiveCalls } from './archive.ts';
import { auditCalls, withAudit } from './audit.ts';
import { backupCalls } from './backup.ts';
import { certificateCalls } from './certificates.ts';
import { doctorCalls } from './doctor.ts';
import { evidenceCalls } from './evidence.ts';
import { historyCalls } from './history.ts';
import { raiseCalls } from './raise.ts';
import { renewalCalls } from './renewals.ts';
import { settingsCalls } from './settings.ts';
import { siteCalls } from './sites.ts';
import { storeCalls } from './stores.ts';
import { transactionCalls } from './transactions.ts';
import { validationCalls } from './validation.ts';
import { moduleForUi, moduleTestForUi, suggestionForUi, tokenForUi, transactionsForUi } from './views.ts';
import type { Core } from '../compose/open-core.ts';
import { product } from '../product.ts';
import type { Administrator } from '../../service/administration/index.ts';
import type { AccountView, AdministratorView, PauseView } from '../../ui-contract/identity-calls.ts';
import type { CachedUser } from '../../service/assistant/index.ts';
import type { CachedUserView } from '../../ui-contract/site-calls.ts';
import type { KeySources } from '../compose/key-sources.ts';
import { failureKind, shownCallback, type Notification } from '../../service/notifications/index.ts';
import type { NotificationView } from '../../ui-contract/notification-calls.ts';
import { toString as drawQrCode } from 'qrcode';
import type { Account } from '../../service/users/index.ts';

/** How many finished transactions the home page shows. */
const recentOnHome = 10;

/**
 * Implements the table of calls once for all bridges. `requester` is the bridge's user; `baseUrl` is the interface's
 * address, or an empty text without a listener.
 */
export function buildUiCalls(core: Core, requester: Requester, baseUrl: () => string): CallHandlers {
  const handlers = withKnownErrors({
    'home.read': async () => readHome(core, baseUrl()),
    ...certificateCalls(core),
    ...moduleCalls(core.keys),
    ...transactionCalls(core, requester),
    ...evidenceCalls(core),
    ...raiseCalls(core),
    ...siteCalls(core),
    ...storeCalls(core),
    ...stampCalls(core),
    ...assistantCalls(core),
    ...userCalls(core),
    ...applicationCalls(core),
    ...administratorCalls(core),
    ...validationCalls(core),
    ...notificationCalls(core),
    ...archiveCalls(core),
    ...historyCalls(core),
    ...renewalCalls(core),
    ...auditCalls(core),
    ...backupCalls(core),
    ...settingsCalls(core),
    ...doctorCalls(core, baseUrl),
  });
  return withAudit(handlers, core.audit.record);
}

async function readHome(core: Core, baseUrl: string): Promise<Home> {
  const { transactions, keys, secrets, configuration } = core;
  const [room, certificates, tokens, counts, waiting, recent] = await Promise.all([
    core.room.view(),
    keys.ring.list(),
    keys.tokens(),
    transactions.countByStatus(),
    transactions.waiting(),
    transactions.recent(recentOnHome),
  ]);
  return {
    version: product.version,
    dataFolder: core.dataFolder,
    addresses: {
      signing: baseUrl,
      authorization: configuration.authorizationUrl ?? baseUrl,
      registry: configuration.registryUrl ?? baseUrl,
      assistant: baseUrl,
    },
    secretStore: { kind: secrets.kind, detail: secrets.detail },
    room: { state: room.state, cause: room.cause ?? null },
    certificates: certificates.length,
    tokens: tokens.map(tokenForUi),
    counts: { SIGNED: counts.SIGNED, WAITING: counts.WAITING, ERROR: counts.ERROR },
    waiting: await transactionsForUi(waiting),
    recent: await transactionsForUi(recent),
  };
}

/** Turns errors of the storage layer into the service's errors, which bridges know. */
function withKnownErrors(handlers: CallHandlers): CallHandlers {
  const entries = Object.entries(handlers).map(([name, handle]) => {
    const call = handle as (input: unknown) => Promise<unknown>;
    return [name, async (input: unknown) => call(input).catch(rethrowKnown)] as const;
  });
  return Object.fromEntries(entries) as unknown as { [Name in CallName]: CallHandlers[Name] };
}

function rethrowKnown(error: unknown): never {
  throw error instanceof StorageError ? serviceError(error) : error;
}

function serviceError(error: StorageError): ServiceError {
  return new ServiceError(storageCodes[error.code], `${error.message} ${error.remedy}`.trim(), { cause: error });
}

const storageCodes = {
  STORAGE_UNAVAILABLE: 'STORAGE_UNAVAILABLE',
  DATABASE_DAMAGED: 'STORAGE_UNAVAILABLE',
  DATABASE_NEWER: 'STORAGE_UNAVAILABLE',
  SECRET_STORE_UNAVAILABLE: 'KEY_SOURCE_UNAVAILABLE',
  SECRET_STORE_DAMAGED: 'KEY_SOURCE_UNAVAILABLE',
  SECRET_UNREADABLE: 'KEY_SOURCE_UNAVAILABLE',
  BACKUP_UNKNOWN: 'REQUEST_INVALID',
  BACKUP_DAMAGED: 'DOCUMENT_UNREADABLE',
  BACKUP_OPENS: 'REQUEST_INVALID',
  BACKUP_PRESENT: 'DESTINATION_EXISTS',
  DATA_FOLDER_PRESENT: 'DESTINATION_EXISTS',
  PASSPHRASE_REQUIRED: 'KEY_SOURCE_UNAVAILABLE',
  PASSPHRASE_INCORRECT: 'PASSWORD_INCORRECT',
} as const satisfies Record<StorageErrorCode, string>;

type AdministratorCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `administrators.${string}`>>;

/** The calls about administrators of an instance that other computers reach. */
function administratorCalls({ administrators }: Pick<Core, 'administrators'>): AdministratorCalls {
  return {
    'administrators.list': async () => (await administrators.list()).map(administratorForUi),
    'administrators.add': async ({ name, scopes }) => {
      const { administrator, token } = await administrators.add(name, scopes);
      return { administrator: administratorForUi(administrator), token };
    },
    'administrators.revoke': async ({ name }) => {
      await administrators.revoke(name);
      return {};
    },
  };
}

function administratorForUi({ name, scopes, createdAt, lastUsedAt }: Administrator): AdministratorView {
  return {
    name,
    scopes: [...scopes],
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

type AssistantCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `assistant.${string}`>>;

/** The calls about the users of this computer. */
function assistantCalls({ assistant }: Pick<Core, 'assistant'>): AssistantCalls {
  const view = async ({ id, name, username, photo, updatedAt, selected }: CachedUser): Promise<CachedUserView> => ({
    id,
    name,
    username,
    photo,
    selected,
    updatedAt: updatedAt.toISOString(),
    certificates: [...(await assistant.keysOf(username))],
  });
  return {
    'assistant.users': async () => Promise.all((await assistant.users()).map(view)),
    'assistant.add': async ({ username, code }) => view(await assistant.addUser(username, code, 'window')),
    'assistant.select': async ({ username }) => {
      await assistant.selectUser(username);
      return {};
    },
    'assistant.remove': async ({ id }) => {
      await assistant.removeUser(id);
      return {};
    },
    'assistant.link': async ({ username, fingerprint }) => {
      await assistant.linkCertificate(username, fingerprint);
      return {};
    },
    'assistant.unlink': async ({ username, fingerprint }) => {
      await assistant.unlinkCertificate(username, fingerprint);
      return {};
    },
  };
}

type ModuleCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `modules.${string}` | `tokens.${string}`>>;

/** The calls about PKCS#11 drivers and their tokens. */
function moduleCalls(keys: KeySources): ModuleCalls {
  return {
    'tokens.list': async () => (await keys.tokens()).map(tokenForUi),
    'modules.list': async () => (await keys.modules()).map(moduleForUi),
    'modules.suggest': async () => (await keys.suggestions()).map(suggestionForUi),
    'modules.test': async ({ path }) => moduleTestForUi(await keys.test(path)),
    'modules.add': async ({ path }) => moduleTestForUi(await keys.add(path)),
    'modules.remove': async ({ id }) => {
      await keys.remove(id);
      return {};
    },
    'modules.retry': async ({ id }) => moduleForUi(await keys.retry(id)),
  };
}

type NotificationCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `notifications.${string}`>>;

/** The calls about notifications. */
function notificationCalls({ notifications }: Pick<Core, 'notifications'>): NotificationCalls {
  return {
    'notifications.list': async ({ limit }) => (await notifications.list(limit)).map(notificationForUi),
    'notifications.redeliver': async ({ idOrTcn }) => notificationForUi(await notifications.redeliver(idOrTcn)),
    'notifications.giveUp': async ({ id }) => notificationForUi(await notifications.giveUp(id)),
  };
}

function notificationForUi(notification: Notification): NotificationView {
  const { id, tcn, callback, status, attempts, lastError, createdAt, nextAttemptAt, finishedAt } = notification;
  return {
    id,
    tcn,
    status,
    attempts,
    lastError,
    lastFailure: lastError === null ? null : failureKind(lastError),
    target: shownCallback(callback.url),
    clientId: callback.clientId,
    createdAt: createdAt.toISOString(),
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}

type StampCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `stamps.${string}`>>;

/** The calls about stamps. */
function stampCalls({ stamps, keys }: Pick<Core, 'stamps' | 'keys'>): StampCalls {
  return {
    'stamps.list': async () => stamps.list(),
    'stamps.save': async ({ id, image, ...entry }) => stamps.save({ ...entry, id, image }),
    'stamps.remove': async ({ id }) => {
      await stamps.remove(id);
      return {};
    },
    'stamps.preview': async ({ alias, ...input }) => {
      const pdf = await stamps.preview(await keys.ring.find(alias), input);
      return { pdf: pdf.toString('base64') };
    },
    'stamps.place': async ({ alias }) => ({ place: await stamps.place(await keys.ring.find(alias)) }),
    'stamps.keepPlace': async ({ alias, place }) => {
      await stamps.keepPlace(await keys.ring.find(alias), place);
      return {};
    },
  };
}

/** The pauses, with the names of people and applications. */
async function pausesForUi(
  people: readonly { readonly username: string; readonly name: string }[],
  applications: readonly { readonly clientId: string; readonly name: string }[],
  attempts: Core['attempts'],
): Promise<PauseView[]> {
  const paused = await attempts.paused({
    people: people.map(({ username }) => username),
    applications: applications.map(({ clientId }) => clientId),
  });
  return paused.map(({ kind, name: of, reach, until }) => {
    const name = people.find(({ username }) => username === of)?.name ?? applications.find(({ clientId }) => clientId === of)?.name ?? null; // prettier-ignore
    return { kind, name, reach, until: until.toISOString() };
  });
}

type UserCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `users.${string}`>>;

/** The calls about enrolled people. */
function userCalls({
  accounts,
  applications,
  attempts,
}: Pick<Core, 'accounts' | 'applications' | 'attempts'>): UserCalls {
  return {
    'users.list': async () => (await accounts.list()).map(accountForUi),
    'users.paused': async () => pausesForUi(await accounts.list(), await applications.list(), attempts),
    'users.begin': async ({ photo, ...person }) => {
      const offer = await accounts.begin({ ...person, photo });
      return { ...offer, qrCodeSvg: await drawQrCode(offer.otpauthUri, { type: 'svg', margin: 2 }) };
    },
    'users.confirm': async ({ enrolment, code }) => {
      const { account, recoveryCodes } = await accounts.confirm(enrolment, code);
      return { account: accountForUi(account), recoveryCodes: [...recoveryCodes] };
    },
    'users.change': async ({ id, name, photo }) => accountForUi(await accounts.change(id, { name, photo })),
    'users.remove': async ({ id }) => {
      await accounts.remove(id);
      return {};
    },
  };
}

function accountForUi({ createdAt, updatedAt, ...account }: Account): AccountView {
  return { ...account, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
