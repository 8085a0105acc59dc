import { z } from 'zod';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import {
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
import { testRoots } from '../test-services/test-identities.ts';

const setting = 'trust.certificates';
const octets = z.base64().transform((text) => Buffer.from(text, 'base64'));
const storedSchema = z.object({ anchors: z.array(octets), intermediates: z.array(octets) });

/**
 * ITI's publication of all certificates of ICP-Brasil. Its https needs a root unknown to any system, so hashes decide.
 */
const publication = 'http://acraiz.icpbrasil.gov.br/credenciadas/CertificadosAC-ICP-Brasil/ACcompactado.zip';
const packageLimit = 32 * 2 ** 20;
/** Milliseconds; ITI's server takes seven seconds on a good day. */
const packageTimeout = 60_000;

/** Trust anchors of this instance and the known authorities below. */
export class Trust {
  readonly #settings: SettingsStore;
  readonly #http: HttpClient;
  #present: TrustAnchors = createTrustAnchors([]);

  private constructor(settings: SettingsStore, http: HttpClient) {
    this.#settings = settings;
    this.#http = http;
  }

  static async open(settings: SettingsStore, http: HttpClient): Promise<Trust> {
    const trust = new Trust(settings, http);
    await trust.refresh();
    return trust;
  }

  /** As of the last import. */
  get anchors(): readonly Certificate[] {
    return this.#present.anchors;
  }

  get intermediates(): readonly Certificate[] {
    return this.#present.intermediates;
  }

  /** Reads the settings again: a new test root counts from then on. */
  async refresh(): Promise<void> {
    const { anchors, intermediates } = await this.#read();
    const roots = [...anchors.map(parseCertificate), ...(await testRoots(this.#settings))];
    this.#present = createTrustAnchors(roots, intermediates.map(parseCertificate));
  }

  /**
   * Imports a file's certificates: pinned roots, the root named by `fingerprint`, and authorities below. Rejects with
   * `REQUEST_INVALID` for a file without useful contents.
   */
  async import(file: Buffer, fingerprint?: string): Promise<ImportedTrustMaterial> {
    const isPinned = (found: string): boolean => pinnedRoot(found) !== undefined || found === fingerprint;
    const found = readMaterial(file, isPinned);
    const present = await this.#read();
    await this.#settings.write(setting, {
      anchors: merge(present.anchors, found.anchors),
      intermediates: merge(present.intermediates, found.intermediates),
    });
    await this.refresh();
    return found;
  }

  /** Fetches a file and imports its certificates. Rejects with `NETWORK_UNAVAILABLE`, and like `import`. */
  async importFrom(url: string, fingerprint?: string): Promise<ImportedTrustMaterial> {
    return this.import(await this.#fetch(url), fingerprint);
  }

  /** Fetches the published package of ICP-Brasil. */
  async update(): Promise<ImportedTrustMaterial> {
    return this.importFrom(publication);
  }

  /** Forgets an anchor by its SHA-256. */
  async remove(fingerprint: string): Promise<void> {
    const present = await this.#read();
    const others = present.anchors.filter((der) => parseCertificate(der).fingerprint !== fingerprint);
    if (others.length === present.anchors.length) throw new ServiceError('NOT_FOUND', 'No such anchor was imported.');
    await this.#settings.write(setting, {
      anchors: others.map((der) => der.toString('base64')),
      intermediates: present.intermediates.map((der) => der.toString('base64')),
    });
    await this.refresh();
  }

  async #fetch(url: string): Promise<Buffer> {
    try {
      const { status, body } = await this.#http.send({
        method: 'GET',
        url,
        timeout: packageTimeout,
        maxOctets: packageLimit,
      });
      if (status === 200) return body;
      throw new ServiceError('NETWORK_UNAVAILABLE', `The address answered with HTTP status ${status}.`);
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      throw new ServiceError('NETWORK_UNAVAILABLE', error.message, { cause: error });
    }
  }

  async #read(): Promise<z.output<typeof storedSchema>> {
    const result = storedSchema.safeParse(await this.#settings.read(setting));
    return result.success ? result.data : { anchors: [], intermediates: [] };
  }
}

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
  throw new ServiceError('REQUEST_INVALID', `Nothing of the file can be trusted. ${reason}`);
}

function merge(present: readonly Buffer[], added: readonly Certificate[]): readonly string[] {
  const all = [...present, ...added.map(({ der }) => der)].map((der) => der.toString('base64'));
  return [...new Set(all)];
}
