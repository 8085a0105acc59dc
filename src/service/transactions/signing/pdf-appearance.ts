import { open } from 'node:fs/promises';
import {
  DEFAULT_INITIALS_TEMPLATE,
  DEFAULT_STAMP_TEMPLATE,
  parseCertificate,
  readIcpBrasilIdentity,
  type Certificate,
  type ScanCode,
  type SignatureAppearance,
  type StampValues,
  stampText,
  usesVariable,
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
  /** The owner's page on which anybody can check signatures; absent: ITI's, for certificates of ICP-Brasil. */
  readonly checkPage?: string;
}

/** The validator of ITI, which knows certificates of ICP-Brasil alone. */
const ITI_PAGE = 'https://validar.iti.gov.br';

/** The page that the stamp names; undefined for certificates that no known page can check. */
function checkPageOf(certificate: Certificate, configured: string | undefined): string | undefined {
  if (configured !== undefined) return configured;
  const isIcpBrasil = certificate.issuerAttributes.some(({ type, value }) => type === 'O' && value === 'ICP-Brasil');
  return isIcpBrasil ? ITI_PAGE : undefined;
}

/** An address as people write it: without the scheme, and without a slash at its end. */
const shownAddress = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** The code to scan for an address. The library is loaded with the first code. */
async function scanCodeOf(url: string): Promise<ScanCode> {
  const { create } = await import('qrcode');
  const { size, data } = create(url, { errorCorrectionLevel: 'M' }).modules;
  return { size, modules: Uint8Array.from(data) };
}

/** A visible signature in the signing core's form: the template filled in with signer, reason, place and time. */
export async function pdfAppearance(visible: VisibleSignature, subject: StampSubject): Promise<SignatureAppearance> {
  const { pages, x, y, width, height, corner, fit, clear, image, text, extraInfo, initials } = visible;
  const { setting, signingTime, signerCompany } = subject;
  const certificate = parseCertificate(subject.certificate);
  const identity = readIcpBrasilIdentity(certificate);
  const company = signerCompany?.name ?? identity?.companyName;
  // An ICP-Brasil common name is the name and the taxpayer number, which a stamp shows masked or not at all.
  const name = setting.name ?? certificate.commonName.replace(/:[A-Z0-9]{11,14}$/i, '');
  const checkPage = checkPageOf(certificate, subject.checkPage);
  const template = text ?? DEFAULT_STAMP_TEMPLATE;
  const values = {
    name,
    cpf: identity?.cpf,
    cnpj: identity?.cnpj,
    reason: setting.reason,
    location: setting.location,
    company,
    signingTime,
    extraInfo,
    checkPage: checkPage === undefined ? undefined : shownAddress(checkPage),
  };
  const filled = stampText(template, values);
  return {
    pages,
    x,
    y,
    width,
    height,
    corner,
    fit,
    clear,
    initials: initialsMark(initials, values),
    text: filled,
    title: name,
    // A picture alone, such as a written signature, shows the page behind it.
    framed: filled.trim() !== '',
    code: checkPage !== undefined && usesVariable(template, 'qr') ? await scanCodeOf(checkPage) : undefined,
    image: image === undefined ? undefined : Buffer.from(image, 'base64'),
  };
}

/** The mark of the further pages; undefined when it would show nothing. */
function initialsMark(initials: VisibleSignature['initials'], values: StampValues): SignatureAppearance['initials'] {
  if (initials === undefined) return undefined;
  const text = stampText(initials.text ?? DEFAULT_INITIALS_TEMPLATE, values);
  return text.trim() === '' ? undefined : { ...dropUndefined(initials), text };
}
