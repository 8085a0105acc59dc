/** Calls drivers through pkcs11js, a second opinion on the answers of drivers. The package is compiled for the tests. */
import { hostFailure, type CryptokiError } from '../../../src/signing/keys/pkcs11/errors.ts';
import {
  Ckr,
  type AttributeTemplate,
  type Cryptoki,
  type CryptokiInfo,
  type CryptokiInitialization,
  type CryptokiMechanism,
  type CryptokiTokenInfo,
  type Handle,
} from '../../../src/signing/keys/pkcs11/cryptoki/cryptoki.ts';
import { layoutOf, readUlong, writeUlong } from '../../../src/signing/keys/pkcs11/cryptoki/layouts.ts';
import { returnValueError } from '../../../src/signing/keys/pkcs11/cryptoki/return-values.ts';

interface NativeMechanism {
  readonly mechanism: number;
  readonly parameter?: CryptokiMechanism['parameter'] & { readonly type: number };
}

/** The methods in use. The callback forms of pkcs11js are left out, because they sign freed memory. */
interface Native {
  load(path: string): void;
  C_Initialize(options?: CryptokiInitialization): void;
  C_Finalize(): void;
  C_GetInfo(): CryptokiInfo;
  C_GetSlotList(tokenPresent: boolean): Buffer[];
  C_GetTokenInfo(slot: Buffer): CryptokiTokenInfo;
  C_GetMechanismList(slot: Buffer): number[];
  C_WaitForSlotEvent(flags: number): Buffer | null;
  C_OpenSession(slot: Buffer, flags: number): Buffer;
  C_CloseSession(session: Buffer): void;
  C_GetSessionInfo(session: Buffer): { readonly state: number };
  C_Login(session: Buffer, userType: number, pin: string): void;
  C_Logout(session: Buffer): void;
  C_FindObjectsInit(session: Buffer, template: readonly AttributeTemplate[]): void;
  C_FindObjects(session: Buffer, count: number): Buffer[];
  C_FindObjectsFinal(session: Buffer): void;
  C_GetAttributeValue(session: Buffer, object: Buffer, template: { type: number }[]): { readonly value: Buffer }[];
  C_SignInit(session: Buffer, mechanism: NativeMechanism, key: Buffer): void;
  C_Sign(session: Buffer, input: Buffer, output: Buffer): Buffer;
  C_SignAsync(session: Buffer, input: Buffer, output: Buffer): Promise<Buffer>;
}

/** The package `pkcs11js`. */
export interface Pkcs11js {
  readonly PKCS11: new () => Native;
  /** The package's own number for the structure CK_RSA_PKCS_PSS_PARAMS. */
  readonly CK_PARAMS_RSA_PSS: number;
}

const layout = layoutOf(process.platform);

const toHandle = (buffer: Buffer): Handle => readUlong(buffer, 0, layout);

function toBuffer(handle: Handle): Buffer {
  const buffer = Buffer.alloc(layout.ulong);
  writeUlong(buffer, handle, 0, layout);
  return buffer;
}

export class Pkcs11jsCryptoki implements Cryptoki {
  readonly #native: Native;
  readonly #pssParameterType: number;

  constructor(pkcs11js: Pkcs11js) {
    this.#native = new pkcs11js.PKCS11();
    this.#pssParameterType = pkcs11js.CK_PARAMS_RSA_PSS;
  }

  load(path: string): void {
    try {
      this.#native.load(path);
    } catch (error) {
      const failure = toPkcs11jsError(error, 'load');
      if (failure.code !== 0) throw failure;
      throw hostFailure('load', 'load', 'not loadable', error instanceof Error ? error.message : '');
    }
  }

  C_Initialize(options?: CryptokiInitialization): void {
    call('C_Initialize', () =>
      options === undefined ? this.#native.C_Initialize() : this.#native.C_Initialize(options),
    );
  }

