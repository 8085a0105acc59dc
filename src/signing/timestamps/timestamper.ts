/** Time stamps from the network: RFC 3161 over HTTP, from the first authority with a good answer. */
import { randomBytes } from 'node:crypto';
import { DIGEST_LENGTH } from '../algorithms/algorithms.ts';
import { Tag, readDer } from '../der/reader.ts';
import { derInteger } from '../der/writer.ts';
import { SigningError, type SigningErrorCode } from '../errors.ts';
import type { HttpClient } from '../http-client.ts';
import type { TimestampDigest } from '../keys/signer.ts';
import { openTimestampToken, type OpenToken, type Timestamper, type TimestampToken } from './timestamp-token.ts';
import {
  credentialsOf,
  type TimestampAuthority,
  writeTimestampRequest,
  readTimestampResponse,
} from './timestamp-response.ts';
import { verifyTimestampToken, type ValidateTimestampChain } from './verify-timestamp-token.ts';

/** Services and options of a timestamper. */
export interface TimestamperOptions {
  /** Authorities in the order of requests; at least one. */
  readonly authorities: readonly TimestampAuthority[];
  readonly http: HttpClient;
  readonly now: () => Date;
  /** The hash function of imprints for all authorities; by default the first authority's. */
  readonly digest?: TimestampDigest;
  /** Unpredictable bytes; by default from the operating system. */
  readonly random?: (bytes: number) => Uint8Array;
  readonly validateChain?: ValidateTimestampChain;
  /** Allowed milliseconds between an authority's clock and `now`, besides its own accuracy; by default five minutes. */
  readonly clockTolerance?: number;
}

const NONCE_BYTES = 8;
const MAX_RESPONSE = 256 * 1024;
const FIVE_MINUTES = 5 * 60 * 1000;
/** Reserved bytes before the first token: enough for a chain of four RSA-4096 certificates, with a margin. */
const GENEROUS_SIZE = 16 * 1024;
/** Possible growth of a token between time stamps: serial number, time, and another certificate of the same kind. */
const SIZE_MARGIN = 512;

/** Failure codes by usefulness to the user, to choose among the failures of several authorities. */
const TELLING: readonly SigningErrorCode[] = [
  'TIMESTAMP_INVALID',
  'TIMESTAMP_REFUSED',
  'NETWORK_REFUSED',
  'NETWORK_ANSWER_TOO_LARGE',
];

function invalid(message: string): never {
  throw new SigningError('TIMESTAMP_INVALID', message);
}

/** Content bytes of a nonce's INTEGER. */
const nonceContent = (nonce: Uint8Array): Buffer => readDer(derInteger(nonce)).expect(Tag.integer, 'the nonce').content;

/** A digest to be stamped, and its hash function. */
interface Imprint {
  readonly algorithm: TimestampDigest;
  readonly value: Buffer;
}

interface Failure {
  readonly authority: TimestampAuthority;
  readonly error: SigningError;
}

/** A single error for all failures: the reasons in the order of the authorities. */
function allFailed(failures: readonly Failure[]): SigningError {
  const codes = failures.map(({ error }) => error.code);
  const code = TELLING.find((candidate) => codes.includes(candidate)) ?? 'NETWORK_UNREACHABLE';
  const reasons = failures.map(({ authority, error }) => `${authority.id}: ${error.message}`).join(' ');
  const cause = failures.length === 1 ? failures[0]?.error : failures.map(({ error }) => error);
  return new SigningError(code, `No time stamp could be had. ${reasons}`, { cause });
}

class HttpTimestamper implements Timestamper {
  readonly digest: TimestampDigest;
  readonly #options: TimestamperOptions;
  #longest = 0;

  constructor(options: TimestamperOptions, first: TimestampAuthority) {
    this.#options = options;
    this.digest = options.digest ?? first.digest;
  }

  get sizeLimit(): number {
    return this.#longest === 0 ? GENEROUS_SIZE : this.#longest + SIZE_MARGIN;
  }

