import { open } from 'node:fs/promises';
import {
  DEFAULT_INITIALS_TEMPLATE,
  DEFAULT_STAMP_TEMPLATE,
  parseCertificate,
  readIcpBrasilIdentity,
  type SignatureAppearance,
  type StampValues,
  stampText,
} from '../../../signing/index.ts';
import type { SignatureSetting, VisibleSignature } from '../choices/signature-setting.ts';
import type { SignerCompany } from '../transaction.ts';
import { dropUndefined } from '../../../values/drop-undefined.ts';

/**
 * The DER of a PDF signature: the hexadecimal string between the two byte ranges, padded with zeros (ISO 32000-2
 * §12.8.1). The outer SEQUENCE's length removes the padding.
 */
export async function readPdfContents(
  path: string,
  [, firstLength, secondStart]: readonly [number, number, number, number],
): Promise<Buffer> {
  const gap = Buffer.alloc(secondStart - firstLength);
  const file = await open(path, 'r');
  try {
    await file.read(gap, 0, gap.length, firstLength);
  } finally {
    await file.close();
  }
  const bytes = Buffer.from(gap.toString('latin1').replace(/[<>\s]/g, ''), 'hex');
  return bytes.subarray(0, derLength(bytes));
}

/** Bytes of the first DER element (X.690 §8.1.3), header included. */
function derLength(bytes: Buffer): number {
  const first = bytes[1] ?? 0;
  if (first < 0x80) return 2 + first;
  const lengthBytes = first & 0x7f;
  return 2 + lengthBytes + (lengthBytes === 0 ? 0 : bytes.readUIntBE(2, lengthBytes));
}

/** Values for a stamp besides its own text. */
export interface StampSubject {
  readonly setting: SignatureSetting;
  readonly signingTime: Date;
  /** DER. */
  readonly certificate: Buffer;
  readonly signerCompany?: SignerCompany;
}

/** A visible signature in the signing core's form: the template filled in with signer, reason, place and time. */
export function pdfAppearance(visible: VisibleSignature, subject: StampSubject): SignatureAppearance {
  const { pages, x, y, width, height, corner, fit, image, text, extraInfo, initials } = visible;
  const { setting, signingTime, signerCompany } = subject;
  const certificate = parseCertificate(subject.certificate);
  const identity = readIcpBrasilIdentity(certificate);
  const company = signerCompany?.name ?? identity?.companyName;
  // An ICP-Brasil common name is the name and the taxpayer number, which a stamp shows masked or not at all.
  const name = setting.name ?? certificate.commonName.replace(/:[A-Z0-9]{11,14}$/i, '');
  const values = {
    name,
    cpf: identity?.cpf,
    cnpj: identity?.cnpj,
    reason: setting.reason,
    location: setting.location,
    company,
    signingTime,
    extraInfo,
  };
  return {
    pages,
    x,
    y,
    width,
    height,
    corner,
    fit,
    initials: initialsMark(initials, values),
    text: stampText(text ?? DEFAULT_STAMP_TEMPLATE, values),
    image: image === undefined ? undefined : Buffer.from(image, 'base64'),
  };
}

/** The mark of the further pages; undefined when it would show nothing. */
function initialsMark(initials: VisibleSignature['initials'], values: StampValues): SignatureAppearance['initials'] {
  if (initials === undefined) return undefined;
  const text = stampText(initials.text ?? DEFAULT_INITIALS_TEMPLATE, values);
  return text.trim() === '' ? undefined : { ...dropUndefined(initials), text };
}
