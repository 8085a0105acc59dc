import { AsyncResource } from 'node:async_hooks';
import { rename, rm, stat } from 'node:fs/promises';
import type { RaiseCmsFileResult } from '../cms/raise-cms.ts';
import type { ExtendCmsFileRequest } from '../evidence-records/index.ts';
import { SigningError } from '../errors.ts';
import type { Pkcs12Contents } from '../keys/read-pkcs12.ts';
import type { PdfLevelOptions } from '../pdf/long-term/level.ts';
import type { RaisePdfRequest, RaisePdfResult } from '../pdf/long-term/raise-pdf.ts';
import type { StampDrawing } from '../pdf/appearance/stamp-painter.ts';
import type { RepairPdfRequest, RepairPdfResult } from '../pdf/repair/repair-pdf.ts';
import type { SignPdfRequest, SignPdfResult } from '../pdf/sign-request.ts';
import type { PdfExamination } from '../pdf/reading/active-content.ts';
import { keysOf, type PdfKeys } from '../pdf/encryption/standard-security.ts';
import { fromJobError, toJobError, type JobName, type Jobs, type Outcome } from './jobs.ts';
import { answerQuestions, levelTraits, stamperTraits, type LevelParts } from './remote-parts.ts';
import type { ValidationReport } from '../validation/validation-report.ts';
import {
  answerValidation,
  inputSize,
  kindOf,
  VALIDATION_TIME,
  validationTraits,
  type ValidateRequest,
  type WorkerValidationServices,
} from './validation-parts.ts';
import { unfinishedReport } from '../validation/report/write-report.ts';
import { WorkerThread, type AnswerQuestion, type Task, type WorkerLimits } from './worker-thread.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';
import { join } from 'node:path';
import { makeScratchFolder } from '../scratch-folder.ts';

/** Threads, memory in MB and time in ms that a pool has without other limits. */
export const defaultWorkerLimits: WorkerLimits = {
  threads: 4,
  memory: 200,
  idleMemory: 96,
  time: 20_000,
  bytesPerMillisecond: 4096,
};

const nothingToAsk: AnswerQuestion = () => Promise.reject(new Error('This job asks for nothing.'));

interface RunOptions {
  readonly signal: AbortSignal | undefined;
  readonly answer: AnswerQuestion;
  /** Milliseconds for a small file; by default `WorkerLimits.time`. */
  readonly time?: number;
}

/** For jobs without cancellation and without questions. */
const withoutQuestions: RunOptions = { signal: undefined, answer: nothingToAsk };

/**
 * Reads hostile files in threads of their own, so that a file made to be slow or huge costs a thread and not the
 * application. Tasks wait in order for a free thread.
 */
export class WorkerPool {
  readonly #limits: WorkerLimits;
  readonly #waiting: Task[] = [];
  readonly #idle: WorkerThread[] = [];
  readonly #threads = new Set<WorkerThread>();
  #closed = false;

  constructor(limits: Partial<WorkerLimits> = {}) {
    this.#limits = { ...defaultWorkerLimits, ...dropUndefined(limits) };
  }

