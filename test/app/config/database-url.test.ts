import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfiguration, type Configuration } from '../../../src/app/config/config.ts';
import { addressOfDatabase } from '../../../src/app/config/database-url.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sinete-url-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const read = async (url: string, passwordFile = ''): Promise<Configuration> =>
  readConfiguration({
    dataFolder: join(folder, 'data'),
    environment: {
      SINETE_DATABASE_URL: url,
      ...(passwordFile === '' ? {} : { SINETE_DATABASE_PASSWORD_FILE: passwordFile }),
    },
  });

describe('database.url', () => {
  it.each([
    'postgresql://sinete@127.0.0.1:5432/sinete',
    'postgresql:///sinete?host=%2Frun%2Fpostgresql&user=sinete',
    'postgresql://sinete@db.example/sinete?sslmode=verify-full',
  ])('takes %s', async (url) => {
    expect((await read(url)).database).toEqual({ url });
  });

  it.each([
    ['mysql://sinete@127.0.0.1/sinete', 'must be "postgresql://user@host:port/database"'],
    ['postgresql://sinete:word@127.0.0.1/sinete', 'must have no password'],
    ['postgresql://sinete@127.0.0.1/sinete?password=word', 'must have no password'],
    ['postgresql://sinete@db.example/sinete', 'must end in "?sslmode=verify-full"'],
    ['postgresql://sinete@db.example/sinete?sslmode=require', 'must end in "?sslmode=verify-full"'],
    ['postgresql://sinete@127.0.0.1/sinete?host=db.example', 'must end in "?sslmode=verify-full"'],
  ])('refuses %s', async (url, reason) => {
    const refused = await read(url).catch((error: unknown) => String(error));
    expect(refused).toContain('database.url');
    expect(refused).toContain(reason);
    expect(refused).not.toContain('word@');
  });
});

describe('database.password_file', () => {
  const url = 'postgresql://sinete@127.0.0.1/sinete';

  it('completes the address in memory', async () => {
    const path = join(folder, 'password');
    writeFileSync(path, 'a&b=ç\n', { mode: 0o600 });
    expect(await addressOfDatabase(await read(url, path))).toBe(`${url}?password=a%26b%3D%C3%A7`);
    expect(await addressOfDatabase(await read(url))).toBe(url);
    expect(await addressOfDatabase({})).toBeUndefined();
  });

  it.each([
    ['behind a byte order mark', Buffer.from('\ufeffa ç\r\n')],
    ['in UTF-16', Buffer.from('\ufeffa ç\r\n', 'utf16le')],
    ['in the letters of Windows', Buffer.from('a ç\r\n', 'latin1')],
  ])('is read as shells of Windows write it, %s', async (_how, content) => {
    const path = join(folder, 'password');
    writeFileSync(path, content, { mode: 0o600 });
    expect(await addressOfDatabase(await read(url, path))).toBe(`${url}?password=a%20%C3%A7`);
  });

  it('is refused when other users may read the file, or when there is none', async () => {
    const path = join(folder, 'password');
    await expect(read(url, path).then(addressOfDatabase)).rejects.toThrow('cannot be read');
    writeFileSync(path, 'word');
    chmodSync(path, 0o644);
    await expect(read(url, path).then(addressOfDatabase)).rejects.toThrow('Other users may read the password');
  });
});
