/** PKCS#12 files put together from parts, for the forms that no tool at hand writes. */
import { createHmac, pbkdf2Sync } from 'node:crypto';
import {
  Oid,
  derContext,
  derElement,
  derInteger,
  derNull,
  derOctetString,
  derOid,
  derSequence,
  readDer,
  type DerElement,
} from '../../src/signing/index.ts';

const BAG = '1.2.840.113549.1.12.10.1';

/** ContentInfo with SafeContents in the clear. */
export function plainSafe(...bags: readonly Buffer[]): Buffer {
  return derSequence(derOid(Oid.data), derContext(0, derOctetString(derSequence(...bags))));
}

/** A SafeBag of the kind `number` (RFC 7292 §4.2) without attributes. */
export const bag = (number: number, value: Uint8Array): Buffer =>
  derSequence(derOid(`${BAG}.${number}`), derContext(0, value));

/** The certificate bag of a DER certificate. */
export const certificateBag = (certificate: Uint8Array): Buffer =>
  bag(3, derSequence(derOid('1.2.840.113549.1.9.22.1'), derContext(0, derOctetString(certificate))));

/** PFX around the DER of an AuthenticatedSafe; `mac` is the DER of its MacData. */
export function pfx(safe: Uint8Array, mac?: Uint8Array): Buffer {
  const content = derSequence(derOid(Oid.data), derContext(0, derOctetString(safe)));
  return derSequence(derInteger(3), content, ...(mac === undefined ? [] : [mac]));
}

/** The ContentInfos of a PKCS#12 file in DER. */
export function contentInfos(file: Uint8Array): readonly Buffer[] {
  const data = readDer(file).child(1, 'content').child(1, 'content').child(0, 'content').content;
  return readDer(data).children.map(({ bytes }) => bytes);
}

/** MacData with SHA-256 that claims so many rounds; its code is worth nothing. */
export const macWithRounds = (rounds: number): Buffer =>
  derSequence(
    derSequence(derSequence(derOid(Oid.sha256), derNull()), derOctetString(Buffer.alloc(32))),
    derOctetString(Buffer.alloc(8)),
    derInteger(rounds),
  );

/** MacData with PBMAC1 (RFC 9879 §5): PBKDF2 and HMAC, both with SHA-512. */
export function pbmac1(safe: Uint8Array, password: string, keyLength = 64): Buffer {
  const salt = Buffer.from('some salt');
  const key = pbkdf2Sync(password, salt, 1000, keyLength, 'sha512');
  const code = createHmac('sha512', key).update(safe).digest();
  const hmac = derSequence(derOid('1.2.840.113549.2.11'), derNull());
  const derivation = derSequence(derOctetString(salt), derInteger(1000), derInteger(keyLength), hmac);
  const parameters = derSequence(derSequence(derOid('1.2.840.113549.1.5.12'), derivation), hmac);
  const algorithm = derSequence(derOid('1.2.840.113549.1.5.14'), parameters);
  // The salt and rounds of MacData itself have no meaning here, but a place.
  return derSequence(
    derSequence(algorithm, derOctetString(code)),
    derOctetString(Buffer.from('NOT USED')),
    derInteger(1),
  );
}

/** An EncryptedPrivateKeyInfo whose scrypt parameters are these; there is no key in it. */
export function keyBehindScrypt(costs: {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallel: number;
}): Buffer {
  const numbers = [costs.cost, costs.blockSize, costs.parallel].map(derInteger);
  const derivation = derSequence(
    derOid('1.3.6.1.4.1.11591.4.11'),
    derSequence(derOctetString(Buffer.alloc(8)), ...numbers),
  );
  const cipher = derSequence(derOid('2.16.840.1.101.3.4.1.42'), derOctetString(Buffer.alloc(16)));
  const algorithm = derSequence(derOid('1.2.840.113549.1.5.13'), derSequence(derivation, cipher));
  return derSequence(algorithm, derOctetString(Buffer.alloc(32)));
}

const END_OF_CONTENTS = Buffer.alloc(2);

/** The same data in BER: indefinite lengths, and byte strings in segments of at most 100 bytes. */
export function toBer(element: DerElement): Buffer {
  const { tag, content } = element;
  if (element.constructed) {
    return Buffer.concat([Buffer.of(tag, 0x80), ...element.children.map(toBer), END_OF_CONTENTS]);
  }
  // A primitive [0] in PKCS#12 is the implicitly tagged byte string of an encrypted part.
  if (tag !== 0x04 && tag !== 0x80) return element.bytes;
  const segments: Buffer[] = [];
  for (let start = 0; start < content.length; start += 100) {
    segments.push(derElement(0x04, content.subarray(start, start + 100)));
  }
  return Buffer.concat([Buffer.of(tag | 0x20, 0x80), ...segments, END_OF_CONTENTS]);
}
