import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Application } from '../applications/index.ts';
import { ServiceError } from '../errors/index.ts';
import type { Sealer } from '../secrets/index.ts';
import { keyOf, type ShortLivedStore } from '../short-lived/index.ts';
import type { HashPermission, Scope } from './authorization.ts';

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
  /** The hashes that the person is asked for; absent: none. */
  readonly hashes?: HashPermission;
}

/**
 * A shown request. The page's form carries the request itself, sealed, so that nothing is kept here for a page that
 * nobody answers: anonymous visitors cannot push out the pages of others.
 */
export interface AuthorizationRequest extends AuthorizationDetails {
  /** The sealed request; whoever knows it can use the page. */
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
/** Only pages on this computer can ask a person in the window, so the oldest is dropped when the limit is reached. */
const limits = { most: 500, whenFull: 'drop-oldest' } as const;
/** Without its mark, an answered page could be answered again, with another one-time password. */
const answerLimits = { most: 5000, whenFull: 'drop-oldest' } as const;
const kind = 'authorization-request';
const answered = 'authorization-answer';
const place = 'authorize-page';

/** The content of an entry, as JSON: the person was asked for a decision. */
interface Content {
  readonly details: AuthorizationDetails;
  readonly waiting: { readonly id: string; readonly person: DecidingPerson; readonly askedAt: number };
  readonly decision: AuthorizationDecision;
}

/** What a page carries, as sealed JSON. */
interface PageState {
  readonly details: AuthorizationDetails;
  /** Names the page in the store. */
  readonly key: string;
  readonly endsAt: number;
}

/** Seals under a random key of this process: after a restart, people begin again. */
function sealerOfProcess(): Sealer {
  const key = randomBytes(32);
  return {
    seal: async (plaintext) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      return Promise.resolve(Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]));
    },
    open: async (sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
      decipher.setAuthTag(sealed.subarray(-16));
      return Promise.resolve(Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]));
    },
  };
}

/** Authorization requests between the page and its answer. */
export class AuthorizationRequests {
  readonly #store: ShortLivedStore;
  readonly #listeners = new Set<() => void>();
  readonly #now: () => Date;

  readonly #sealer: Sealer;

  /** @param sealer seals the pages; absent: under a key of this process, so that no other node can read them */
  constructor(store: ShortLivedStore, now: () => Date, sealer: Sealer = sealerOfProcess()) {
    this.#store = store;
    this.#now = now;
    this.#sealer = sealer;
  }

  async add(details: AuthorizationDetails): Promise<AuthorizationRequest> {
    const endsAt = this.#now().getTime() + lifetime;
    const state: PageState = { details, key: keyOf(randomBytes(16).toString('base64url')), endsAt };
    const sealed = await this.#sealer.seal(Buffer.from(JSON.stringify(state)), place);
    return { ...details, id: sealed.toString('base64url'), expiresAt: new Date(endsAt) };
  }

  /** Undefined if unknown, expired or answered. */
  async find(id: string): Promise<AuthorizationRequest | undefined> {
    const state = await this.#open(id);
    if (state === undefined) return undefined;
    const isAnswered = (await this.#store.find(answered, state.key, this.#now())) !== undefined;
    return isAnswered ? undefined : requestOf(id, state);
  }

  /** The state of a page that was made here and has not expired. */
  async #open(id: string): Promise<PageState | undefined> {
    const sealed = Buffer.from(id, 'base64url');
    const plain = await this.#sealer.open(sealed, place).catch(() => undefined);
    if (plain === undefined) return undefined;
    const state = JSON.parse(plain.toString('utf8')) as PageState;
    return state.endsAt > this.#now().getTime() ? state : undefined;
  }

  /** Asks the person for a decision; asking again changes nothing. */
  async ask(id: string, person: DecidingPerson): Promise<void> {
    const state = await this.#open(id);
    if (state === undefined) return;
    const { key, details, endsAt } = state;
    const now = this.#now();
    const waiting = { id: randomBytes(16).toString('hex'), person, askedAt: now.getTime() };
    const content = write({ details, waiting, decision: { kind: 'waiting', person } });
    const entry = { key, owner: details.application.clientId, content, endsAt: new Date(endsAt) };
    if (await this.#store.add(kind, entry, limits, now)) this.#tell();
  }

  /** Oldest first. */
  async waiting(): Promise<readonly WaitingAuthorization[]> {
    const entries = await this.#store.list(kind, this.#now());
    return entries.flatMap(({ content: text, endsAt: expiresAt }) => {
      const { waiting, decision, details: request } = read(text);
      if (decision.kind !== 'waiting') return [];
      const { id, person, askedAt } = waiting;
      return [{ id, request, person, askedAt: new Date(askedAt), expiresAt }];
    });
  }

  /** `NOT_FOUND` for a request that is no longer waiting. */
  async decide(waitingId: string, decision: 'allow' | 'refuse'): Promise<void> {
    const entries = await this.#store.list(kind, this.#now());
    const key = entries.find(({ content }) => read(content).waiting.id === waitingId)?.key ?? '';
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
    const state = await this.#open(id);
    if (state === undefined) return undefined;
    const entry = await this.#store.find(kind, state.key, this.#now());
    return entry === undefined ? { kind: 'not-asked' } : read(entry.content).decision;
  }

  /** Answers a request, once. */
  async take(id: string): Promise<AuthorizationRequest | undefined> {
    const state = await this.#open(id);
    if (state === undefined) return undefined;
    const { key, details, endsAt } = state;
    const now = this.#now();
    const mark = { key, owner: details.application.clientId, content: '{}', endsAt: new Date(endsAt) };
    if (!(await this.#store.add(answered, mark, answerLimits, now))) return undefined;
    const entry = await this.#store.take(kind, key, now);
    if (entry !== undefined && read(entry.content).decision.kind === 'waiting') this.#tell();
    return requestOf(id, state);
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
  return { ...content, details: withAbsent(content.details) };
}

/** JSON leaves out properties that are undefined. */
const withAbsent = ({
  state,
  codeChallenge,
  lifetime: seconds,
  ...details
}: AuthorizationDetails): AuthorizationDetails => ({
  ...details,
  state,
  codeChallenge,
  lifetime: seconds,
});

const requestOf = (id: string, { details, endsAt }: PageState): AuthorizationRequest => ({
  ...withAbsent(details),
  id,
  expiresAt: new Date(endsAt),
});