  /**
   * `signPdf`, or `signPdfAtLevel` where a level is given, in a thread. Signatures, time stamps and evidence come from
   * `request.signer` and `level`, here. Rejects also with `LIMIT_EXCEEDED`.
   */
  async signPdf(request: SignPdfRequest, level?: PdfLevelOptions): Promise<SignPdfResult> {
    const { signer, signal, ...rest } = request;
    const { digest, certificate, detachedSizeLimit } = signer;
    return this.#write(request, level !== undefined, (path, size) =>
      this.#run(
        'sign-pdf',
        {
          ...rest,
          outputPath: path,
          signer: { digest, certificate, detachedSizeLimit },
          level: level === undefined ? undefined : levelTraits(level),
        },
        size,
        { signal, answer: answerQuestions(signer, level, signal) },
      ),
    );
  }

  /** `raisePdf` in a thread. Rejects also with `LIMIT_EXCEEDED`. */
  async raisePdf(request: RaisePdfRequest): Promise<RaisePdfResult> {
    const { inputPath, onlyLast, keepStandard, level, timestamper, collector, signal } = request;
    const { policyArtifacts, olderEvidence } = request;
    const parts = {
      level,
      timestamper,
      collector,
      policyArtifacts,
      olderEvidence,
    };
    return this.#write(request, true, (path, size) =>
      this.#run(
        'raise-pdf',
        {
          inputPath,
          outputPath: path,
          level: levelTraits(parts),
          onlyLast,
          keepStandard,
          ...keysOf(request),
        },
        size,
        { signal, answer: answerQuestions(undefined, parts, signal) },
      ),
    );
  }

  /** `extendCmsFile` in a thread. Rejects also with `LIMIT_EXCEEDED`. */
  async raiseCms(request: ExtendCmsFileRequest & LevelParts): Promise<RaiseCmsFileResult> {
    const { inputPath, contentPath, contentHash, ofCertificate, level, timestamper, collector, signal } = request;
    const { olderEvidence, digest } = request;
    const document = { contentPath, contentHash, ofCertificate, olderEvidence, digest };
    const traits = stamperTraits(timestamper);
    const answer = answerQuestions(undefined, { timestamper, collector }, signal);
    return this.#write(request, false, (path, size) =>
      this.#run('raise-cms', { inputPath, outputPath: path, ...document, level, timestamper: traits }, size, {
        signal,
        answer,
      }),
    );
  }

  /** `repairPdf` in a thread. Rejects also with `LIMIT_EXCEEDED`. */
  async repairPdf(request: RepairPdfRequest): Promise<RepairPdfResult> {
    const { signal, ...rest } = request;
    return this.#write(request, false, (path, size) =>
      this.#run('repair-pdf', { ...rest, outputPath: path }, size, { signal, answer: nothingToAsk }),
    );
  }

  /** `examinePdf` in a thread. Rejects also with `LIMIT_EXCEEDED`. */
  async examinePdf(path: string, keys: PdfKeys = {}): Promise<PdfExamination> {
    const { size } = await stat(path).catch(() => ({ size: 0 }));
    return this.#run('examine-pdf', { path, ...keysOf(keys) }, size, withoutQuestions);
  }

  /** `drawStamp` in a thread, because pictures are compressed. Rejects also with `LIMIT_EXCEEDED`. */
  async drawStamp(drawing: StampDrawing): Promise<Buffer> {
    return Buffer.from(await this.#run('draw-stamp', drawing, 0, withoutQuestions));
  }

  /** `readPkcs12` in a thread. Rejects also with `LIMIT_EXCEEDED`. */
  async readPkcs12(file: Uint8Array, password: string): Promise<Pkcs12Contents> {
    const contents = await this.#run('read-pkcs12', { file, password }, file.length, withoutQuestions);
    return {
      ...contents,
      certificates: contents.certificates.map((certificate) => Buffer.from(certificate)),
      keys: contents.keys.map((key) => ({
        ...key,
        privateKey: Buffer.from(key.privateKey),
        certificate: Buffer.from(key.certificate),
        chain: key.chain.map((issuer) => Buffer.from(issuer)),
      })),
    };
  }

  /**
   * `validateSignature` or `validatePdf` in a thread. The thread reads files, verifies signatures and builds paths;
   * network and cache stay here, in `services`. Each input has a budget by its size (`budgetFor`); a small file gets two
   * seconds of processor time, and ten seconds in all. Beyond a limit the report is `INDETERMINATE` with the finding
   * `LIMIT_REACHED`, which names the limit. Rejects like both functions.
   */
  async validate(request: ValidateRequest, services: WorkerValidationServices): Promise<ValidationReport> {
    const size = await inputSize(request.input);
    const traits = validationTraits(request, services, size);
    try {
      return await this.#run('validate', traits, size, {
        signal: request.signal,
        answer: answerValidation(services, request.signal),
        time: Math.min(this.#limits.time, VALIDATION_TIME),
      });
    } catch (error) {
      const isLimit = error instanceof SigningError && error.code === 'LIMIT_EXCEEDED';
      if (!isLimit || this.#closed) throw error;
      return unfinishedReport(kindOf(traits.input), traits.at, error.message);
    }
  }

  /** Ends every thread; running tasks are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#waiting.splice(0)) task.settle({ ok: false, error: cancelled });
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  /**
   * A terminated thread cannot remove its own output, so the output is removed here. A job with several files gets its
   * own folder beside the output.
   */
  async #write<Result>(
    { inputPath, outputPath }: { readonly inputPath: string; readonly outputPath: string },
    makesSeveral: boolean,
    write: (path: string, inputSize: number) => Promise<Result>,
  ): Promise<Result> {
    const { size } = await stat(inputPath).catch(() => ({ size: 0 }));
    if (makesSeveral) return writeInFolder(outputPath, (path) => write(path, size));
    try {
      return await write(outputPath, size);
    } catch (error) {
      if (error instanceof SigningError && error.code === 'LIMIT_EXCEEDED') await rm(outputPath, { force: true });
      throw error;
    }
  }

  async #run<Name extends JobName>(
    name: Name,
    request: Jobs[Name]['request'],
    size: number,
    { signal, answer, time: least = this.#limits.time }: RunOptions,
  ): Promise<Jobs[Name]['result']> {
    if (this.#closed) throw fromJobError(cancelled);
    const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>();
    // The compiler does not see that a name and its request always belong to the same member of the union.
    const message = { kind: 'job', name, request } as unknown as Task['message'];
    const time = least + size / this.#limits.bytesPerMillisecond;
    // A question arrives as an event of the thread: its answer belongs to the work of this call.
    this.#waiting.push({ message, time, answer: AsyncResource.bind(answer), signal, settle: resolve });
    this.#dispatch();
    const outcome = await promise;
    if (!outcome.ok) throw fromJobError(outcome.error);
    return outcome.value as Jobs[Name]['result'];
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#idle.pop() ?? this.#grow();
      if (thread === undefined) return;
      const task = this.#waiting.shift();
      if (task !== undefined) thread.start(task);
    }
  }

  #grow(): WorkerThread | undefined {
    if (this.#threads.size >= this.#limits.threads) return undefined;
    try {
      const thread = new WorkerThread(this.#limits, this.#becomeIdle, this.#forget);
      this.#threads.add(thread);
      return thread;
    } catch (error) {
      // Running threads take the waiting jobs. Without a running thread, the jobs would wait for ever.
      const failed = this.#threads.size === 0 ? this.#waiting.splice(0) : [];
      for (const task of failed) task.settle({ ok: false, error: toJobError(error) });
      return undefined;
    }
  }

  readonly #becomeIdle = (thread: WorkerThread): void => {
    this.#idle.push(thread);
    this.#dispatch();
  };

  readonly #forget = (thread: WorkerThread): void => {
    if (!this.#threads.delete(thread)) return;
    const index = this.#idle.indexOf(thread);
    if (index >= 0) this.#idle.splice(index, 1);
    if (!this.#closed) this.#dispatch();
  };
}

const cancelled = { code: 'CANCELLED', message: 'The application is closing.' } as const;

/**
 * Writes in a private folder and always removes the folder; the finished file moves to its place and replaces an
 * existing file.
 */
async function writeInFolder<Result>(outputPath: string, write: (path: string) => Promise<Result>): Promise<Result> {
  const folder = await makeScratchFolder(outputPath);
  try {
    const path = join(folder, 'output.pdf');
    const result = await write(path);
    await rename(path, outputPath);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
