import { createHash } from 'node:crypto';
import { ServiceError } from '../errors/index.ts';
import type { Authorization } from '../authorization/index.ts';
import type { Sealer } from '../secrets/index.ts';
import { readHash, type CreateTransaction, type Transactions, type TransactionView } from '../transactions/index.ts';
import type { AskedHash, HashCall, HashCalls, HashCallStore, HashSignatures, KeptCall } from './hash-calls.ts';

/** Services for signing the hashes of a call. */
export interface SigningParts {
  readonly transactions: Pick<Transactions, 'create' | 'query'>;
  readonly authorization: Pick<Authorization, 'useForHashes'>;
  readonly store: HashCallStore;
  readonly sealer: Sealer;
  readonly certificates: HashCalls['certificates'];
}

/** Longest wait for the person, in milliseconds. */
const LONGEST_WAIT = 120_000;
/** Longest wait of a single query, in seconds. */
const QUERY_WAIT = 30;

/** A hash with its bytes read, and its place in the call. */
interface PlacedHash extends AskedHash {
  readonly place: number;
  /** Lower-case hex. */
  readonly value: string;
}

/** A call after the reading of its hashes. */
interface ReadCall extends Omit<HashCall, 'hashes'> {
  readonly hashes: readonly PlacedHash[];
  /** SHA-256 in hex of all that the call asks: the same for a repeated call. */
  readonly digest: string;
}

/** Signs the hashes of a call, or answers the signatures that the same call got before. See `HashCalls.sign`. */
export async function signHashes(parts: SigningParts, asked: HashCall, signal?: AbortSignal): Promise<HashSignatures> {
  const { store } = parts;
  const call = readCall(asked);
  const kept = await store.find(call.grant.id, call.digest);
  if (kept?.sealed !== undefined) return openSignatures(parts, call, kept.sealed);
  const end = performance.now() + LONGEST_WAIT;
  const signed: (readonly [PlacedHash, string])[] = [];
  let certificateAlias = '';
  for (const group of groupsOf(call.hashes)) {
    const view = await signGroup(parts, call, group, kept?.attempt ?? 0, { end, signal });
    if (view.status === 'ERROR') throw await failed(parts, call, kept, view);
    certificateAlias = view.certificateAlias;
    signed.push(...group.map((hash, index) => [hash, signatureAt(view, index)] as const));
  }
  const signatures = signed.toSorted(([one], [other]) => one.place - other.place).map(([, signature]) => signature);
  const answer = { certificateAlias, signatures };
  const sealed = await parts.sealer.seal(Buffer.from(JSON.stringify(answer)), placeOf(call));
  await store.keep(call.grant.id, call.digest, { attempt: kept?.attempt ?? 0, sealed });
  return answer;
}

function readCall(call: HashCall): ReadCall {
  const hashes = call.hashes.map((hash, place) => {
    const read = readHash(hash.text, hash.digest);
    if (read !== undefined) return { ...hash, place, value: read.value };
    const name = hash.digest.toUpperCase();
    throw new ServiceError('REQUEST_INVALID', `Hash ${place + 1}: send what ${name} makes, in base64 or hexadecimal.`);
  });
  if (hashes.length === 0) throw new ServiceError('REQUEST_INVALID', 'Send at least one hash.');
  const content = [
    call.door,
    call.certificateAlias ?? null,
    call.signatureAlgorithm ?? null,
    hashes.map(({ value, digest, type, policy }) => [value, digest, type, policy]),
  ];
  return { ...call, hashes, digest: createHash('sha256').update(JSON.stringify(content)).digest('hex') };
}

/** Hashes of one type and policy: a transaction has one of each. */
function groupsOf(hashes: readonly PlacedHash[]): readonly (readonly PlacedHash[])[] {
  const groups = new Map<string, PlacedHash[]>();
  for (const hash of hashes) {
    const name = `${hash.type} ${hash.policy}`;
    groups.set(name, [...(groups.get(name) ?? []), hash]);
  }
  return [...groups.values()];
}

