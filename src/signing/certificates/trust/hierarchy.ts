import { Oid } from '../../der/oids.ts';
import type { Certificate } from '../certificate.ts';
import { pinnedRoot } from './icp-brasil-roots.ts';

/** To which public key infrastructure an anchor belongs. */
export type Hierarchy = 'ICP-Brasil' | 'gov.br' | 'test' | 'other';

/** What the names of test certificates say; claiming it gives nobody anything. */
const NO_LEGAL_VALUE = 'SEM VALOR LEGAL';

/** By the anchor's fingerprint, never by its name, which anyone can write. */
export function hierarchyOf(anchor: Certificate): Hierarchy {
  const pinned = pinnedRoot(anchor.fingerprint);
  if (pinned !== undefined) return pinned.hierarchy;
  const isTest = anchor.subjectAttributes.some(
    ({ oid, value }) => oid === Oid.organizationalUnitName && value === NO_LEGAL_VALUE,
  );
  return isTest ? 'test' : 'other';
}
