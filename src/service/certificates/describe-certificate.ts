import { createHash } from 'node:crypto';
import {
  readCertificatePolicies,
  readCertificateSignature,
  readCertificateVersion,
  readEmailAddress,
  readIcpBrasilIdentity,
  readPublicKeyFacts,
  readRevocationSources,
  type Certificate,
  type NameAttribute,
} from '../../signing/index.ts';
import { keyPurposeNames, keyUsageNames, signatureAlgorithmIdentifier } from './algorithm-names.ts';
import type { CertificateEntry, CertificateSubject, DescribedCertificate } from './certificate-entry.ts';
import type { CertificateStatus } from './certificate-status.ts';

/** Textual form of a structure (RFC 7468 §3): `CERTIFICATE`, `PUBLIC KEY`. Ends with a line break. */
export function toPem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/**
 * The certificate type by an ICP-Brasil policy OID: the arc after 2.16.76.1.2 (DOC-ICP-04 §1.2, Resolução 211/2024).
 */

const POLICY_ARC = '2.16.76.1.2.';
const STATEMENT_ARC = '2.16.76.1.1.';
const GOV_BR_ARC = '2.16.76.3.2.';

const TYPES: ReadonlyMap<string, readonly [type: string, name: string]> = new Map([
  ['1', ['A1', 'ICP-Brasil, assinatura digital, tipo A1']],
  ['2', ['A2', 'ICP-Brasil, assinatura digital, tipo A2']],
  ['3', ['A3', 'ICP-Brasil, assinatura digital, tipo A3']],
  ['4', ['A4', 'ICP-Brasil, assinatura digital, tipo A4']],
  ['101', ['S1', 'ICP-Brasil, sigilo, tipo S1']],
  ['102', ['S2', 'ICP-Brasil, sigilo, tipo S2']],
  ['103', ['S3', 'ICP-Brasil, sigilo, tipo S3']],
  ['104', ['S4', 'ICP-Brasil, sigilo, tipo S4']],
  ['201', ['SE-S', 'ICP-Brasil, selo eletrônico em software']],
  ['202', ['SE-H', 'ICP-Brasil, selo eletrônico em hardware']],
  ['203', ['AE-S', 'ICP-Brasil, aplicação específica em software']],
  ['204', ['AE-H', 'ICP-Brasil, aplicação específica em hardware']],
  ['303', ['T3', 'ICP-Brasil, carimbo do tempo, tipo T3']],
  ['304', ['T4', 'ICP-Brasil, carimbo do tempo, tipo T4']],
  ['500', ['CF-e-SAT', 'ICP-Brasil, CF-e-SAT']],
  ['550', ['OM-BR', 'ICP-Brasil, objeto metrológico']],
]);

/** The type and the name of a policy; null for an OID without a type. */
export interface PolicyKind {
  /** `A1` … `A4`, `S1` … `S4`, `T3`, `T4`, `SE-S`, `SE-H`, `AE-S`, `AE-H`, `CF-e-SAT`, `OM-BR`. */
  readonly type: string | null;
  /** Brazilian Portuguese, as the policies themselves are. */
  readonly name: string | null;
}

/** Looks up the whole arc: `.2.3.7` is A3, `.2.303.7` is T3. */
export function policyKind(oid: string): PolicyKind {
  if (oid.startsWith(POLICY_ARC)) {
    const [type, name] = TYPES.get(oid.slice(POLICY_ARC.length).split('.', 1)[0] ?? '') ?? [null, null];
    return { type, name };
  }
  if (oid.startsWith(STATEMENT_ARC)) {
    return { type: null, name: 'ICP-Brasil, declaração de práticas de certificação' };
  }
  return { type: null, name: oid.startsWith(GOV_BR_ARC) ? 'gov.br, assinatura eletrônica avançada' : null };
}

/**
 * The certificate in the form of `GET /certificate/info`, with its state. Odd certificates are described as far as
 * readable; a damaged part is null or empty.
 */
export function describeCertificate(certificate: Certificate, status: CertificateStatus): CertificateEntry {
  const { date, crl, trust } = status.findings;
  return { detail: { date, crl, trust }, certificate: describeFields(certificate, status) };
}

