import { type Migration, Migrator } from 'kysely/migration';
import { StorageError } from '../errors.ts';
import type { Database } from './database-schema.ts';
import { firstTables } from './migrations/first/0001-first-tables.ts';
import { levels } from './migrations/first/0002-levels.ts';
import { smallDocuments } from './migrations/first/0003-small-documents.ts';
import { identity } from './migrations/first/0004-identity.ts';
import { consentAndAssistant } from './migrations/first/0005-consent-and-assistant.ts';
import { notifications } from './migrations/first/0006-notifications.ts';
import { objectStores } from './migrations/first/0007-object-stores.ts';
import { audit } from './migrations/first/0008-audit.ts';
import { documentSpace } from './migrations/first/0009-document-space.ts';
import { turnsAndAwaitedResults } from './migrations/first/0010-turns-and-awaited-results.ts';
import { announcedDocuments } from './migrations/first/0011-announced-documents.ts';
import { resultBlocks } from './migrations/0014-result-blocks.ts';
import { integrators } from './migrations/0015-integrators.ts';
import { fileGrants } from './migrations/0018-file-grants.ts';
import { approvalTime } from './migrations/0019-approval-time.ts';
import { refreshTokens } from './migrations/0023-refresh-tokens.ts';
import { webhooks } from './migrations/0024-webhooks.ts';
import { requestOptions } from './migrations/0025-request-options.ts';
import { pendingEvidence } from './migrations/0026-pending-evidence.ts';
import { standardWarnings } from './migrations/0027-standard-warnings.ts';
import { renewals } from './migrations/0028-renewals.ts';
import { applicationLimits } from './migrations/0030-application-limits.ts';
import { administrators } from './migrations/0036-administrators.ts';
import { jobsOfNodes } from './migrations/nodes/0048-jobs-of-nodes.ts';
import { signers } from './migrations/0052-signers.ts';
import { historyWords } from './migrations/0058-history-words.ts';
import { incompleteTransactions } from './migrations/lists/0060-incomplete-transactions.ts';
import { keptResults } from './migrations/lists/0061-kept-results.ts';
import { hashes } from './migrations/lists/0070-hashes.ts';
import { hashCalls } from './migrations/lists/0071-hash-calls.ts';
import { sharedState } from './migrations/nodes/0053-shared-state.ts';

/** In the order of application. Names are written into databases and never change. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-levels': levels,
  '0003-small-documents': smallDocuments,
  '0004-identity': identity,
  '0005-consent-and-assistant': consentAndAssistant,
  '0006-notifications': notifications,
  '0007-object-stores': objectStores,
  '0008-audit': audit,
  '0009-document-space': documentSpace,
  '0010-turns-and-awaited-results': turnsAndAwaitedResults,
  '0011-announced-documents': announcedDocuments,
  '0014-result-blocks': resultBlocks,
  '0015-integrators': integrators,
  '0018-file-grants': fileGrants,
  '0019-approval-time': approvalTime,
  '0023-refresh-tokens': refreshTokens,
  '0024-webhooks': webhooks,
  '0025-request-options': requestOptions,
  '0026-pending-evidence': pendingEvidence,
  '0027-standard-warnings': standardWarnings,
  '0028-renewals': renewals,
  '0030-application-limits': applicationLimits,
  '0036-administrators': administrators,
  '0048-jobs-of-nodes': jobsOfNodes,
  '0052-signers': signers,
  '0053-shared-state': sharedState,
  '0058-history-words': historyWords,
  '0060-incomplete-transactions': incompleteTransactions,
  '0061-kept-results': keptResults,
  '0070-hashes': hashes,
  '0071-hash-calls': hashCalls,
};

export const namesOfMigrations: readonly string[] = Object.keys(migrations);

/**
 * Brings the tables up to date. Rejects with `StorageError`: `DATABASE_NEWER`, `STORAGE_UNAVAILABLE`; then the tables are
 * as before.
 */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof Error && error.message.startsWith('corrupted migrations: previously executed migration')) {
    throw new StorageError('DATABASE_NEWER', 'A newer version of this application has used the data folder.', {
      cause: error,
      remedy: 'Install that version again, or choose another folder with --data.',
    });
  }
  throw new StorageError('STORAGE_UNAVAILABLE', 'The tables of the database could not be brought up to date.', {
    cause: error,
  });
}
