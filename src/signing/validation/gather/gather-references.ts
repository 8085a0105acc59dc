/** References to evidence and values of evidence in the attributes of one signer (RFC 5126 §6.2, §6.3). */
import { digestBytes } from '../../algorithms/algorithms.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { CadesOid } from '../../cms/cades-oids.ts';
import { Tag, contextTag, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import type { SignerInfo } from '../../signed-data/signed-data.ts';
import { objectKey, type MaterialFacts, type ObjectKey } from '../facts.ts';
import { addAttributeValue } from './gather-material.ts';
import type { EvidencePool } from './evidence-pool.ts';

const valuesOf = ({ unsignedAttributes }: SignerInfo, ...oids: readonly string[]): readonly DerElement[] =>
  oids
    .flatMap((oid) => unsignedAttributes.filter((attribute) => attribute.oid === oid))
    .flatMap(({ values }) => values);

/** Every byte string in references: digests of certificates and of revocation data, and harmless names. */
function digestsIn(element: DerElement): readonly string[] {
  if (element.constructed) return element.children.flatMap(digestsIn);
  return [element.content.toString('hex')];
}

const ALGORITHMS = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

/** Objects of the pool and of `path` whose digests occur in the references. */
export function referencedObjects(
  info: SignerInfo,
  pool: EvidencePool,
  path: readonly Certificate[] = [],
): readonly ObjectKey[] {
  const attributes = valuesOf(info, CadesOid.certificateReferences, CadesOid.revocationReferences);
  if (attributes.length === 0) return [];
  const digests = new Set(attributes.flatMap(digestsIn));
  return [...[...pool.certificates, ...path].map(({ der }) => der), ...pool.revocationData]
    .filter((der) => ALGORITHMS.some((algorithm) => digests.has(digestBytes(algorithm, der).toString('hex'))))
    .map(objectKey);
}

/** DER of the issuers in the CrlIdentifiers of complete-revocation-references (RFC 5126 §6.2.2). */
function listIssuers(info: SignerInfo): readonly Buffer[] {
  try {
    return valuesOf(info, CadesOid.revocationReferences)
      .flatMap((value) => value.children)
      .flatMap((reference) => reference.find(contextTag(0))?.children ?? [])
      .flatMap((list) => list.child(0, 'the references to lists').children)
      .flatMap((list) => (list.children[1]?.tag === Tag.sequence ? [list.children[1]] : []))
      .map((identifier) => identifier.child(0, 'the issuer of a list').bytes);
  } catch (error) {
    // Damaged references name no list.
    if (error instanceof SigningError) return [];
    throw error;
  }
}

/** Gathers the facts about references and values; `path` is the path of the signer's certificate. */
export function gatherReferences(info: SignerInfo, pool: EvidencePool, path: readonly Certificate[]): MaterialFacts {
  const keysOf = (oid: string): ReadonlySet<ObjectKey> =>
    new Set(valuesOf(info, oid).flatMap((value) => addAttributeValue(pool, oid, value)));
  return {
    referenced: new Set(referencedObjects(info, pool, path)),
    listIssuers: listIssuers(info),
    certificateValues: keysOf(CadesOid.certificateValues),
    revocationValues: keysOf(CadesOid.revocationValues),
  };
}
