import { constants, createPublicKey, sign, type KeyObject, type SignKeyObjectInput } from 'node:crypto';
import { promisify } from 'node:util';
import { parseCertificate } from '../certificates/parse-certificate.ts';
import { SigningError } from '../errors.ts';
import { signHash } from './hashes/index.ts';
import { samePublicKey } from './same-key.ts';
import { signsWholeMessage, type SignatureParameters, type SignatureScheme, type Signer } from './signer.ts';

const signAsync = promisify<string | null, Uint8Array, KeyObject | SignKeyObjectInput, Buffer>(sign);

/**
 * Maximum number of signatures in libuv's thread pool. The pool also reads and flushes files, in the order of the
 * requests: behind a batch of hundreds of signatures, a flush would wait for all of them. This number keeps the
 * pool's four threads busy between two turns of the event loop.
 */
const PLACES_IN_POOL = 32;

let free = PLACES_IN_POOL;
const waiting: (() => void)[] = [];

/** Signs in libuv's thread pool, so that several signatures can run beside the main thread; the rest wait in order. */
async function signInPool(
  digest: string | null,
  message: Uint8Array,
  input: KeyObject | SignKeyObjectInput,
): Promise<Buffer> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await signAsync(digest, message, input);
  } finally {
    // The place goes to the next signature.
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }
}

let turns: Promise<unknown> = Promise.resolve();

/** Signs a hash in the main thread, one in each turn of the event loop, so that other work runs in between. */
async function signHashInTurn(key: KeyObject, hash: Uint8Array, parameters: SignatureParameters): Promise<Buffer> {
  const signed = turns.then(letOthersRun).then(() => signHash(key, hash, parameters));
  turns = signed.catch(() => undefined);
  return signed;
}

const letOthersRun = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** NIST's curves and, if supported by Node, Brainpool's (RFC 5639). */
const CURVES: ReadonlySet<string> = new Set([
  'prime256v1',
  'secp384r1',
  'secp521r1',
  'brainpoolP256r1',
  'brainpoolP320r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
]);

const SCHEMES_BY_KEY_TYPE: ReadonlyMap<string, readonly SignatureScheme[]> = new Map([
  ['rsa', ['rsassa-pkcs1-v1_5', 'rsassa-pss']],
  ['rsa-pss', ['rsassa-pss']],
  ['ec', ['ecdsa']],
  ['ed25519', ['ed25519']],
  ['ed448', ['ed448']],
  ['ml-dsa-44', ['ml-dsa-44']],
  ['ml-dsa-65', ['ml-dsa-65']],
  ['ml-dsa-87', ['ml-dsa-87']],
]);

/** A key's schemes, the usual choice first. Throws `ALGORITHM_UNSUPPORTED` for other kinds of keys. */
export function schemesOfKey(key: KeyObject): readonly SignatureScheme[] {
  const type = key.asymmetricKeyType ?? 'symmetric';
  const curve = key.asymmetricKeyDetails?.namedCurve;
  const schemes = SCHEMES_BY_KEY_TYPE.get(type);
  if (schemes === undefined || (type === 'ec' && !CURVES.has(curve ?? ''))) {
    throw new SigningError('ALGORITHM_UNSUPPORTED', `A key of the kind "${curve ?? type}" cannot sign here.`);
  }
  return schemes;
}

/**
 * The key argument of `crypto.sign`. Node's defaults are PKCS#1 v1.5 for RSA and DER for ECDSA, and a bare key takes a
 * quarter of the time, so only RSA-PSS gets options.
 */
function signingInput(key: KeyObject, scheme: SignatureScheme): KeyObject | SignKeyObjectInput {
  switch (scheme) {
    case 'rsassa-pss':
      return { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
    case 'rsassa-pkcs1-v1_5':
    case 'ecdsa':
    case 'ed25519':
    case 'ed448':
    case 'ml-dsa-44':
    case 'ml-dsa-65':
    case 'ml-dsa-87':
      return key;
  }
}

function keysAgree(privateKey: KeyObject, certificate: Buffer): boolean {
  return samePublicKey(parseCertificate(certificate).publicKey(), createPublicKey(privateKey));
}

/**
 * A signer with its private key in this process's memory.
 *
 * `certificate` and `chain` are DER, the chain nearest issuer first. The key is compared with the certificate once,
 * here: `KEY_MISMATCH`. Other failures: `CERTIFICATE_MALFORMED`, and `ALGORITHM_UNSUPPORTED` for a kind of key that
 * cannot sign, or, from `sign`, for parameters forbidden by this key (RFC 4055 §3.3 lets a key restrict its hash).
 */
export function softwareSigner(privateKey: KeyObject, certificate: Buffer, chain: readonly Buffer[]): Signer {
  const schemes = schemesOfKey(privateKey);
  if (!keysAgree(privateKey, certificate)) {
    throw new SigningError('KEY_MISMATCH', 'The private key does not belong to the certificate.');
  }
  const inputs = new Map(schemes.map((scheme) => [scheme, signingInput(privateKey, scheme)]));
  return {
    certificate,
    chain,
    schemes,
    async sign(message: Uint8Array, parameters: SignatureParameters): Promise<Buffer> {
      const { scheme, digest } = parameters;
      const input = inputs.get(scheme);
      if (input === undefined) {
        throw new SigningError('ALGORITHM_UNSUPPORTED', `This key cannot sign with ${scheme}.`);
      }
      if (parameters.isHashed === true) return signHashInTurn(privateKey, message, parameters);
      try {
        return await signInPool(signsWholeMessage(scheme) ? null : digest, message, input);
      } catch (cause) {
        throw new SigningError('ALGORITHM_UNSUPPORTED', `This key cannot sign with ${scheme} and ${digest}.`, {
          cause,
        });
      }
    },
  };
}
