/** Opens a recipient's envelope in a PDF: CMS EnvelopedData (RFC 5652 §6) with RSA key transport. */
import {
  constants,
  createDecipheriv,
  privateDecrypt,
  type KeyObject,
  createHash,
  createPrivateKey,
  createPublicKey,
} from 'node:crypto';
import type { Certificate } from '../../certificates/certificate.ts';
import { isNamedBy } from '../../signed-data/verify-signer.ts';
import { digestOfOid } from '../../algorithms/signature-algorithm.ts';
import { normalizeBer } from '../../der/normalize-ber.ts';
import { Tag, contextTag, primitiveContextTag, readDer, readOid, type DerElement } from '../../der/reader.ts';
import { SigningError } from '../../errors.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';
import { rc4, readMethods, type FileEncryption } from './object-cipher.ts';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { samePublicKey } from '../../keys/same-key.ts';
import { nameOf, numberOf, PdfString, type PdfDictionary, type PdfValue } from '../syntax/values.ts';

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
    throw new SigningError(
      'KEY_MISMATCH',
      'The private key does not decrypt the data for its certificate in the PDF.',
      {
        cause,
      },
    );
  }
  return unsupported(`The key to the PDF is encrypted with the method ${oid}, which is not supported.`);
}

/** RC2-CBC-Parameter is a SEQUENCE of version and IV (RFC 2268 §6); the other ciphers have the IV alone. */
function vectorOf(parameters: DerElement | undefined): Buffer {
  const element = parameters?.tag === Tag.sequence ? parameters.children.at(-1) : parameters;
  return element?.expect(Tag.octetString, 'the initialization vector').content ?? malformed('a vector is missing');
}

