import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { channelOf } from './channel-connections.ts';
import { endsOf, plainAddress, type SocketEnds } from './connection-ends.ts';

/** Bytes of a challenge, exactly. */
const CHALLENGE_LENGTH = 32;
/** Lifetime of a nonce in milliseconds; each nonce is valid once. */
const NONCE_LIFETIME = 60_000;
/** `time` (8 bytes), random bytes (16), and the tag of both (16). */
const NONCE_LENGTH = 40;
const TAG_LENGTH = 16;

/** A proof in the header `X-Sinete-Proof`: nonce, SHA-256 of the body, and HMAC, each in base64url, joined by dots. */
export const PROOF_HEADER = 'x-sinete-proof';

/** An answer to a challenge. Both parts are base64url. */
export interface ChallengeAnswer {
  /** HMAC-SHA-256 over the listener, the challenge and the nonce, with the key `instance`. */
  readonly proof: string;
  /** For one request, within a minute. */
  readonly nonce: string;
}

/** The request under a proof. */
export interface ProvenRequest {
  /** `127.0.0.1:17171`: the address and port that the caller has connected to. */
  readonly listener: string;
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
}

/**
 * Mutual proof of knowing the key in the instance's file, which only the owner can read. The key itself is never sent.
 * The instance and its callers use different keys derived from it (HKDF, RFC 5869, labels `instance` and `request`), so
 * that an answer to a challenge is never valid as a caller's proof. Both HMACs cover the listener, so that a program at
 * another port cannot forward a proof.
 */
export class InstanceProof {
  readonly #keys: ProofKeys;
  readonly #now: () => number;
  /** Nonces are recognized by their tag, so callers who request nonces use no memory. */
  readonly #nonceKey = randomBytes(32);
  /** Used nonces with their expiry. Only nonces of valid proofs are stored. */
  readonly #used = new Map<string, number>();

  constructor(proofKey: Buffer, now: () => number = Date.now) {
    this.#keys = deriveProofKeys(proofKey);
    this.#now = now;
  }

  /** Answers a challenge of 32 bytes in base64url; undefined for another text. */
  answer(challenge: string, listener: string): ChallengeAnswer | undefined {
    if (!isChallenge(challenge)) return undefined;
    const nonce = this.#issueNonce();
    return { nonce, proof: hmac(this.#keys.instance, [listener, challenge, nonce]).toString('base64url') };
  }

  /**
   * The SHA-256 that the body of the request must have; undefined if the header proves nothing. The first valid proof
   * uses its nonce up.
   */
  bodyDigestOf(header: string, { listener, method, target }: ProvenRequest): Buffer | undefined {
    const [nonce = '', digest = '', given = '', ...more] = header.split('.');
    if (more.length > 0 || !/^[\w-]{43}$/.test(digest)) return undefined;
    const expected = hmac(this.#keys.request, [listener, nonce, method, target, digest]);
    const proof = Buffer.from(given, 'base64url');
    if (proof.length !== expected.length || !timingSafeEqual(proof, expected)) return undefined;
    return this.#takeNonce(nonce) ? Buffer.from(digest, 'base64url') : undefined;
  }

  #issueNonce(): string {
    const time = Buffer.alloc(8);
    time.writeDoubleBE(this.#now());
    const content = Buffer.concat([time, randomBytes(NONCE_LENGTH - TAG_LENGTH - 8)]);
    return Buffer.concat([content, this.#tagOf(content)]).toString('base64url');
  }

  #takeNonce(nonce: string): boolean {
    const bytes = Buffer.from(nonce, 'base64url');
    if (bytes.length !== NONCE_LENGTH || bytes.toString('base64url') !== nonce) return false;
    const content = bytes.subarray(0, -TAG_LENGTH);
    if (!timingSafeEqual(bytes.subarray(-TAG_LENGTH), this.#tagOf(content))) return false;
    const now = this.#now();
    const ends = content.readDoubleBE() + NONCE_LIFETIME;
    for (const [used, end] of this.#used) if (end <= now) this.#used.delete(used);
    if (ends <= now || this.#used.has(nonce)) return false;
    this.#used.set(nonce, ends);
    return true;
  }

  #tagOf(content: Buffer): Buffer {
    return createHmac('sha256', this.#nonceKey).update(content).digest().subarray(0, TAG_LENGTH);
  }
}

interface ProofKeys {
  readonly instance: Buffer;
  readonly request: Buffer;
}

/** Derives the key of each direction. */
export function deriveProofKeys(proofKey: Buffer): ProofKeys {
  const derive = (label: string): Buffer => Buffer.from(hkdfSync('sha256', proofKey, '', label, 32));
  return { instance: derive('instance'), request: derive('request') };
}

/** Whether an instance knows the key, by its answer to our challenge. */
export function isProvenInstance(
  proofKey: Buffer,
  asked: { readonly challenge: string; readonly listener: string },
  { proof, nonce }: ChallengeAnswer,
): boolean {
  const expected = hmac(deriveProofKeys(proofKey).instance, [asked.listener, asked.challenge, nonce]);
  const given = Buffer.from(proof, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The body of a proven request, or its SHA-256 in base64url. */
type ProvenBody = { readonly body: Uint8Array | string } | { readonly digest: string };

/** The header `X-Sinete-Proof` of a request. */
export function proveRequest(
  proofKey: Buffer,
  nonce: string,
  { listener, method, target, ...content }: ProvenRequest & ProvenBody,
): string {
  const digest = 'digest' in content ? content.digest : createHash('sha256').update(content.body).digest('base64url');
  const mac = hmac(deriveProofKeys(proofKey).request, [listener, nonce, method, target, digest]);
  return `${nonce}.${digest}.${mac.toString('base64url')}`;
}

/** A fresh challenge. */
export function newChallenge(): string {
  return randomBytes(CHALLENGE_LENGTH).toString('base64url');
}

/** The address that a caller has connected to, as proofs name it: `127.0.0.1:17171`, or the path of the channel. */
export function listenerOf(socket: SocketEnds): string {
  const ends = endsOf(socket);
  if (ends === undefined) return channelOf(socket)?.path ?? '';
  const address = plainAddress(ends.localAddress);
  return `${address.includes(':') ? `[${address}]` : address}:${ends.localPort}`;
}

/**
 * Checks the request's proof and compares its body with the proven digest: a body with another digest is cut off before
 * its end. Must be called before the body is read.
 */
export function checkProof(request: IncomingMessage, proof: InstanceProof): boolean {
  const header = request.headers[PROOF_HEADER];
  if (typeof header !== 'string') return false;
  const digest = proof.bodyDigestOf(header, {
    listener: listenerOf(request.socket),
    method: request.method ?? '',
    target: request.url ?? '',
  });
  if (digest === undefined) return false;
  holdBodyTo(request, digest);
  return true;
}

/** Node's parser calls `push` with each part of the body, and with `null` at the end. */
function holdBodyTo(request: IncomingMessage, digest: Buffer): void {
  const hash = createHash('sha256');
  const push = request.push.bind(request);
  request.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null) {
      if (timingSafeEqual(hash.digest(), digest)) return push(null);
      request.destroy(new Error('The body is not the body of the proof.'));
      return false;
    }
    hash.update(chunk as Buffer);
    return push(chunk, encoding);
  };
}

/** Joins the parts by line breaks, which no part contains, so that the input is unambiguous. */
function hmac(key: Buffer, parts: readonly string[]): Buffer {
  return createHmac('sha256', key).update(parts.join('\n')).digest();
}

function isChallenge(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === CHALLENGE_LENGTH && bytes.toString('base64url') === text;
}
