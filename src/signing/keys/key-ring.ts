import { createHash } from 'node:crypto';
import { SigningError } from '../errors.ts';
import type { KeyDescription, KeySource, KeySourceHealth } from './key-source.ts';
import type { Pin } from './pin.ts';
import type { Signer } from './signer.ts';

/** A key with its name in the application. */
export interface AliasedKey extends KeyDescription {
  /** The certificate's common name, followed by ` (2)`, ` (3)` … for repeated names. */
  readonly alias: string;
  /** Lower-case hex SHA-256 of the certificate. */
  readonly fingerprint: string;
  /** `KeySource.id` of the key's source. */
  readonly sourceId: string;
}

/** Answers a certificate's name. */
export type NameCertificate = (certificate: Buffer) => string;

/**
 * All keys of all sources, each with an alias. A certificate offered by several sources is listed once, from the first
 * source. A failing source is left out of the list and shows in `health`.
 */
export class KeyRing {
  readonly #sources = new Map<string, KeySource>();
  readonly #nameCertificate: NameCertificate;

  constructor(nameCertificate: NameCertificate, sources: readonly KeySource[] = []) {
    this.#nameCertificate = nameCertificate;
    for (const source of sources) this.add(source);
  }

  add(source: KeySource): void {
    this.#sources.set(source.id, source);
  }

  /** Closes and forgets a source; unknown ids are ignored. */
  async remove(sourceId: string): Promise<void> {
    const source = this.#sources.get(sourceId);
    this.#sources.delete(sourceId);
    await source?.close();
  }

  async list(): Promise<readonly AliasedKey[]> {
    const sources = [...this.#sources.values()];
    const lists = await Promise.allSettled(sources.map((source) => source.list()));
    const found: (Omit<AliasedKey, 'alias'> & { readonly name: string })[] = [];
    const seen = new Set<string>();
    for (const [index, outcome] of lists.entries()) {
      const source = sources[index];
      if (outcome.status === 'rejected' || source === undefined) continue;
      for (const description of outcome.value) {
        const fingerprint = createHash('sha256').update(description.certificate).digest('hex');
        if (seen.has(fingerprint)) continue;
        seen.add(fingerprint);
        const name = this.#nameCertificate(description.certificate);
        found.push({ ...description, name, fingerprint, sourceId: source.id });
      }
    }
    const names = new Set(found.map(({ name }) => name));
    const taken = new Set<string>();
    const keys: AliasedKey[] = [];
    for (const { name, ...key } of found) {
      let alias = name;
      // A certificate may be called "Maria (2)" itself: an alias never takes another certificate's name.
      for (let count = 2; taken.has(alias) || (alias !== name && names.has(alias)); count++)
        alias = `${name} (${count})`;
      taken.add(alias);
      keys.push({ ...key, alias });
    }
    return keys;
  }

  /**
   * The key with this alias, id or certificate fingerprint (hex SHA-256, any case). A name shared by several
   * certificates is ambiguous without its number: `KEY_AMBIGUOUS`; an unknown name: `KEY_NOT_FOUND`.
   */
  async find(alias: string): Promise<AliasedKey> {
    const keys = await this.list();
    const wanted = alias.trim();
    const named = keys.filter((key) => this.#nameCertificate(key.certificate) === wanted);
    if (named.length > 1) {
      const aliases = named.map((key) => key.alias).join(', ');
      throw new SigningError(
        'KEY_AMBIGUOUS',
        `Several certificates are called "${wanted}": choose one of ${aliases}, or give its SHA-256.`,
      );
    }
    const key = keys.find(
      (one) => one.alias === wanted || one.id === wanted || one.fingerprint === wanted.toLowerCase(),
    );
    if (key === undefined) throw new SigningError('KEY_NOT_FOUND', `No certificate is called "${wanted}".`);
    return key;
  }

  async open(key: AliasedKey): Promise<Signer> {
    return this.#sourceOf(key).open(key.id);
  }

  async unlock(key: AliasedKey, pin: Pin): Promise<void> {
    await this.#sourceOf(key).unlock(key.id, pin);
  }

  async lock(key: AliasedKey): Promise<void> {
    await this.#sourceOf(key).lock(key.id);
  }

  async health(): Promise<readonly KeySourceHealth[]> {
    return Promise.all([...this.#sources.values()].map((source) => source.health()));
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#sources.values()].map((source) => source.close()));
    this.#sources.clear();
  }

  #sourceOf(key: AliasedKey): KeySource {
    const source = this.#sources.get(key.sourceId);
    if (source === undefined) throw new SigningError('KEY_NOT_FOUND', 'The key source is no longer there.');
    return source;
  }
}
