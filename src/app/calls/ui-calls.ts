import { ServiceError } from '../../service/errors/index.ts';
import type { Requester } from '../../service/transactions/index.ts';
import { StorageError, type StorageErrorCode } from '../../storage/index.ts';
import type { CallHandlers, CallName, Home } from '../../ui-contract/ui-contract.ts';
import { administratorCalls } from './administrators.ts';
import { applicationCalls } from './applications.ts';
import { archiveCalls } from './archive.ts';
import { assistantCalls } from './assistant.ts';
import { auditCalls, withAudit } from './audit.ts';
import { backupCalls } from './backup.ts';
import { certificateCalls } from './certificates.ts';
import { doctorCalls } from './doctor.ts';
import { evidenceCalls } from './evidence.ts';
import { historyCalls } from './history.ts';
import { moduleCalls } from './modules.ts';
import { notificationCalls } from './notifications.ts';
import { raiseCalls } from './raise.ts';
import { renewalCalls } from './renewals.ts';
import { settingsCalls } from './settings.ts';
import { siteCalls } from './sites.ts';
import { stampCalls } from './stamps.ts';
import { storeCalls } from './stores.ts';
import { transactionCalls } from './transactions.ts';
import { userCalls } from './users.ts';
import { validationCalls } from './validation.ts';
import { tokenForUi, transactionsForUi } from './views.ts';
import type { Core } from '../compose/open-core.ts';
import { product } from '../product.ts';

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
  BACKUP_LOADS_CODE: 'REQUEST_INVALID',
  BACKUP_PRESENT: 'DESTINATION_EXISTS',
  DATA_FOLDER_PRESENT: 'DESTINATION_EXISTS',
  PASSPHRASE_REQUIRED: 'KEY_SOURCE_UNAVAILABLE',
  PASSPHRASE_INCORRECT: 'PASSWORD_INCORRECT',
} as const satisfies Record<StorageErrorCode, string>;
