/**
 * Run as a program with a folder as its argument, writes a large CRL into it; imported, tells the content of the CRL.
 */
import { hash } from 'node:crypto';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestAuthority, streamCrl, type TestCrlEntry } from '../../src/test-authority/index.ts';

export const ENTRIES = 500_000;
export const LIST_FILE = 'large.crl';
/** DER of the certificate of the list's signer. */
export const ISSUER_FILE = 'issuer.der';

/** Bytes written to the file at once. */
const CHUNK = 2 ** 18;

/** The n-th serial number: 16 random-looking bytes, needing no memory. */
export function serialNumber(number: number): Buffer {
  const bytes = hash('sha256', String(number), 'buffer').subarray(0, 16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function* entries(): Generator<TestCrlEntry> {
  const at = new Date('2026-01-01');
  for (let number = 0; number < ENTRIES; number++) {
    yield { serialNumber: serialNumber(number), at, reason: 'keyCompromise' };
  }
}

/** Writes the list piece by piece, and its issuer's certificate beside. */
async function writeLargeCrl(folder: string): Promise<void> {
  const { issuing } = await createTestAuthority();
  const dates = { thisUpdate: new Date('2026-01-02'), nextUpdate: new Date('2046-01-02') };
  const file = openSync(join(folder, LIST_FILE), 'wx');
  let pieces: Buffer[] = [];
  let length = 0;
  const flush = (): void => {
    writeSync(file, Buffer.concat(pieces));
    pieces = [];
    length = 0;
  };
  for (const piece of streamCrl({ issuer: issuing, number: 1, ...dates }, entries)) {
    pieces.push(piece);
    length += piece.length;
    if (length > CHUNK) flush();
  }
  flush();
  closeSync(file);
  writeFileSync(join(folder, ISSUER_FILE), issuing.certificate);
}

const [, program, folder] = process.argv;
if (program === fileURLToPath(import.meta.url) && folder !== undefined) await writeLargeCrl(folder);
