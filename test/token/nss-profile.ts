/** Databases of NSS for tests, made with its own tools as Firefox makes them. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestIdentity } from '../../src/test-authority/index.ts';
import { runTool } from '../oracles/run-program.ts';
import { opensslPkcs12 } from '../pki/pkcs12-files.ts';

/** Makes an empty database. `password`: the primary password. */
export async function createNssProfile(folder: string, password = ''): Promise<void> {
  await mkdir(folder, { recursive: true });
  await withFile(folder, `${password}\n`, (file) => runTool('certutil', ['-N', '-d', `sql:${folder}`, '-f', file]));
}

/** Puts a key and its certificate into a database, as a person imports a file in Firefox. */
export async function importIdentity(folder: string, identity: TestIdentity, password = ''): Promise<void> {
  const file = await opensslPkcs12(identity, 'segredo');
  const place = path.join(folder, 'import.p12');
  await writeFile(place, file);
  const target = ['-d', `sql:${folder}`, '-W', 'segredo'];
  await withFile(folder, `${password}\n`, (secret) => runTool('pk12util', ['-i', place, ...target, '-k', secret]));
  await rm(place);
}

/** Puts the certificate of another person into a database, without a key. */
export async function importCorrespondent(folder: string, certificate: Buffer, password = ''): Promise<void> {
  const place = path.join(folder, 'correspondent.der');
  await writeFile(place, certificate);
  const add = ['-A', '-d', `sql:${folder}`, '-n', 'correspondent', '-t', ',P,', '-i', place];
  await withFile(folder, `${password}\n`, (secret) => runTool('certutil', [...add, '-f', secret]));
  await rm(place);
}

async function withFile(folder: string, content: string, act: (file: string) => Promise<unknown>): Promise<void> {
  const file = path.join(folder, 'given');
  await writeFile(file, content, { mode: 0o600 });
  await act(file);
  await rm(file);
}
