import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '../app-error.ts';
import { decodeSecret } from './secret-text.ts';

const loopback = ['', '127.0.0.1', '[::1]', 'localhost'];

/**
 * The address of a PostgreSQL database. It contains no password, so that it can be shown. Documents and keys are sent
 * there: to other computers only with TLS and a verified server name.
 */
export const databaseUrl = z
  .string()
  .refine((text) => URL.parse(text)?.protocol === 'postgresql:', 'must be "postgresql://user@host:port/database"')
  .refine(hasNoPassword, 'must have no password: name its file in database.password_file')
  .refine(isProtected, 'must end in "?sslmode=verify-full" for a server on another computer');

function hasNoPassword(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.password === '' && !url.searchParams.has('password'));
}

function isProtected(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const host = url.searchParams.get('host') ?? url.hostname;
  return loopback.includes(host) || host.startsWith('/') || url.searchParams.get('sslmode') === 'verify-full';
}

/** The part of the configuration that selects a database. */
interface DatabaseChoice {
  readonly database?: { readonly url: string; readonly passwordFile?: string };
}

/**
 * The address with the password of `database.password_file`; undefined for SQLite. Without that file the driver uses
 * PGPASSWORD and `~/.pgpass`. Throws `AppError` for a file that other users may read.
 */
export async function addressOfDatabase({ database }: DatabaseChoice): Promise<string | undefined> {
  if (database?.passwordFile === undefined) return database?.url;
  const { url, passwordFile } = database;
  const password = await readOwn(passwordFile, { key: 'database.password_file', content: 'password' });
  return `${url}${url.includes('?') ? '&' : '?'}password=${encodeURIComponent(password)}`;
}

/** The text of a file with a secret, which a key of the configuration names, without its last line end. */
export async function readOwn(
  path: string,
  { key, content }: { readonly key: string; readonly content: string },
): Promise<string> {
  try {
    const { mode, uid } = await stat(path);
    // A file of root may be readable by the group of the service; no other user may read a secret.
    const others = uid === 0 && process.getuid?.() !== 0 ? 0o007 : 0o077;
    if (process.platform === 'win32' || (mode & others) === 0) return decodeSecret(await readFile(path));
  } catch (cause) {
    throw new AppError(2, `The file ${path} of ${key} cannot be read.`, { cause });
  }
  throw new AppError(3, `Other users may read the ${content} in ${path}: take their rights away (chmod 600).`);
}
