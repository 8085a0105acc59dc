/** The part of the peers' interfaces used here, to check types where the peers are not installed. */
/* eslint-disable @typescript-eslint/no-extraneous-class -- classes are declared only as far as they are used */

declare module '@libpdf/core' {
  export class P12Signer {
    private constructor();
    static create(p12: Uint8Array, passphrase: string): Promise<P12Signer>;
  }
  export class PDF {
    private constructor();
    static load(bytes: Uint8Array): Promise<PDF>;
    sign(options: { readonly signer: P12Signer }): Promise<unknown>;
  }
}

declare module '@signpdf/placeholder-plain' {
  export function plainAddPlaceholder(options: {
    readonly pdfBuffer: Buffer;
    readonly reason: string;
    readonly contactInfo: string;
    readonly name: string;
    readonly location: string;
  }): Buffer;
}

declare module '@signpdf/signer-p12' {
  export class P12Signer {
    constructor(p12: Buffer, options: { readonly passphrase: string });
  }
}

declare module '@signpdf/signpdf' {
  import type { P12Signer } from '@signpdf/signer-p12';

  export class SignPdf {
    sign(pdf: Buffer, signer: P12Signer): Promise<Buffer>;
  }
}

declare module 'asn1js' {
  export class BaseBlock {
    toBER(): ArrayBuffer;
  }
  export class ObjectIdentifier extends BaseBlock {
    constructor(fields: { readonly value: string });
  }
  export class UTCTime extends BaseBlock {
    constructor(fields: { readonly valueDate: Date });
  }
  export class OctetString extends BaseBlock {
    constructor(fields: { readonly valueHex: ArrayBuffer });
  }
}

declare module 'pkijs' {
  import type { BaseBlock, OctetString } from 'asn1js';

  export class CryptoEngine {
    constructor(fields: { readonly name: string; readonly crypto: Crypto });
  }
  export function setEngine(name: string, engine: CryptoEngine): void;
  export class Certificate {
    readonly issuer: object;
    readonly serialNumber: object;
    static fromBER(der: Uint8Array<ArrayBuffer>): Certificate;
  }
  export class IssuerAndSerialNumber {
    constructor(fields: { readonly issuer: object; readonly serialNumber: object });
  }
  export class Attribute {
    constructor(fields: { readonly type: string; readonly values: readonly BaseBlock[] });
  }
  export class SignedAndUnsignedAttributes {
    constructor(fields: { readonly type: number; readonly attributes: readonly Attribute[] });
  }
  export class SignerInfo {
    signedAttrs?: SignedAndUnsignedAttributes;
    constructor(fields: { readonly version: number; readonly sid: IssuerAndSerialNumber });
  }
  export class EncapsulatedContentInfo {
    constructor(fields: { readonly eContentType: string; readonly eContent: OctetString });
  }
  export class SignedData {
    readonly signerInfos: readonly SignerInfo[];
    constructor(
      fields:
        | { readonly schema: unknown }
        | {
            readonly version: number;
            readonly encapContentInfo: EncapsulatedContentInfo;
            readonly signerInfos: readonly SignerInfo[];
            readonly certificates: readonly Certificate[];
          },
    );
    sign(key: CryptoKey, signerIndex: number, digest: string): Promise<void>;
    verify(options: {
      readonly signer: number;
      readonly trustedCerts: readonly Certificate[];
      readonly checkChain: boolean;
      readonly checkDate: Date;
    }): Promise<boolean>;
    toSchema(encodes: boolean): BaseBlock;
  }
  export class ContentInfo {
    readonly content: object;
    constructor(fields: { readonly contentType: string; readonly content: BaseBlock });
    static fromBER(der: Uint8Array<ArrayBuffer>): ContentInfo;
    toSchema(): BaseBlock;
  }
}
