/** The tables of the binding against the standard's header file; structures as a C compiler lays them out. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  LAYOUTS,
  layoutOf,
  readUlong,
  writeUlong,
  type Layout,
} from '../../../../src/signing/keys/pkcs11/cryptoki/layouts.ts';
import { returnValueError } from '../../../../src/signing/keys/pkcs11/cryptoki/return-values.ts';
import { runCompiled, runTool } from '../../../oracles/run-program.ts';
import { systemFile } from '../../../setup/system-packages.ts';
import { pkcs11Headers } from '../../../token/fault-module/build-fault-module.ts';

/** The structures of a layout with their names: everything but the size of a CK_ULONG. */
const structuresOf = (layout: Layout) =>
  Object.entries(layout).flatMap(([name, part]) => (typeof part === 'number' ? [] : [[name, part] as const]));

/** `CK_INFO 88`, and `CK_INFO.flags 40` for each member. */
function describeLayout(layout: Layout): readonly string[] {
  const lines = structuresOf(layout).flatMap(([name, { size, at }]) => [
    `${name} ${size}`,
    ...Object.entries(at).map(([member, offset]) => `${name}.${member} ${offset}`),
  ]);
  return [`CK_ULONG ${layout.ulong}`, ...lines];
}

/** A program printing the same lines. On Windows an `unsigned long` has four bytes, so `long` is left out there. */
function writeProgram(layout: Layout, isWindows: boolean): string {
  const lines = structuresOf(layout).flatMap(([name, { at }]) => [
    `printf("${name} %zu\\n", sizeof (${name}));`,
    ...Object.keys(at).map((member) => `printf("${name}.${member} %zu\\n", offsetof (${name}, ${member}));`),
  ]);
  return [
    '#include <stddef.h>',
    '#include <stdio.h>',
    ...(isWindows ? ['#define CRYPTOKI_FORCE_WIN32 1', '#define long', '#define __declspec(x)'] : []),
    '#include <p11-kit/pkcs11.h>',
    'int main(void) {',
    'printf("CK_ULONG %zu\\n", sizeof (CK_ULONG));',
    ...lines,
    'return 0; }',
  ].join('\n');
}

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sinete-layouts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the names of return values', () => {
  it('agree with the header file', async () => {
    const header = await readFile(systemFile('PKCS#11 header'), 'utf8');
    const defined = [...header.matchAll(/#define\s+(CKR_\w+)\s+\((0x[0-9a-fA-F]+|\d+)UL\)/g)];
    const codes = defined.map(([, name, code]) => [name, Number(code)] as const).filter(([, code]) => code !== 0);
    expect(codes.length).toBeGreaterThan(80);
    expect(codes.map(([, code]) => [returnValueError(code, 'C_Sign').failure.name, code])).toEqual(codes);
  });
});

describe('the layouts of PKCS#11 structures', () => {
  it.each([
    ['others', LAYOUTS.others, false],
    ['windows', LAYOUTS.windows, true],
  ] as const)('(%s) agree with the header file', async (name, layout, isWindows) => {
    const source = path.join(folder, `${name}.c`);
    const program = path.join(folder, name);
    await writeFile(source, writeProgram(layout, isWindows));
    await runTool('gcc', ['-w', '-I', pkcs11Headers(), '-o', program, source], { folder });
    const printed = await runCompiled(program);
    expect(describeLayout(layout)).toEqual(printed.trim().split('\n'));
  });

  it('have these sizes', () => {
    const sizes = (layout: Layout) => Object.fromEntries(structuresOf(layout).map(([name, { size }]) => [name, size]));
    expect(sizes(LAYOUTS.others)).toEqual({
      CK_INFO: 88,
      CK_TOKEN_INFO: 208,
      CK_SESSION_INFO: 32,
      CK_ATTRIBUTE: 24,
      CK_MECHANISM: 24,
      CK_RSA_PKCS_PSS_PARAMS: 24,
      CK_C_INITIALIZE_ARGS: 48,
      CK_FUNCTION_LIST: 552,
    });
    expect(sizes(LAYOUTS.windows)).toEqual({
      CK_INFO: 72,
      CK_TOKEN_INFO: 160,
      CK_SESSION_INFO: 16,
      CK_ATTRIBUTE: 16,
      CK_MECHANISM: 16,
      CK_RSA_PKCS_PSS_PARAMS: 12,
      CK_C_INITIALIZE_ARGS: 44,
      CK_FUNCTION_LIST: 546,
    });
  });

  it('are chosen by system: Windows has its own', () => {
    expect(layoutOf('win32')).toBe(LAYOUTS.windows);
    expect(layoutOf('linux')).toBe(LAYOUTS.others);
    expect(layoutOf('darwin')).toBe(LAYOUTS.others);
  });

  it.each([
    [LAYOUTS.windows, 0xffffffffn, 'ffffffff00000000'],
    [LAYOUTS.others, 0x0102030405060708n, '0807060504030201'],
  ])('write and read a CK_ULONG of their width', (layout, value, bytes) => {
    const memory = Buffer.alloc(8);
    writeUlong(memory, value, 0, layout);
    expect(memory.toString('hex')).toBe(bytes);
    expect(readUlong(memory, 0, layout)).toBe(value);
  });
});
