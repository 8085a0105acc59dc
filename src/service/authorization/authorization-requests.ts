import { randomBytes } from 'node:crypto';
import type { Application } from '../applications/index.ts';
import { ServiceError } from '../errors/index.ts';
import { keyOf, type ShortLivedEntry, type ShortLivedStore } from '../short-lived/index.ts';
import type { Scope } from './authorization.ts';

/** An application's checked request on the authorize page. */
export interface AuthorizationDetails {
  readonly application: Pick<Application, 'clientId' | 'name'>;
  readonly redirectUri: string;
  /** True when the request named the redirect address. */
  readonly redirectUriGiven: boolean;
  /** As sent; undefined if the request had none. */
  readonly state: string | undefined;
  readonly scopes: readonly Scope[];
  readonly codeChallenge: string | undefined;
  /** The CPF or CNPJ that the application expects. It fills the form and proves nothing. */
  readonly loginHint?: string;
  /** Requested lifetime in seconds. */
  readonly lifetime: number | undefined;
}

/** A shown request. The page's form carries the request's id, so that a form is bound to its page. */
export interface AuthorizationRequest extends AuthorizationDetails {
  /** 128 random bits; whoever knows the id can use the page. */
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

/** The state of the decision. */
export type AuthorizationDecision =
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'waiting'; readonly person: DecidingPerson }
  | { readonly kind: 'allowed'; readonly person: DecidingPerson }
  | { readonly kind: 'refused' };

const lifetime = 10 * 60 * 1000;
/** Any page can open the authorize page, so the oldest request is dropped when the limit is reached. */
const limits = { most: 500, whenFull: 'drop-oldest' } as const;
const kind = 'authorization-request';

/** The content of an entry, as JSON. */
interface Content {
  readonly details: AuthorizationDetails;
  /** Present once the person was asked for a decision. */
  readonly waiting?: { readonly id: string; readonly person: DecidingPerson; readonly askedAt: number };
  readonly decision: AuthorizationDecision;
}

/** Authorization requests between the page and its answer. */
export class AuthorizationRequests {
  readonly #store: ShortLivedStore;
  readonly #listeners = new Set<() => void>();
  readonly #now: () => Date;

  constructor(store: ShortLivedStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  async add(details: AuthorizationDetails): Promise<AuthorizationRequest> {
    const id = randomBytes(16).toString('base64url');
    const now = this.#now();
    const endsAt = new Date(now.getTime() + lifetime);
    const content = write({ details, decision: { kind: 'not-asked' } });
    await this.#store.add(kind, { key: keyOf(id), owner: details.application.clientId, content, endsAt }, limits, now);
    return { ...details, id, expiresAt: endsAt };
  }

  /** Undefined if unknown, expired or answered. */
  async find(id: string): Promise<AuthorizationRequest | undefined> {
    const entry = await this.#store.find(kind, keyOf(id), this.#now());
    return entry && requestOf(id, entry);
  }

  /** Asks the person for a decision; asking again changes nothing. */
  async ask(id: string, person: DecidingPerson): Promise<void> {
    const now = this.#now();
    const isAsked = await this.#store.change(kind, keyOf(id), now, (text) => {
      const content = read(text);
      if (content.decision.kind !== 'not-asked') return undefined;
      const waiting = { id: randomBytes(16).toString('hex'), person, askedAt: now.getTime() };
      return write({ ...content, waiting, decision: { kind: 'waiting', person } });
    });
    if (isAsked) this.#tell();
  }

  /** Oldest first. */
  async waiting(): Promise<readonly WaitingAuthorization[]> {
    const entries = await this.#store.list(kind, this.#now());
    return entries.flatMap(({ content: text, endsAt: expiresAt }) => {
      const { waiting, decision, details: request } = read(text);
      if (waiting === undefined || decision.kind !== 'waiting') return [];
      const { id, person, askedAt } = waiting;
      return [{ id, request, person, askedAt: new Date(askedAt), expiresAt }];
    });
  }

  /** `NOT_FOUND` for a request that is no longer waiting. */
  async decide(waitingId: string, decision: 'allow' | 'refuse'): Promise<void> {
    const entries = await this.#store.list(kind, this.#now());
    const key = entries.find(({ content }) => read(content).waiting?.id === waitingId)?.key ?? '';
    const isDecided = await this.#store.change(kind, key, this.#now(), (text) => {
      const content = read(text);
      if (content.decision.kind !== 'waiting') return undefined;
      const { person } = content.decision;
      return write({ ...content, decision: decision === 'allow' ? { kind: 'allowed', person } : { kind: 'refused' } });
    });
    if (!isDecided) throw new ServiceError('NOT_FOUND', 'This request no longer waits for a decision.');
    this.#tell();
  }

  async decisionOf(id: string): Promise<AuthorizationDecision | undefined> {
    const entry = await this.#store.find(kind, keyOf(id), this.#now());
    return entry && read(entry.content).decision;
  }

  /** Removes an answered request, once. */
  async take(id: string): Promise<AuthorizationRequest | undefined> {
    const entry = await this.#store.take(kind, keyOf(id), this.#now());
    if (entry === undefined) return undefined;
    if (read(entry.content).decision.kind === 'waiting') this.#tell();
    return requestOf(id, entry);
  }

  /** Calls `listener` when a request on this node begins or stops waiting. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const write = (content: Content): string => JSON.stringify(content);

function read(text: string): Content {
  const content = JSON.parse(text) as Content;
  // JSON leaves out properties that are undefined.
  const { state, codeChallenge, lifetime: seconds, ...details } = content.details;
  return { ...content, details: { ...details, state, codeChallenge, lifetime: seconds } };
}

const requestOf = (id: string, { content, endsAt }: ShortLivedEntry): AuthorizationRequest => ({
  ...read(content).details,
  id,
  expiresAt: endsAt,
});
