import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import { NamedLocks, type Locks } from '../../service/transactions/index.ts';
import {
  createPathCompleter,
  createTrustAnchors,
  importTrustMaterial,
  parseCertificate,
  pinnedRoot,
  SigningError,
  type Certificate,
  type HttpClient,
  type ImportedTrustMaterial,
  type TrustAnchors,
} from '../../signing/index.ts';
import { testRoots, testRootsSetting } from '../test-services/test-identities.ts';

const setting = 'trust.certificates';
/** The lock of changes of the setting. */
const lockName = 'trust';
/** The settings that determine the trust. */
export const trustSettings: readonly string[] = [setting, testRootsSetting];
const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const storedSchema = z.object({
  anchors: z.array(bytes),
  intermediates: z.array(bytes),
  /** SHA-256 of the shipped roots, and of authorities, that the owner refuses. */
  refused: z.array(z.string()).default([]),
  /** SHA-256 of roots for test signatures only. */
  homologation: z.array(z.string()).default([]),
  /** SHA-256 of roots that are trusted only for time stamps. */
  timeStampsOnly: z.array(z.string()).default([]),
});

const nothingStored: Stored = { anchors: [], intermediates: [], refused: [], homologation: [], timeStampsOnly: [] };

interface Stored extends Pick<z.output<typeof storedSchema>, 'refused' | 'homologation' | 'timeStampsOnly'> {
  /** DER. */
  readonly anchors: readonly Buffer[];
  readonly intermediates: readonly Buffer[];
}

/** ICP-Brasil's roots and authorities, see assets/trust/README.md. */
const shippedFile = new URL('../../../assets/trust/icp-brasil.pem', import.meta.url);

/** The owner's options for an imported root. */
export interface TrustWish {
  /** Lower-case hex SHA-256 of a root that the owner trusts explicitly. */
  readonly fingerprint?: string;
  /** The root with this SHA-256 is for tests: its signatures have no legal value. */
  readonly isTest?: boolean;
  /** The root with this SHA-256 is trusted only for time stamps. */
  readonly timeStampsOnly?: boolean;
}

/** The root that an import names, with its options. */
interface MarkedRoot {
  readonly fingerprint: string | undefined;
  readonly isTest: boolean;
  readonly timeStampsOnly: boolean;
  /** True if the import accepts refused roots of the file again. */
  readonly acceptsRefused: boolean;
}

/**
 * ITI's archive of all certificates of ICP-Brasil. Its https certificate has a root unknown to any system, so pinned
 * hashes decide.
 */
const publication = 'http://acraiz.icpbrasil.gov.br/credenciadas/CertificadosAC-ICP-Brasil/ACcompactado.zip';
const packageLimit = 32 * 2 ** 20;
/** Milliseconds; ITI's server takes seven seconds on a good day. */
const packageTimeout = 60_000;

/**
 * Milliseconds until the first search for newer authorities, between two searches, and the age that makes a search
 * necessary.
 */
const firstLook = 10 * 60_000;
const lookInterval = 24 * 60 * 60_000;

/** Certificates shipped with the product. */
interface Shipped {
  readonly anchors: readonly Certificate[];
  readonly intermediates: readonly Certificate[];
}

/** Reads the shipped certificates; a root counts only by its pinned SHA-256. */
async function readShipped(): Promise<Shipped> {
  const { anchors, intermediates } = importTrustMaterial(await readFile(shippedFile));
  return { anchors, intermediates };
}

/** Trust anchors of this instance and the known authorities below. */
export class Trust {
  readonly #settings: SettingsStore;
  readonly #http: HttpClient;
  readonly #shipped: Shipped;
  readonly #locks: Locks;
  readonly #timers: NodeJS.Timeout[] = [];
  /** Reads run one after the other, so that an earlier state never replaces a later one. */
  #refreshed: Promise<void> = Promise.resolve();
  #present: TrustAnchors = createTrustAnchors([]);

  private constructor(settings: SettingsStore, http: HttpClient, parts: { shipped: Shipped; locks: Locks }) {
    this.#settings = settings;
    this.#http = http;
    this.#shipped = parts.shipped;
    this.#locks = parts.locks;
  }

  /** @param locks shared by all nodes, so that neither of two simultaneous imports is lost */
  static async open(settings: SettingsStore, http: HttpClient, locks: Locks = new NamedLocks()): Promise<Trust> {
    const trust = new Trust(settings, http, { shipped: await readShipped(), locks });
    await trust.refresh();
    return trust;
  }

  /** The trust as of the last import. */
  get present(): TrustAnchors {
    return this.#present;
  }

  /** Searches for newer authorities every day; a failed search is reported to `onFailure`. */
  updateInBackground(onFailure: (error: unknown) => void): void {
    const look = (): void => void this.update().catch(onFailure);
    this.#timers.push(setTimeout(look, firstLook).unref(), setInterval(look, lookInterval).unref());
  }