  C_Finalize(): void {
    call('C_Finalize', () => this.#native.C_Finalize());
  }

  C_GetInfo(): CryptokiInfo {
    const info = call('C_GetInfo', () => this.#native.C_GetInfo());
    const { cryptokiVersion, libraryVersion, manufacturerID, libraryDescription } = info;
    return { cryptokiVersion, libraryVersion, manufacturerID, libraryDescription };
  }

  C_GetSlotList(tokenPresent: boolean): Handle[] {
    return call('C_GetSlotList', () => this.#native.C_GetSlotList(tokenPresent)).map(toHandle);
  }

  C_GetTokenInfo(slot: Handle): CryptokiTokenInfo {
    const info = call('C_GetTokenInfo', () => this.#native.C_GetTokenInfo(toBuffer(slot)));
    const { label, manufacturerID, model, serialNumber, flags, minPinLen, maxPinLen } = info;
    return { label, manufacturerID, model, serialNumber, flags, minPinLen, maxPinLen };
  }

  C_GetMechanismList(slot: Handle): number[] {
    return call('C_GetMechanismList', () => this.#native.C_GetMechanismList(toBuffer(slot)));
  }

  C_WaitForSlotEvent(flags: number): Handle | null {
    const slot = call('C_WaitForSlotEvent', () => this.#native.C_WaitForSlotEvent(flags));
    return slot === null ? null : toHandle(slot);
  }

  C_OpenSession(slot: Handle, flags: number): Handle {
    return toHandle(call('C_OpenSession', () => this.#native.C_OpenSession(toBuffer(slot), flags)));
  }

  C_CloseSession(session: Handle): void {
    call('C_CloseSession', () => this.#native.C_CloseSession(toBuffer(session)));
  }

  C_GetSessionInfo(session: Handle): { readonly state: number } {
    const { state } = call('C_GetSessionInfo', () => this.#native.C_GetSessionInfo(toBuffer(session)));
    return { state };
  }

  /** pkcs11js cannot pass NULL and passes an empty PIN instead. Some drivers of readers refuse an empty PIN. */
  C_Login(session: Handle, userType: number, pin: Buffer | null): void {
    call('C_Login', () => this.#native.C_Login(toBuffer(session), userType, pin?.toString('utf8') ?? ''));
  }

  C_Logout(session: Handle): void {
    call('C_Logout', () => this.#native.C_Logout(toBuffer(session)));
  }

  C_FindObjectsInit(session: Handle, template: readonly AttributeTemplate[]): void {
    call('C_FindObjectsInit', () => this.#native.C_FindObjectsInit(toBuffer(session), template));
  }

  C_FindObjects(session: Handle, count: number): Handle[] {
    return call('C_FindObjects', () => this.#native.C_FindObjects(toBuffer(session), count)).map(toHandle);
  }

  C_FindObjectsFinal(session: Handle): void {
    call('C_FindObjectsFinal', () => this.#native.C_FindObjectsFinal(toBuffer(session)));
  }

  C_GetAttributeValue(session: Handle, object: Handle, type: number): Buffer {
    const [attribute] = call('C_GetAttributeValue', () =>
      this.#native.C_GetAttributeValue(toBuffer(session), toBuffer(object), [{ type }]),
    );
    return attribute?.value ?? Buffer.alloc(0);
  }

  C_SignInit(session: Handle, { mechanism, parameter }: CryptokiMechanism, key: Handle): void {
    const native: NativeMechanism =
      parameter === undefined
        ? { mechanism }
        : { mechanism, parameter: { ...parameter, type: this.#pssParameterType } };
    call('C_SignInit', () => this.#native.C_SignInit(toBuffer(session), native, toBuffer(key)));
  }

  C_Sign(session: Handle, input: Buffer, output: Buffer): Buffer {
    return call('C_Sign', () => this.#native.C_Sign(toBuffer(session), input, output));
  }

  async C_SignAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer> {
    try {
      // The closure of the promise keeps the buffers alive until the driver has returned.
      return await this.#native.C_SignAsync(toBuffer(session), input, output);
    } catch (error) {
      throw toPkcs11jsError(error, 'C_Sign');
    }
  }
}

function call<Result>(operation: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toPkcs11jsError(error, operation);
  }
}

const RETURN_VALUE = /CKR_\w+:(\d+)/;

/**
 * Converts an error of pkcs11js. Its own class has a numeric `code`; C_FindObjects and similar functions throw a plain
 * `Error` with the text `CKR_NAME:number`; a wrong argument is a `TypeError`.
 */
export function toPkcs11jsError(thrown: unknown, operation: string): CryptokiError {
  if (!(thrown instanceof Error)) return hostFailure('usage', operation, 'not an error');
  const code = (thrown as { readonly code?: unknown }).code;
  const [, number] = RETURN_VALUE.exec(thrown.message) ?? [];
  if (number !== undefined) return returnValueError(Number(number), operation);
  if (typeof code === 'number' && code !== Ckr.ok) return returnValueError(code, operation);
  return hostFailure('usage', operation, thrown.name.slice(0, 128));
}
