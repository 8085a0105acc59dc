/**
 * Calls drivers through koffi. The binaries of koffi come in optional packages, so nothing is compiled during
 * installation.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import koffi from 'koffi';
import { CryptokiError, hostFailure } from '../errors.ts';
import { HEAD_LENGTH } from './library-format.ts';
import {
  Ckr,
  type AttributeTemplate,
  type Cryptoki,
  type CryptokiInfo,
  type CryptokiInitialization,
  type CryptokiMechanism,
  type CryptokiTokenInfo,
  type Handle,
} from './cryptoki.ts';
import { loadDetail } from './load-detail.ts';
import { layoutOf, POINTER, readUlong, writeUlong, type Layout } from './layouts.ts';
import { returnValueError } from './return-values.ts';

/** Parameters of the called functions, as C types; each function returns a CK_RV. */
const PROTOTYPES = {
  C_Initialize: ['void *'],
  C_Finalize: ['void *'],
  C_GetInfo: ['void *'],
  C_GetSlotList: ['uint8', 'void *', 'void *'],
  C_GetTokenInfo: ['ulong', 'void *'],
  C_GetMechanismList: ['ulong', 'void *', 'void *'],
  C_WaitForSlotEvent: ['ulong', 'void *', 'void *'],
  C_OpenSession: ['ulong', 'ulong', 'void *', 'void *', 'void *'],
  C_CloseSession: ['ulong'],
  C_GetSessionInfo: ['ulong', 'void *'],
  C_Login: ['ulong', 'ulong', 'void *', 'ulong'],
  C_Logout: ['ulong'],
  C_FindObjectsInit: ['ulong', 'void *', 'ulong'],
  C_FindObjects: ['ulong', 'void *', 'ulong', 'void *'],
  C_FindObjectsFinal: ['ulong'],
  C_GetAttributeValue: ['ulong', 'ulong', 'void *', 'ulong'],
  C_SignInit: ['ulong', 'void *', 'ulong'],
  C_Sign: ['ulong', 'void *', 'ulong', 'void *', 'void *'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type FunctionName = keyof typeof PROTOTYPES;
type Argument = number | bigint | Buffer | null;

interface NativeFunction {
  (...values: readonly Argument[]): number | bigint;
  readonly async: (...values: readonly (Argument | ((error: unknown, result: number | bigint) => void))[]) => void;
}

/** Maximum bytes of an attribute. Certificates are the longest attributes. */
const MAX_ATTRIBUTE = 1 << 20;
/** Maximum number of tokens or mechanisms in a driver's list. */
const MAX_LISTED = 4096;
/** Maximum attempts to read a list that keeps growing. */
const LIST_ATTEMPTS = 4;

// koffi runs a driver on a stack of its own, of 128 kB in the thread pool. Drivers expect the stack of a usual thread.
koffi.config({ sync_stack_size: 8 << 20, async_stack_size: 8 << 20, resident_async_pools: 4 });

export class KoffiCryptoki implements Cryptoki {
  readonly #layout: Layout = layoutOf(process.platform);
  readonly #functions = new Map<FunctionName, NativeFunction>();
  /** Keeps loaded libraries alive: koffi unloads a library without references, even while its functions are in use. */
  readonly #libraries: unknown[] = [];
  /** Buffers in use by a thread of the pool, because koffi itself keeps no reference. */
  readonly #inUse = new Set<readonly Buffer[]>();

  load(path: string): void {
    const layout = this.#layout;
    if (koffi.sizeof('ulong') !== layout.ulong || koffi.sizeof('void *') !== POINTER) {
      throw hostFailure('load', 'load', 'not loadable', 'Drivers are loaded on 64-bit systems only');
    }
    const list = Buffer.alloc(POINTER);
    let result: number | bigint;
    try {
      // A driver may lack symbols that it never uses.
      this.#loadNeighbours(path);
      const library = koffi.load(path, { lazy: true });
      this.#libraries.push(library);
      const getFunctionList = library.func('C_GetFunctionList', 'ulong', ['void *']);
      result = getFunctionList(list) as number | bigint;
    } catch (error) {
      throw hostFailure('load', 'load', 'not loadable', whyNotLoaded(path, error));
    }
    if (Number(result) !== Ckr.ok) throw returnValueError(Number(result), 'C_GetFunctionList');
    const address = list.readBigUInt64LE();
    if (address === 0n) throw hostFailure('load', 'load', 'not loadable', 'C_GetFunctionList returned no functions');
    for (const name of Object.keys(PROTOTYPES) as FunctionName[]) {
      const entry = koffi.decode(address + BigInt(layout.CK_FUNCTION_LIST.at[name]), 'void *') as bigint | null;
      if (entry === null || entry === 0n) continue;
      this.#functions.set(name, koffi.decode(entry, koffi.proto('ulong', [...PROTOTYPES[name]])) as NativeFunction);
    }
  }

  /** NSS inside a browser needs the libraries of its own folder, which the system's loader does not search. */
  #loadNeighbours(path: string): void {
    if (basename(path) !== 'libsoftokn3.so') return;
    const folder = dirname(path);
    if (!existsSync(join(folder, 'libmozsqlite3.so'))) return;
    for (const name of ['libmozsqlite3.so', 'libnssutil3.so']) {
      this.#libraries.push(koffi.load(join(folder, name), { global: true }));
    }
  }

  C_Initialize(options?: CryptokiInitialization): void {
    if (options === undefined) {
      this.#call('C_Initialize', null);
      return;
    }
    const { size, at } = this.#layout.CK_C_INITIALIZE_ARGS;
    const text = options.libraryParameters;
    // NSS has one pointer more: its text takes the place of `pReserved`, and `pReserved` follows.
    const structure = Buffer.alloc(size + POINTER);
    const memory = text === undefined ? structure : Buffer.concat([structure, Buffer.from(`${text}\0`)]);
    this.#write(memory, options.flags, at.flags);
    if (text !== undefined) memory.writeBigUInt64LE(koffi.address(memory) + BigInt(structure.length), at.pReserved);
    this.#call('C_Initialize', memory);
  }

  C_Finalize(): void {
    this.#call('C_Finalize', null);
  }

  C_GetInfo(): CryptokiInfo {
    const { size, at } = this.#layout.CK_INFO;
    const info = Buffer.alloc(size);
    this.#call('C_GetInfo', info);
    const version = (offset: number) => ({ major: info.readUInt8(offset), minor: info.readUInt8(offset + 1) });
    return {
      cryptokiVersion: version(at.cryptokiVersion),
      libraryVersion: version(at.libraryVersion),
      manufacturerID: text(info, at.manufacturerID, 32),
      libraryDescription: text(info, at.libraryDescription, 32),
    };
  }

  C_GetSlotList(tokenPresent: boolean): Handle[] {
    return this.#list((slots, count) => this.#call('C_GetSlotList', tokenPresent ? 1 : 0, slots, count));
  }

  C_GetTokenInfo(slot: Handle): CryptokiTokenInfo {
    const { size, at } = this.#layout.CK_TOKEN_INFO;
    const info = Buffer.alloc(size);
    this.#call('C_GetTokenInfo', slot, info);
    return {
      label: text(info, at.label, 32),
      manufacturerID: text(info, at.manufacturerID, 32),
      model: text(info, at.model, 16),
      serialNumber: text(info, at.serialNumber, 16),
      flags: Number(this.#read(info, at.flags)),
      minPinLen: Number(this.#read(info, at.ulMinPinLen)),
      maxPinLen: Number(this.#read(info, at.ulMaxPinLen)),
    };
  }

  C_GetMechanismList(slot: Handle): number[] {
    return this.#list((types, count) => this.#call('C_GetMechanismList', slot, types, count)).map(Number);
  }

  C_WaitForSlotEvent(flags: number): Handle | null {
    const slot = this.#ulong();
    const result = this.#invoke('C_WaitForSlotEvent', flags, slot, null);
    if (result === Ckr.noEvent) return null;
    if (result !== Ckr.ok) throw returnValueError(result, 'C_WaitForSlotEvent');
    return this.#read(slot, 0);
  }

  C_OpenSession(slot: Handle, flags: number): Handle {
    const session = this.#ulong();
    this.#call('C_OpenSession', slot, flags, null, null, session);
    return this.#read(session, 0);
  }

  C_CloseSession(session: Handle): void {
    this.#call('C_CloseSession', session);
  }

  C_GetSessionInfo(session: Handle): { readonly state: number } {
    const { size, at } = this.#layout.CK_SESSION_INFO;
    const info = Buffer.alloc(size);
    this.#call('C_GetSessionInfo', session, info);
    return { state: Number(this.#read(info, at.state)) };
  }

  C_Login(session: Handle, userType: number, pin: Buffer | null): void {
    this.#call('C_Login', session, userType, pin, pin?.length ?? 0);
  }

  C_Logout(session: Handle): void {
    this.#call('C_Logout', session);
  }

  C_FindObjectsInit(session: Handle, template: readonly AttributeTemplate[]): void {
    const { size, at } = this.#layout.CK_ATTRIBUTE;
    const values = template.map(({ value }) => (typeof value === 'number' ? this.#ulong(value) : value));
    // One buffer holds the structures and their values, so the call keeps all of them alive.
    const memory = Buffer.concat([Buffer.alloc(template.length * size), ...values]);
    const address = koffi.address(memory);
    let end = template.length * size;
    template.forEach(({ type }, index) => {
      const length = values[index]?.length ?? 0;
      this.#write(memory, type, index * size + at.type);
      memory.writeBigUInt64LE(address + BigInt(end), index * size + at.pValue);
      this.#write(memory, length, index * size + at.ulValueLen);
      end += length;
    });
    this.#call('C_FindObjectsInit', session, memory, template.length);
  }

  C_FindObjects(session: Handle, count: number): Handle[] {
    const { ulong } = this.#layout;
    const objects = Buffer.alloc(count * ulong);
    const found = this.#ulong();
    this.#call('C_FindObjects', session, objects, count, found);
    const length = Math.min(count, Number(this.#read(found, 0)));
    return Array.from({ length }, (_, index) => this.#read(objects, index * ulong));
  }

  C_FindObjectsFinal(session: Handle): void {
    this.#call('C_FindObjectsFinal', session);
  }

  C_GetAttributeValue(session: Handle, object: Handle, type: number): Buffer {
    const { size, at } = this.#layout.CK_ATTRIBUTE;
    const question = Buffer.alloc(size);
    this.#write(question, type, at.type);
    this.#call('C_GetAttributeValue', session, object, question, 1);
    const length = this.#read(question, at.ulValueLen);
    if (length > MAX_ATTRIBUTE) throw returnValueError(Ckr.generalError, 'C_GetAttributeValue');
    const memory = Buffer.concat([question, Buffer.alloc(Number(length))]);
    memory.writeBigUInt64LE(koffi.address(memory) + BigInt(size), at.pValue);
    this.#call('C_GetAttributeValue', session, object, memory, 1);
    const written = this.#read(memory, at.ulValueLen);
    return memory.subarray(size, size + Number(written < length ? written : length));
  }

  C_SignInit(session: Handle, { mechanism, parameter }: CryptokiMechanism, key: Handle): void {
    const { CK_MECHANISM: outer, CK_RSA_PKCS_PSS_PARAMS: inner } = this.#layout;
    const memory = Buffer.alloc(outer.size + (parameter === undefined ? 0 : inner.size));
    this.#write(memory, mechanism, outer.at.mechanism);
    if (parameter !== undefined) {
      memory.writeBigUInt64LE(koffi.address(memory) + BigInt(outer.size), outer.at.pParameter);
      this.#write(memory, inner.size, outer.at.ulParameterLen);
      this.#write(memory, parameter.hashAlg, outer.size + inner.at.hashAlg);
      this.#write(memory, parameter.mgf, outer.size + inner.at.mgf);
      this.#write(memory, parameter.saltLen, outer.size + inner.at.sLen);
    }
    this.#call('C_SignInit', session, memory, key);
  }

  C_Sign(session: Handle, input: Buffer, output: Buffer): Buffer {
    const length = this.#ulong(output.length);
    this.#call('C_Sign', session, input, input.length, output, length);
    return this.#signature(output, length);
  }

  C_SignAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer> {
    const sign = this.#function('C_Sign');
    const length = this.#ulong(output.length);
    const buffers = [input, output, length];
    this.#inUse.add(buffers);
    return callInPool(sign, [session, input, input.length, output, length])
      .finally(() => this.#inUse.delete(buffers))
      .then((result) => {
        if (result !== Ckr.ok) throw returnValueError(result, 'C_Sign');
        return this.#signature(output, length);
      });
  }

  #signature(output: Buffer, length: Buffer): Buffer {
    return output.subarray(0, Math.min(output.length, Number(this.#read(length, 0))));
  }

  /** Reads a list after asking the driver for its length. A list that grows in between is read again. */
  #list(ask: (list: Buffer | null, count: Buffer) => void): Handle[] {
    const { ulong } = this.#layout;
    for (let attempt = 1; ; attempt++) {
      const count = this.#ulong();
      ask(null, count);
      const length = Math.min(MAX_LISTED, Number(this.#read(count, 0)));
      if (length === 0) return [];
      const list = Buffer.alloc(length * ulong);
      this.#write(count, length, 0);
      try {
        ask(list, count);
      } catch (error) {
        if (attempt < LIST_ATTEMPTS && error instanceof CryptokiError && error.code === Ckr.bufferTooSmall) continue;
        throw error;
      }
      const listed = Math.min(length, Number(this.#read(count, 0)));
      return Array.from({ length: listed }, (_, index) => this.#read(list, index * ulong));
    }
  }

  #call(name: FunctionName, ...values: readonly Argument[]): void {
    const result = this.#invoke(name, ...values);
    if (result !== Ckr.ok) throw returnValueError(result, name);
  }

  #invoke(name: FunctionName, ...values: readonly Argument[]): number {
    return Number(this.#function(name)(...values));
  }

  #function(name: FunctionName): NativeFunction {
    const known = this.#functions.get(name);
    if (known === undefined) throw returnValueError(Ckr.functionNotSupported, name);
    return known;
  }

  #ulong(value: number | bigint = 0): Buffer {
    const buffer = Buffer.alloc(this.#layout.ulong);
    this.#write(buffer, value, 0);
    return buffer;
  }

  #write(buffer: Buffer, value: number | bigint, offset: number): void {
    writeUlong(buffer, value, offset, this.#layout);
  }

  #read(buffer: Buffer, offset: number): bigint {
    return readUlong(buffer, offset, this.#layout);
  }
}

/** Calls a function in a thread of the pool. The caller keeps the buffers among the values alive. */
function callInPool(native: NativeFunction, values: readonly Argument[]): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  try {
    native.async(...values, settlerOf(resolve, reject));
  } catch {
    reject(new Error('The call could not be made.'));
  }
  return promise;
}

const settlerOf =
  (resolve: (result: number) => void, reject: (error: Error) => void) =>
  (error: unknown, result: number | bigint): void => {
    if (error === null || error === undefined) resolve(Number(result));
    else reject(error instanceof Error ? error : new Error('The call could not be made.'));
  };

const text = (buffer: Buffer, offset: number, length: number): string =>
  buffer.toString('utf8', offset, offset + length);

/** The reason why koffi could not load a library; see `loadDetail`. */
function whyNotLoaded(path: string, error: unknown): string {
  return loadDetail(error instanceof Error ? error.message : '', {
    platform: process.platform,
    architecture: process.arch,
    head: readHead(path),
    systemText: windowsErrorText,
  });
}

function readHead(path: string): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(HEAD_LENGTH);
      return head.subarray(0, readSync(file, head, 0, HEAD_LENGTH, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** FORMAT_MESSAGE_FROM_SYSTEM and FORMAT_MESSAGE_IGNORE_INSERTS (winbase.h). */
const SYSTEM_MESSAGE = 0x1000 | 0x200;
/** LANG_NEUTRAL with SUBLANG_DEFAULT: the language of koffi's own messages. */
const OWN_LANGUAGE = 0x400;

/** The text of a Win32 error; undefined for an error without a text. */
function windowsErrorText(code: number): string | undefined {
  const kernel = koffi.load('kernel32.dll');
  const types = ['uint32', 'void *', 'uint32', 'uint32', 'void *', 'uint32', 'void *'];
  const format = kernel.func('__stdcall', 'FormatMessageW', 'uint32', types);
  const characters = Buffer.alloc(1024);
  const length = format(SYSTEM_MESSAGE, null, code, OWN_LANGUAGE, characters, characters.length / 2, null) as number;
  return length === 0 ? undefined : characters.toString('utf16le', 0, length * 2);
}
