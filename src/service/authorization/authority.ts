import type { AccessGrant, Authorization } from './authorization.ts';

/** The person of a new transaction, and the approval. */
export interface Authority {
  /** Only certificates of this person may sign; undefined: any of this computer. */
  readonly username: string | undefined;
  /** The person approved on the authorize page; false: the transaction waits for approval as always. */
  readonly approved: boolean;
  /** Most documents of an upload; undefined: the instance's limit. */
  readonly documentLimit: number | undefined;
  /** The calling application, or the application of the token. */
  readonly clientId?: string;
  /** Queue names under load: the application or the person, and the token. */
  readonly turn?: readonly [owner: string, token: string];
  /** Takes the right to sign, right before the transaction is kept; `SCOPE_NOT_ALLOWED`. */
  claim(documents: number): Promise<void>;
}

/**
 * The authority of a token's bearer, with the certificates of `person`. The scope is checked when the transaction is
 * stored.
 */
export function authorityOf(
  authorization: Pick<Authorization, 'useForSigning'>,
  grant: AccessGrant,
  person: string | undefined,
): Authority {
  const { scopes, consented } = grant;
  const owner = grant.clientId === null ? `person ${grant.username ?? ''}` : applicationTurn(grant.clientId);
  const signsMany = scopes.includes('signature_session') || scopes.includes('multi_signature');
  return {
    username: person,
    approved: consented,
    documentLimit: signsMany ? undefined : 1,
    turn: [owner, grant.id],
    ...(grant.clientId === null ? {} : { clientId: grant.clientId }),
    claim: async (documents) => authorization.useForSigning(grant, documents),
  };
}

const applicationTurn = (clientId: string): string => `application ${clientId}`;

/** The authority of a proven person, or of an application for the selected person: approval is asked as always. */
export function authorityFor(username: string | undefined, clientId?: string): Authority {
  return {
    username,
    approved: false,
    documentLimit: undefined,
    ...(clientId === undefined ? {} : { clientId }),
    turn: [clientId === undefined ? `person ${username ?? ''}` : applicationTurn(clientId), ''],
    claim: async () => Promise.resolve(),
  };
}