  async stamp(imprint: Uint8Array, signal?: AbortSignal, digest = this.digest): Promise<TimestampToken> {
    if (imprint.length !== DIGEST_LENGTH[digest]) invalid('The digest to be stamped has the wrong length.');
    const failures: Failure[] = [];
    for (const authority of this.#options.authorities) {
      try {
        const token = await this.#ask(authority, { algorithm: digest, value: Buffer.from(imprint) }, signal);
        this.#longest = Math.max(this.#longest, token.der.length);
        return token;
      } catch (error) {
        if (!(error instanceof SigningError) || error.code === 'CANCELLED') throw error;
        failures.push({ authority, error });
      }
    }
    throw allFailed(failures);
  }

  async #ask(authority: TimestampAuthority, imprint: Imprint, signal?: AbortSignal): Promise<TimestampToken> {
    const nonce = (this.#options.random ?? randomBytes)(NONCE_BYTES);
    const { algorithm, value } = imprint;
    const body = writeTimestampRequest({ digest: algorithm, imprint: value, policy: authority.policy, nonce });
    const opened = openTimestampToken(readTimestampResponse(await this.#exchange(authority, body, signal)));
    this.#checkRequest(opened, authority, nonce);
    await this.#verify(opened.token, imprint);
    return opened.token;
  }

  async #exchange(authority: TimestampAuthority, body: Buffer, signal?: AbortSignal): Promise<Buffer> {
    const response = await this.#options.http.send({
      method: 'POST',
      purpose: 'time-stamp',
      url: authority.url,
      contentType: 'application/timestamp-query',
      accept: 'application/timestamp-reply',
      body,
      timeout: authority.timeout,
      maxBytes: MAX_RESPONSE,
      ...credentialsOf(authority.authentication),
      signal,
    });
    const { status, contentType } = response;
    if (status === 401 || status === 403) {
      throw new SigningError('TIMESTAMP_REFUSED', `The authority refused the credentials (HTTP status ${status}).`);
    }
    if (status !== 200) {
      throw new SigningError('TIMESTAMP_REFUSED', `The authority answered with HTTP status ${status}.`);
    }
    if (response.body[0] !== Tag.sequence) {
      throw new SigningError(
        'TIMESTAMP_INVALID',
        `The answer is no time stamp, but ${contentType ?? 'of no known type'}.`,
      );
    }
    return response.body;
  }

  /** Checks that the token answers this request (RFC 3161 §2.4.2), and that its time is close to now. */
  #checkRequest({ token, nonce }: OpenToken, authority: TimestampAuthority, sent: Uint8Array): void {
    if (nonce?.equals(nonceContent(sent)) !== true)
      invalid('The time stamp answers another request: its nonce differs.');
    if (authority.policy !== undefined && token.policy !== authority.policy) {
      invalid(`The time stamp was issued under policy ${token.policy}, but another policy was requested.`);
    }
    const difference = Math.abs(token.time.getTime() - this.#options.now().getTime());
    if (difference > (this.#options.clockTolerance ?? FIVE_MINUTES) + (token.accuracy ?? 0)) {
      const seconds = Math.round(difference / 1000);
      invalid(
        `The clocks of the authority and of this computer differ by ${seconds} seconds. Set this computer's clock.`,
      );
    }
  }

  async #verify(token: TimestampToken, imprint: Imprint): Promise<void> {
    const { validateChain, now } = this.#options;
    const { outcome, problem, digestAlgorithm } = await verifyTimestampToken(token, {
      imprint,
      at: now(),
      validateChain,
    });
    if (outcome !== 'valid') invalid(problem ?? 'The time stamp cannot be verified.');
    if (digestAlgorithm === 'sha1') invalid('The authority signs with SHA-1, which is no longer safe.');
  }
}

/**
 * Creates a timestamper that asks the authorities in order and answers with the first good token. When all fail,
 * `stamp` rejects with the most useful failure, and the message names all failures. Throws `TIMESTAMP_REFUSED` without
 * an authority.
 */
export function createTimestamper(options: TimestamperOptions): Timestamper {
  const [first] = options.authorities;
  if (first === undefined) throw new SigningError('TIMESTAMP_REFUSED', 'No time stamp authority is configured.');
  return new HttpTimestamper(options, first);
}
