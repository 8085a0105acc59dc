/**
 * Sinete with the verbs of Web eID's library for signing (`@web-eid/web-eid-library`), so that a page changes its import
 * alone. ECDSA signatures are R‖S, as Web eID has them. The site needs the permission `sign_raw`.
 */
import { fromBase64, toBase64 } from './hash-run.ts';
import { Sinete, SineteError, type FindOptions } from './index.ts';

/** An algorithm of the certificate's key. */
export interface SignatureAlgorithm {
  readonly cryptoAlgorithm: 'ECC' | 'RSA';
  readonly hashFunction: 'SHA-256' | 'SHA-384' | 'SHA-512';
  readonly paddingScheme: 'NONE' | 'PKCS1.5';
}

/** Options of a verb. `find` are those of `Sinete.find`; the language is that of Sinete's window. */
export interface ActionOptions {
  readonly lang?: string;
  /** Milliseconds that the user has for an answer. */
  readonly userInteractionTimeout?: number;
  readonly find?: FindOptions;
}

/** The error of a verb, with the code of Web eID that fits. */
export class WebEidError extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'WebEidError';
    this.code = code;
  }
}

const hashFunctions = ['SHA-256', 'SHA-384', 'SHA-512'] as const;

/** Bytes of a field element, by the curve's object identifier in DER (RFC 5480 §2.1.1.1). */
const curves: readonly (readonly [oid: string, bytes: number])[] = [
  ['06082a8648ce3d030107', 32],
  ['06052b81040022', 48],
  ['06052b81040023', 66],
];
/** id-ecPublicKey, which stands in the public key of a certificate and nowhere else. */
const EC_KEY = '06072a8648ce3d0201';

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (one) => one.toString(16).padStart(2, '0')).join('');

/** Bytes of a number of the key's signatures; undefined for an RSA key. */
function fieldBytes(certificate: Uint8Array): number | undefined {
  const hex = hexOf(certificate);
  const at = hex.indexOf(EC_KEY);
  return at < 0 ? undefined : curves.find(([oid]) => hex.startsWith(oid, at + EC_KEY.length))?.[1];
}

/** R‖S of an ECDSA signature in DER (RFC 3279 §2.2.3): both numbers without their sign bytes, filled up in front. */
function toRAndS(der: Uint8Array, bytes: number): Uint8Array {
  const result = new Uint8Array(2 * bytes);
  // A signature of P-521 has a length of two bytes.
  let at = der[1] === 0x81 ? 3 : 2;
  for (const end of [bytes, 2 * bytes]) {
    const length = der[at + 1] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    const plain = number[0] === 0 ? number.subarray(1) : number;
    result.set(plain, end - plain.length);
    at += 2 + length;
  }
  return result;
}

/** The versions; the three are those of Sinete. Rejects if Sinete is not there. */
export async function status(
  options: ActionOptions = {},
): Promise<{ library: string; extension: string; nativeApp: string }> {
  return asWebEid(async () => {
    const { version } = await Sinete.find(options.find);
    return { library: version, extension: version, nativeApp: version };
  });
}

/** The user's first certificate that is there, in base64, and what its key signs. */
export async function getSigningCertificate(
  options: ActionOptions = {},
): Promise<{ certificate: string; supportedSignatureAlgorithms: SignatureAlgorithm[] }> {
  return asWebEid(async () => {
    const sinete = await Sinete.find(options.find);
    const chosen = (await sinete.listCertificates()).find(({ present }) => present);
    if (chosen === undefined) throw new SineteError('CERTIFICATE_REQUIRED', 'The user has no certificate.');
    const der = await sinete.readCertificate(chosen.thumbprint);
    const isEc = fieldBytes(der) !== undefined;
    const supportedSignatureAlgorithms = hashFunctions.map((hashFunction): SignatureAlgorithm =>
      isEc
        ? { cryptoAlgorithm: 'ECC', hashFunction, paddingScheme: 'NONE' }
        : { cryptoAlgorithm: 'RSA', hashFunction, paddingScheme: 'PKCS1.5' },
    );
    return { certificate: toBase64(der), supportedSignatureAlgorithms };
  });
}

/** Signs a hash in base64 with the certificate that `getSigningCertificate` answered. */
export async function sign(
  certificate: string,
  hash: string,
  hashFunction: string,
  options: ActionOptions = {},
): Promise<{ signature: string; signatureAlgorithm: SignatureAlgorithm }> {
  return asWebEid(async () => {
    const known = hashFunctions.find((one) => one === hashFunction);
    if (known === undefined) throw new SineteError('INPUT_INVALID', `Use one of ${hashFunctions.join(', ')}.`);
    const sinete = await Sinete.find(options.find);
    const der = fromBase64(certificate);
    const thumbprint = toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', der)));
    const alias = (await sinete.listCertificates()).find((one) => one.thumbprint === thumbprint)?.alias;
    if (alias === undefined) throw new SineteError('CERTIFICATE_REQUIRED', 'The user does not have this certificate.');
    const { userInteractionTimeout = 120_000 } = options;
    const [signed] = await sinete.signHashes([fromBase64(hash)], {
      certificate: alias,
      hashAlgorithm: `SHA${known.slice(4) as '256' | '384' | '512'}`,
      signal: AbortSignal.timeout(userInteractionTimeout),
    });
    if (signed?.status !== 'SIGNED') {
      const isRefused = signed?.error.code === 'APPROVAL_REFUSED';
      throw new WebEidError(
        isRefused ? 'ERR_WEBEID_USER_CANCELLED' : 'ERR_WEBEID_NATIVE_FATAL',
        signed?.error.detail ?? 'The hash was not signed.',
      );
    }
    const bytes = fieldBytes(der);
    if (bytes === undefined) {
      const signatureAlgorithm = { cryptoAlgorithm: 'RSA', hashFunction: known, paddingScheme: 'PKCS1.5' } as const;
      return { signature: toBase64(signed.signature), signatureAlgorithm };
    }
    const signatureAlgorithm = { cryptoAlgorithm: 'ECC', hashFunction: known, paddingScheme: 'NONE' } as const;
    return { signature: toBase64(toRAndS(signed.signature, bytes)), signatureAlgorithm };
  });
}

/** The codes of Web eID that fit the codes of Sinete; others are unknown errors. */
const codes: Readonly<Record<string, string>> = {
  NOT_INSTALLED: 'ERR_WEBEID_NATIVE_UNAVAILABLE',
  UNREACHABLE: 'ERR_WEBEID_NATIVE_UNAVAILABLE',
  INSECURE_PAGE: 'ERR_WEBEID_CONTEXT_INSECURE',
  INPUT_INVALID: 'ERR_WEBEID_NATIVE_INVALID_ARGUMENT',
  CERTIFICATE_REQUIRED: 'ERR_WEBEID_NATIVE_INVALID_ARGUMENT',
  CANCELLED: 'ERR_WEBEID_USER_TIMEOUT',
};

async function asWebEid<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof SineteError)) throw error;
    throw new WebEidError(codes[error.code] ?? 'ERR_WEBEID_UNKNOWN_ERROR', error.message, error);
  }
}
