import { randomBytes } from 'node:crypto';
import type { Application } from '../applications/index.ts';
import { ServiceError } from '../errors/index.ts';
import type { Scope } from './authorization.ts';

/** An application's checked request on the authorize page. */
export interface AuthorizationDetails {
  readonly application: Pick<Application, 'clientId' | 'name'>;
  readonly redirectUri: string;
  /** True when the request named the redirect address. */
  readonly redirectUriGiven: boolean;
  /** As sent; undefined: none was. */
  readonly state: string | undefined;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string | undefined;
  /** The person whom the application expects: a CPF or CNPJ for the form, and no proof of anything. */
  readonly loginHint?: string | undefined;
  /** Seconds, as asked for. */
  readonly lifetime: number | undefined;
}

/** A shown request. The page's form carries the request's id, so that a form is bound to its page. */
export interface AuthorizationRequest extends AuthorizationDetails {
  /** 128 random bits; a holder of the id has the page. */
  readonly id: string;
  readonly expiresAt: Date;
}

/** The person to decide in the window. */
export interface DecidingPerson {
  readonly name: string;
  readonly username: string;
}

/** A request waiting for its person's decision on this computer. */
export interface WaitingAuthorization {
  /** Different from the page's id: the window shows this id, and the id opens nothing. */
  readonly id: string;
  readonly request: AuthorizationDetails;
  readonly person: DecidingPerson;
  readonly askedAt: Date;
  readonly expiresAt: Date;
}

/** How far the decision is. */
export type AuthorizationDecision =
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'waiting'; readonly person: DecidingPerson }
  | { readonly kind: 'allowed'; readonly person: DecidingPerson }
  | { readonly kind: 'refused' };

const lifetime = 10 * 60 * 1000;
/** Any page can open the authorize page: the oldest makes room. */
const requestsAtOnce = 500;

interface Entry {
  readonly request: AuthorizationRequest;
  waiting: WaitingAuthorization | undefined;
  decision: AuthorizationDecision;
}

/**
 * Authorization requests between the page and its answer, in memory: after a restart the person begins again at the
 * application.
 */
export class AuthorizationRequests {
  readonly #entries = new Map<string, Entry>();
  readonly #listeners = new Set<() => void>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  add(details: AuthorizationDetails): AuthorizationRequest {
    this.#removeEnded();
    const id = randomBytes(16).toString('base64url');
    const request = { ...details, id, expiresAt: new Date(this.#now().getTime() + lifetime) };
    this.#entries.set(id, { request, waiting: undefined, decision: { kind: 'not-asked' } });
    return request;
  }

  /** Undefined: unknown, over or answered. */
  find(id: string): AuthorizationRequest | undefined {
    return this.#entry(id)?.request;
  }

  /** Puts the request before its person; asking again changes nothing. */
  ask(id: string, person: DecidingPerson): void {
    const entry = this.#entry(id);
    if (entry?.decision.kind !== 'not-asked') return;
    const { request } = entry;
    const askedAt = this.#now();
    entry.decision = { kind: 'waiting', person };
    entry.waiting = { id: randomBytes(16).toString('hex'), request, person, askedAt, expiresAt: request.expiresAt };
    this.#tell();
  }

  /** Oldest first. */
  waiting(): readonly WaitingAuthorization[] {
    this.#removeEnded();
    const entries = [...this.#entries.values()].filter(({ decision }) => decision.kind === 'waiting');
    return entries.flatMap(({ waiting }) => (waiting === undefined ? [] : [waiting]));
  }

  /** `NOT_FOUND` for a request that is no longer waiting. */
  decide(waitingId: string, decision: 'allow' | 'refuse'): void {
    this.#removeEnded();
    const entry = [...this.#entries.values()].find(({ waiting }) => waiting?.id === waitingId);
    if (entry?.decision.kind !== 'waiting' || entry.waiting === undefined) {
      throw new ServiceError('NOT_FOUND', 'This request no longer waits for a decision.');
    }
    entry.decision = decision === 'allow' ? { kind: 'allowed', person: entry.waiting.person } : { kind: 'refused' };
    this.#tell();
  }

  decisionOf(id: string): AuthorizationDecision | undefined {
    return this.#entry(id)?.decision;
  }

  /** Removes an answered request, once. */
  take(id: string): AuthorizationRequest | undefined {
    const entry = this.#entry(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    if (entry.decision.kind === 'waiting') this.#tell();
    return entry.request;
  }

  /** Tells when a request begins or ends to wait. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #entry(id: string): Entry | undefined {
    this.#removeEnded();
    return this.#entries.get(id);
  }

  /** Entries are in the order of their end. */
  #removeEnded(): void {
    const now = this.#now();
    for (const [id, { request }] of this.#entries) {
      if (request.expiresAt > now && this.#entries.size < requestsAtOnce) return;
      this.#entries.delete(id);
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
