/**
 * Signs from a web page, or from a program in Node, with Sinete, the signing helper on the user's computer. One ES module
 * without dependencies: copy it to your own site, or import `sinete/client`.
 *
 * ```js
 * import { Sinete } from './sinete-client.js';
 * button.onclick = async () => {
 *   const sinete = await Sinete.find();
 *   const [signed] = await sinete.sign([file], { type: 'PAdES' });
 *   save(await signed.download());
 * };
 * ```
 */
import { openBridge } from './bridge-way.ts';
import { canOpenWindow } from './browser-facts.ts';
import { DirectWay, sendOk, type Way } from './direct-way.ts';
import { askHelper, findHelper, isSafari, whyNeverDirect, type FindOptions, type FoundHelper } from './find-helper.ts';
import { SigningRun } from './signing-run.ts';
import { fromBase64, signEntries, toBase64 } from './hash-run.ts';
import { errorOfAnswer, SineteError } from './sinete-error.ts';
import type {
  CertificateSummary,
  NamedHash,
  SelectedUser,
  SignedFile,
  SignedHash,
  SignHashOptions,
  SignOptions,
  UserCertificate,
  Validation,
} from './types.ts';

export type { FindOptions } from './find-helper.ts';
export {
  SineteError,
  type SineteErrorCode,
  type SineteErrorReason,
  type SineteProblem,
  type UserText,
} from './sinete-error.ts';
export type * from './types.ts';

/** A found helper. Every method rejects with `SineteError`. */
export class Sinete {
  /** `http://127.0.0.1:17171` */
  readonly address: string;
  readonly version: string;
  /** `direct`: by requests of the page. `bridge`: through a window of Sinete. */
  readonly way: 'direct' | 'bridge';
  readonly #way: Way;

  private constructor({ address, version }: FoundHelper, bridge?: Way) {
    this.address = address;
    this.version = version;
    this.way = bridge === undefined ? 'direct' : 'bridge';
    this.#way = bridge ?? new DirectWay(address);
  }

  /**
   * Looks for the helper; call it from a click. Rejects with `NOT_INSTALLED`, `BLOCKED_BY_BROWSER`, `FRAME_NOT_ALLOWED`,
   * `INSECURE_PAGE`, `UNREACHABLE`, `BRIDGE_CLOSED`, `BRIDGE_CUT`, `CANCELLED`.
   */
  static async find(options: FindOptions = {}): Promise<Sinete> {
    const { way = 'auto', help } = options;
    const isHopeless = way === 'auto' && (whyNeverDirect(help) !== undefined || isSafari());
    // Without an await before it, because a window opens only during the click.
    if (way === 'bridge' || (isHopeless && canOpenWindow())) return new Sinete(...(await openBridge(options)));
    return new Sinete(await findHelper(options));
  }

  /**
   * Sinete at a known address, for programs: a server of a company, or a port of this computer. Rejects with
   * `UNREACHABLE` when something else answers, or nothing.
   */
  static async at(address: string, options: { readonly signal?: AbortSignal } = {}): Promise<Sinete> {
    return new Sinete(await askHelper(address, options.signal));
  }

  /** Closes the bridge window when the page's work is done. Does nothing for a direct way. */
  close(): void {
    this.#way.close();
  }

