import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/app/app-error.ts';
import { readPin, readSecret } from '../../src/app/cli/secret-input.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sinete-secrets-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(content: string | Buffer): Promise<string> {
  const path = join(folder, 'secret.txt');
  await writeFile(path, content);
  return path;
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

describe('a PIN from a file', () => {
  it.each<[string, string | Buffer]>([
    ['alone', '1234'],
    ['with the line end of Linux', '1234\n'],
    ['with the line end of Windows', '1234\r\n'],
    ['as Notepad writes UTF-8, behind a byte order mark', '\ufeff1234\r\n'],
    ['as PowerShell writes, in UTF-16', utf16('\ufeff1234\r\n')],
    ['in UTF-16 of the other byte order', utf16('\ufeff1234\r\n').swap16()],
    ['in UTF-16 without a byte order mark', utf16('1234\r\n')],
  ])('is read %s', async (_how, content) => {
    expect(await readPin('', await file(content))).toBe('1234');
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['with a blank at its end, as cmd.exe writes', '1234 \r\n', /5 characters and a blank at its end/],
    ['with a blank at its start', ' 1234', /a blank at its start/],
    ['with a tab at its end', '1234\t', /cannot be seen/],
    ['with a second line', '1234\nabc\n', /more than one line/],
    ['with two line ends', '1234\n\n', /more than one line/],
    ['with a control character', '12\u000034', /cannot be seen/],
    ['with a character without width', '1234\u200b', /cannot be seen/],
    ['with a damaged character', '123\ufffd', /a damaged one/],
    ['in Latin-1', Buffer.from('sen\u00e3', 'latin1'), /neither UTF-8 nor UTF-16/],
    ['that is empty', '\r\n', /it is empty/],
  ])('is refused before an attempt is used up: %s', async (_how, content, words) => {
    const error: unknown = await readPin('', await file(content)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    const { exitCode, message } = error as AppError;
    expect(exitCode).toBe(2);
    expect(message).toMatch(words);
    expect(message).toContain('was not tried');
    expect(message).not.toContain('1234');
  });
});

describe('a password from a file', () => {
  it.each<[string, string | Buffer]>([
    ['in UTF-8', 'a\u00e7\u00e3o e sal \n'],
    ['in UTF-8 behind a byte order mark', '\ufeffa\u00e7\u00e3o e sal \r\n'],
    ['in UTF-16', utf16('\ufeffa\u00e7\u00e3o e sal \r\n')],
    ['in Latin-1', Buffer.from('a\u00e7\u00e3o e sal \n', 'latin1')],
  ])('keeps its letters and blanks %s', async (_how, content) => {
    expect(await readSecret('', await file(content))).toBe('a\u00e7\u00e3o e sal ');
  });

  it('keeps the sign of the euro of Windows', async () => {
    expect(await readSecret('', await file(Buffer.from([0x31, 0x80])))).toBe('1\u20ac');
  });
});
