import { z } from 'zod';
import type { Sinete } from '../app/instance/start-sinete.ts';
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
const together = 60;

/** Milliseconds between two looks at what no event tells of, such as health. */
const period = 5 * 60_000;

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
  /** Something changed while a look was under way. */
  #again = false;
  /** Health asks other computers too: it is looked at now and then, not at each signature of a batch. */
  #healthIsOld = true;
  #ill = false;
  #closed = false;

  constructor(sinete: Sinete, onFacts: (facts: CoreFacts, before: CoreFacts) => void) {
    this.#sinete = sinete;
    this.#onFacts = onFacts;
    const timer = setInterval(() => {
      this.#healthIsOld = true;
      this.lookSoon();
    }, period);
    const stopEvents = sinete.onEvent(({ name }) => {
      if (name === 'keys-changed') this.#healthIsOld = true;
      this.lookSoon();
    });
    this.#stop.push(
      stopEvents,
      sinete.pause.onChange(() => this.lookSoon()),
      () => clearInterval(timer),
    );
  }

  get facts(): CoreFacts {
    return this.#facts;
  }

  /** Looks within a moment; once more afterwards, when it is called while a look is under way. */
  lookSoon(): void {
    if (this.#closed) return;
    if (this.#planned !== undefined) {
      this.#again = true;
      return;
    }
    this.#planned = setTimeout(() => {
      this.#again = false;
      void this.#look().finally(() => {
        this.#planned = undefined;
        if (this.#again) this.lookSoon();
      });
    }, together);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#planned);
    for (const stop of this.#stop) stop();
  }

  async #look(): Promise<void> {
    const sinete = this.#sinete;
    const [home, ill, users, questions] = await Promise.all([
      sinete.callUi('home.read', {}),
      this.#isIll(),
      sinete.callUi('assistant.users', {}),
      sinete.callUi('consent.questions', {}),
    ]);
    if (this.#closed) return;
    const before = this.#facts;
    const read = home.ok ? (home.value as Home) : undefined;
    this.#facts = {
      failing: read === undefined || ill,
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

  async #isIll(): Promise<boolean> {
    if (!this.#healthIsOld) return this.#ill;
    this.#healthIsOld = false;
    const health = await this.#sinete.callUi('health.read', {});
    this.#ill = !health.ok || (health.value as Health).status === 'ERROR';
    return this.#ill;
  }
}
