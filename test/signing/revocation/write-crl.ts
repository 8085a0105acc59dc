/** Writes CRLs for tests: any fields, any extensions, also wrong (RFC 5280 §5). */
import { randomBytes, type KeyObject } from 'node:crypto';
import {
  derBoolean,
  derContext,
  derElement,
  derHeader,
  derInteger,
  derOctetString,
  derOid,
  derSequence,
  derTime,
} from '../../../src/signing/der/writer.ts';
import { writeSigned } from '../../../src/test-authority/write-certificate.ts';

/** One revoked certificate. */
export interface TestCrlEntry {
  readonly serialNumber: Uint8Array;
  readonly revokedAt: Date;
  /** CRLReason by number. */
  readonly reason?: number;
  /** Finished Extensions instead of the reason. */
  readonly extensions?: readonly Uint8Array[];
}

export interface TestCrlFields {
  /** DER of the issuer's Name. */
  readonly issuer: Uint8Array;
  readonly thisUpdate: Date;
  readonly nextUpdate?: Date;
  readonly entries?: readonly TestCrlEntry[];
  /** Finished entries, instead of `entries`. */
  readonly entriesDer?: Uint8Array;
  /** Finished Extensions. */
  readonly extensions?: readonly Uint8Array[];
}

/** DER of one Extension. */
export const crlExtension = (oid: string, value: Uint8Array, critical = false): Buffer =>
  derSequence(derOid(oid), ...(critical ? [derBoolean(true)] : []), derOctetString(value));

const reasonExtension = (reason: number): Buffer => crlExtension('2.5.29.21', derElement(0x0a, Buffer.of(reason)));

function writeEntry({ serialNumber, revokedAt, reason, extensions }: TestCrlEntry): Buffer {
  const all = extensions ?? (reason === undefined ? [] : [reasonExtension(reason)]);
  return derSequence(derInteger(serialNumber), derTime(revokedAt), ...(all.length === 0 ? [] : [derSequence(...all)]));
}

/** DER of a CRL, signed with this key. */
export function writeTestCrl(fields: TestCrlFields, key: KeyObject): Buffer {
  const entries = fields.entriesDer ?? Buffer.concat((fields.entries ?? []).map(writeEntry));
  return writeSigned(key, (algorithm) =>
    derSequence(
      derInteger(1),
      algorithm,
      fields.issuer,
      derTime(fields.thisUpdate),
      ...(fields.nextUpdate === undefined ? [] : [derTime(fields.nextUpdate)]),
      ...(entries.length === 0 ? [] : [derHeader(0x30, entries.length), entries]),
      ...(fields.extensions === undefined ? [] : [derContext(0, derSequence(...fields.extensions))]),
    ),
  );
}

/** Bytes of `count` entries with random serial numbers of 16 bytes, and the bytes of these numbers in a row. */
export function manyEntries(count: number): { readonly der: Buffer; readonly serials: Buffer } {
  const serials = randomBytes(count * 16);
  const template = writeEntry({ serialNumber: Buffer.alloc(16, 0x41), revokedAt: new Date('2026-01-02'), reason: 1 });
  const der = Buffer.alloc(template.length * count);
  for (let index = 0; index < count; index++) {
    serials[index * 16] = ((serials[index * 16] ?? 0) & 0x3f) | 0x40;
    der.set(template, index * template.length);
    der.set(serials.subarray(index * 16, index * 16 + 16), index * template.length + 4);
  }
  return { der, serials };
}
