/** Signatures of hashes: create and wait; the documents stay where they are. */
import { sendOk, type Way } from './direct-way.ts';
import { SineteError } from './sinete-error.ts';
import type { SignedHash, SignHashOptions } from './types.ts';

/** Seconds of a long poll. */
const WAIT = 25;
/** Most hashes of an answer. */
const PAGE = 1000;

/** An entry of `hashes`. */
interface HashEntry {
  readonly hash?: string;
  readonly data_to_sign?: string;
  readonly original_file_name?: string;
}

interface Entry {
  readonly id: string;
  readonly status: 'WAITING' | 'SIGNED' | 'ERROR';
  readonly signature?: string;
  readonly error?: { readonly code: string; readonly detail: string };
}

interface Transaction {
  readonly tcn: string;
  readonly status: Entry['status'];
  readonly waiting_for?: 'approval' | 'pin' | 'evidence' | null;
  readonly documents: readonly Entry[];
}

/** @internal */
export const toBase64 = (bytes: Uint8Array): string => {
  let text = '';
  // In parts, because a call takes a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
};

/** @internal */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/**
 * Signs hashes with one approval and one PIN, and answers an entry for each in order. Rejects with `SineteError`.
 *
 * @internal
 */
export async function signEntries(
  way: Way,
  entries: readonly HashEntry[],
  options: SignHashOptions,
): Promise<readonly SignedHash[]> {
  if (entries.length === 0) throw new SineteError('INPUT_INVALID', 'There is no hash to sign.');
  const { tcn } = await create(way, entries, options);
  const address = `/signature-service/${encodeURIComponent(tcn)}`;
  await waitUntilFinal(way, address, options);
  const signed: SignedHash[] = [];
  let after = '';
  while (signed.length < entries.length) {
    const query = `?documents_limit=${PAGE}${after === '' ? '' : `&documents_after=${encodeURIComponent(after)}`}`;
    const { documents } = await read<Transaction>(way, address + query, options);
    if (documents.length === 0) throw new SineteError('FAILED', 'The answer has fewer signatures than hashes.');
    signed.push(...documents.map(resultOf));
    after = documents.at(-1)?.id ?? '';
  }
  return signed;
}

function resultOf({ status, signature, error }: Entry): SignedHash {
  if (status === 'SIGNED' && signature !== undefined) return { status, signature: fromBase64(signature) };
  return { status: 'ERROR', error: error ?? { code: 'SIGNING_FAILED', detail: 'The hash was not signed.' } };
}

async function create(way: Way, entries: readonly HashEntry[], options: SignHashOptions): Promise<Transaction> {
  const { format = 'RAW', policy, certificate, hashAlgorithm, signatureAlgorithm, authorization } = options;
  const answer = await sendOk(way, '/signature-service', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(authorization === undefined ? {} : { Authorization: authorization }),
    },
    body: JSON.stringify({
      type: format,
      policy,
      certificate_alias: certificate,
      hash_algorithm: hashAlgorithm,
      signature_algorithm: signatureAlgorithm,
      hashes: entries,
    }),
    signal: options.signal,
  });
  return (await answer.json()) as Transaction;
}

async function waitUntilFinal(way: Way, address: string, options: SignHashOptions): Promise<void> {
  for (let wait = 0; ; wait = WAIT) {
    const { status, waiting_for: waitingFor } = await read<Transaction>(
      way,
      `${address}?documents_limit=0&wait=${wait}`,
      options,
    );
    if (status !== 'WAITING') return;
    options.onPhase?.(waitingFor === 'approval' || waitingFor === 'pin' ? waitingFor : 'signing');
  }
}

async function read<Body>(way: Way, path: string, { signal }: SignHashOptions): Promise<Body> {
  return (await (await sendOk(way, path, { headers: { Accept: 'application/json' }, signal })).json()) as Body;
}
