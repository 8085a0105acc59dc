import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/service/errors/index.ts';
import { checkRequest } from '../../../src/service/transactions/intake/check-request.ts';
import { placeDocuments } from '../../../src/service/transactions/intake/document-places.ts';
import { defaultLimits } from '../../../src/service/transactions/limits.ts';
import { findWindowsNameProblem } from '../../../src/service/transactions/documents/file-names.ts';
import { createRequest } from './transaction-world.ts';

/** The problem of a request with this destination on a system; undefined when taken. */
async function refusalOn(platform: NodeJS.Platform, destinationFileName: string): Promise<string | undefined> {
  const source = platform === 'win32' ? 'C:\\docs\\letter.txt' : '/home/maria/letter.txt';
  const documents = [{ data: source, destinationFileName }];
  const reach = { kind: 'owner', overNetwork: true } as const;
  const request = createRequest({ documentsSource: 'FILE_PATH', destination: 'FILE_PATH', documents, reach });
  try {
    await checkRequest(await placeDocuments(request, { roots: [], platform }), defaultLimits);
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.code).toBe('REQUEST_INVALID');
    expect(error.problems.map(({ field }) => field)).toEqual(['documents[0].destination_file_name']);
    return error.message;
  }
}

const refused: readonly (readonly [why: string, path: string, expected: RegExp])[] = [
  ['the null device', 'C:\\docs\\NUL', /"NUL": NUL is a device/],
  ['a device in small letters', 'C:\\docs\\nul', /NUL is a device/],
  ['a device with an extension', 'C:\\docs\\CON.p7s', /"CON\.p7s": CON is a device/],
  ['a device with two extensions', 'C:\\docs\\aux.txt.p7s', /AUX is a device/],
  ['a device with a space before its extension', 'C:\\docs\\PRN .p7s', /PRN is a device/],
  ['a serial port', 'C:\\docs\\COM1', /COM1 is a device/],
  ['a serial port with a superscript digit', 'C:\\docs\\com\u00b2.p7s', /COM\u00b2 is a device/],
  ['a printer port', 'C:/docs/lpt9.p7s', /LPT9 is a device/],
  ['the console for input', 'C:\\docs\\CONIN$', /CONIN\$ is a device/],
  ['a folder that is a device', 'C:\\aux\\a.p7s', /"aux": AUX is a device/],
  ['a dot at the end', 'C:\\docs\\trail.p7s.', /ends with a dot or a space/],
  ['a space at the end', 'C:\\docs\\trail.p7s ', /ends with a dot or a space/],
  ['a dot at the end of a folder', 'C:\\docs.\\a.p7s', /"docs\.": it ends with a dot/],
  ['a stream of another file', 'C:\\docs\\letter.txt:ads.p7s', /contains the character :/],
  ['the data stream of another file', 'C:\\docs\\letter.txt::$DATA', /contains the character :/],
  ['a second drive', 'C:\\docs\\D:\\a.p7s', /"D:": it contains the character :/],
  ['a bar', 'C:\\docs\\a|b.p7s', /contains the character \|/],
  ['a wildcard', 'C:\\docs\\a*.p7s', /contains the character \*/],
  ['a question mark', 'C:\\docs\\a?.p7s', /contains the character \?/],
  ['a quotation mark', 'C:\\docs\\a"b.p7s', /contains the character "/],
  ['an angle bracket', 'C:\\docs\\<a>.p7s', /contains the character </],
  ['a line break', 'C:\\docs\\a\nb.p7s', /"a\u00b7b\.p7s": it contains a control character/],
  ['a name of 256 characters', `C:\\docs\\${'a'.repeat(256)}`, /longer than 255 characters/],
  ['a device behind the prefix for long paths', '\\\\?\\C:\\docs\\NUL', /NUL is a device/],
  ['a stream behind the prefix for long paths', '\\\\?\\C:\\docs\\a:b', /contains the character :/],
  ['a dot at the end behind the prefix for devices', '\\\\.\\C:\\docs\\a.', /ends with a dot/],
  ['the null device by its own path', '\\\\.\\NUL', /names no file/],
  ['a named pipe', '\\\\.\\pipe\\a', /names no file/],
  ['a drive', 'C:\\', /names no file/],
  ['a stream in a file: URL', 'file:///C:/docs/letter.txt:ads', /contains the character :/],
  ['an encoded bar in a file: URL', 'file:///C:/docs/a%7Cb', /contains the character \|/],
];

const taken: readonly string[] = [
  'C:\\docs\\letter.txt.p7s',
  'c:/docs/letter.txt.p7s',
  '\\docs\\letter.txt.p7s',
  'C:\\docs\\..\\docs\\.\\letter.p7s',
  '\\\\?\\C:\\docs\\letter.p7s',
  '\\\\.\\C:\\docs\\letter.p7s',
  'file:///C:/docs/letter%20one.p7s',
  'C:\\docs\\com\u00ed\u00e7io \u2013 a\u00e7\u00e3o.p7s',
  'C:\\docs\\.hidden',
  'C:\\docs\\a, b; c & d (2).p7s',
  'C:\\docs\\CONTRACT.p7s',
  'C:\\docs\\COM10.p7s',
  'C:\\docs\\nulls.p7s',
  'C:\\docs\\a.nul',
  `C:\\docs\\${'a'.repeat(255)}`,
];

describe('destination_file_name on Windows', () => {
  it.each(refused)('refuses %s', async (_why, path, expected) => {
    expect(await refusalOn('win32', path)).toMatch(expected);
  });

  it.each(taken)('takes %s', async (path) => {
    expect(await refusalOn('win32', path)).toBeUndefined();
  });

  it('refuses relative paths as before', async () => {
    for (const path of ['C:letter.p7s', 'letter.p7s', '..\\letter.p7s', 'NUL']) {
      expect(await refusalOn('win32', path)).toBe('Give an absolute path.');
    }
  });

  it('shows only the beginning of a very long name', () => {
    expect(findWindowsNameProblem(`C:\\${'b'.repeat(5_000)}`)?.length).toBeLessThan(200);
  });
});

describe('destination_file_name elsewhere', () => {
  it.each([
    '/docs/NUL',
    '/docs/CON.p7s',
    '/docs/trail.p7s.',
    '/docs/letter.txt:ads.p7s',
    '/docs/a|b.p7s',
    '/docs/a?*"<>',
  ])('takes %s', async (path) => {
    expect(await refusalOn('linux', path)).toBeUndefined();
    expect(await refusalOn('darwin', path)).toBeUndefined();
  });
});
