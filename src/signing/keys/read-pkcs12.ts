/** Reads PKCS#12 files (RFC 7292), in the forms of certification authorities and browsers. */
import { SigningError } from '../errors.ts';
import { normalizeBerPrefix } from '../der/normalize-ber.ts';
import { unwrapText } from '../der/unwrap-text.ts';
import { Tag, contextTag, readDer, readOid, readSmallInteger, type DerElement } from '../der/reader.ts';
import { readAlgorithm } from './pkcs12/algorithms.ts';
import { readInnerElement, readBytes, readSafeContents, type Pkcs12Bags } from './pkcs12/bags.ts';
import { decryptWithPassword } from './pkcs12/decrypt.ts';
import { DEFAULT_PKCS12_LIMITS, Pkcs12Budget, type Pkcs12Limits } from './pkcs12/limits.ts';
import { matchKeys, type Pkcs12Key } from './pkcs12/match-keys.ts';
import { pkcs12Password, type Pkcs12Password } from './pkcs12/passwords.ts';
import { refuseOtherKinds } from './pkcs12/refuse-other-kinds.ts';
import { verifyMac } from './pkcs12/verify-mac.ts';

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';

/** The contents of a PKCS#12 file. */
export interface Pkcs12Contents {
  /** The private keys with a certificate, in the file's order. */
  readonly keys: readonly Pkcs12Key[];
  /** DER of every certificate, in the file's order. */
  readonly certificates: readonly Buffer[];
  /** The number of private keys left out because no certificate in the file matches. */
  readonly keysWithoutCertificate: number;
}

/** A password under test. `proven` after a right MAC or, without a MAC, after the first right decryption. */
interface Trial {
  readonly password: Pkcs12Password;
  readonly budget: Pkcs12Budget;
  proven: boolean;
}

const wrongPassword = (): SigningError =>
  new SigningError('PASSWORD_INCORRECT', 'The password does not open the PKCS#12 file.');

const malformed = (detail: string, cause?: unknown): SigningError =>
  new SigningError('PKCS12_MALFORMED', `The PKCS#12 file is damaged: ${detail}.`, { cause });

function tryToRead(plain: Buffer): DerElement | undefined {
  try {
    return readInnerElement(plain).expect(Tag.sequence, 'a decrypted part');
  } catch {
    plain.fill(0);
    return undefined;
  }
}

async function openEncrypted(trial: Trial, algorithm: DerElement, data: Buffer): Promise<DerElement> {
  const scheme = readAlgorithm(algorithm, 'the encryption');
  for await (const plain of decryptWithPassword(scheme, data, trial.password, trial.budget)) {
    const element = tryToRead(plain);
    if (element === undefined) continue;
    trial.proven = true;
    return element;
  }
  throw trial.proven ? malformed('a part of it does not decrypt, although the password is right') : wrongPassword();
}

/** The SafeContents of a ContentInfo (RFC 7292 §4.1), decrypted if necessary. */
async function openContentInfo(info: DerElement, trial: Trial): Promise<DerElement> {
  const type = readOid(info.child(0, 'the type of a ContentInfo'), 'the type of a ContentInfo');
  if (type !== DATA && type !== ENCRYPTED_DATA) {
    throw new SigningError(
      'PKCS12_UNSUPPORTED',
      'The PKCS#12 file is protected with a public key instead of a password. Export it again with a password.',
    );
  }
  const content = info.child(1, 'the content').expect(contextTag(0), 'the content').child(0, 'the content');
  if (type === DATA) return readInnerElement(readBytes(content.expect(Tag.octetString, 'the content')));
  const encrypted = content.child(1, 'the encrypted content');
  const bytes = encrypted.children[2];
  if (bytes === undefined) throw malformed('an encrypted part is empty');
  return openEncrypted(trial, encrypted.child(1, 'the encryption'), readBytes(bytes));
}