  /** Stops the searches for newer authorities. */
  close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    return Promise.resolve();
  }

  /** The anchors as of the last import. */
  get anchors(): readonly Certificate[] {
    return this.#present.anchors;
  }

  get intermediates(): readonly Certificate[] {
    return this.#present.intermediates;
  }

  /** Reads the settings again: a new test root counts from then on. */
  async refresh(): Promise<void> {
    this.#refreshed = this.#refreshed.catch(() => undefined).then(async () => this.#refresh());
    return this.#refreshed;
  }

  async #refresh(): Promise<void> {
    const { anchors, intermediates, refused, homologation, timeStampsOnly } = await this.#read();
    const isRefused = ({ fingerprint }: Certificate): boolean => refused.includes(fingerprint);
    const shipped = this.#shipped.anchors.filter((anchor) => !isRefused(anchor));
    const roots = [...shipped, ...anchors.map(parseCertificate), ...(await testRoots(this.#settings))];
    const authorities = [...this.#shipped.intermediates, ...intermediates.map(parseCertificate)];
    const marks = { homologation: new Set(homologation), timeStampsOnly: new Set(timeStampsOnly) };
    const unwanted = [...this.#shipped.anchors, ...authorities].filter(isRefused);
    this.#present = createTrustAnchors(roots, authorities, marks, unwanted);
  }

  /**
   * Imports a file's certificates: pinned roots, the root named by `fingerprint`, and authorities below. The named root
   * gets the options of this import. Rejects with `REQUEST_INVALID` for a file without usable content.
   */
  async import(
    file: Buffer,
    { fingerprint, isTest = false, timeStampsOnly = false }: TrustWish = {},
  ): Promise<ImportedTrustMaterial> {
    if (timeStampsOnly && fingerprint === undefined) {
      throw new ServiceError('REQUEST_INVALID', 'Give the SHA-256 of a root that is trusted for time stamps only.');
    }
    if (isTest && (fingerprint === undefined || pinnedRoot(fingerprint) !== undefined)) {
      const message =
        'Give the SHA-256 of a test root. A root of ICP-Brasil or of the government cannot be a test root.';
      throw new ServiceError('REQUEST_INVALID', message);
    }
    return this.#take(file, { fingerprint, isTest, timeStampsOnly, acceptsRefused: true });
  }

  /** Adds the certificates of a file, with the options of the named root. */
  async #take(file: Buffer, root: MarkedRoot): Promise<ImportedTrustMaterial> {
    const isPinned = (found: string): boolean => pinnedRoot(found) !== undefined || found === root.fingerprint;
    const found = readMaterial(file, isPinned);
    await this.#locks.run(lockName, async () => this.#add(found, root));
    return found;
  }

  async #add(
    found: ImportedTrustMaterial,
    { fingerprint, isTest, timeStampsOnly, acceptsRefused }: MarkedRoot,
  ): Promise<void> {
    const present = await this.#read();
    const anchors = acceptsRefused
      ? found.anchors
      : found.anchors.filter((anchor) => !present.refused.includes(anchor.fingerprint));
    const taken = new Set(anchors.map((anchor) => anchor.fingerprint));
    const named = fingerprint !== undefined && taken.has(fingerprint) ? fingerprint : undefined;
    const marked = (before: readonly string[], isMarked: boolean): string[] => [
      ...before.filter((one) => one !== named),
      ...(isMarked && named !== undefined ? [named] : []),
    ];
    await this.#write({
      anchors: merge(present.anchors, anchors),
      intermediates: merge(present.intermediates, found.intermediates),
      refused: present.refused.filter((one) => !taken.has(one)),
      homologation: marked(present.homologation, isTest),
      timeStampsOnly: marked(present.timeStampsOnly, timeStampsOnly),
    });
  }

  /** Fetches a file and imports its certificates. Rejects with `NETWORK_UNAVAILABLE`, and like `import`. */
  async importFrom(url: string, wish: TrustWish = {}): Promise<ImportedTrustMaterial> {
    return this.import(await this.#fetch(url), wish);
  }

  /** Fetches the published archive of ICP-Brasil; roots that the owner refused stay refused. */
  async update(): Promise<ImportedTrustMaterial> {
    const noRoot = { fingerprint: undefined, isTest: false, timeStampsOnly: false, acceptsRefused: false };
    return this.#take(await this.#fetch(publication), noRoot);
  }

  /**
   * True if the certificate's path ends at a test root; makes no network request. `chain`: DER of authorities above.
   */
  async isBelowTestRoot(certificate: Buffer, chain: readonly Buffer[], at: Date): Promise<boolean> {
    const { marks, intermediates } = this.#present;
    if (marks.homologation.size === 0) return false;
    const purpose = 'any';
    const { outcome, path } = await completeOffline({
      certificate: parseCertificate(certificate),
      at,
      purpose,
      intermediates: [...chain.map(parseCertificate), ...intermediates],
      anchors: this.#present.anchorsFor(purpose),
      refused: this.#present.refused,
    });
    return outcome === 'valid' && this.#present.hierarchyOfPath(path, purpose) === 'test';
  }

  /**
   * Removes an anchor, or refuses an authority below the anchors, by its SHA-256. A shipped anchor is marked as
   * refused, because it would be back after the next start.
   */
  async remove(fingerprint: string): Promise<void> {
    await this.#locks.run(lockName, async () => this.#remove(fingerprint));
  }

  /** Accepts a refused root or authority again, by its SHA-256. */
  async accept(fingerprint: string): Promise<void> {
    await this.#locks.run(lockName, async () => {
      const present = await this.#read();
      const refused = present.refused.filter((one) => one !== fingerprint);
      if (refused.length === present.refused.length) {
        throw new ServiceError('NOT_FOUND', 'No such root or authority is refused.');
      }
      await this.#write({ ...present, refused });
    });
  }

  async #remove(fingerprint: string): Promise<void> {
    const present = await this.#read();
    const others = present.anchors.filter((der) => parseCertificate(der).fingerprint !== fingerprint);
    const isRefused = present.refused.includes(fingerprint);
    const isRefusable = !isRefused && this.#isRefusable(fingerprint, present);
    if (others.length === present.anchors.length && !isRefusable) {
      throw new ServiceError('NOT_FOUND', 'No such root is trusted, and no such authority is known.');
    }
    await this.#write({
      ...present,
      anchors: others,
      refused: isRefusable ? [...present.refused, fingerprint] : present.refused,
      homologation: present.homologation.filter((one) => one !== fingerprint),
      timeStampsOnly: present.timeStampsOnly.filter((one) => one !== fingerprint),
    });
  }

  /** True if a certificate would come back after removal: shipped ones do, and authorities of any import. */
  #isRefusable(fingerprint: string, { intermediates }: Stored): boolean {
    const { anchors, intermediates: authorities } = this.#shipped;
    return (
      [...anchors, ...authorities].some((one) => one.fingerprint === fingerprint) ||
      intermediates.some((der) => parseCertificate(der).fingerprint === fingerprint)
    );
  }

  /** True for an anchor that `remove` can remove: anchors of this instance's own test authority stay. */
  async isRemovable(fingerprint: string): Promise<boolean> {
    const { anchors, refused } = await this.#read();
    const isShipped = this.#shipped.anchors.some((anchor) => anchor.fingerprint === fingerprint);
    if (isShipped && !refused.includes(fingerprint)) return true;
    return anchors.some((der) => parseCertificate(der).fingerprint === fingerprint);
  }

  async #write({ anchors, intermediates, ...marks }: Stored): Promise<void> {
    const texts = (ders: readonly Buffer[]): readonly string[] => ders.map((der) => der.toString('base64'));
    await this.#settings.write(setting, { anchors: texts(anchors), intermediates: texts(intermediates), ...marks });
    await this.refresh();
  }

  async #fetch(url: string): Promise<Buffer> {
    try {
      const { status, body } = await this.#http.send({
        method: 'GET',
        url,
        timeout: packageTimeout,
        maxBytes: packageLimit,
      });
      if (status === 200) return body;
      throw new ServiceError('NETWORK_UNAVAILABLE', `The address answered with HTTP status ${status}.`);
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      throw new ServiceError('NETWORK_UNAVAILABLE', error.message, { cause: error });
    }
  }

  async #read(): Promise<Stored> {
    const result = storedSchema.safeParse(await this.#settings.read(setting));
    return result.success ? result.data : nothingStored;
  }
}

/** Builds paths from the known certificates only. */
const completeOffline = createPathCompleter({});

function readMaterial(file: Buffer, isPinned: (fingerprint: string) => boolean): ImportedTrustMaterial {
  let found: ImportedTrustMaterial;
  try {
    found = importTrustMaterial(file, { isPinned });
  } catch (error) {
    if (!(error instanceof SigningError)) throw error;
    throw new ServiceError('REQUEST_INVALID', `The file cannot be read. ${error.message}`, { cause: error });
  }
  if (found.anchors.length + found.intermediates.length > 0) return found;
  const reason = found.skipped[0]?.sentence ?? 'It holds no certificate.';
  throw new ServiceError('REQUEST_INVALID', `The file holds no certificate that can be trusted. ${reason}`);
}

function merge(present: readonly Buffer[], added: readonly Certificate[]): Buffer[] {
  const all = [...present, ...added.map(({ der }) => der)].map((der) => [der.toString('base64'), der] as const);
  return [...new Map(all).values()];
}
