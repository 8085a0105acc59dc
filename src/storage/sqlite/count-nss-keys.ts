import Database from 'better-sqlite3';

/** CKO_PRIVATE_KEY as the databases of NSS store it. */
const PRIVATE_KEY = Buffer.of(0, 0, 0, 3);

/**
 * The number of private keys in a `key4.db` of NSS, read without NSS and without its password. Undefined if the file is
 * no such database, or another program holds it.
 */
export function countNssKeys(file: string): number | undefined {
  let database: Database.Database | undefined;
  try {
    database = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
    const row = database.prepare('select count(*) as keys from nssPrivate where a0 = ?').get(PRIVATE_KEY);
    return (row as { readonly keys: number }).keys;
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
