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

type Lists = readonly (readonly KeyDescription[] | undefined)[];

/** The keys of some sources, and the ways to find one. Of several keys with the same word, the first is found. */
interface NamedKeys {
  /** The lists from which the keys were named; undefined for a failing source. */
  readonly lists: Lists;
  readonly keys: readonly NamedKey[];
  /** By alias, by id and by fingerprint. */
  readonly exact: ReadonlyMap<string, NamedKey>;
  readonly byName: ReadonlyMap<string, readonly NamedKey[]>;
  /** By the alias in lower case. */
  readonly folded: ReadonlyMap<string, readonly NamedKey[]>;
}

function ambiguous(wanted: string, keys: readonly NamedKey[]): SigningError {
  const aliases = keys.map(({ key }) => key.alias).join(', ');
  const sentence = `Several certificates are called "${wanted}": choose one of ${aliases}, or give its SHA-256.`;
  return new SigningError('KEY_AMBIGUOUS', sentence);
}

const isCurrent = ({ key }: NamedKey, at: Date): boolean => parseCertificate(key.certificate).notAfter >= at;

const currentOf = (keys: readonly NamedKey[] = [], at: Date): readonly NamedKey[] =>
  keys.filter((key) => isCurrent(key, at));

const isFingerprint = /^[0-9a-f]{64}$/i;

/** The key that fits a word exactly; `several` if valid certificates share the name. */
function choose({ exact, byName }: NamedKeys, wanted: string, at: Date): NamedKey | 'several' | undefined {
  const own = exact.get(wanted) ?? (isFingerprint.test(wanted) ? exact.get(wanted.toLowerCase()) : undefined);
  const named = byName.get(wanted) ?? [];
  if (own !== undefined && (named.length < 2 || isCurrent(own, at))) return own;
  const current = currentOf(named, at);
  return current.length > 1 ? 'several' : (current[0] ?? own);
}

function indexesOf(keys: readonly NamedKey[]): Pick<NamedKeys, 'exact' | 'byName' | 'folded'> {
  const exact = new Map<string, NamedKey>();
  for (const named of keys) {
    for (const word of [named.key.alias, named.key.id, named.key.fingerprint]) {
      if (!exact.has(word)) exact.set(word, named);
    }
  }
  return {
    exact,
    byName: Map.groupBy(keys, ({ name }) => name),
    folded: Map.groupBy(keys, ({ key }) => key.alias.toLowerCase()),
  };
}

