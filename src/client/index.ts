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
import { errorOfAnswer } from './sinete-error.ts';
import type { SelectedUser, SignedFile, SignOptions, UserCertificate, Validation } from './types.ts';

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

const accept = { Accept: 'application/json' };
