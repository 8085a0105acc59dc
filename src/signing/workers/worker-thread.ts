import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '../../values/thread-environment.ts';
import {
  limitExceeded,
  toJobError,
  type Answer,
  type FromWorker,
  type Outcome,
  type Question,
  type ToWorker,
} from './jobs.ts';

/** How much a job may use before its worker is ended. */
export interface WorkerLimits {
  /** Maximum number of threads; each runs a single job at a time. Default 4. */
  readonly threads: number;
  /** Heap of a thread in MiB. Default 200. */
  readonly memory: number;
  /** Memory in MiB beyond which a thread is ended after its job: V8 keeps the heap of a huge file. Default 96. */
  readonly idleMemory: number;
  /** Milliseconds of work for a small file, without the time spent waiting for a signature. Default 20,000. */
  readonly time: number;
  /** Bytes of a large file for each additional millisecond. Default 4,096 (about 4 MB a second). */
  readonly bytesPerMillisecond: number;
}

/** Answers a job's question to the starting thread. */
export type AnswerQuestion = (question: Question) => Promise<Answer>;

/** A job, and the callbacks for its outcome. */
export interface Task {
  readonly message: Extract<ToWorker, { kind: 'job' }>;
  readonly time: number;
  readonly answer: AnswerQuestion;
  readonly signal: AbortSignal | undefined;
  readonly settle: (outcome: Outcome<unknown>) => void;
}

const program = new URL('./worker-main.ts', import.meta.url);

/** A thread and its current task. A thread that exceeds its limits is terminated and not used again. */
export class WorkerThread {
  readonly #worker: Worker;
  readonly #limits: WorkerLimits;
  readonly #onIdle: (thread: WorkerThread) => void;
  readonly #onGone: (thread: WorkerThread) => void;
  #ready = false;
  #task: Task | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timeLeft = 0;
  #runningSince = 0;

  /** Throws an error with the system's code `EAGAIN` where no further thread may run. */
  constructor(limits: WorkerLimits, onIdle: (thread: WorkerThread) => void, onGone: (thread: WorkerThread) => void) {
    this.#limits = limits;
    this.#onIdle = onIdle;
    this.#onGone = onGone;
    this.#worker = startThread(limits);
    this.#worker.unref();
    this.#worker.on('message', (message: FromWorker) => {
      this.#receive(message);
    });
    this.#worker.on('error', (error: Error & { code?: string }) => {
      this.#end(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? limitExceeded(`more than ${this.#limits.memory} MiB of memory`)
          : toJobError(error),
      );
    });
    this.#worker.on('exit', () => {
      this.#end(limitExceeded('its thread ended'));
    });
  }

  start(task: Task): void {
    this.#task = task;
    this.#timeLeft = task.time;
    this.#worker.ref();
    task.signal?.addEventListener('abort', this.#abort, { once: true });
    if (this.#ready) this.#resumeClock();
    this.#send(task.message);
    if (task.signal?.aborted === true) this.#abort();
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  readonly #abort = (): void => {
    this.#send({ kind: 'abort' });
  };

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.#ready = true;
        if (this.#task !== undefined) this.#resumeClock();
        break;
      case 'question':
        void this.#answer(message.question);
        break;
      case 'done':
        this.#finish(message.outcome, message.memory);
        break;
    }
  }

  async #answer(question: Question): Promise<void> {
    const task = this.#task;
    if (task === undefined) return;
    this.#pauseClock();
    let outcome: Outcome<Answer>;
    try {
      outcome = { ok: true, value: await task.answer(question) };
    } catch (error) {
      outcome = { ok: false, error: toJobError(error) };
    }
    if (this.#task !== task) return;
    this.#resumeClock();
    this.#send({ kind: 'answer', outcome });
  }

  #resumeClock(): void {
    this.#runningSince = performance.now();
    this.#timer = setTimeout(() => {
      this.#end(limitExceeded(`more than ${Math.round((this.#task?.time ?? 0) / 1000)} seconds`));
      void this.#worker.terminate();
    }, this.#timeLeft);
  }

  #pauseClock(): void {
    clearTimeout(this.#timer);
    this.#timeLeft = Math.max(1, this.#timeLeft - (performance.now() - this.#runningSince));
  }

  #finish(outcome: Outcome<unknown>, memory: number): void {
    const task = this.#release();
    this.#worker.unref();
    task?.settle(outcome);
    if (memory <= this.#limits.idleMemory * 2 ** 20) {
      this.#onIdle(this);
      return;
    }
    this.#onGone(this);
    void this.#worker.terminate();
  }

  #end(error: ReturnType<typeof toJobError>): void {
    const task = this.#release();
    this.#onGone(this);
    task?.settle({ ok: false, error });
  }

  #release(): Task | undefined {
    const task = this.#task;
    clearTimeout(this.#timer);
    task?.signal?.removeEventListener('abort', this.#abort);
    this.#task = undefined;
    return task;
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}

/** Throws an error with the system's code `EAGAIN` where no further thread may run. */
function startThread({ memory }: WorkerLimits): Worker {
  try {
    return new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: memory },
      env: threadEnvironment(),
      execArgv: [],
      stdout: true,
      stderr: true,
    });
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'ERR_WORKER_INIT_FAILED') throw cause;
    const error = new Error('No further thread may run.', { cause });
    throw Object.assign(error, { code: 'EAGAIN', syscall: 'pthread_create' });
  }
}