async function decryptContent(algorithm: DerElement, key: Buffer, encrypted: Buffer): Promise<Buffer | undefined> {
  const oid = readOid(algorithm.child(0, 'the content encryption'));
  const parameters = algorithm.children[1];
  const aes = AES.get(oid);
  try {
    if (aes !== undefined) {
      const decipher = createDecipheriv(aes, key, vectorOf(parameters));
      return Buffer.concat([decipher.update(encrypted), decipher.final()]);
    }
    if (oid === TRIPLE_DES || oid === RC2) {
      const { decryptRc2, decryptTripleDes } = await import('../../keys/pkcs12/forge-ciphers.ts');
      return (oid === RC2 ? decryptRc2 : decryptTripleDes)(key, vectorOf(parameters), encrypted);
    }
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
export async function openEnvelope(envelope: Buffer, recipient: OpenedRecipient): Promise<Buffer | undefined> {
  const message = readDer(normalizeBer(envelope)).expect(Tag.sequence, 'the envelope');
  if (readOid(message.child(0, 'the type')) !== ENVELOPED_DATA) unsupported('A recipient entry is no CMS envelope.');
  const fields = message.child(1, 'the envelope').child(0, 'EnvelopedData').children;
  const recipients = fields.find(({ tag }) => tag === Tag.set);
  const info = recipients?.children.find((one) => isFor(one, recipient));
  if (recipients === undefined || info === undefined) return undefined;
  const content = fields[fields.indexOf(recipients) + 1] ?? malformed('a recipient entry has no content');
  const bytes = content.children[2];
  const encrypted =
    bytes?.constructed === true ? Buffer.concat(bytes.children.map((one) => one.content)) : bytes?.content;
  const key = transportedKey(info, recipient.privateKey);
  const opened = encrypted && (await decryptContent(content.child(1, 'the content encryption'), key, encrypted));
  if (opened !== undefined) return opened;
  throw new SigningError('KEY_MISMATCH', 'The private key does not decrypt the data for its certificate in the PDF.');
}

// The public-key security handler: PDFs encrypted for the holders of certificates (ISO 32000-2 §7.6.5).

/** The key of a recipient of an encrypted PDF. Plain bytes, so that the key can be passed to a thread. */
export interface PdfRecipient {
  /** DER. */
  readonly certificate: Uint8Array;
  /** DER of PrivateKeyInfo; an RSA key. */
  readonly privateKey: Uint8Array;
}

type Resolve = (value: PdfValue | undefined) => PdfValue;

const SEED_LENGTH = 20;
const MOST_RECIPIENTS = 1000;

/** Where the recipients are listed: the crypt filter of `adbe.pkcs7.s5`, else the encryption dictionary (§7.6.5.2). */
function holderOf(dictionary: PdfDictionary, version: number, resolve: Resolve): PdfDictionary {
  if (version < 4) return dictionary;
  const filters = resolve(dictionary.get('CF'));
  const names = ['StmF', 'StrF'].map((key) => nameOf(resolve(dictionary.get(key))) ?? 'Identity');
  const used = [...new Set(names.filter((name) => name !== 'Identity'))];
  if (used.length !== 1) unsupported('The PDF is encrypted for recipients with two different crypt filters.');
  const filter = filters instanceof Map ? resolve(filters.get(used[0] ?? '')) : null;
  return filter instanceof Map ? filter : malformed('its encryption names a filter that it does not describe');
}

function recipientsOf(holder: PdfDictionary, resolve: Resolve): readonly Buffer[] {
  const listed = resolve(holder.get('Recipients'));
  const entries = (Array.isArray(listed) ? listed : [listed]).map(resolve);
  const envelopes = entries.flatMap((entry) => (entry instanceof PdfString ? [entry.stored] : []));
  if (envelopes.length === 0 || envelopes.length > MOST_RECIPIENTS) malformed('its encryption lists no recipients');
  return envelopes;
}

/** Bytes of the key; crypt filters count bytes or bits. */
function keyLength(holder: PdfDictionary, version: number, resolve: Resolve): number {
  if (version === 1) return 5;
  if (version === 4) return 16;
  if (version >= 5) return 32;
  const bits = numberOf(resolve(holder.get('Length'))) ?? 40;
  const bytes = Math.floor(bits < 40 ? bits : bits / 8);
  return bytes >= 5 && bytes <= 16 ? bytes : malformed(`its encryption has a key of ${bits} bits`);
}

function open({ certificate: der, privateKey: pkcs8 }: PdfRecipient): OpenedRecipient {
  let recipient: OpenedRecipient;
  try {
    const privateKey = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
    recipient = { certificate: parseCertificate(Buffer.from(der)), privateKey };
  } catch (cause) {
    throw new SigningError('KEY_MISMATCH', "The recipient's key cannot be read.", { cause });
  }
  // RSA decryption with padding of PKCS #1 v1.5 answers noise for a wrong key, not an error, so the keys are compared
  // first.
  if (samePublicKey(recipient.certificate.publicKey(), createPublicKey(recipient.privateKey))) return recipient;
  throw new SigningError('KEY_MISMATCH', "The private key does not belong to the recipient's certificate.");
}

/** Algorithm 1 of §7.6.5.3: seed, every envelope unchanged, and a mark for plain metadata. */
function fileKeyOf(
  seed: Buffer,
  envelopes: readonly Buffer[],
  encryptMetadata: boolean,
  { version, length }: { readonly version: number; readonly length: number },
): Buffer {
  const digest = createHash(version >= 5 ? 'sha256' : 'sha1').update(seed);
  for (const envelope of envelopes) digest.update(envelope);
  if (version >= 4 && !encryptMetadata) digest.update(Buffer.alloc(4, 0xff));
  return digest.digest().subarray(0, length);
}

/**
 * Opens a PDF encrypted for certificates with a recipient's RSA key. Throws `PDF_ENCRYPTED` without a recipient, or for
 * an unlisted recipient; `KEY_MISMATCH`; `PDF_UNSUPPORTED`; `PDF_MALFORMED`.
 */
export async function openForRecipient(
  dictionary: PdfDictionary,
  resolve: Resolve,
  recipient: PdfRecipient | undefined,
): Promise<FileEncryption> {
  const way = 'Give the key of one of them, or take a copy that is not encrypted, or that opens with a password.';
  if (recipient === undefined) {
    throw new SigningError('PDF_ENCRYPTED', `The PDF is encrypted for the holders of certain certificates. ${way}`);
  }
  const version = numberOf(resolve(dictionary.get('V'))) ?? 0;
  const subFilter = nameOf(resolve(dictionary.get('SubFilter'))) ?? '';
  if (![1, 2, 4, 5, 6].includes(version) || !/^adbe\.pkcs7\.s[345]$/.test(subFilter)) {
    unsupported(`The PDF uses encryption version ${version} with "${subFilter}", which is not supported.`);
  }
  const holder = holderOf(dictionary, version, resolve);
  const envelopes = recipientsOf(holder, resolve);
  const opened = open(recipient);
  for (const envelope of envelopes) {
    const content = await readEnvelope(envelope, opened);
    if (content === undefined) continue;
    if (content.length < SEED_LENGTH) malformed('its data for a recipient is too short');
    const encryptMetadata = resolve((version >= 4 ? holder : dictionary).get('EncryptMetadata')) !== false;
    const sizes = { version, length: keyLength(holder, version, resolve) };
    const fileKey = fileKeyOf(content.subarray(0, SEED_LENGTH), envelopes, encryptMetadata, sizes);
    return { fileKey, methods: readMethods(dictionary, version, resolve) };
  }
  throw new SigningError('PDF_ENCRYPTED', `The PDF is encrypted for others than the holder of this key. ${way}`);
}

async function readEnvelope(envelope: Buffer, recipient: OpenedRecipient): Promise<Buffer | undefined> {
  try {
    return await openEnvelope(envelope, recipient);
  } catch (error) {
    if (!(error instanceof SigningError) || error.code !== 'DER_MALFORMED') throw error;
    throw new SigningError('PDF_MALFORMED', 'The PDF is damaged: its data for a recipient cannot be read.', {
      cause: error,
    });
  }
}
