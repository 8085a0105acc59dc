/** Opens a recipient's envelope in a PDF: CMS EnvelopedData (RFC 5652 §6) with RSA key transport. */
import { constants, createDecipheriv, privateDecrypt, type KeyObject } from 'node:crypto';
import type { Certificate } from '../../certificates/certificate.ts';
import { isNamedBy } from '../../signed-data/verify-signer.ts';
import { digestOfOid } from '../../algorithms/signature-algorithm.ts';
import { normalizeBer } from '../../der/normalize-ber.ts';
import { Tag, contextTag, primitiveContextTag, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import { decryptRc2, decryptTripleDes } from '../../keys/pkcs12/forge-ciphers.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';
import { rc4 } from './rc4.ts';

/** A certificate and its private key. */
export interface OpenedRecipient {
  readonly certificate: Certificate;
  readonly privateKey: KeyObject;
}

const ENVELOPED_DATA = '1.2.840.113549.1.7.3';
const RSA_ENCRYPTION = '1.2.840.113549.1.1.1';
const RSAES_OAEP = '1.2.840.113549.1.1.7';

/** AES in CBC mode by OID (RFC 3565 §4.1). */
const AES: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.1.2', 'aes-128-cbc'],
  ['2.16.840.1.101.3.4.1.22', 'aes-192-cbc'],
  ['2.16.840.1.101.3.4.1.42', 'aes-256-cbc'],
]);
const TRIPLE_DES = '1.2.840.113549.3.7';
const RC2 = '1.2.840.113549.3.2';
const RC4 = '1.2.840.113549.3.4';

/** True for a KeyTransRecipientInfo (§6.2.1) of this certificate. */
function isFor(info: DerElement, { certificate }: OpenedRecipient): boolean {
  if (info.tag !== Tag.sequence) return false;
  const identifier = info.child(1, 'the recipient');
  if (identifier.tag === primitiveContextTag(0)) {
    return isNamedBy({ kind: 'keyIdentifier', keyIdentifier: identifier.content })(certificate);
  }
  const issuer = identifier.child(0, 'the issuer of the recipient').bytes;
  const serialNumber = identifier.child(1, 'the serial number').content;
  return isNamedBy({ kind: 'issuerAndSerial', issuer, serialNumber })(certificate);
}

/** The hash function of RSAES-OAEP-params, SHA-1 by default (RFC 4055 §4.1). */
function oaepHash(parameters: DerElement | undefined): string {
  const hash = parameters?.find(contextTag(0))?.child(0, 'the hash function').child(0, 'the hash function');
  const name = hash === undefined ? 'sha1' : digestOfOid(readOid(hash));
  return name ?? unsupported('The key to the PDF is encrypted with a hash function that is not known here.');
}

function transportedKey(info: DerElement, key: KeyObject): Buffer {
  const algorithm = info.child(2, 'the key encryption');
  const oid = readOid(algorithm.child(0, 'the key encryption'));
  const encrypted = info.child(3, 'the key').expect(Tag.octetString, 'the key').content;
  try {
    if (oid === RSA_ENCRYPTION) return privateDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, encrypted);
    if (oid === RSAES_OAEP) {
      const oaep = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: oaepHash(algorithm.children[1]) };
      return privateDecrypt(oaep, encrypted);
    }
  } catch (cause) {
    if (cause instanceof SigningError) throw cause;
    throw new SigningError('KEY_MISMATCH', 'The private key does not open what the PDF holds for its certificate.', {
      cause,
    });
  }
  return unsupported(`The key to the PDF is encrypted with the method ${oid}, which is not supported.`);
}

/** RC2-CBC-Parameter is SEQUENCE of version and IV (RFC 2268 §6); the others have the IV alone. */
function vectorOf(parameters: DerElement | undefined): Buffer {
  const element = parameters?.tag === Tag.sequence ? parameters.children.at(-1) : parameters;
  return element?.expect(Tag.octetString, 'the initialization vector').content ?? malformed('a vector is missing');
}

function decryptContent(algorithm: DerElement, key: Buffer, encrypted: Buffer): Buffer | undefined {
  const oid = readOid(algorithm.child(0, 'the content encryption'));
  const parameters = algorithm.children[1];
  const aes = AES.get(oid);
  try {
    if (aes !== undefined) {
      const decipher = createDecipheriv(aes, key, vectorOf(parameters));
      return Buffer.concat([decipher.update(encrypted), decipher.final()]);
    }
    if (oid === TRIPLE_DES) return decryptTripleDes(key, vectorOf(parameters), encrypted);
    if (oid === RC2) return decryptRc2(key, vectorOf(parameters), encrypted);
    if (oid === RC4) return rc4(key, encrypted);
  } catch (error) {
    if (error instanceof SigningError) throw error;
    return undefined;
  }
  return unsupported(`What the PDF holds for recipients is encrypted with ${oid}, which is not supported.`);
}

/**
 * The content of the envelope, or undefined when this recipient is not listed. Throws `DER_MALFORMED`;
 * `PDF_UNSUPPORTED` for other algorithms; `KEY_MISMATCH` when the key does not open the envelope.
 */
export function openEnvelope(envelope: Buffer, recipient: OpenedRecipient): Buffer | undefined {
  const message = readDer(normalizeBer(envelope)).expect(Tag.sequence, 'the envelope');
  if (readOid(message.child(0, 'the type')) !== ENVELOPED_DATA) unsupported('A recipient entry is no CMS envelope.');
  const fields = message.child(1, 'the envelope').child(0, 'EnvelopedData').children;
  const recipients = fields.find(({ tag }) => tag === Tag.set);
  const info = recipients?.children.find((one) => isFor(one, recipient));
  if (recipients === undefined || info === undefined) return undefined;
  const content = fields[fields.indexOf(recipients) + 1] ?? malformed('a recipient entry has no content');
  const octets = content.children[2];
  const encrypted =
    octets?.constructed === true ? Buffer.concat(octets.children.map((one) => one.content)) : octets?.content;
  const key = transportedKey(info, recipient.privateKey);
  const opened = encrypted && decryptContent(content.child(1, 'the content encryption'), key, encrypted);
  if (opened !== undefined) return opened;
  throw new SigningError('KEY_MISMATCH', 'The private key does not open what the PDF holds for its certificate.');
}
