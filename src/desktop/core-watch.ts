import { z } from 'zod';
import type { Sinete } from '../app/start-sinete.ts';
import type { Health, Home, UiTransaction } from '../ui-contract/ui-contract.ts';
import type { TrayFacts, TrayUser } from './tray-model.ts';

/** What the shell knows of the core. */
export interface CoreFacts extends Omit<TrayFacts, 'update' | 'waiting'> {
  /** What waits for approval or PIN, oldest first. */
  readonly waiting: readonly UiTransaction[];
  /** Sites that ask to be let in. */
  readonly questions: readonly SiteQuestion[];
}

/** A site that waits for its owner's answer. */
export interface SiteQuestion {
  readonly id: string;
  readonly origin: string;
}

/** Milliseconds in which several events lead to one look. */
const together = 80;

/** Milliseconds between two looks at what no event tells of, such as health. */
const period = 60_000;

const usersSchema = z.array(
  z
    .looseObject({ username: z.string(), name: z.string(), selected: z.boolean() })
    .transform(({ username, name, selected }): TrayUser => ({ username, name, selected })),
);

const questionsSchema = z.array(z.object({ id: z.string(), origin: z.string() }));

const nothingKnown: CoreFacts = {
  failing: false,
  paused: false,
  waiting: [],
  questions: [],
  certificates: 0,
  tokens: [],
  users: [],
  recent: [],
};

/** Looks at the core whenever it tells that something changed, and says what it found. */
export class CoreWatch {
  readonly #sinete: Sinete;
  readonly #onFacts: (facts: CoreFacts, before: CoreFacts) => void;
  readonly #stop: (() => void)[] = [];
  #facts = nothingKnown;
  #planned: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(sinete: Sinete, onFacts: (facts: CoreFacts, before: CoreFacts) => void) {
    this.#sinete = sinete;
    this.#onFacts = onFacts;
    const timer = setInterval(() => this.lookSoon(), period);
    const plan = (): void => this.lookSoon();
    this.#stop.push(sinete.onEvent(plan), sinete.pause.onChange(plan), () => clearInterval(timer));
  }

  get facts(): CoreFacts {
    return this.#facts;
  }

  /** Looks within a moment. */
  lookSoon(): void {
    this.#planned ??= setTimeout(() => {
      this.#planned = undefined;
      this.#looking = this.#looking.then(async () => this.#look());
    }, together);
  }

  close(): void {
    clearTimeout(this.#planned);
    for (const stop of this.#stop) stop();
  }

  async #look(): Promise<void> {
    const sinete = this.#sinete;
    const [home, health, users, questions] = await Promise.all([
      sinete.callUi('home.read', {}),
      sinete.callUi('health.read', {}),
      sinete.callUi('assistant.users', {}),
      sinete.callUi('consent.questions', {}),
    ]);
    const before = this.#facts;
    const read = home.ok ? (home.value as Home) : undefined;
    this.#facts = {
      failing: read === undefined || !health.ok || (health.value as Health).status === 'ERROR',
      paused: sinete.pause.paused,
      waiting: read?.waiting.filter(({ waitingFor }) => waitingFor === 'approval' || waitingFor === 'pin') ?? [],
      questions: questionsSchema.safeParse(questions.ok ? questions.value : []).data ?? [],
      certificates: read?.certificates ?? 0,
      tokens: read?.tokens ?? [],
      users: usersSchema.safeParse(users.ok ? users.value : []).data ?? [],
      recent: read?.recent ?? [],
    };
    this.#onFacts(this.#facts, before);
  }
}
