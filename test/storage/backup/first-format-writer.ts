/** Writes backups in the format of versions before age (see `first-format.ts`); these can still be restored. */
import { createCipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';

const CHUNK = 64 * 1024;

/** A file sealed under a passphrase. */
export function sealFirstFormat(passphrase: string, content: Buffer): Buffer {
  const salt = randomBytes(32).toString('base64url');
  const json = Buffer.from(JSON.stringify({ cost: 2 ** 14, blockSize: 8, parallel: 1, salt }));
  const start = Buffer.concat([Buffer.from('SINETE-BACKUP-1\n', 'latin1'), lengthOf(json), json]);
  const digest = createHash('sha256').update(start).digest();
  const key = scryptSync(passphrase, Buffer.from(salt, 'base64url'), 32, { N: 2 ** 14, r: 8, p: 1 });
  const parts: Buffer[] = [Buffer.alloc(0)];
  for (let at = 0; at === 0 || at < content.length; at += CHUNK) parts.push(content.subarray(at, at + CHUNK));
  const chunks = parts.map((part, number) => {
    const flag = number === parts.length - 1 ? 1 : 0;
    const nonce = Buffer.alloc(12);
    nonce.writeBigUInt64BE(BigInt(number), 4);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
    cipher.setAAD(Buffer.concat([digest, Buffer.of(flag)]));
    const sealed = Buffer.concat([cipher.update(part), cipher.final()]);
    return Buffer.concat([Buffer.of(flag), lengthOf(sealed), sealed, cipher.getAuthTag()]);
  });
  return Buffer.concat([start, digest, ...chunks]);
}

/** Files in a row, in the inner form of the first format. */
export function archiveFirstFormat(files: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(files);
  const fronts = entries.map(([name, bytes]) => Buffer.concat([frontOf({ name, size: bytes.length }), bytes]));
  return Buffer.concat([...fronts, frontOf({ end: true, files: entries.length })]);
}

function frontOf(front: object): Buffer {
  const json = Buffer.from(JSON.stringify(front));
  return Buffer.concat([lengthOf(json), json]);
}

function lengthOf({ length }: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}
