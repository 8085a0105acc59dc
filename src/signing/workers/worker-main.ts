/** The program of a worker thread: runs jobs one at a time and asks its caller for signatures and evidence. */
import { getHeapStatistics } from 'node:v8';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { SigningError } from '../errors.ts';
import { extendCmsFile } from '../evidence-records/index.ts';
import { describeDamage } from '../pdf/repair/describe-damage.ts';
import { readPkcs12 } from '../keys/read-pkcs12.ts';
import { drawStamp } from '../pdf/appearance/stamp-painter.ts';
import { withSignaturesKept } from '../pdf/keep-signatures.ts';
import { raisePdf } from '../pdf/long-term/raise-pdf.ts';
import { signPdfAtLevel } from '../pdf/long-term/sign-pdf-at-level.ts';
import { examinePdf } from '../pdf/reading/active-content.ts';
import { repairPdf } from '../pdf/repair/repair-pdf.ts';
import { signPdf } from '../pdf/signature/sign-pdf.ts';
import {
  fromJobError,
  toJobError,
  type Answer,
  type Answers,
  type FromWorker,
  type Jobs,
  type Outcome,
  type Question,
  type ToWorker,
} from './jobs.ts';
import { remoteLevel, remoteParts, remoteSigner, type Ask } from './remote-parts.ts';
import { RemoteValidation } from './remote-validation.ts';

type JobMessage = Extract<ToWorker, { kind: 'job' }>;

class JobRunner {
  readonly #port: MessagePort;
  #answer: ((outcome: Outcome<Answer>) => void) | undefined;
  #abort = new AbortController();

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: ToWorker) => {
      this.#receive(message);
    });
    this.#send({ kind: 'ready' });
  }

  #receive(message: ToWorker): void {
    switch (message.kind) {
      case 'job':
        void this.#run(message);
        break;
      case 'answer':
        this.#answer?.(message.outcome);
        this.#answer = undefined;
        break;
      case 'abort':
        this.#abort.abort(new SigningError('CANCELLED', 'The signature was cancelled.'));
        break;
    }
  }

  async #run(message: JobMessage): Promise<void> {
    this.#abort = new AbortController();
    let outcome: Outcome<unknown>;
    try {
      outcome = { ok: true, value: await this.#perform(message) };
    } catch (error) {
      outcome = { ok: false, error: toJobError(error) };
    }
    const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
    this.#send({ kind: 'done', outcome, memory: heap + buffers });
  }

  async #perform(message: JobMessage): Promise<Jobs[JobMessage['name']]['result']> {
    switch (message.name) {
      case 'sign-pdf': {
        const { signer, level, ...rest } = message.request;
        const request = { ...rest, signer: remoteSigner(signer, this.#ask), signal: this.#abort.signal };
        return withSignaturesKept(request, () =>
          level === undefined ? signPdf(request) : signPdfAtLevel(request, remoteLevel(level, this.#ask)),
        ).catch(async (error: unknown) => {
          throw await describeDamage(request.inputPath, request, error);
        });
      }
      case 'raise-pdf': {
        const { level, ...request } = message.request;
        return withSignaturesKept(request, () =>
          raisePdf({ ...request, ...remoteLevel(level, this.#ask), signal: this.#abort.signal }),
        );
      }
      case 'raise-cms': {
        const { timestamper, ...request } = message.request;
        return extendCmsFile({ ...request, ...remoteParts(timestamper, this.#ask), signal: this.#abort.signal });
      }
      case 'repair-pdf':
        return repairPdf({ ...message.request, signal: this.#abort.signal });
      case 'examine-pdf':
        return examinePdf(message.request.path, message.request);
      case 'draw-stamp':
        return drawStamp(message.request);
      case 'read-pkcs12':
        return readPkcs12(message.request.file, message.request.password);
      case 'validate':
        return this.#validation.run(message.request, this.#abort.signal);
    }
  }

  readonly #ask: Ask = async <Asked extends Question>(question: Asked) => {
    const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
    this.#answer = resolve;
    this.#send({ kind: 'question', question });
    const outcome = await promise;
    if (!outcome.ok) throw fromJobError(outcome.error);
    // The caller answers the open question, so the kinds agree.
    return outcome.value as Answers[Asked['kind']];
  };

  readonly #validation = new RemoteValidation(this.#ask);

  #send(message: FromWorker): void {
    this.#port.postMessage(message);
  }
}

if (parentPort !== null) new JobRunner(parentPort);
