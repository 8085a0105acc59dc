/** The bags of a PKCS#12 file (RFC 7292 §4.2): private keys and certificates, with their linking attributes. */
import { SigningError } from '../../errors.ts';
import { normalizeBer } from '../../der/normalize-ber.ts';
import { Tag, contextTag, readDer, readOid, readString, type DerElement } from '../../der/reader.ts';
import { readAlgorithm } from './algorithms.ts';
import type { Pkcs12Budget } from './limits.ts';

const BAG_TYPES = '1.2.840.113549.1.12.10.1';
const KEY_BAG = `${BAG_TYPES}.1`;
const SHROUDED_KEY_BAG = `${BAG_TYPES}.2`;
const CERTIFICATE_BAG = `${BAG_TYPES}.3`;
const SAFE_CONTENTS_BAG = `${BAG_TYPES}.6`;
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1';
const FRIENDLY_NAME = '1.2.840.113549.1.9.20';
const LOCAL_KEY_ID = '1.2.840.113549.1.9.21';
const MAX_NESTING = 8;

/** A key or certificate of the file. */
export interface Pkcs12Bag {
  /** PKCS#8 PrivateKeyInfo for a key, the certificate's DER for a certificate. */
  readonly content: Buffer;
  /** Empty when the bag has none. */
  readonly friendlyName: string;
  /** Lower-case hex; empty when the bag has none. */
  readonly localKeyId: string;
}

/** The bags found so far, filled by the reader of the file. */
export interface Pkcs12Bags {
  readonly keys: Pkcs12Bag[];
  readonly certificates: Pkcs12Bag[];
}

/** Decrypts an EncryptedPrivateKeyInfo or EncryptedContentInfo and reads the element inside. */
export type OpenEncrypted = (algorithm: DerElement, data: Buffer) => Promise<DerElement>;

/** Bytes of an OCTET STRING, even when a BER writer's segments are unjoined under an IMPLICIT tag. */
export function readBytes(element: DerElement): Buffer {
  return element.constructed ? Buffer.concat(element.children.map(readBytes)) : element.content;
}

/** The element in DER or BER bytes: old exporters write BER at every layer. */
export function readInnerElement(bytes: Buffer): DerElement {
  return readDer(normalizeBer(bytes));
}

function readAttributes(bag: DerElement): Pick<Pkcs12Bag, 'friendlyName' | 'localKeyId'> {
  let friendlyName = '';
  let localKeyId = '';
  for (const attribute of bag.find(Tag.set)?.children ?? []) {
    const oid = readOid(attribute.child(0, 'the type of a bag attribute'), 'the type of a bag attribute');
    const value = attribute.child(1, 'the values of a bag attribute').children[0];
    if (value === undefined) continue;
    if (oid === FRIENDLY_NAME) friendlyName = readString(value, 'the friendly name');
    if (oid === LOCAL_KEY_ID) localKeyId = value.expect(Tag.octetString, 'the local key id').content.toString('hex');
  }
  return { friendlyName, localKeyId };
}

/** RSA, RSASSA-PSS, EC, Ed25519 and Ed448: the supported kinds of signing keys. */
const PRIVATE_KEY_ALGORITHMS: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.1',
  '1.2.840.113549.1.1.10',
  '1.2.840.10045.2.1',
  '1.3.101.112',
  '1.3.101.113',
]);

/** Checks the outer form of a PrivateKeyInfo (RFC 5958 §2) and hands its bytes on. */
function readPrivateKeyInfo(element: DerElement): Buffer {
  element.expect(Tag.sequence, 'the private key');
  element.child(0, 'the version of the private key').expect(Tag.integer, 'the version of the private key');
  const algorithm = readAlgorithm(element.child(1, 'the algorithm of the private key'), 'the algorithm of the key');
  element.child(2, 'the private key').expect(Tag.octetString, 'the private key');
  if (!PRIVATE_KEY_ALGORITHMS.has(algorithm.oid)) {
    throw new SigningError('PKCS12_UNSUPPORTED', `The PKCS#12 file holds a key of the kind ${algorithm.oid}.`);
  }
  return element.bytes;
}

function readCertificateBag(value: DerElement): Buffer | undefined {
  const type = readOid(value.child(0, 'the type of a certificate bag'), 'the type of a certificate bag');
  if (type !== X509_CERTIFICATE) return undefined;
  const wrapped = value.child(1, 'the certificate').expect(contextTag(0), 'the certificate');
  return wrapped.child(0, 'the certificate').expect(Tag.octetString, 'the certificate').content;
}

/**
 * Reads SafeContents and adds its keys and certificates to `bags`. CRLs, secrets and unknown bags are ignored. Rejects
 * with `DER_MALFORMED`, `PKCS12_UNSUPPORTED`, and with the errors of `open`.
 */
export async function readSafeContents(
  contents: DerElement,
  bags: Pkcs12Bags,
  open: OpenEncrypted,
  budget: Pkcs12Budget,
  nesting = 0,
): Promise<void> {
  if (nesting > MAX_NESTING) {
    throw new SigningError('PKCS12_UNSUPPORTED', `The PKCS#12 file nests its entries deeper than ${MAX_NESTING}.`);
  }
  for (const bag of contents.expect(Tag.sequence, 'SafeContents').children) {
    budget.spendBag();
    const type = readOid(bag.expect(Tag.sequence, 'a bag').child(0, 'the type of a bag'), 'the type of a bag');
    const value = bag.child(1, 'a bag').expect(contextTag(0), 'a bag').child(0, 'the content of a bag');
    if (type === KEY_BAG) {
      // A copy, because keys are wiped after use, and the original is part of the caller's file.
      bags.keys.push({ content: Buffer.from(readPrivateKeyInfo(value)), ...readAttributes(bag) });
    } else if (type === SHROUDED_KEY_BAG) {
      const encrypted = value.child(1, 'an encrypted key').expect(Tag.octetString, 'an encrypted key').content;
      const key = await open(value.child(0, 'the cipher of a key'), encrypted);
      bags.keys.push({ content: readPrivateKeyInfo(key), ...readAttributes(bag) });
    } else if (type === CERTIFICATE_BAG) {
      const content = readCertificateBag(value);
      if (content !== undefined) bags.certificates.push({ content, ...readAttributes(bag) });
    } else if (type === SAFE_CONTENTS_BAG) {
      await readSafeContents(value, bags, open, budget, nesting + 1);
    }
  }
}
