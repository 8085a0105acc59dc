import { createHash } from 'node:crypto';
import {
  parseCertificate,
  readIcpBrasilIdentity,
  type Certificate,
  type SignatureReport,
} from '../../signing/index.ts';
import {
  commonNameOf,
  describePolicy,
  serialNumberHex,
  holderName,
  maskedTaxpayerNumber,
  maskNumberBehindName,
  toPem,
} from '../certificates/index.ts';

/** The signer in a report. CPF and CNPJ are masked. */
export interface ReportSigner {
  readonly holder: string | null;
  readonly taxpayerNumber: string | null;
  readonly certificate: SignerCertificate | null;
}

export interface SignerCertificate {
  /** Common name, with a CPF or CNPJ at its end masked. */
  readonly cn: string;
  readonly issuer: string;
  readonly serialNumberHex: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SHA-1, lower-case hex. */
  readonly fingerprint: string;
  readonly fingerprintSha256: string;
  /** Type of the ICP-Brasil certificate, `A1` … `T4`; null if the certificate names none. */
  readonly policyType: string | null;
  readonly pem: string;
}

export function describeSigner({ signerCertificate, signerName }: SignatureReport): ReportSigner {
  if (signerCertificate === undefined) {
    const holder = signerName === undefined ? null : maskNumberBehindName(signerName);
    return { holder, taxpayerNumber: null, certificate: null };
  }
  const certificate = parseCertificate(signerCertificate);
  const identity = readIcpBrasilIdentity(certificate);
  return {
    holder: maskNumberBehindName(holderName(certificate, identity)),
    taxpayerNumber: maskedTaxpayerNumber(identity),
    certificate: describe(certificate),
  };
}

function describe(certificate: Certificate): SignerCertificate {
  return {
    cn: maskNumberBehindName(certificate.commonName),
    issuer: commonNameOf(certificate.issuerAttributes),
    serialNumberHex: serialNumberHex(certificate),
    notBefore: certificate.notBefore,
    notAfter: certificate.notAfter,
    fingerprint: createHash('sha1').update(certificate.der).digest('hex'),
    fingerprintSha256: certificate.fingerprint,
    policyType: describePolicy(certificate).type,
    pem: toPem('CERTIFICATE', certificate.der),
  };
}
