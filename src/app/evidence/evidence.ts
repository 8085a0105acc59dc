import { findKnownRevocation, findStaleTrust, type StaleTrust } from '../../service/certificates/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { SettingsStore } from '../../service/settings/index.ts';
import type { SignatureEvidence } from '../../service/transactions/index.ts';
import {
  createMaterialCollector,
  createPathCompleter,
  createTimestamper,
  SigningError,
  type Certificate,
  type HttpClient,
  type MaterialCollector,
  type PathPurpose,
  type PathResult,
  type RevocationCache,
  type TimestampDigest,
  type Timestamper,
  type ValidateTimestampChain,
} from '../../signing/index.ts';
import { openCertificateEvidence } from './certificate-evidence.ts';
import { PolicyFiles } from './policy-files.ts';
import type { TimestampServer, TimestampServers } from './timestamp-servers.ts';
import type { Trust } from './trust.ts';

/** The trust data of this instance that has expired, or expires soon. */
export async function readStaleTrust(
  { trust, evidence }: { readonly trust: Trust; readonly evidence: Pick<Evidence, 'policyFiles'> },
  now: Date,
): Promise<readonly StaleTrust[]> {
  const listEnds = await evidence.policyFiles.listEnds();
  return findStaleTrust({ roots: trust.anchors, authorities: trust.intermediates, listEnds }, now);
}

/** Services for gathering evidence. */
export interface EvidenceParts {
  readonly http: HttpClient;
  readonly trust: Trust;
  readonly servers: TimestampServers;
  readonly cache: RevocationCache;
  readonly settings: SettingsStore;
  /** Base address of ICP-Brasil's policies. */
  readonly policiesSource: string;
  readonly now: () => Date;
}

/** The state of a server; `problem` is a sentence. */
export interface ServerProbe {
  readonly id: string;
  readonly problem?: string;
}

/** The evidence services of this instance; built once, so that fetched data is shared. */
export interface Evidence extends SignatureEvidence {
  /** The policy files of AD-RA for PDFs. */
  readonly policyFiles: PolicyFiles;
  /** Requests a test stamp from a server. Rejects with `SigningError` for a bad stamp. */
  testServer(id: string): ReturnType<Timestamper['stamp']>;
  /**
   * Whether each server answers at all, as of at most a minute ago. No stamp is requested, because stamps cost money.
   */
  probe(): Promise<readonly ServerProbe[]>;
}

/** Builds the evidence services of an instance. Anchors imported later count at once. */
export function openEvidence(parts: EvidenceParts): Evidence {
  const { http, trust, servers, cache, now } = parts;
  const complete = createPathCompleter({ http, cache, now });
  const buildPath = async (
    certificate: Certificate,
    known: readonly Certificate[],
    at: Date,
    purpose: PathPurpose,
  ): Promise<PathResult> => {
    const anchors = trust.present.anchorsFor(purpose);
    const { refused } = trust.present;
    return complete({ certificate, intermediates: [...known, ...trust.intermediates], anchors, refused, at, purpose });
  };
  const validateChain = async (
    certificate: Certificate,
    others: readonly Certificate[],
    at: Date,
  ): Promise<string | undefined> => {
    const { outcome, problems } = await buildPath(certificate, others, at, 'time-stamping');
    if (outcome === 'valid') return undefined;
    const reason = problems[0]?.sentence ?? '';
    return `The authority of the time stamp is not trusted here: import its root ("sinete trust import"). ${reason}`;
  };
  const timestamper = timestamperOf({ http, servers, now, validateChain });
  const probes = new ServerProbes(http);
  const findChainEnd: Evidence['findChainEnd'] = async (certificate, chain, at) => {
    const { outcome, path } = await buildPath(certificate, chain, at, 'any');
    const anchor = outcome === 'valid' ? path.at(-1) : undefined;
    return anchor && { fingerprint: anchor.fingerprint, hierarchy: trust.present.hierarchyOf(anchor) };
  };
  const cached = openCertificateEvidence({ trust, cache, now });
  const policyFiles = new PolicyFiles({
    http,
    now,
    settings: parts.settings,
    source: parts.policiesSource,
    findHierarchy: async (...signer) => (await findChainEnd(...signer))?.hierarchy,
  });
  return {
    findChainEnd,
    findRevocation: async (certificate, chain, at) => findKnownRevocation(certificate, chain, { evidence: cached, at }),
    policyFiles,
    policyArtifacts: policyFiles.artifacts,
    probe: async () => probes.of(await servers.list()),
    timestampServers: async () => (await servers.list()).map(({ id }) => id),
    timestamper,
    collector: collectorOf(parts),
    async testServer(id) {
      const stamper = await timestamper({ server: id });
      return stamper.stamp(Buffer.alloc(imprintLengths[stamper.digest]));
    },
  };
}