/**
 * The PFX in a file. Other bytes may follow: OpenSSL and Java ignore them, and transfers leave zeros or a line end there.
 */
function readPfx(file: Uint8Array): DerElement {
  const bytes = unwrapText(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  return readDer(normalizeBerPrefix(bytes).der);
}

async function readBags(file: Uint8Array, trial: Trial): Promise<Pkcs12Bags> {
  const pfx = readPfx(file);
  const version = readSmallInteger(pfx.expect(Tag.sequence, 'PFX').child(0, 'the version'), 'the version');
  if (version !== 3) throw new SigningError('PKCS12_UNSUPPORTED', `PKCS#12 version ${version} is not supported.`);
  const outer = pfx.child(1, 'the content');
  if (readOid(outer.child(0, 'the content type'), 'the content type') !== DATA) {
    throw new SigningError('PKCS12_UNSUPPORTED', 'The PKCS#12 file is signed with a key instead of a password.');
  }
  const wrapped = outer.child(1, 'the content').expect(contextTag(0), 'the content').child(0, 'the content');
  const safe = readBytes(wrapped.expect(Tag.octetString, 'the content'));
  const macData = pfx.children[2];
  if (macData !== undefined) {
    if (!(await verifyMac(macData, safe, trial.password, trial.budget))) throw wrongPassword();
    trial.proven = true;
  }
  const bags: Pkcs12Bags = { keys: [], certificates: [] };
  for (const info of readInnerElement(safe).expect(Tag.sequence, 'AuthenticatedSafe').children) {
    const contents = await openContentInfo(info, trial);
    await readSafeContents(contents, bags, (...encrypted) => openEncrypted(trial, ...encrypted), trial.budget);
  }
  return bags;
}

/** Converts errors of the file's parts to errors of the file. */
function asPkcs12Error(error: unknown): unknown {
  if (!(error instanceof SigningError)) return error;
  const isPart = error.code === 'DER_MALFORMED' || error.code === 'CERTIFICATE_MALFORMED';
  return isPart ? new SigningError('PKCS12_MALFORMED', 'The PKCS#12 file is damaged.', { cause: error }) : error;
}

/**
 * Reads a PKCS#12 file with its password. Encryption: PBES2 (AES and triple DES in CBC mode, PBKDF2 or scrypt), the
 * triple DES and RC2 schemes of PKCS#12, or none; integrity: the MAC of PKCS#12, PBMAC1, or none. BER is accepted, and so are PEM, base64, and bytes behind the
 * file's structure.
 *
 * Rejects with `PASSWORD_INCORRECT` for a wrong MAC or, without a MAC, when the first encrypted part does not decrypt
 * to DER; `PKCS12_MALFORMED` for damage and for an empty file; `PKCS12_UNSUPPORTED` for other algorithms, for other kinds of
 * files, and for a file beyond `limits`, with the limit in the message. A file changed after its MAC was made looks like a wrong password.
 */
export async function readPkcs12(
  file: Uint8Array,
  password: string,
  limits: Partial<Pkcs12Limits> = {},
): Promise<Pkcs12Contents> {
  const allLimits = { ...DEFAULT_PKCS12_LIMITS, ...limits };
  if (file.length > allLimits.maxBytes) {
    const size = `${allLimits.maxBytes / 1024 / 1024} MiB`;
    throw new SigningError('PKCS12_UNSUPPORTED', `The PKCS#12 file is larger than ${size}, which is the limit.`);
  }
  refuseOtherKinds(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const trial: Trial = { password: pkcs12Password(password), budget: new Pkcs12Budget(allLimits), proven: false };
  try {
    const bags = await readBags(file, trial);
    const { keys, unmatched } = matchKeys(bags);
    for (const bag of bags.keys) bag.content.fill(0);
    return { keys, certificates: bags.certificates.map(({ content }) => content), keysWithoutCertificate: unmatched };
  } catch (error) {
    throw asPkcs12Error(error);
  } finally {
    trial.password.wipe();
  }
}
