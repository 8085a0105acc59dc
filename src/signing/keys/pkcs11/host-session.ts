/** One session of a token inside the child process: it is opened when first used, and runs one operation at a time. */
import { Ck, type AttributeTemplate, type Cryptoki, type Handle } from './cryptoki/cryptoki.ts';
import { hostFailure, recoveryOf, SEVERAL_KEYS, toCryptokiError } from './errors.ts';
import { matchKey, modulusText, pointText, publicKeyInfoText, type DescribedKey, type WantedKey } from './pair-keys.ts';

const MAX_OBJECTS = 512;
const MAX_SIGNATURE = 2048;

/** A private key in this session. */
interface FoundKey {
  readonly handle: Handle;
  /** CKA_ALWAYS_AUTHENTICATE: the token demands the PIN for each signature (§4.9). */
  readonly alwaysAuthenticate: boolean;
}

/** A key object in this session. */
interface KeyObjectOfToken extends DescribedKey {
  readonly handle: Handle;
  readonly label: string;
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

  /** The private key of a certificate. Most tokens need a single search, because the key has the certificate's CKA_ID. */
  findKey(wanted: WantedKey): FoundKey {
    const name = `${wanted.keyId}:${wanted.publicKey}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const { handle } = this.#findById(wanted) ?? this.#findAmongAll(wanted);
    const key = { handle, alwaysAuthenticate: this.#asksEachTime(handle) };
    this.#keys.set(name, key);
    return key;
  }

  #findById(wanted: WantedKey): KeyObjectOfToken | undefined {
    if (wanted.keyId === '') return undefined;
    const id = { type: Ck.CKA_ID, value: Buffer.from(wanted.keyId, 'hex') };
    const keys = this.#describe([{ type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY }, id]);
    return keys.find(({ publicKey }) => publicKey === wanted.publicKey);
  }

  #findAmongAll(wanted: WantedKey): KeyObjectOfToken {
    const match = matchKey(this.privateKeys(), wanted);
    if (match === 'absent') throw hostFailure('key', 'C_FindObjects', 'no private key');
    if (match === 'several') throw hostFailure('key', 'C_FindObjects', SEVERAL_KEYS);
    return match;
  }

  /** True if a private key of the token asks for the PIN at each signature. */
  asksForEachKey(): boolean {
    return this.find([{ type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY }]).some((key) => this.#asksEachTime(key));
  }

  #asksEachTime(key: Handle): boolean {
    return this.attribute(key, Ck.CKA_ALWAYS_AUTHENTICATE)[0] === 1;
  }

  /**
   * The private keys. A key of an elliptic curve rarely tells its public key. Then the public key object with the same CKA_ID
   * counts, and among several the object with the same label.
   */
  privateKeys(): readonly KeyObjectOfToken[] {
    const keys = this.#describe([{ type: Ck.CKA_CLASS, value: Ck.CKO_PRIVATE_KEY }]);
    if (keys.every(({ publicKey }) => publicKey !== undefined)) return keys;
    const publicKeys = this.publicKeys();
    return keys.map((key) => {
      if (key.publicKey !== undefined) return key;
      const isBeside = (other: KeyObjectOfToken): boolean => other.keyId === key.keyId;
      const isNamed = (other: KeyObjectOfToken): boolean => isBeside(other) && other.label === key.label;
      return { ...key, publicKey: onlyOne(keys, publicKeys, isBeside) ?? onlyOne(keys, publicKeys, isNamed) };
    });
  }

  publicKeys(): readonly KeyObjectOfToken[] {
    return this.#describe([{ type: Ck.CKA_CLASS, value: Ck.CKO_PUBLIC_KEY }]);
  }

  #describe(template: readonly AttributeTemplate[]): readonly KeyObjectOfToken[] {
    return this.find(template).map((handle) => ({
      handle,
      keyId: this.attribute(handle, Ck.CKA_ID).toString('hex'),
      label: this.attribute(handle, Ck.CKA_LABEL).toString('utf8'),
      publicKey:
        modulusText(this.attribute(handle, Ck.CKA_MODULUS)) ??
        pointText(this.attribute(handle, Ck.CKA_EC_POINT)) ??
        publicKeyInfoText(this.attribute(handle, Ck.CKA_PUBLIC_KEY_INFO)),
    }));
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

/** The public key of the only fitting object, if a single private key fits the same way. */
function onlyOne(
  keys: readonly KeyObjectOfToken[],
  publicKeys: readonly KeyObjectOfToken[],
  fits: (other: KeyObjectOfToken) => boolean,
): string | undefined {
  const fitting = publicKeys.filter(fits);
  return fitting.length === 1 && keys.filter(fits).length === 1 ? fitting[0]?.publicKey : undefined;
}
