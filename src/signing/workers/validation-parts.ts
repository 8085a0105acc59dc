/** The caller's side of a validation in a worker: the data for the worker, and the answers to its questions. */
import { stat } from 'node:fs/promises';
import type { TrustAnchors } from '../certificates/trust/trust-anchors.ts';
import { SigningError } from '../errors.ts';
import type { HttpClient } from '../http-client.ts';
import type { RevocationCache } from '../revocation/cache/revocation-cache.ts';
import type { ValidationReport } from '../validation/validation-report.ts';
import type { ValidationOptions } from '../validation/validation-request.ts';
import type { Answer, Question, ValidationTraits } from './jobs.ts';

/** Input and options of a validation. */
export interface ValidateRequest extends ValidationOptions {
  /** A PDF has `path`; CMS and CAdES have `signature`, each in memory or as a file. */
  readonly input: ValidationTraits['input'];
}

/** Services of a validation in a worker. The worker itself has no access to the network or the cache. */
export interface WorkerValidationServices {
  readonly trust: TrustAnchors;
  /** Absent: nothing is fetched, and facts from the network stay unknown. */
  readonly http?: HttpClient;
  readonly cache?: RevocationCache;
  readonly now: () => Date;
}

/** Time limit for a small file in milliseconds, without the time spent waiting for answers. */
export const VALIDATION_TIME = 10_000;

/** Limit on network exchanges for one file; an honest file needs a handful. */
const MAX_FETCHES = 64;

const derOf = ({ der }: { readonly der: Buffer }): Uint8Array => der;

/** The plain data of a validation for the worker. `size`: bytes of the input. */
export function validationTraits(
  { input, at, algorithms, unknownPolicy }: ValidateRequest,
  { trust, http, cache, now }: WorkerValidationServices,
  size: number,
): ValidationTraits {
  const clock = now();
  return {
    input,
    anchors: trust.anchors.map(derOf),
    intermediates: trust.intermediates.map(derOf),
    refused: trust.refused.map(derOf),
    marks: trust.marks,
    at: at ?? clock,
    now: clock,
    hasNetwork: http !== undefined,
    hasCache: cache !== undefined,
    size,
    algorithms,
    unknownPolicy,
  };
}

/** Answers a validation's questions with the real network and cache. */
export function answerValidation(
  { http, cache }: WorkerValidationServices,
  signal: AbortSignal | undefined,
): (question: Question) => Promise<Answer> {
  let fetches = 0;
  return async (question) => {
    switch (question.kind) {
      case 'fetch':
        fetches += 1;
        if (http === undefined || fetches > MAX_FETCHES) {
          throw new SigningError('NETWORK_REFUSED', 'Nothing more is fetched for this file.');
        }
        return http.send({ ...question.request, signal });
      case 'cache-get':
        return cache?.get(question.key);
      case 'cache-put':
        await cache?.put(question.key, withBuffers(question.entry));
        return undefined;
      case 'sign-digest':
      case 'stamp':
      case 'collect':
        throw new Error('A worker asks for a service that its job does not need.');
    }
  };
}

type CacheEntry = Parameters<RevocationCache['put']>[1];

/** Restores the Buffers of a cache entry, which arrive from a worker thread as plain Uint8Arrays. */
export function withBuffers(entry: CacheEntry): CacheEntry {
  if (entry.kind === 'failure') return entry;
  const { der, index, ...rest } = entry;
  return {
    ...rest,
    der: asBuffer(der),
    index: index === undefined ? undefined : asBuffer(index),
  };
}

export const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function fileSize(path: string): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  return size;
}

const sizeOf = async (bytes: Uint8Array | { readonly path: string } | undefined): Promise<number> =>
  bytes === undefined ? 0 : bytes instanceof Uint8Array ? bytes.length : fileSize(bytes.path);

/** Size of the whole input in bytes. */
export async function inputSize(input: ValidateRequest['input']): Promise<number> {
  const parts = 'path' in input ? [{ path: input.path }] : [input.signature, input.content];
  const sizes = await Promise.all([...parts, ...(input.records ?? [])].map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The kind of an input that was not completely read, derived from the request alone. */
export function kindOf(input: ValidateRequest['input']): ValidationReport['kind'] {
  if ('path' in input) return 'pdf';
  return input.content === undefined ? 'cms-attached' : 'cms-detached';
}
