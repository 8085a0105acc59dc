import {
  DEFAULT_STAMP_TEMPLATE,
  parseCertificate,
  readIcpBrasilIdentity,
  type SignatureAppearance,
  stampText,
} from '../../../signing/index.ts';
import type { SignatureSetting, VisibleSignature } from '../choices/signature-setting.ts';
import type { SignerCompany } from '../transaction.ts';

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
  const { pages, x, y, width, height, corner, fit, image, text, extraInfo } = visible;
  const { setting, signingTime, signerCompany } = subject;
  const certificate = parseCertificate(subject.certificate);
  const identity = readIcpBrasilIdentity(certificate);
  const company = signerCompany?.name ?? identity?.companyName;
  // An ICP-Brasil common name is the name and the taxpayer number, which a stamp shows masked or not at all.
  const name = setting.name ?? certificate.commonName.replace(/:[A-Z0-9]{11,14}$/i, '');
  const filled = stampText(text ?? DEFAULT_STAMP_TEMPLATE, {
    name,
    ...(identity?.cpf === undefined ? {} : { cpf: identity.cpf }),
    ...(identity?.cnpj === undefined ? {} : { cnpj: identity.cnpj }),
    ...(setting.reason === undefined ? {} : { reason: setting.reason }),
    ...(setting.location === undefined ? {} : { location: setting.location }),
    ...(company === undefined ? {} : { company }),
    signingTime,
    ...(extraInfo === undefined ? {} : { extraInfo }),
  });
  return {
    ...{ pages, x, y, width, height },
    ...(corner === undefined ? {} : { corner }),
    ...(fit === undefined ? {} : { fit }),
    text: filled,
    ...(image === undefined ? {} : { image: Buffer.from(image, 'base64') }),
  };
}
