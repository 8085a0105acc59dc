import { Oid } from '../../der/oids.ts';
import type { Certificate } from '../certificate.ts';
import { pinnedRoot } from './icp-brasil-roots.ts';

/** The public key infrastructure of an anchor. */
export type Hierarchy = 'ICP-Brasil' | 'gov.br' | 'test' | 'other';

/** The words in the names of test certificates; a certificate gains nothing by claiming to be a test. */
const NO_LEGAL_VALUE = 'SEM VALOR LEGAL';

/** Decided by the anchor's fingerprint, never by its name, because anyone can write a name. */
export function hierarchyOf(anchor: Certificate): Hierarchy {
  const pinned = pinnedRoot(anchor.fingerprint);
  if (pinned !== undefined) return pinned.hierarchy;
  const isTest = anchor.subjectAttributes.some(
    ({ oid, value }) => oid === Oid.organizationalUnitName && value === NO_LEGAL_VALUE,
  );
  return isTest ? 'test' : 'other';
}