/** True if all sources have answered the same lists again. */
const isSame = (earlier: Lists | undefined, lists: Lists): earlier is Lists =>
  earlier?.length === lists.length && earlier.every((list, index) => list === lists[index]);

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
  /** The facts of certificates that were named before. */
  readonly #facts = new WeakMap<Buffer, { readonly fingerprint: string; readonly name: string }>();
  /** All keys, and the keys of the sources before the first driver, as they were named last. */
  readonly #named: { all?: NamedKeys; near?: NamedKeys } = {};
  #remembered: Promise<readonly RememberedKey[]> | undefined;

  constructor(nameCertificate: NameCertificate, sources: readonly KeySource[] = [], memory?: KeyMemory) {
    this.#nameCertificate = nameCertificate;
    this.#memory = memory;
    for (const source of sources) this.add(source);
  }

  add(source: KeySource): void {
    this.#sources.set(source.id, source);
  }

  /** The sources in the order of places, and of one place in the order in which they were added. */
  #ranked(): readonly KeySource[] {
    return [...this.#sources.values()].sort((left, right) => left.rank - right.rank);
  }

  /** Closes and forgets a source; unknown ids are ignored. */
  async remove(sourceId: string): Promise<void> {
    const source = this.#sources.get(sourceId);
    this.#sources.delete(sourceId);
    await source?.close();
  }

  async list(): Promise<readonly AliasedKey[]> {
    return (await this.#listNamed()).named.keys.map(({ key }) => key);
  }

  /** All keys, and the failures by source. */
  async #listNamed(): Promise<{ readonly named: NamedKeys; readonly failures: ReadonlyMap<string, unknown> }> {
    const sources = this.#ranked();
    const outcomes = await Promise.allSettled(sources.map((source) => source.list()));
    const failures = new Map<string, unknown>();
    const lists = outcomes.map((outcome, index) => {
      if (outcome.status === 'fulfilled') return outcome.value;
      failures.set(sources[index]?.id ?? '', outcome.reason);
      return undefined;
    });
    const earlier = this.#named.all;
    const named = isSame(earlier?.lists, lists) ? earlier : this.#name(sources, lists);
    this.#named.all = named;
    if (named !== earlier) await this.#remember(named.keys);
    return { named, failures };
  }

  /** The keys of the sources before the first one that asks a driver; undefined if no driver is asked. */
  async #listNear(): Promise<NamedKeys | undefined> {
    const sources = this.#ranked();
    const first = sources.findIndex(({ asksDriver }) => asksDriver);
    if (first < 1) return undefined;
    const near = sources.slice(0, first);
    const lists = await Promise.all(near.map(async (source) => source.list().catch(() => undefined)));
    const earlier = this.#named.near;
    const named = isSame(earlier?.lists, lists) ? earlier : this.#name(near, lists);
    this.#named.near = named;
    return named;
  }

  /** Gives each key its alias, in the order of the sources. */
  #name(sources: readonly KeySource[], lists: Lists): NamedKeys {
    const found: (Omit<AliasedKey, 'alias'> & { readonly name: string })[] = [];
    const seen = new Set<string>();
    for (const [index, list] of lists.entries()) {
      for (const description of list ?? []) {
        const facts = this.#factsOf(description.certificate);
        if (seen.has(facts.fingerprint)) continue;
        seen.add(facts.fingerprint);
        found.push({ ...description, ...facts, sourceId: sources[index]?.id ?? '' });
      }
    }
    const names = new Set(found.map(({ name }) => name));
    const taken = new Set<string>();
    const numbers = new Map<string, number>();
    const keys = found.map(({ name, ...key }): NamedKey => {
      let alias = name;
      let number = numbers.get(name) ?? 1;
      // A certificate may itself be named "Maria (2)", so an alias must not equal another certificate's name.
      while (taken.has(alias) || (alias !== name && names.has(alias))) alias = `${name} (${(number += 1)})`;
      numbers.set(name, number);
      taken.add(alias);
      return { key: { ...key, alias }, name };
    });
    return { lists, keys, ...indexesOf(keys) };
  }

  #factsOf(certificate: Buffer): { readonly fingerprint: string; readonly name: string } {
    const known = this.#facts.get(certificate);
    if (known !== undefined) return known;
    const fingerprint = createHash('sha256').update(certificate).digest('hex');
    const facts = { fingerprint, name: this.#nameCertificate(certificate) };
    this.#facts.set(certificate, facts);
    return facts;
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
    const wanted = alias.trim();
    const near = await this.#findNear(wanted, at);
    if (near !== undefined) return near;
    const { named, failures } = await this.#listNamed();
    const found = choose(named, wanted, at);
    if (found === 'several') throw ambiguous(wanted, currentOf(named.byName.get(wanted), at));
    if (found !== undefined) return found.key;
    const absent = await this.#whyAbsent(wanted, failures);
    if (absent.code !== 'KEY_NOT_FOUND') throw absent;
    const folded = named.folded.get(wanted.toLowerCase()) ?? [];
    const fitting = folded.length > 1 ? currentOf(folded, at) : folded;
    if (fitting.length > 1) throw ambiguous(wanted, fitting);
    const [similar] = fitting;
    if (similar === undefined) throw absent;
    return similar.key;
  }

  /**
   * A key that is stored here, found without asking a driver: a driver that hangs delays no other key. Undefined if
   * nothing is found, or if a remembered key of a driver has the same name: then all sources are asked.
   */
  async #findNear(wanted: string, at: Date): Promise<AliasedKey | undefined> {
    const named = await this.#listNear();
    const found = named && choose(named, wanted, at);
    if (found === undefined || found === 'several') return undefined;
    const remembered = await this.#recall();
    const isShared = remembered.some(
      ({ name, alias, fingerprint }) =>
        fingerprint !== found.key.fingerprint && (name === found.name || alias === wanted),
    );
    return isShared ? undefined : found.key;
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
