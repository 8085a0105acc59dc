import { describe, expect, it } from 'vitest';
import { loadDetail, type LoadSurroundings } from '../../../../src/signing/keys/pkcs11/cryptoki/load-detail.ts';
import { driverProblemOf, hostFailure, toSigningError } from '../../../../src/signing/keys/pkcs11/errors.ts';

/** The head of a DLL for a machine. */
function dll(machine: number, magic = 0x20b): Buffer {
  const head = Buffer.alloc(512);
  head.write('MZ');
  head.writeUInt32LE(0x80, 0x3c);
  head.write('PE\0\0', 0x80);
  head.writeUInt16LE(machine, 0x84);
  head.writeUInt16LE(0x2022, 0x84 + 18);
  head.writeUInt16LE(magic, 0x98);
  return head;
}

/** Windows in Portuguese, with texts as FormatMessage gives them. */
const texts: Readonly<Record<number, string>> = {
  126: 'N\u00e3o foi poss\u00edvel encontrar o m\u00f3dulo especificado.\r\n',
  127: 'N\u00e3o foi poss\u00edvel encontrar o procedimento especificado.\r\n',
  193: '%1 n\u00e3o \u00e9 um aplicativo Win32 v\u00e1lido.\r\n',
};
const windows: LoadSurroundings = {
  platform: 'win32',
  architecture: 'x64',
  head: dll(0x8664),
  systemText: (code) => texts[code],
};
const failed = (text: string): string => `Failed to load shared library: ${text}`;

const rows: readonly (readonly [what: string, message: string, changes: Partial<LoadSurroundings>, words: RegExp])[] = [
  ['a missing library', failed(texts[126] ?? ''), {}, /another library that it needs is missing \(Win32 error 126\)/],
  ['a missing function', failed(texts[127] ?? ''), {}, /in another version \(Win32 error 127\)/],
  ['another format', failed(texts[193] ?? ''), {}, /not made for this computer \(Win32 error 193\).*64 bits/],
  ['a number without a text', failed('Win32 error 0x7e'), {}, /\(Win32 error 126\)/],
  ['a driver for 32 bits', "Cannot load 'Intel 386' DLL", { head: dll(0x14c, 0x10b) }, /\(Win32 error 193\).*64 bits/],
  ['a driver for another processor', failed('x'), { head: dll(0xaa64) }, /\(Win32 error 193\)/],
  ['a file that is no library', failed('End of file.'), { head: Buffer.from('text') }, /\(Win32 error 193\)/],
  ['an unreadable file', failed('Access is denied.'), { head: undefined }, /cannot be loaded: Access is denied\.$/],
  [
    'another error of Windows',
    failed('A DLL initialization routine failed.'),
    {},
    /: A DLL initialization routine failed\.$/,
  ],
  [
    'a library that is no driver',
    "Cannot find function 'C_GetFunctionList' in shared library",
    {},
    /no PKCS#11 driver/,
  ],
];

describe('why a library cannot be loaded on Windows', () => {
  it.each(rows)('is told for %s', (_what, message, changes, words) => {
    const detail = loadDetail(message, { ...windows, ...changes });
    const error = toSigningError(hostFailure('load', 'load', 'not loadable', detail).failure);
    expect(error.code).toBe('MODULE_NOT_LOADABLE');
    expect(error.message).toMatch(words);
    expect(driverProblemOf(error)).toMatch(
      /^MODULE_(NOT_A_DRIVER|LIBRARY_MISSING|LIBRARY_OTHER|FORMAT_OTHER|NOT_LOADABLE)$/,
    );
  });
});

describe('why a library cannot be loaded elsewhere', () => {
  const linux: LoadSurroundings = { ...windows, platform: 'linux' };

  it('is told in the words of the loader', () => {
    expect(loadDetail(failed('wrong ELF class: ELFCLASS32'), linux)).toBe('wrong ELF class: ELFCLASS32');
    expect(loadDetail(failed(texts[126] ?? ''), { ...linux, head: Buffer.from('text') })).toMatch(/^N.o foi/);
  });

  it('is told of a library that is no driver', () => {
    const detail = loadDetail("Cannot find function 'C_GetFunctionList' in shared library", linux);
    const error = toSigningError(hostFailure('load', 'load', 'not loadable', detail).failure);
    expect(error.message).toMatch(/^The file is no PKCS#11 driver/);
    expect(driverProblemOf(error)).toBe('MODULE_NOT_A_DRIVER');
  });
});
