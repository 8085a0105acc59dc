import { randomUUID } from 'node:crypto';
import type { ConsentOutcome, ConsentQuestion, GrantScope } from './consent.ts';

/** Limits of waiting requests, and of questions to the user. Times are milliseconds. */
export interface ConsentLimits {
  /** Time after which a question ends without an answer. */
  readonly patience: number;
  readonly heldPerOrigin: number;
  readonly heldOverall: number;
  readonly openQuestions: number;
  /** Maximum number of questions about an origin within `window`. */
  readonly questionsPerOrigin: number;
  /** Maximum number of questions about all origins within `window`: a page can have any number of subdomains. */
  readonly questionsOverall: number;
  readonly window: number;
  /** For how long a refusal is remembered. */
  readonly refusalLifetime: number;
}

export const defaultConsentLimits: ConsentLimits = {
  patience: 120_000,
  heldPerOrigin: 20,
  heldOverall: 100,
  openQuestions: 10,
  questionsPerOrigin: 3,
  questionsOverall: 30,
  window: 600_000,
  refusalLifetime: 600_000,
};

/** Number of origins whose refusals and questions are remembered, because sites can use any number of names. */
const memory = 1000;

interface Held {
  readonly scope: GrantScope;
  readonly end: (outcome: ConsentOutcome) => void;
}

interface OpenQuestion {
  readonly id: string;
  readonly origin: string;
  readonly scopes: readonly GrantScope[];
  readonly askedAt: Date;
  readonly expiresAt: Date;
  readonly held: Set<Held>;
  readonly timer: NodeJS.Timeout;
}

/** Sites waiting for a permission: a single question per origin, for any number of requests. In memory only. */
export class Questions {
  readonly #limits: ConsentLimits;
  readonly #now: () => Date;
  readonly #changed: () => void;
  readonly #open = new Map<string, OpenQuestion>();
  readonly #asked = new Map<string, readonly number[]>();
  readonly #refused = new Map<string, number>();
  /** Times of the questions about all origins in the last `limits.window` milliseconds, oldest first. */
  #askedOverall: readonly number[] = [];
  #held = 0;

  constructor(limits: ConsentLimits, now: () => Date, changed: () => void) {
    this.#limits = limits;
    this.#now = now;
    this.#changed = changed;
  }

  list(): readonly ConsentQuestion[] {
    return [...this.#open.values()].map(({ id, origin, scopes, askedAt, expiresAt, held }) => {
      const wanted = [...new Set([...held].map(({ scope }) => scope))];
      return { id, origin, scopes: [...new Set([...scopes, ...wanted])], askedAt, expiresAt, wanted };
    });
  }

  /** Holds a request until its question ends; `proposal` is the proposal for a new question. */
  async hold(
    origin: string,
    scope: GrantScope,
    proposal: readonly GrantScope[],
    signal: AbortSignal,
  ): Promise<ConsentOutcome> {
    if (signal.aborted || this.#wasRefused(origin, scope)) return 'refused';
    const open = this.#questionOf(origin);
    if (this.#held >= this.#limits.heldOverall) return 'too-many';
    if ((open?.held.size ?? 0) >= this.#limits.heldPerOrigin) return 'too-many';
    if (open === undefined && this.#open.size >= this.#limits.openQuestions) return 'too-many';
    if (open === undefined && !this.#mayAsk(origin)) return 'refused';
    if (open === undefined && this.#recent(this.#askedOverall).length >= this.#limits.questionsOverall)
      return 'too-many';
    return this.#wait(open ?? this.#ask(origin, proposal), scope, signal);
  }

  /** Removes a question; the caller ends its requests. Undefined for a question that is no longer open. */
  take(
    id: string,
  ): { readonly origin: string; end(outcomeOf: (scope: GrantScope) => ConsentOutcome): void } | undefined {
    const question = this.#open.get(id);
    if (question === undefined) return undefined;
    return {
      origin: question.origin,
      end: (outcomeOf) => {
        this.#close(question, outcomeOf);
      },
    };
  }

  /** Remembers a refusal, so that the user is not asked again for a while. */
  remember(origin: string, scope: GrantScope | '*'): void {
    keepNewest(this.#refused, `${origin} ${scope}`, this.#now().getTime() + this.#limits.refusalLifetime);
  }

  /** Forgets refusals of an origin after the user has decided differently. */
  forget(origin: string): void {
    for (const key of this.#refused.keys()) if (key.startsWith(`${origin} `)) this.#refused.delete(key);
    this.#asked.delete(origin);
  }

  /** Ends all questions; their requests stop waiting with this outcome. */
  endAll(outcome: ConsentOutcome): void {
    for (const question of this.#open.values()) this.#close(question, () => outcome);
  }

  /** The origin's open question, which takes requests for any scope. */
  #questionOf(origin: string): OpenQuestion | undefined {
    return [...this.#open.values()].find((one) => one.origin === origin);
  }

  #ask(origin: string, scopes: readonly GrantScope[]): OpenQuestion {
    const askedAt = this.#now();
    const expiresAt = new Date(askedAt.getTime() + this.#limits.patience);
    const timer = setTimeout(() => {
      this.#close(question, () => 'forgotten');
    }, this.#limits.patience);
    const id = randomUUID();
    const question: OpenQuestion = { id, origin, scopes, askedAt, expiresAt, held: new Set(), timer: timer.unref() };
    this.#open.set(id, question);
    keepNewest(this.#asked, origin, [...this.#recentlyAsked(origin), askedAt.getTime()]);
    this.#askedOverall = [...this.#recent(this.#askedOverall), askedAt.getTime()];
    return question;
  }

  async #wait(question: OpenQuestion, scope: GrantScope, signal: AbortSignal): Promise<ConsentOutcome> {
    return new Promise((resolve) => {
      const hangUp = (): void => {
        held.end('refused');
        question.held.delete(held);
        if (question.held.size === 0) this.#close(question, () => 'refused');
        else this.#changed();
      };
      const held: Held = {
        scope,
        end: (outcome) => {
          signal.removeEventListener('abort', hangUp);
          this.#held -= 1;
          resolve(outcome);
        },
      };
      this.#held += 1;
      question.held.add(held);
      signal.addEventListener('abort', hangUp, { once: true });
      this.#changed();
    });
  }

  #close(question: OpenQuestion, outcomeOf: (scope: GrantScope) => ConsentOutcome): void {
    if (!this.#open.delete(question.id)) return;
    clearTimeout(question.timer);
    for (const { scope, end } of question.held) end(outcomeOf(scope));
    this.#changed();
  }

  #wasRefused(origin: string, scope: GrantScope): boolean {
    const now = this.#now().getTime();
    return [`${origin} *`, `${origin} ${scope}`].some((key) => (this.#refused.get(key) ?? 0) > now);
  }

  #mayAsk(origin: string): boolean {
    return this.#recentlyAsked(origin).length < this.#limits.questionsPerOrigin;
  }

  #recentlyAsked(origin: string): readonly number[] {
    return this.#recent(this.#asked.get(origin) ?? []);
  }

  #recent(times: readonly number[]): readonly number[] {
    const since = this.#now().getTime() - this.#limits.window;
    return times.filter((time) => time > since);
  }
}

function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > memory && oldest !== undefined) map.delete(oldest);
}