/** A collector that uses the trust at the time of each call. */
const collectorOf = ({ trust, ...ways }: Pick<EvidenceParts, 'http' | 'cache' | 'now' | 'trust'>): MaterialCollector =>
  createMaterialCollector({
    http: ways.http,
    cache: ways.cache,
    now: ways.now,
    get anchors() {
      return trust.anchors;
    },
    get intermediates() {
      return trust.intermediates;
    },
    get refused() {
      return trust.present.refused;
    },
  });

const rememberedTimestampers = 32;

/**
 * Caches timestampers by their servers and options: a used timestamper knows the length of tokens, so that PDFs stay
 * small.
 */
function timestamperOf(
  parts: Pick<EvidenceParts, 'http' | 'servers' | 'now'> & { readonly validateChain: ValidateTimestampChain },
): Evidence['timestamper'] {
  const { servers, ...options } = parts;
  const known = new Map<string, Timestamper>();
  return async ({ server, digest }) => {
    const authorities = await servers.open(server);
    if (authorities.length === 0) {
      const ids = (await servers.list()).map(({ id }) => id).join(', ');
      const known = ids === '' ? 'Add one with "sinete tsa add".' : `Configured ids: ${ids}.`;
      const what =
        server === undefined ? 'No time-stamp server can be asked.' : `No time-stamp server has the id "${server}".`;
      throw new ServiceError('TSA_NOT_CONFIGURED', `${what} ${known}`);
    }
    const name = [servers.revision, digest, ...authorities.map(({ id, url }) => `${id} ${url}`)].join('|');
    const present = known.get(name);
    if (present !== undefined) return present;
    if (known.size >= rememberedTimestampers) known.clear();
    const made = createTimestamper({ ...options, authorities, digest });
    known.set(name, made);
    return made;
  };
}

const probeTimeout = 5000;
const probeLifetime = 60_000;

/** Checks whether servers answer, each at most once a minute. */
class ServerProbes {
  readonly #http: HttpClient;
  readonly #known = new Map<string, { readonly until: number; readonly problem: Promise<string | undefined> }>();

  constructor(http: HttpClient) {
    this.#http = http;
  }

  async of(servers: readonly Pick<TimestampServer, 'id' | 'url'>[]): Promise<readonly ServerProbe[]> {
    return Promise.all(
      servers.map(async ({ id, url }) => {
        const problem = await this.#problemOf(url);
        return { id, problem };
      }),
    );
  }

  async #problemOf(url: string): Promise<string | undefined> {
    const known = this.#known.get(url);
    if (known !== undefined && known.until > Date.now()) return known.problem;
    const problem = this.#ask(url);
    this.#known.set(url, { until: Date.now() + probeLifetime, problem });
    return problem;
  }

  /** Any answer counts: a time stamp server has no answer for a GET. */
  async #ask(url: string): Promise<string | undefined> {
    try {
      await this.#http.send({ method: 'GET', url, timeout: probeTimeout, maxBytes: 65_536 });
      return undefined;
    } catch (error) {
      if (!(error instanceof SigningError)) throw error;
      return error.code === 'NETWORK_ANSWER_TOO_LARGE' ? undefined : error.message;
    }
  }
}

const imprintLengths: Readonly<Record<TimestampDigest, number>> = {
  sha256: 32,
  sha384: 48,
  sha512: 64,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
};
