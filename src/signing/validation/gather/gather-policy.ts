/** The signature-policy-identifier attribute (EN 319 122-1 §5.2.9, RFC 5126 §5.8.1). */
import { CadesOid } from '../../cms/cades-oids.ts';
import type { SignerInfo } from '../../signed-data/signed-data.ts';
import { Tag, readOid, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import type { PolicyFacts } from '../facts.ts';

function readPolicy(value: DerElement): PolicyFacts {
  if (value.tag === Tag.null) return { kind: 'implied' };
  const policy = value.expect(Tag.sequence, 'the signature policy');
  const digest = policy.child(1, 'the hash of the policy').expect(Tag.sequence, 'the hash of the policy');
  return {
    kind: 'explicit',
    oid: readOid(policy.child(0, 'the policy'), 'the policy'),
    hashAlgorithm: readOid(digest.child(0, 'the hash function').child(0, 'the hash function'), 'the hash function'),
    hash: digest.child(1, 'the hash').expect(Tag.octetString, 'the hash').content.toString('hex'),
  };
}

/** The signer's policy; undefined: none is named. */
export function gatherPolicy({ signedAttributes }: SignerInfo): PolicyFacts | undefined {
  const [value] = signedAttributes
    .filter(({ oid }) => oid === CadesOid.signaturePolicyIdentifier)
    .flatMap(({ values }) => values);
  try {
    return value && readPolicy(value);
  } catch (error) {
    if (error instanceof SigningError) return { kind: 'damaged', reason: error.message };
    throw error;
  }
}
