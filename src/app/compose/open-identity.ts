import { createAdministrators, type Administrators } from '../../service/administration/index.ts';
import { createApplications, type Applications } from '../../service/applications/index.ts';
import {
  auditedAccounts,
  auditedAdministrators,
  auditedApplications,
  auditedAuthorization,
  refreshTokenReused,
  type RecordAudit,
} from '../../service/audit/index.ts';
import { AuthorizationRequests, createAuthorization, type Authorization } from '../../service/authorization/index.ts';
import { AttemptLimits, createAccounts, type Accounts } from '../../service/users/index.ts';
import {
  MasterKeySealer,
  SqlAccountStore,
  SqlAdministratorStore,
  SqlApplicationStore,
  SqlAttemptStore,
  SqlTokenStore,
  type SecretStore,
  type Storage,
} from '../../storage/index.ts';

/** The people, applications and tokens of this instance. */
export interface Identity {
  readonly accounts: Accounts;
  /** Pauses after failed attempts. */
  readonly attempts: Pick<AttemptLimits, 'paused'>;
  readonly applications: Applications;
  readonly authorization: Authorization;
  readonly administrators: Administrators;
  /** Shown and unanswered requests of the authorize page. */
  readonly authorizationRequests: AuthorizationRequests;
}

/** Removes values sealed under a lost key, because they can no longer be opened or checked. */
export async function forgetSealedIdentity({ database }: Pick<Storage, 'database'>): Promise<void> {
  await new SqlAccountStore(database).removeAll();
  await new SqlApplicationStore(database).removeAll();
}

/** Builds the identity services over the database. A removed or re-enrolled person loses all tokens. */
export function openIdentity(parts: {
  readonly storage: Pick<Storage, 'database' | 'mayErase' | 'sharedWith' | 'shortLived'>;
  readonly secrets: SecretStore;
  readonly now: () => Date;
  readonly record: RecordAudit;
  /** Seconds for which a token approves after its one-time password. */
  readonly approvalSession: number;
  /** Called after every change of people and applications. */
  readonly onChange: () => void;
}): Identity {
  const { storage, secrets, now, record, approvalSession, onChange } = parts;
  const { database } = storage;
  const sealer = new MasterKeySealer(secrets);
  const authorization = auditedAuthorization(
    createAuthorization({
      store: new SqlTokenStore(database, storage.mayErase),
      now,
      approvalSession,
      onReuse: async (clientId) => record(refreshTokenReused(clientId)),
    }),
    record,
  );
  const limits = new AttemptLimits(new SqlAttemptStore(database), now);
  const accounts = createAccounts({
    sealer,
    limits,
    now,
    onChange,
    store: new SqlAccountStore(database),
    shortLived: storage.shortLived,
    onRemoved: async (username) => authorization.revokeAll({ username }),
  });
  const applications = createApplications({
    sealer,
    limits,
    now,
    onChange,
    store: new SqlApplicationStore(database),
    onRotated: async (clientId) => authorization.revokeAll({ clientId }),
  });
  const administrators = createAdministrators({ store: new SqlAdministratorStore(database), limits, now });
  return {
    authorization,
    administrators: auditedAdministrators(administrators, record),
    authorizationRequests: new AuthorizationRequests(
      storage.shortLived,
      now,
      storage.sharedWith === undefined ? undefined : sealer,
    ),
    accounts: auditedAccounts(accounts, record),
    attempts: limits,
    applications: auditedApplications(applications, record),
  };
}
