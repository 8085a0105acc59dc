/** The public-key security handler: PDFs encrypted for the holders of certificates (ISO 32000-2 §7.6.5). */
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { parseCertificate } from '../../certificates/parse-certificate.ts';
import { SigningError } from '../../errors.ts';
import { samePublicKey } from '../../keys/same-key.ts';
import { readMethods, type FileEncryption } from './encryption-methods.ts';
import { malformed, unsupported } from '../syntax/pdf-error.ts';
import { openEnvelope, type OpenedRecipient } from './recipient-envelope.ts';
import { nameOf, numberOf, PdfString, type PdfDictionary, type PdfValue } from '../syntax/values.ts';

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

/** Octets of the key; crypt filters count octets or bits. */
function keyLength(holder: PdfDictionary, version: number, resolve: Resolve): number {
  if (version === 1) return 5;
  if (version === 4) return 16;
  if (version === 5) return 32;
  const bits = numberOf(resolve(holder.get('Length'))) ?? 40;
  const octets = Math.floor(bits < 40 ? bits : bits / 8);
  return octets >= 5 && octets <= 16 ? octets : malformed(`its encryption has a key of ${bits} bits`);
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
  const digest = createHash(version === 5 ? 'sha256' : 'sha1').update(seed);
  for (const envelope of envelopes) digest.update(envelope);
  if (version >= 4 && !encryptMetadata) digest.update(Buffer.alloc(4, 0xff));
  return digest.digest().subarray(0, length);
}

/**
 * Opens a PDF encrypted for certificates with a recipient's RSA key. Throws `PDF_ENCRYPTED` without a recipient, or for
 * an unlisted recipient; `KEY_MISMATCH`; `PDF_UNSUPPORTED`; `PDF_MALFORMED`.
 */
export function openForRecipient(
  dictionary: PdfDictionary,
  resolve: Resolve,
  recipient: PdfRecipient | undefined,
): FileEncryption {
  const way = 'Give the key of one of them, or take a copy that is not encrypted, or that opens with a password.';
  if (recipient === undefined) {
    throw new SigningError('PDF_ENCRYPTED', `The PDF is encrypted for the holders of certain certificates. ${way}`);
  }
  const version = numberOf(resolve(dictionary.get('V'))) ?? 0;
  const subFilter = nameOf(resolve(dictionary.get('SubFilter'))) ?? '';
  if (![1, 2, 4, 5].includes(version) || !/^adbe\.pkcs7\.s[345]$/.test(subFilter)) {
    unsupported(`The PDF uses encryption version ${version} with "${subFilter}", which is not supported.`);
  }
  const holder = holderOf(dictionary, version, resolve);
  const envelopes = recipientsOf(holder, resolve);
  const opened = open(recipient);
  for (const envelope of envelopes) {
    const content = readEnvelope(envelope, opened);
    if (content === undefined) continue;
    if (content.length < SEED_LENGTH) malformed('what it holds for a recipient is too short');
    const encryptMetadata = resolve((version >= 4 ? holder : dictionary).get('EncryptMetadata')) !== false;
    const sizes = { version, length: keyLength(holder, version, resolve) };
    const fileKey = fileKeyOf(content.subarray(0, SEED_LENGTH), envelopes, encryptMetadata, sizes);
    return { fileKey, methods: readMethods(dictionary, version, resolve) };
  }
  throw new SigningError('PDF_ENCRYPTED', `The PDF is encrypted for others than the holder of this key. ${way}`);
}

function readEnvelope(envelope: Buffer, recipient: OpenedRecipient): Buffer | undefined {
  try {
    return openEnvelope(envelope, recipient);
  } catch (error) {
    if (!(error instanceof SigningError) || error.code !== 'DER_MALFORMED') throw error;
    throw new SigningError('PDF_MALFORMED', 'The PDF is damaged: what it holds for a recipient cannot be read.', {
      cause: error,
    });
  }
}
