/**
 * Runs NIST's Public Key Interoperability Test Suite (PKITS 1.0.1): certification paths with their revocation lists.
 * Certificates and lists are in Debian's package python3-cryptography-vectors; cases.json has the expected results and
 * the initial parameters.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildPath,
  createMemoryRevocationCache,
  createPathCompleter,
  createRevocationChecker,
  createTrustAnchors,
  parseCertificate,
  type Certificate,
} from '../../../src/signing/index.ts';
import { EvidencePool } from '../../../src/signing/validation/gather/evidence-pool.ts';
import { freshUntil } from '../../../src/signing/revocation/revocation-result.ts';
import { systemFile } from '../../setup/system-packages.ts';
import { gatherChain } from '../../../src/signing/validation/gather/gather-chain.ts';

interface Parameters {
  readonly user_initial_policy_set?: readonly string[];
  readonly initial_explicit_policy?: boolean;
  readonly initial_policy_mapping_inhibit?: boolean;
  readonly initial_any_policy_inhibit?: boolean;
}

export interface PkitsCase {
  readonly test: string;
  readonly name: string;
  readonly endEntity: string;
  readonly intermediates: readonly string[];
  readonly lists: readonly string[];
  readonly isValid: boolean;
  readonly parameters?: Parameters;
}

/** A time at which all certificates and lists of the suite are meant to be judged. */
const AT = new Date('2020-01-01T00:00:00Z');

/** DSA is in no signature of today, and is not read. */
export const isDsa = ({ name }: PkitsCase): boolean => name.includes('dsa');

export async function readCases(): Promise<readonly PkitsCase[]> {
  const text = await readFile(new URL('cases.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly cases: readonly PkitsCase[] }).cases;
}

const bytesOf = (folder: string, name: string): Promise<Buffer> => readFile(join(systemFile('PKITS'), folder, name));

const certificateOf = async (name: string): Promise<Certificate> => parseCertificate(await bytesOf('certs', name));

/** True when the path is valid and no certificate of the path is revoked or of unknown state. */
export async function runCase({ endEntity, intermediates, lists, parameters = {} }: PkitsCase): Promise<boolean> {
  const anchor = await certificateOf('TrustAnchorRootCertificate.crt');
  const certificate = await certificateOf(endEntity);
  const between = await Promise.all(intermediates.map(certificateOf));
  const path = buildPath({
    certificate,
    intermediates: between,
    anchors: [anchor],
    at: AT,
    allowLegacyAlgorithms: true,
    policies: {
      acceptable: parameters.user_initial_policy_set,
      requireExplicit: parameters.initial_explicit_policy === true,
      inhibitMapping: parameters.initial_policy_mapping_inhibit === true,
      inhibitAny: parameters.initial_any_policy_inhibit === true,
    },
  });
  if (path.outcome !== 'valid') return false;
  const now = (): Date => AT;
  const pool = new EvidencePool(AT);
  pool.addCertificates([certificate, ...between]);
  for (const list of ['TrustAnchorRootCRL.crl', ...lists]) pool.addList(await bytesOf('crls', list));
  const ways = { cache: createMemoryRevocationCache({ now }), now };
  const services = {
    trust: createTrustAnchors([anchor]),
    revocation: createRevocationChecker({ ...ways, allowLegacyAlgorithms: true }),
    completePath: createPathCompleter(ways),
    now,
  };
  const context = { services, at: AT, pool, chains: new Map(), signal: undefined };
  const chain = await gatherChain(certificate, 'any', context);
  return (
    chain.reachesAnchor &&
    chain.problems.length === 0 &&
    chain.links.every(({ isAnchor, evidence: [latest] }) => {
      return isAnchor || (latest !== undefined && latest.revocation === undefined && freshUntil(latest) >= AT);
    })
  );
}
