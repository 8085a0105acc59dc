import { Tag, readOid, type DerElement } from '../../der/reader.ts';

/** Hash functions of PKCS#12 key derivations and MACs. SHA-1 is supported for reading only. */
export type Pkcs12Hash = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** Hash functions by object identifier. */
export const HASHES: ReadonlyMap<string, Pkcs12Hash> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

/** HMACs by object identifier (RFC 8018 Appendix B.1.2). */
export const HMACS: ReadonlyMap<string, Pkcs12Hash> = new Map([
  ['1.2.840.113549.2.7', 'sha1'],
  ['1.2.840.113549.2.9', 'sha256'],
  ['1.2.840.113549.2.10', 'sha384'],
  ['1.2.840.113549.2.11', 'sha512'],
]);

/** Bytes of a digest. */
export const HASH_LENGTH: Readonly<Record<Pkcs12Hash, number>> = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 };

/** An AlgorithmIdentifier taken apart (RFC 5280 §4.1.1.2). */
export interface AlgorithmIdentifier {
  readonly oid: string;
  /** NULL counts as absent. */
  readonly parameters: DerElement | undefined;
}

/** Reads an AlgorithmIdentifier; errors name `what`. */
export function readAlgorithm(element: DerElement, what: string): AlgorithmIdentifier {
  element.expect(Tag.sequence, what);
  const parameters = element.children[1];
  return {
    oid: readOid(element.child(0, `the identifier of ${what}`), what),
    parameters: parameters?.tag === Tag.null ? undefined : parameters,
  };
}
