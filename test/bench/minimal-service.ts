/**
 * Child process of `one-document.bench.ts`: the least that a signing service can be. Express reads the JSON, SQLite
 * stores the document's digest and the signature in one commit that survives a loss of power, and the signature is bare
 * RSA without a certificate. Sends its address as soon as it listens, and ends with the parent.
 */
import Sqlite from 'better-sqlite3';
import express from 'express';
import { createPrivateKey, hash, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const [folder = '.'] = process.argv.slice(2);
const key = createPrivateKey({ key: readFileSync(join(folder, 'key.der')), format: 'der', type: 'pkcs8' });
const database = new Sqlite(join(folder, 'minimal.db'));
database.pragma('journal_mode = wal');
database.pragma('synchronous = full');
database.exec('create table signatures (id integer primary key, checksum text, signature blob)');
const insert = database.prepare('insert into signatures (checksum, signature) values (?, ?)');
const signLater = promisify<string, Buffer, typeof key, Buffer>(sign);

const app = express();
app.use(express.json({ limit: '1mb' }));
app.post('/sign', (request, response, next) => {
  const { document } = request.body as { document: string };
  const content = Buffer.from(document.slice(document.indexOf(',') + 1), 'base64');
  signLater('sha256', content, key)
    .then((signature) => {
      insert.run(hash('sha256', content, 'hex'), signature);
      response.json({ status: 'SIGNED', signature: signature.toString('base64') });
    })
    .catch(next);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit());
