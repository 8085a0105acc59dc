import type { AccessGrant, Authorization } from './authorization.ts';

/** In whose name, and by whose leave, a transaction is created. */
export interface Authority {
  /** Only certificates of this person may sign; undefined: any of this computer. */
  readonly username: string | undefined;
  /** The person approved on the authorize page; false: the transaction waits for approval as always. */
  readonly approved: boolean;
  /** Documents that may be uploaded; undefined: as many as this instance takes. */
  readonly documentLimit: number | undefined;
  /** The application that calls, or that the token was given to. */
  readonly clientId?: string;
  /** Who takes turns where many want something: the application or the person, and the token. */
  readonly turn?: readonly [owner: string, token: string];
  /** Takes the right to sign, right before the transaction is kept; `SCOPE_NOT_ALLOWED`. */
  claim(documents: number): Promise<void>;
}

/** What a token lets its bearer sign, with the certificates of `person`. Whether its scope suffices is asked when the transaction is kept. */
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

/** A person who proved to be there, or an application for the person who is selected: approval is asked as always. */
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
