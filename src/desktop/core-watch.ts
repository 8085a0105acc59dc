import { z } from 'zod';
import type { Sinete } from '../app/instance/start-sinete.ts';
import type { DoctorView } from '../ui-contract/doctor-calls.ts';
import type { Home, UiTransaction } from '../ui-contract/ui-contract.ts';
import type { TrayFacts, TrayUser } from './tray-model.ts';

/** The state of the core that the desktop shows. */
export interface CoreFacts extends Omit<TrayFacts, 'update' | 'waiting'> {
  /** Transactions waiting for approval or PIN, oldest first. */
  readonly waiting: readonly UiTransaction[];
  /** Sites waiting for a permission. */
  readonly questions: readonly SiteQuestion[];
}

/** A site waiting for its owner's answer. */
export interface SiteQuestion {
  readonly id: string;
  readonly origin: string;
}

/** Milliseconds to join several events in a single reading. */
const together = 60;

/** Milliseconds between two readings of states without events, such as health. */
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

/** Reads the core's state after each change event, and reports the state. */
export class CoreWatch {
  readonly #sinete: Sinete;
  readonly #onFacts: (facts: CoreFacts, before: CoreFacts) => void;
  readonly #stop: (() => void)[] = [];
  #facts = nothingKnown;
  #planned: NodeJS.Timeout | undefined;
  /** True if something changed during a read. */
  #again = false;
  /** Health checks contact other computers, so health is read only now and then, not at each signature of a batch. */
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

  /** Reads the state soon; a call during a read causes another read. */
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
    const read = await this.#sinete.callUi('doctor.read', {});
    this.#ill = !read.ok || hasProblem(read.value as DoctorView);
    return this.#ill;
  }
}

/**
 * True for a problem that the Doctor shows. A missing certificate does not count, because the tray has a state for it.
 */
function hasProblem({ checks }: DoctorView): boolean {
  return checks.some(({ outcome, finding }) => outcome === 'problem' && finding !== 'certificates-none');
}
