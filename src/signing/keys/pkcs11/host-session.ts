/** One session of a token inside the child process: it is opened when first used, and runs one operation at a time. */
import { Ck, type AttributeTemplate, type Cryptoki, type Handle } from './cryptoki/cryptoki.ts';
import { hostFailure, recoveryOf, toCryptokiError } from './errors.ts';

const MAX_OBJECTS = 512;
const MAX_SIGNATURE = 2048;

/** A private key in this session. */
interface FoundKey {
  readonly handle: Handle;
  /** CKA_ALWAYS_AUTHENTICATE: the token demands the PIN for each signature (§4.9). */
  readonly alwaysAuthenticate: boolean;
}

export class HostSession {
  /** The place of a signature; signatures of other sessions may be made meanwhile. */
  readonly output = Buffer.alloc(MAX_SIGNATURE);
  readonly #cryptoki: Cryptoki;
  readonly #slot: () => Handle;
  readonly #keys = new Map<string, FoundKey>();
  #handle: Handle | undefined;

  constructor(cryptoki: Cryptoki, slot: () => Handle) {
    this.#cryptoki = cryptoki;
    this.#slot = slot;
  }

  get isOpen(): boolean {
    return this.#handle !== undefined;
  }

  open(): Handle {
    this.#handle ??= this.#cryptoki.C_OpenSession(this.#slot(), Ck.CKF_SERIAL_SESSION);
    return this.#handle;
  }

  /** Drops the handles of keys, which a login may have changed. */
  forgetKeys(): void {
    this.#keys.clear();
  }

  /** Forgets the session without closing it, and answers its handle. */
  release(): Handle | undefined {
    const handle = this.#handle;
    this.#handle = undefined;
    this.#keys.clear();
    return handle;
  }

  findKey(keyId: string): FoundKey {
    const known = this.#keys.get(keyId);
    if (known !== undefined) return known;
    const [handle] = this.find([
      { type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY },
      { type: Ck.CKA_ID, value: Buffer.from(keyId, 'hex') },
    ]);
    if (handle === undefined) throw hostFailure('key', 'C_FindObjects', 'no private key');
    const key = { handle, alwaysAuthenticate: this.attribute(handle, Ck.CKA_ALWAYS_AUTHENTICATE)[0] === 1 };
    this.#keys.set(keyId, key);
    return key;
  }

  privateKeyIds(): string[] {
    const handles = this.find([{ type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY }]);
    const ids = handles.map((handle) => this.attribute(handle, Ck.CKA_ID).toString('hex'));
    return ids.filter((id) => id !== '');
  }

  find(template: readonly AttributeTemplate[]): readonly Handle[] {
    const session = this.open();
    this.#cryptoki.C_FindObjectsInit(session, template);
    try {
      const found: Handle[] = [];
      while (found.length < MAX_OBJECTS) {
        const more = this.#cryptoki.C_FindObjects(session, 32);
        if (more.length === 0) break;
        found.push(...more);
      }
      return found;
    } finally {
      try {
        this.#cryptoki.C_FindObjectsFinal(session);
      } catch {
        // The search has ended together with its session.
      }
    }
  }

  /**
   * Reads one attribute at a time, because a driver without one of the attributes refuses the whole list. Missing
   * attributes are empty.
   */
  attribute(object: Handle, type: number): Buffer {
    const session = this.open();
    try {
      return this.#cryptoki.C_GetAttributeValue(session, object, type);
    } catch (thrown) {
      const error = toCryptokiError(thrown, 'C_GetAttributeValue');
      if (recoveryOf(error.code) !== 'none') throw error;
      return Buffer.alloc(0);
    }
  }
}
