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
import { askHelper, findHelper, requestBasics, type FindOptions, type FoundHelper } from './find-helper.ts';
import { SigningRun } from './signing-run.ts';
import { errorOfAnswer, errorOfFailure } from './sinete-error.ts';
import type { SelectedUser, SignedFile, SignOptions, UserCertificate, Validation } from './types.ts';

export type { FindOptions } from './find-helper.ts';
export { SineteError, type SineteErrorCode, type SineteProblem } from './sinete-error.ts';
export type * from './types.ts';

/** A found helper. Every method rejects with `SineteError`. */
export class Sinete {
  /** `http://127.0.0.1:17171` */
  readonly address: string;
  readonly version: string;

  private constructor({ address, version }: FoundHelper) {
    this.address = address;
    this.version = version;
  }

  /** Looks for the helper; call it from a click. `NOT_INSTALLED`, `BLOCKED_BY_BROWSER`, `UNREACHABLE`, `CANCELLED`. */
  static async find(options: FindOptions = {}): Promise<Sinete> {
    return new Sinete(await findHelper(options));
  }

  /**
   * Sinete at a known address, for programs: a server of a company, or a port of this computer. Rejects with
   * `UNREACHABLE` when something else answers, or nothing.
   */
  static async at(address: string, options: { readonly signal?: AbortSignal } = {}): Promise<Sinete> {
    return new Sinete(await askHelper(address, options.signal));
  }

  /** The selected person of the helper; undefined without a selected person. The user is asked once for this site. */
  async selectedUser(options: { readonly signal?: AbortSignal } = {}): Promise<SelectedUser | undefined> {
    const answer = await this.#send('/selected-user', options);
    if (answer.status === 404) return undefined;
    const { name, username, photo } = await read<Omit<SelectedUser, 'photo'> & { readonly photo: string | null }>(
      answer,
    );
    return { name, username, photo: photo ?? '' };
  }

  /** The certificates of the selected user; none when nobody is selected. */
  async certificates(options: { readonly signal?: AbortSignal } = {}): Promise<readonly UserCertificate[]> {
    const answer = await this.#send('/selected-user/certificates', options);
    if (answer.status === 404) return [];
    return (await read<{ readonly certificates: readonly UserCertificate[] }>(answer)).certificates;
  }

  /**
   * Signs files: uploads them, waits for the user's approval and all signatures, and answers an entry for each file in
   * order. A failed file does not stop the others.
   */
  async sign(files: readonly File[], options: SignOptions): Promise<readonly SignedFile[]> {
    return new SigningRun(this.address, files, options).run();
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
    return read<Validation>(await this.#send('/validator-service', { ...options, method: 'POST', body }));
  }

  async #send(
    path: string,
    {
      method = 'GET',
      body,
      signal,
    }: { readonly method?: string; readonly body?: FormData; readonly signal?: AbortSignal },
  ): Promise<Response> {
    try {
      return await fetch(this.address + path, {
        ...requestBasics,
        method,
        headers: { Accept: 'application/json' },
        body: body ?? null,
        signal: signal ?? null,
      });
    } catch (failure) {
      throw errorOfFailure(failure);
    }
  }
}

async function read<Body>(answer: Response): Promise<Body> {
  if (!answer.ok) throw await errorOfAnswer(answer);
  return (await answer.json()) as Body;
}