  /** The selected person of the helper; undefined without a selected person. The user is asked once for this site. */
  async selectedUser(options: { readonly signal?: AbortSignal } = {}): Promise<SelectedUser | undefined> {
    const user = await this.#read<Omit<SelectedUser, 'photo'> & { readonly photo: string | null }>(
      '/selected-user',
      options.signal,
    );
    return user === undefined ? undefined : { name: user.name, username: user.username, photo: user.photo ?? '' };
  }

  /** The certificates of the selected user; none when nobody is selected. */
  async certificates(options: { readonly signal?: AbortSignal } = {}): Promise<readonly UserCertificate[]> {
    const list = await this.#read<{ readonly certificates: readonly UserCertificate[] }>(
      '/selected-user/certificates',
      options.signal,
    );
    return list?.certificates ?? [];
  }

  /**
   * Signs files: uploads them, waits for the user's approval and all signatures, and answers an entry for each file in
   * order. A failed file does not stop the others.
   */
  async sign(files: readonly File[], options: SignOptions): Promise<readonly SignedFile[]> {
    return new SigningRun(this.#way, files, options).run();
  }

  /** The certificates of the selected user, for a list to choose from. */
  async listCertificates(options: { readonly signal?: AbortSignal } = {}): Promise<readonly CertificateSummary[]> {
    return Promise.all((await this.certificates(options)).map(summaryOf));
  }

  /**
   * DER of a certificate, by its alias or its thumbprint. Rejects with `INPUT_INVALID` if the user has no such
   * certificate.
   */
  async readCertificate(
    aliasOrThumbprint: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    for (const certificate of await this.certificates(options)) {
      const { alias, thumbprint } = await summaryOf(certificate);
      if (alias === aliasOrThumbprint || thumbprint === aliasOrThumbprint) return derOf(certificate);
    }
    throw new SineteError('INPUT_INVALID', 'The user has no such certificate.');
  }

  /**
   * Signs the hash of a document that stays where it is: with `format: 'RAW'` (default) the bare signature, which a site
   * needs the permission `sign_raw` for, otherwise a signature file. Rejects if there is no signature.
   */
  async signHash(hash: Uint8Array | NamedHash, options: SignHashOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    return signatureOf(await this.signHashes([hash], options));
  }

  /** Signs several hashes with one approval and one PIN; an entry for each, in order. */
  async signHashes(
    hashes: readonly (Uint8Array | NamedHash)[],
    options: SignHashOptions = {},
  ): Promise<readonly SignedHash[]> {
    const entries = hashes.map((one) => {
      const { hash, name } = one instanceof Uint8Array ? { hash: one } : one;
      return { hash: toBase64(hash), original_file_name: name };
    });
    return signEntries(this.#way, entries, options);
  }

  /**
   * The bare signature over bytes of at most 64 KiB, such as the signed attributes of a CMS signature. The bytes are
   * shown to the user. Longer contents are signed by their hash.
   */
  async signData(
    data: Uint8Array,
    options: Omit<SignHashOptions, 'format' | 'policy'> & { readonly name?: string } = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { name, ...others } = options;
    const entry = { data_to_sign: toBase64(data), original_file_name: name };
    return signatureOf(await signEntries(this.#way, [entry], { ...others, format: 'RAW' }));
  }

  /**
   * Validates a signature or a signed PDF. `content` is the content of a detached signature.
   *
   * @param type `CAdES` serves CMS signatures of any kind; `PAdES` signed PDFs
   */
  async validate(
    signature: Blob,
    options: { readonly type: 'CAdES' | 'PAdES'; readonly content?: Blob; readonly signal?: AbortSignal },
  ): Promise<Validation> {
    const body = new FormData();
    body.set('type', options.type);
    body.set('signature', signature);
    if (options.content !== undefined) body.set('document', options.content);
    const { signal } = options;
    const answer = await sendOk(this.#way, '/validator-service', { method: 'POST', headers: accept, body, signal });
    return (await answer.json()) as Validation;
  }

  /** An answer of a person's data; undefined when nobody is selected. */
  async #read<Body>(path: string, signal: AbortSignal | undefined): Promise<Body | undefined> {
    const answer = await this.#way.send(path, { headers: accept, signal });
    if (answer.status === 404) return undefined;
    if (!answer.ok) throw await errorOfAnswer(answer);
    return (await answer.json()) as Body;
  }
}

/** DER of a certificate in PEM. */
const derOf = ({ pem }: UserCertificate): Uint8Array<ArrayBuffer> => fromBase64(pem.replace(/-----[^-]*-----|\s/g, ''));

/** The fields of the helper's interface that a summary needs. */
interface CertificateFields {
  readonly cn?: string;
  readonly issuer?: { readonly cn?: string };
  readonly validity?: { readonly notBefore?: string; readonly notAfter?: string };
}

async function summaryOf(one: UserCertificate): Promise<CertificateSummary> {
  const { cn = '', issuer, validity } = (one.certificate ?? {}) as CertificateFields;
  // Not every browser reads a zone without a colon.
  const dateOf = (text = ''): Date => new Date(text.replace(/\+0000$/, 'Z'));
  return {
    alias: one.alias,
    thumbprint: toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', derOf(one)))),
    subjectName: cn,
    issuerName: issuer?.cn ?? '',
    validFrom: dateOf(validity?.notBefore),
    validTo: dateOf(validity?.notAfter),
    present: one.present,
  };
}

/** The signature of the only entry. Throws `INPUT_INVALID` with the helper's reason without one. */
function signatureOf([signed]: readonly SignedHash[]): Uint8Array<ArrayBuffer> {
  if (signed?.status === 'SIGNED') return signed.signature;
  throw new SineteError('INPUT_INVALID', signed?.error.detail ?? 'The hash was not signed.');
}

const accept = { Accept: 'application/json' };
