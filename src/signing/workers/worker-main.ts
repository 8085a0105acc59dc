/** The program of a worker thread: does one job after the other and asks its caller for signatures. */
import { parentPort, type MessagePort } from 'node:worker_threads';
import type { CmsSigner } from '../cms/cms-signer.ts';
import { SigningError } from '../errors.ts';
import { readPkcs12 } from '../keys/read-pkcs12.ts';
import { repairPdf } from '../pdf/repair/repair-pdf.ts';
import { signPdf } from '../pdf/sign-pdf.ts';
import { fromJobError, toJobError } from './job-error.ts';
import type { FromWorker, Jobs, Outcome, SignerTraits, ToWorker } from './jobs.ts';

type JobMessage = Extract<ToWorker, { kind: 'job' }>;

class JobRunner {
  readonly #port: MessagePort;
  #answer: ((outcome: Outcome<Uint8Array>) => void) | undefined;
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
    this.#send({ kind: 'done', outcome });
  }

  #perform(message: JobMessage): Promise<Jobs[JobMessage['name']]['result']> {
    switch (message.name) {
      case 'sign-pdf': {
        const { signer, ...request } = message.request;
        return signPdf({ ...request, signer: this.#remoteSigner(signer), signal: this.#abort.signal });
      }
      case 'repair-pdf':
        return repairPdf({ ...message.request, signal: this.#abort.signal });
      case 'read-pkcs12':
        return readPkcs12(message.request.file, message.request.password);
    }
  }

  /** A signer whose key is on the other side of the port. It signs digests only: that is all a PDF needs. */
  #remoteSigner(traits: SignerTraits): CmsSigner {
    const unavailable = (): Promise<never> =>
      Promise.reject(new SigningError('ALGORITHM_UNSUPPORTED', 'A worker signs digests only.'));
    return {
      ...traits,
      certificate: Buffer.from(traits.certificate),
      signDigest: (digest, signingTime) => this.#ask(digest, signingTime, traits),
      signContent: unavailable,
      signFile: unavailable,
    };
  }

  async #ask(digest: Uint8Array, signingTime: Date, traits: SignerTraits): Promise<Buffer> {
    const { promise, resolve } = Promise.withResolvers<Outcome<Uint8Array>>();
    this.#answer = resolve;
    this.#send({ kind: 'question', question: { digest, signingTime, digestAlgorithm: traits.digest } });
    const outcome = await promise;
    if (!outcome.ok) throw fromJobError(outcome.error);
    return Buffer.from(outcome.value);
  }

  #send(message: FromWorker): void {
    this.#port.postMessage(message);
  }
}

if (parentPort !== null) new JobRunner(parentPort);
