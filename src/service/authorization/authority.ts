import type { AccessGrant, Authorization } from './authorization.ts';

/**
 * The reason why a transaction needs no further approval: the person approved on the authorize page, sent a one-time
 * password with the request, or has the session that followed a one-time password.
 */
export type ApprovalGround = 'authorize-page' | 'one-time-password' | 'session';

/** The person of a new transaction, and an approval that already exists. */
export interface Authority {
  /** Only certificates of this person may sign; undefined: any certificate of this computer. */
  readonly username: string | undefined;
  /** The existing approval; undefined: the transaction waits for approval as usual. */
  readonly approvedBy: ApprovalGround | undefined;
  /** Maximum number of documents of an upload; undefined: the instance's limit. */
  readonly documentLimit: number | undefined;
  /** The calling application, or the application of the token. */
  readonly clientId?: string;
  /**
   * The list that the transaction belongs to: `application <id>`, `application <id> person <number>`, `person
   * <number>`.
   */
  readonly caller?: string;
  /** Names of the queues under load: the application or the person, and the token. */
  readonly turn?: readonly [owner: string, token: string];
  /** Uses up the token's right to sign, immediately before the transaction is stored; `SCOPE_NOT_ALLOWED`. */
  claim(documents: number): Promise<void>;
}

/**
 * The authority of a token's bearer at `now`, with the certificates of `person`. The scope is checked when the
 * transaction is stored.
 */
export function authorityOf(
  authorization: Pick<Authorization, 'useForSigning'>,
  grant: AccessGrant,
  person: string | undefined,
  now: Date,
): Authority {
  const { scopes } = grant;
  const owner = grant.clientId === null ? `person ${grant.username ?? ''}` : applicationTurn(grant.clientId);
  const signsMany = scopes.includes('signature_session') || scopes.includes('multi_signature');
  return {
    username: person,
    approvedBy: approvalOf(grant, now),
    documentLimit: signsMany ? undefined : 1,
    turn: [owner, grant.id],
    caller: callerOfGrant(grant),
    clientId: grant.clientId ?? undefined,
    claim: async (documents) => authorization.useForSigning(grant, documents),
  };
}

/**
 * The approval that a token gives at `now`: unlimited after consent on the authorize page, for minutes after a one-time
 * password.
 */
function approvalOf({ consented, approvesUntil }: AccessGrant, now: Date): ApprovalGround | undefined {
  if (consented) return 'authorize-page';
  return approvesUntil !== null && now < approvesUntil ? 'session' : undefined;
}

/** A person's token lists only that person's transactions, although its application can list all of them. */
function callerOfGrant({ clientId, username }: AccessGrant): string {
  const person = `person ${username ?? ''}`;
  if (clientId === null) return person;
  return username === null ? applicationTurn(clientId) : `${applicationTurn(clientId)} ${person}`;
}

/** The client id in the name of a caller; undefined: a person, a site or a program. */
export function applicationOfCaller(caller: string | undefined): string | undefined {
  return /^application (\S+)/.exec(caller ?? '')?.[1];
}

const applicationTurn = (clientId: string): string => `application ${clientId}`;

/** The authority of a proven person, or of an application for the selected person. */
export function authorityFor(
  username: string | undefined,
  { clientId, approvedBy }: Partial<Pick<Authority, 'clientId' | 'approvedBy'>> = {},
): Authority {
  const owner = clientId === undefined ? `person ${username ?? ''}` : applicationTurn(clientId);
  return {
    username,
    approvedBy,
    documentLimit: undefined,
    clientId,
    turn: [owner, ''],
    caller: owner,
    claim: async () => Promise.resolve(),
  };
}