function describeFields(certificate: Certificate, { issuer, hierarchy }: CertificateStatus): DescribedCertificate {
  const { algorithm, bits } = readPublicKeyFacts(certificate);
  const sources = readRevocationSources(certificate);
  return {
    version: `v${readCertificateVersion(certificate)}`,
    dn: distinguishedName(certificate.subjectAttributes),
    cn: certificate.commonName,
    basicConstraints: { cA: certificate.isCertificateAuthority },
    validity: { notBefore: wireTime(certificate.notBefore), notAfter: wireTime(certificate.notAfter) },
    keyIdentifier: certificate.subjectKeyIdentifier?.toString('base64') ?? null,
    fingerprint: sha1Of(certificate),
    fingerprint_sha256: certificate.fingerprint,
    keyUsage: keyUsageNames(certificate.keyUsage ?? []),
    extKeyUsage: keyPurposeNames(certificate.extendedKeyUsage ?? []),
    serialNumberHex: serialNumberHex(certificate),
    algorithm: signatureAlgorithmIdentifier(certificate.signatureAlgorithm),
    policy: describePolicy(certificate),
    signature: readCertificateSignature(certificate).toString('base64'),
    publicKey: { algorithm, bits, pem: toPem('PUBLIC KEY', certificate.publicKeyInfo) },
    issuer: {
      crl: sources.crls,
      dn: distinguishedName(certificate.issuerAttributes),
      cn: commonNameOf(certificate.issuerAttributes),
      aia: sources.issuers[0] ?? null,
      keyIdentifier: certificate.authorityKeyIdentifier?.toString('base64') ?? null,
      fingerprint: issuer === undefined ? null : sha1Of(issuer),
    },
    subject: describeSubject(certificate),
    hierarchy: hierarchy ?? null,
  };
}

/** Lower-case hex. SHA-1 only identifies the certificate here and protects nothing. */
const sha1Of = ({ der }: Certificate): string => createHash('sha1').update(der).digest('hex');

/** `2026-01-02T03:04:05+0000`. */
const wireTime = (date: Date): string => `${date.toISOString().slice(0, 19)}+0000`;

/** The characters escaped by RFC 4514 §2.4. */
const SPECIAL = /[,+"\\<>;]/g;

function distinguishedName(attributes: readonly NameAttribute[]): string {
  return attributes.map(({ type, value }) => `${type}=${value.replaceAll(SPECIAL, '\\$&')}`).join(', ');
}

/** The last common name, else the last name of an organisation; empty where there is neither. */
export function commonNameOf(attributes: readonly NameAttribute[]): string {
  const last = (wanted: string): string | undefined => attributes.findLast(({ type }) => type === wanted)?.value;
  return last('CN') ?? last('O') ?? last('OU') ?? '';
}

/** As OpenSSL shows it: without the leading zero byte of a positive number. */
export function serialNumberHex({ serialNumber }: Certificate): string {
  const hex = serialNumber.toString('hex').toUpperCase();
  return hex.length > 2 && /^00[89A-F]/.test(hex) ? hex.slice(2) : hex;
}

/** Among several policies, the first with a known type, else the first. */
export function describePolicy(certificate: Certificate): DescribedCertificate['policy'] {
  const policies = readCertificatePolicies(certificate);
  const chosen = policies.find(({ oid }) => policyKind(oid).type !== null) ?? policies[0];
  if (chosen === undefined) return { oid: null, dpc: null, name: null, type: null };
  return { oid: chosen.oid, dpc: chosen.statements[0] ?? null, ...policyKind(chosen.oid) };
}

function describeSubject(certificate: Certificate): CertificateSubject {
  const identity = readIcpBrasilIdentity(certificate);
  const { rg, voterId } = identity ?? {};
  return {
    email: identity?.email ?? readEmailAddress(certificate) ?? null,
    dataNascimento: identity?.birthDate ?? null,
    cpf: identity?.cpf ?? null,
    nis: identity?.nis ?? null,
    rg: { numero: rg?.number ?? null, emissor: rg?.issuer ?? null, uf: rg?.state ?? null },
    cei: identity?.cei ?? null,
    tituloEleitor: {
      numero: voterId?.number ?? null,
      zona: voterId?.zone ?? null,
      secao: voterId?.section ?? null,
      municipio: voterId?.municipality ?? null,
      uf: voterId?.state ?? null,
    },
    cnpj: identity?.cnpj ?? null,
    razaoSocial: identity?.companyName ?? null,
    responsavel: identity?.responsibleName ?? null,
  };
}
