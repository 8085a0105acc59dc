import { createHash } from 'node:crypto';
import { parseCertificate } from '../certificates/parse-certificate.ts';
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

/** A stored description of a key on a token, to name the key while its token or driver is away. */
export interface RememberedKey {
  readonly alias: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly sourceId: string;
}

/** Stores descriptions of token keys between two runs. Failures have no consequences. */
export interface KeyMemory {
  read(): Promise<readonly RememberedKey[]>;
  write(keys: readonly RememberedKey[]): Promise<void>;
}

/** Maximum number of remembered keys; the oldest entries are removed first. */
const MOST_REMEMBERED = 200;

/** A key with its certificate's name. */
interface NamedKey {
  readonly key: AliasedKey;
  readonly name: string;
}

function ambiguous(wanted: string, keys: readonly NamedKey[]): SigningError {
  const aliases = keys.map(({ key }) => key.alias).join(', ');
  const sentence = `Several certificates are called "${wanted}": choose one of ${aliases}, or give its SHA-256.`;
  return new SigningError('KEY_AMBIGUOUS', sentence);
}

/** Returns a certificate's name. */
export type NameCertificate = (certificate: Buffer) => string;

/**
 * All keys of all sources, each with an alias. A certificate offered by several sources is listed once, from the first
 * source. A failing source is left out of the list and shows in `health`.
 */
export class KeyRing {
  readonly #sources = new Map<string, KeySource>();
  readonly #nameCertificate: NameCertificate;
  readonly #memory: KeyMemory | undefined;
  #remembered: Promise<readonly RememberedKey[]> | undefined;

  constructor(nameCertificate: NameCertificate, sources: readonly KeySource[] = [], memory?: KeyMemory) {
    this.#nameCertificate = nameCertificate;
    this.#memory = memory;
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
    return (await this.#listNamed()).keys.map(({ key }) => key);
  }

  /** All keys, each with its certificate's name, and the failures by source. */
  async #listNamed(): Promise<{
    readonly keys: readonly NamedKey[];
    readonly failures: ReadonlyMap<string, unknown>;
  }> {
    const sources = [...this.#sources.values()];
    const lists = await Promise.allSettled(sources.map((source) => source.list()));
    const found: (Omit<AliasedKey, 'alias'> & { readonly name: string })[] = [];
    const seen = new Set<string>();
    const failures = new Map<string, unknown>();
    for (const [index, outcome] of lists.entries()) {
      const source = sources[index];
      if (source === undefined) continue;
      if (outcome.status === 'rejected') {
        failures.set(source.id, outcome.reason);
        continue;
      }
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
    const keys: NamedKey[] = [];
    for (const { name, ...key } of found) {
      let alias = name;
      // A certificate may itself be named "Maria (2)", so an alias must not equal another certificate's name.
      for (let count = 2; taken.has(alias) || (alias !== name && names.has(alias)); count++)
        alias = `${name} (${count})`;
      taken.add(alias);
      keys.push({ key: { ...key, alias }, name });
    }
    await this.#remember(keys);
    return { keys, failures };
  }

  /** Stores the descriptions of keys on tokens. */
  async #remember(keys: readonly NamedKey[]): Promise<void> {
    const before = await this.#recall();
    const known = new Map(before.map((one) => [one.fingerprint, one]));
    const fresh = keys.flatMap(({ key: { source, alias, fingerprint, sourceId }, name }) => {
      const old = known.get(fingerprint);
      const isKnown = old?.alias === alias && old.sourceId === sourceId;
      return source !== 'token' || isKnown ? [] : [{ alias, name, fingerprint, sourceId }];
    });
    if (fresh.length === 0) return;
    const others = before.filter(({ fingerprint }) => fresh.every((one) => one.fingerprint !== fingerprint));
    const all = [...fresh, ...others].slice(0, MOST_REMEMBERED);
    this.#remembered = Promise.resolve(all);
    await this.#memory?.write(all).catch(() => undefined);
  }

  async #recall(): Promise<readonly RememberedKey[]> {
    this.#remembered ??= (this.#memory?.read() ?? Promise.resolve([])).catch(() => []);
    return this.#remembered;
  }

  /**
   * The key with this alias, id or certificate fingerprint (hex SHA-256, any case). An exact alias comes first. A
   * certificate that has expired at `at` gives way to the only other one of its name, and makes no name ambiguous. An
   * alias in other letter case is found where no other alias fits.
   *
   * Several fitting certificates: `KEY_AMBIGUOUS`; an unknown name: `KEY_NOT_FOUND`. For a remembered key without its
   * token: `TOKEN_REMOVED`, or the failure of its driver (`MODULE_…`).
   */
  async find(alias: string, at = new Date()): Promise<AliasedKey> {
    const { keys, failures } = await this.#listNamed();
    const wanted = alias.trim();
    const isCurrent = ({ key }: NamedKey): boolean => parseCertificate(key.certificate).notAfter >= at;
    const exact = keys.find(
      ({ key }) => key.alias === wanted || key.id === wanted || key.fingerprint === wanted.toLowerCase(),
    );
    const named = keys.filter(({ name }) => name === wanted);
    if (exact !== undefined && (named.length < 2 || isCurrent(exact))) return exact.key;
    const current = named.filter(isCurrent);
    if (current.length > 1) throw ambiguous(wanted, current);
    const found = current[0] ?? exact;
    if (found !== undefined) return found.key;
    const absent = await this.#whyAbsent(wanted, failures);
    if (absent.code !== 'KEY_NOT_FOUND') throw absent;
    const folded = keys.filter(({ key }) => key.alias.toLowerCase() === wanted.toLowerCase());
    const fitting = folded.length > 1 ? folded.filter(isCurrent) : folded;
    if (fitting.length > 1) throw ambiguous(wanted, fitting);
    const [similar] = fitting;
    if (similar === undefined) throw absent;
    return similar.key;
  }

  async #whyAbsent(wanted: string, failures: ReadonlyMap<string, unknown>): Promise<SigningError> {
    const away = (await this.#recall()).find(
      ({ alias, name, fingerprint }) => alias === wanted || name === wanted || fingerprint === wanted.toLowerCase(),
    );
    if (away === undefined || !this.#sources.has(away.sourceId)) {
      return new SigningError('KEY_NOT_FOUND', `No certificate is called "${wanted}".`);
    }
    const failure = failures.get(away.sourceId);
    if (failure instanceof SigningError) return failure;
    return new SigningError('TOKEN_REMOVED', `The token of the certificate "${away.alias}" is not connected.`);
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
    if (source === undefined)
      throw new SigningError('KEY_NOT_FOUND', 'The source of this key was removed. Choose another certificate.');
    return source;
  }
}
