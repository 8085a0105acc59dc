import { ServiceError, type SignatureEvidence } from '../../service/index.ts';
import {
  createMaterialCollector,
  createPathCompleter,
  createTimestamper,
  hierarchyOf,
  type Certificate,
  type HttpClient,
  type PathPurpose,
  type PathResult,
  type RevocationCache,
  type Timestamper,
} from '../../signing/index.ts';
import type { TimestampServers } from './timestamp-servers.ts';
import type { Trust } from './trust.ts';

/** What evidence is gathered with. */
export interface EvidenceParts {
  readonly http: HttpClient;
  readonly trust: Trust;
  readonly servers: TimestampServers;
  readonly cache: RevocationCache;
  readonly now: () => Date;
}

/** The evidence of this instance; built once, so that what was fetched is shared. */
export interface Evidence extends SignatureEvidence {
  /** Asks one server for a stamp of nothing in particular. Rejects with `SigningError` when it gives no good one. */
  testServer(id: string): ReturnType<Timestamper['stamp']>;
}

/** Builds the evidence of an instance. Anchors that are imported later count at once. */
export function openEvidence({ http, trust, servers, cache, now }: EvidenceParts): Evidence {
  const complete = createPathCompleter({ http, cache, now });
  const buildPath = async (
    certificate: Certificate,
    known: readonly Certificate[],
    at: Date,
    purpose: PathPurpose,
  ): Promise<PathResult> => {
    const { anchors, intermediates } = trust;
    return complete({ certificate, intermediates: [...known, ...intermediates], anchors, at, purpose });
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
  const timestamper: Evidence['timestamper'] = async ({ server, digest }) => {
    const authorities = await servers.open(server);
    if (authorities.length === 0) {
      throw new ServiceError('TSA_NOT_CONFIGURED', 'No time-stamp server that could be asked is configured.');
    }
    return createTimestamper({ authorities, http, now, validateChain, ...(digest === undefined ? {} : { digest }) });
  };
  return {
    timestampServers: async () => (await servers.list()).map(({ id }) => id),
    timestamper,
    collector: createMaterialCollector({
      http,
      cache,
      now,
      get anchors() {
        return trust.anchors;
      },
      get intermediates() {
        return trust.intermediates;
      },
    }),
    async findChainEnd(certificate, chain, at) {
      const { outcome, path } = await buildPath(certificate, chain, at, 'any');
      const anchor = outcome === 'valid' ? path.at(-1) : undefined;
      return anchor && { fingerprint: anchor.fingerprint, hierarchy: hierarchyOf(anchor) };
    },
    async testServer(id) {
      const stamper = await timestamper({ server: id });
      return stamper.stamp(Buffer.alloc(imprintLengths[stamper.digest]));
    },
  };
}

const imprintLengths = { sha256: 32, sha384: 48, sha512: 64 } as const;