/** Starts the transaction of a group, or finds the one of the same call before, and waits for its end. */
async function signGroup(
  parts: SigningParts,
  call: ReadCall,
  group: readonly PlacedHash[],
  attempt: number,
  { end, signal }: { readonly end: number; readonly signal: AbortSignal | undefined },
): Promise<TransactionView> {
  const request = requestOf(call, group, attempt);
  const claim = async (): Promise<void> => claimHashes(parts, call);
  let view: TransactionView = await parts.transactions.create(
    request,
    { ...call.requester, door: call.door, signsRaw: true },
    undefined,
    { ...call.authority, claim },
  );
  while (view.status === 'WAITING') {
    const left = (end - performance.now()) / 1000;
    if (left <= 0) throw new ServiceError('NOT_SIGNED_YET', 'The user has not decided yet: send the same call again.');
    const waitSeconds = Math.min(QUERY_WAIT, Math.ceil(left));
    view = await parts.transactions.query(view.tcn, { waitSeconds, signal });
  }
  return view;
}

/** The whole call is claimed with its first transaction; the claim of a further one is a repetition. */
async function claimHashes({ authorization, certificates }: SigningParts, call: ReadCall): Promise<void> {
  const { grant, digest, hashes } = call;
  const certificate = await chosenCertificate(certificates, call);
  const named = hashes.map((hash) => `${hash.digest}:${hash.value}`);
  await authorization.useForHashes(grant, { call: digest, hashes: named, certificate });
}

/** SHA-256 of the certificate that the call names; a permission for one certificate needs its name. */
async function chosenCertificate(list: HashCalls['certificates'], call: ReadCall): Promise<string> {
  const { certificateAlias: alias, authority } = call;
  if (alias === undefined || authority.username === undefined) return '';
  const all = await list(authority.username);
  return all.find((one) => one.alias === alias || one.fingerprint === alias)?.fingerprint ?? '';
}

function requestOf(
  { grant, digest, certificateAlias, signatureAlgorithm }: ReadCall,
  group: readonly PlacedHash[],
  attempt: number,
): CreateTransaction {
  const [first] = group;
  const { type = 'RAW', policy = 'none', digest: hashFunction = 'sha256' } = first ?? {};
  return {
    type,
    policy,
    digest: hashFunction,
    signatureAlgorithm: type === 'RAW' ? signatureAlgorithm : undefined,
    documentsSource: 'HASHES',
    documents: group.map(({ value, digest: ofHash, name }, index) => ({
      id: String(index),
      hash: { text: value, digest: ofHash },
      originalFileName: name,
    })),
    certificateAlias,
    mode: 'sync',
    settings: [],
    destination: 'LOCAL',
    autoFixDocument: false,
    returnSignature: true,
    reach: { kind: 'guest', grants: [], noteUse: async () => Promise.resolve(), readsCertificates: true },
    idempotency: { key: `hash call ${grant.id} ${digest} ${type} ${policy} ${attempt}`, bodyDigest: digest },
  };
}

function signatureAt({ documents }: TransactionView, index: number): string {
  const { signature } = documents.find(({ id }) => id === String(index)) ?? {};
  if (signature != null) return signature;
  throw new ServiceError('LIFETIME_OVER', 'The signatures of this call were erased after their lifetime.');
}

/**
 * The error of a transaction that failed. The same call may be tried again with the same token, unless the person said
 * no.
 */
async function failed(
  { store }: SigningParts,
  { grant, digest }: ReadCall,
  kept: KeptCall | undefined,
  { documents }: TransactionView,
): Promise<ServiceError> {
  const { error } = documents.find((document) => document.error !== null) ?? {};
  const { code = 'SIGNING_FAILED', detail = 'The hashes could not be signed.' } = error ?? {};
  const isFinal = code === 'APPROVAL_REFUSED' || code === 'CANCELLED';
  if (!isFinal) await store.keep(grant.id, digest, { attempt: (kept?.attempt ?? 0) + 1 });
  return new ServiceError(code, detail);
}

async function openSignatures({ sealer }: SigningParts, call: ReadCall, sealed: Buffer): Promise<HashSignatures> {
  const plain = await sealer.open(sealed, placeOf(call));
  return JSON.parse(plain.toString('utf8')) as HashSignatures;
}

const placeOf = ({ grant, digest }: ReadCall): string => `hash_calls|${grant.id} ${digest}|signatures`;
