/**
 * Sinete with the verbs of Lacuna Web PKI (`web-pki`), so that a page changes its import alone: finding, listing and
 * reading certificates, and signing hashes and data, RSA with PKCS#1 v1.5. The site needs the permission `sign_raw`.
 */
import { fromBase64, toBase64 } from './hash-run.ts';
import { Sinete, SineteError, type FindOptions, type SignedHash, type SignHashOptions } from './index.ts';

/** The argument of `fail`. */
export interface ExceptionModel {
  readonly message: string;
  /** In Portuguese. */
  readonly userMessage: string;
  readonly error: string;
  readonly origin: string;
  readonly code: string;
}

type FailCallback = (failure: ExceptionModel) => unknown;

/** The facts of a certificate that are known here, under their names in Web PKI. */
export interface CertificateModel {
  readonly thumbprint: string;
  readonly subjectName: string;
  readonly issuerName: string;
  readonly validityStart: Date;
  readonly validityEnd: Date;
}

/** The result of a verb: callbacks by `success` and `fail`; `await` works too. */
export class PkiPromise<Value> implements PromiseLike<Value> {
  readonly #promise: Promise<Value>;
  #isHandled = false;

  constructor(promise: Promise<Value>, defaultFail: FailCallback | undefined) {
    this.#promise = promise;
    promise.catch((error: unknown) => {
      if (!this.#isHandled) defaultFail?.(exceptionOf(error));
    });
  }

  success(callback: (value: Value) => unknown): this {
    this.#promise.then(callback, () => undefined);
    return this;
  }

  fail(callback: FailCallback): this {
    this.#isHandled = true;
    this.#promise.catch((error: unknown) => callback(exceptionOf(error)));
    return this;
  }

  then<Done = Value, Failed = never>(
    done?: ((value: Value) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    this.#isHandled = true;
    return this.#promise.then(done, failed);
  }
}

/** The codes of Web PKI that fit the codes of Sinete; others are `internal`. */
const codes: Readonly<Record<string, string>> = {
  NOT_INSTALLED: 'addon_not_detected',
  UNREACHABLE: 'addon_not_detected',
  NOT_ALLOWED: 'blocked_domain',
  CANCELLED: 'user_cancelled',
  APPROVAL_REFUSED: 'user_cancelled',
  RAW_NOT_ALLOWED: 'blocked_domain',
  CERTIFICATE_REQUIRED: 'certificate_not_found',
  INPUT_INVALID: 'command_invalid_parameter',
};

function exceptionOf(error: unknown): ExceptionModel {
  const message = error instanceof Error ? error.message : String(error);
  const ours = error instanceof SineteError ? error : undefined;
  const code = codes[ours?.problem?.code ?? ''] ?? codes[ours?.code ?? ''] ?? 'internal';
  return { message, userMessage: ours?.forUser['pt-BR'] ?? message, error: message, origin: 'sinete', code };
}

/** The names of hash functions without a hyphen, and their OIDs. */
const algorithms: Readonly<Record<string, NonNullable<SignHashOptions['hashAlgorithm']>>> = {
  SHA256: 'SHA256',
  SHA384: 'SHA384',
  SHA512: 'SHA512',
  '2.16.840.1.101.3.4.2.1': 'SHA256',
  '2.16.840.1.101.3.4.2.2': 'SHA384',
  '2.16.840.1.101.3.4.2.3': 'SHA512',
};

function algorithmOf(name: string): NonNullable<SignHashOptions['hashAlgorithm']> {
  const found = algorithms[name.toUpperCase().replace('-', '')] ?? algorithms[name];
  if (found !== undefined) return found;
  throw new SineteError('INPUT_INVALID', `The hash function ${name} is not safe or not known: use SHA-256.`);
}

function signatureOf(signed: SignedHash): string {
  if (signed.status === 'SIGNED') return toBase64(signed.signature);
  const problem = { status: 422, ...signed.error, errors: [] };
  throw new SineteError('INPUT_INVALID', signed.error.detail, { problem });
}

/** In place of the class of the same name in `web-pki`. The licence is ignored. */
export class LacunaWebPKI {
  #sinete: Promise<Sinete> | undefined;
  #defaultFail: FailCallback | undefined;

  /** Web PKI's licence; Sinete does not need one. */
  readonly license: unknown;

  constructor(license?: unknown) {
    this.license = license;
  }

  /** Finds Sinete; from a click in browsers that ask their user first. */
  init(args: {
    readonly ready: () => unknown;
    readonly notInstalled?: (status: number, message: string) => unknown;
    readonly defaultFail?: FailCallback;
    /** Options of `Sinete.find`. */
    readonly find?: FindOptions;
  }): PkiPromise<object> {
    this.#defaultFail = args.defaultFail;
    const found = (this.#sinete = Sinete.find(args.find));
    const begun = found.then(
      (sinete) => {
        args.ready();
        return { version: sinete.version };
      },
      (error: unknown) => {
        const { message, userMessage, code } = exceptionOf(error);
        // 1 is Web PKI's number of "not installed".
        if (code === 'addon_not_detected') args.notInstalled?.(1, userMessage === '' ? message : userMessage);
        throw error;
      },
    );
    return new PkiPromise(begun, this.#defaultFail);
  }

  listCertificates(): PkiPromise<readonly CertificateModel[]> {
    return this.#run(async (sinete) =>
      (await sinete.listCertificates()).map(({ thumbprint, subjectName, issuerName, validFrom, validTo }) => ({
        thumbprint,
        subjectName,
        issuerName,
        validityStart: validFrom,
        validityEnd: validTo,
      })),
    );
  }

  readCertificate({ thumbprint }: { readonly thumbprint: string }): PkiPromise<string> {
    return this.#run(async (sinete) => toBase64(await sinete.readCertificate(thumbprint)));
  }

  signHash(args: {
    readonly thumbprint: string;
    readonly hash: string;
    readonly digestAlgorithm: string;
  }): PkiPromise<string> {
    const { thumbprint, hash, digestAlgorithm } = args;
    return this.#run(async (sinete) => (await this.#sign(sinete, thumbprint, [hash], digestAlgorithm))[0] ?? '');
  }

  signData(args: {
    readonly thumbprint: string;
    readonly data: string;
    readonly digestAlgorithm: string;
  }): PkiPromise<string> {
    const { thumbprint, data, digestAlgorithm } = args;
    return this.#run(async (sinete) => {
      const hashAlgorithm = algorithmOf(digestAlgorithm);
      const certificate = await aliasOf(sinete, thumbprint);
      return toBase64(await sinete.signData(fromBase64(data), { certificate, hashAlgorithm }));
    });
  }

  signHashBatch(args: {
    readonly certificateThumbprint: string;
    readonly batch: readonly string[];
    readonly digestAlgorithm: string;
  }): PkiPromise<{ signatures: string[] }> {
    const { certificateThumbprint, batch, digestAlgorithm } = args;
    return this.#run(async (sinete) => ({
      signatures: await this.#sign(sinete, certificateThumbprint, batch, digestAlgorithm),
    }));
  }

  /** Nothing is approved in advance: Sinete asks once for each batch, and shows its hashes. */
  preauthorizeSignatures(args: {
    readonly certificateThumbprint: string;
    readonly signatureCount: number;
  }): PkiPromise<void> {
    return this.#run(async (sinete) => {
      await aliasOf(sinete, args.certificateThumbprint);
    });
  }

  async #sign(
    sinete: Sinete,
    thumbprint: string,
    hashes: readonly string[],
    digestAlgorithm: string,
  ): Promise<string[]> {
    const hashAlgorithm = algorithmOf(digestAlgorithm);
    const certificate = await aliasOf(sinete, thumbprint);
    return (await sinete.signHashes(hashes.map(fromBase64), { certificate, hashAlgorithm })).map(signatureOf);
  }

  #run<Value>(action: (sinete: Sinete) => Promise<Value>): PkiPromise<Value> {
    const found = this.#sinete ?? Promise.reject(new SineteError('INPUT_INVALID', 'Call init before the other verbs.'));
    return new PkiPromise(found.then(action), this.#defaultFail);
  }
}

async function aliasOf(sinete: Sinete, thumbprint: string): Promise<string> {
  const found = (await sinete.listCertificates()).find((one) => one.thumbprint === thumbprint);
  if (found !== undefined) return found.alias;
  throw new SineteError('CERTIFICATE_REQUIRED', 'The user has no certificate with this thumbprint.');
}

// Pages import the class of Web PKI in both ways.
export { LacunaWebPKI as default };
