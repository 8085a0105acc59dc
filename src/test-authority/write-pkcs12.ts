/** Writes PKCS#12 files (RFC 7292): AES-256 with PBKDF2 and HMAC-SHA256 (RFC 8018), and a MAC with SHA-256. */
import { createCipheriv, createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  DEFAULT_PKCS12_LIMITS,
  Oid,
  Pkcs12Budget,
  Tag,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derPrimitiveContext,
  derSequence,
  derSetOf,
  derivePkcs12Key,
  pkcs12Password,
} from '../signing/index.ts';
import { AuthorityOid } from './oids.ts';
import type { TestIdentity } from './test-authority.ts';

const pbkdf2Async = promisify(pbkdf2);

/** Options of a PKCS#12 file. */
export interface WritePkcs12Options {
  /** The key's name in programs; by default none. */
  readonly friendlyName?: string;
  /** Rounds of password hashing for each part; by default 10 000. */
  readonly iterations?: number;
}

interface Encrypted {
  /** DER of the AlgorithmIdentifier. */
  readonly algorithm: Buffer;
  readonly cipherText: Buffer;
}

async function encrypt(plain: Uint8Array, password: Uint8Array, iterations: number): Promise<Encrypted> {
  const salt = randomBytes(16);
  const iv = randomBytes(16);
  const key = await pbkdf2Async(password, salt, iterations, 32, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const cipherText = Buffer.concat([cipher.update(plain), cipher.final()]);
  key.fill(0);
  const prf = derSequence(derOid(AuthorityOid.hmacWithSha256), derNull());
  const derivation = derSequence(derOctetString(salt), derInteger(iterations), prf);
  const parameters = derSequence(
    derSequence(derOid(AuthorityOid.pbkdf2), derivation),
    derSequence(derOid(AuthorityOid.aes256Cbc), derOctetString(iv)),
  );
  return { algorithm: derSequence(derOid(AuthorityOid.pbes2), parameters), cipherText };
}

function bag(type: string, value: Uint8Array, attributes: readonly Uint8Array[]): Buffer {
  return derSequence(derOid(type), derContext(0, value), ...(attributes.length === 0 ? [] : [derSetOf(...attributes)]));
}

function bagAttributes(localKeyId: Buffer, friendlyName: string | undefined): readonly Buffer[] {
  const keyId = derSequence(derOid(AuthorityOid.localKeyId), derSetOf(derOctetString(localKeyId)));
  if (friendlyName === undefined) return [keyId];
  const text = derElement(Tag.bmpString, Buffer.from(friendlyName, 'utf16le').swap16());
  return [keyId, derSequence(derOid(AuthorityOid.friendlyName), derSetOf(text))];
}

function certificateBag(certificate: Uint8Array, attributes: readonly Uint8Array[]): Buffer {
  const value = derSequence(derOid(AuthorityOid.x509Certificate), derContext(0, derOctetString(certificate)));
  return bag(AuthorityOid.certificateBag, value, attributes);
}

const dataContent = (bytes: Uint8Array): Buffer => derSequence(derOid(Oid.data), derContext(0, derOctetString(bytes)));

function encryptedContent({ algorithm, cipherText }: Encrypted): Buffer {
  const content = derSequence(derOid(Oid.data), algorithm, derPrimitiveContext(0, cipherText));
  return derSequence(derOid(AuthorityOid.encryptedData), derContext(0, derSequence(derInteger(0), content)));
}

async function macData(content: Uint8Array, password: Buffer, iterations: number): Promise<Buffer> {
  const salt = randomBytes(16);
  const budget = new Pkcs12Budget(DEFAULT_PKCS12_LIMITS);
  const key = await derivePkcs12Key({ hash: 'sha256', salt, iterations }, password, 'mac', 32, budget);
  const code = createHmac('sha256', key).update(content).digest();
  key.fill(0);
  const digestInfo = derSequence(derSequence(derOid(Oid.sha256), derNull()), derOctetString(code));
  return derSequence(digestInfo, derOctetString(salt), derInteger(iterations));
}

/** The PKCS#12 file of an identity: its key, its certificate and the chain above. */
export async function writePkcs12(
  identity: TestIdentity,
  password: string,
  options: WritePkcs12Options = {},
): Promise<Buffer> {
  const iterations = options.iterations ?? 10_000;
  const forms = pkcs12Password(password);
  const localKeyId = createHash('sha1').update(identity.certificate).digest();
  const attributes = bagAttributes(localKeyId, options.friendlyName);
  const certificates = derSequence(
    certificateBag(identity.certificate, attributes),
    ...identity.chain.map((issuer) => certificateBag(issuer, [])),
  );
  const key = await encrypt(identity.privateKey, forms.utf8, iterations);
  const keyBag = bag(
    AuthorityOid.shroudedKeyBag,
    derSequence(key.algorithm, derOctetString(key.cipherText)),
    attributes,
  );
  const safe = derSequence(
    encryptedContent(await encrypt(certificates, forms.utf8, iterations)),
    dataContent(derSequence(keyBag)),
  );
  const mac = await macData(safe, forms.bmp, iterations);
  forms.wipe();
  return derSequence(derInteger(3), dataContent(safe), mac);
}
