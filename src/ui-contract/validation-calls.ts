/** The calls about validating signatures, and about the contents and the state of certificates. */
import { z } from 'zod';
import { fingerprint, instant } from './views.ts';

const text = z.string().nullable();
const language = z.enum(['pt-BR', 'en']);
/** Levels for extending signatures. */
const baselineLevel = z.enum(['B-T', 'B-LT', 'B-LTA']);
const hierarchy = z.enum(['ICP-Brasil', 'gov.br', 'test', 'other']);

const verdict = {
  indication: z.enum(['TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE']),
  subIndication: text,
  /** One or two words in the requested language. */
  verdict: z.string(),
  /** The reason, as a sentence. */
  sentence: z.string(),
};

const checkView = z.object({
  code: z.string(),
  area: z.string(),
  outcome: z.enum(['passed', 'failed', 'unknown', 'warning']),
  finding: z.string(),
  /** The remedy. */
  remedy: text,
  /** In English, about this particular case. */
  detail: z.string().nullable(),
});

const chainView = z.object({
  name: z.string(),
  notBefore: instant,
  notAfter: instant,
  /** The role as a root; null below the root. */
  role: text,
  revocation: z.enum(['good', 'revoked', 'unknown']).nullable(),
  /** The kind of the evidence of the revocation status: `CRL` or `OCSP`. */
  evidence: text,
  revokedAt: instant.nullable(),
});

const timestampView = z.object({
  title: z.string(),
  /** Null for an unreadable time stamp. */
  time: instant.nullable(),
  authority: text,
  ...verdict,
  checks: z.array(checkView).readonly(),
  chain: z.array(chainView).readonly(),
});

const rowView = z.object({ label: z.string(), value: z.string() });

const changeView = z.object({
  revision: z.number().int(),
  page: z.number().int().nullable(),
  level: z.enum(['none', 'long-term-update', 'form-filling', 'annotations', 'other']),
  code: z.string(),
  /** True for changes that a reader of the document sees. */
  isShown: z.boolean(),
  text: z.string(),
});

const signatureFields = z.object({
  id: z.string(),
  title: z.string(),
  holder: text,
  /** Masked. */
  taxpayerNumber: text,
  hierarchy: hierarchy.nullable(),
  level: text,
  levelProven: text,
  ...verdict,
  rows: z.array(rowView).readonly(),
  checks: z.array(checkView).readonly(),
  chain: z.array(chainView).readonly(),
  timestamps: z.array(timestampView).readonly(),
  /** Changes by later revisions of the PDF. */
  changes: z.array(changeView).readonly(),
  /** True if a later revision changed visible content, apart from further signatures. */
  changedSince: z.boolean(),
  /** The rule that allows these changes, with a label. */
  allowedBy: text,
  /** Bytes up to the end of the signed revision of a PDF. */
  signedSize: z.number().nullable(),
  /** Full name of the signature field of a PDF. */
  fieldName: text,
  /** A way to extend the signature's validity. */
  hint: text,
  /** The level of the hint. */
  raisesTo: baselineLevel.nullable(),
});

export interface ValidatedSignatureView extends z.output<typeof signatureFields> {
  readonly counterSignatures: readonly ValidatedSignatureView[];
}

const signatureView: z.ZodType<ValidatedSignatureView> = signatureFields.extend({
  counterSignatures: z.lazy(() => z.array(signatureView)).readonly(),
});

const reportView = z.object({
  language,
  title: z.string(),
  ...verdict,
  rows: z.array(rowView).readonly(),
  signatures: z.array(signatureView).readonly(),
  documentTimestamps: z.array(timestampView).readonly(),
  /** True when this holds for a signature. */
  changedSince: z.boolean(),
  /** Bytes up to the end of each revision of a PDF; empty for other files. */
  revisionEnds: z.array(z.number().nullable()).readonly(),
  /** About the file as a whole. */
  remarks: z.array(checkView).readonly(),
  /** The note that this does not replace the official validation, with its address. */
  notice: z.object({ text: z.string(), label: z.string(), url: z.string() }),
});

/** A validation, ready for display. */
export const validationView = z.object({
  /** Id of the validation for `validation.report`; forgotten after an hour, or after fifty others. */
  id: z.string(),
  fileName: z.string(),
  contentName: text,
  /** True when every signature is TOTAL-PASSED. */
  status: z.boolean(),
  report: reportView,
});

/** A file given by the window, a file on this computer for hosts with paths, or a stored result. */
const fileReference = z.union([
  z.object({ upload: z.string() }),
  z.object({ path: z.string().min(1) }),
  z.object({ result: z.object({ tcn: z.string(), documentId: z.string() }) }),
]);

const finding = z.object({ status: z.boolean(), code: z.number().int(), message: z.string() });

const describedCertificate = z.object({
  version: z.string(),
  dn: z.string(),
  cn: z.string(),
  basicConstraints: z.object({ cA: z.boolean() }),
  validity: z.object({ notBefore: z.string(), notAfter: z.string() }),
  keyIdentifier: text,
  fingerprint: z.string(),
  fingerprint_sha256: z.string(),
  keyUsage: z.array(z.string()).readonly(),
  extKeyUsage: z.array(z.string()).readonly(),
  serialNumberHex: z.string(),
  algorithm: z.string(),
  policy: z.object({ oid: text, dpc: text, name: text, type: text }),
  signature: z.string(),
  publicKey: z.object({ algorithm: z.string(), bits: z.number().int().nullable(), pem: z.string() }),
  issuer: z.object({
    crl: z.array(z.string()).readonly(),
    dn: z.string(),
    cn: z.string(),
    aia: text,
    keyIdentifier: text,
    fingerprint: text,
  }),
  subject: z.object({
    email: text,
    dataNascimento: text,
    cpf: text,
    nis: text,
    rg: z.object({ numero: text, emissor: text, uf: text }),
    cei: text,
    tituloEleitor: z.object({ numero: text, zona: text, secao: text, municipio: text, uf: text }),
    cnpj: text,
    razaoSocial: text,
    responsavel: text,
  }),
  hierarchy: hierarchy.nullable(),
});

/** A certificate as in certificate information, with its chain as a list from the certificate upwards. */
export const certificateInspection = z.object({
  /** Null for a certificate of a file. */
  alias: text,
  detail: z.object({ date: finding, crl: finding, trust: finding.extend({ chain: z.string() }) }),
  certificate: describedCertificate,
  pem: z.string(),
  chain: z.array(z.object({ name: z.string(), notBefore: instant, notAfter: instant, fingerprint })),
});

/** A PKCS#12 file with the key for PDFs encrypted for its certificate; never stored. */
export const recipientKey = z.object({ file: z.base64(), password: z.string().max(1000) });

export const validationCalls = {
  /** Validates a signature or a signed PDF. `NOT_A_SIGNATURE` for other files. */
  'validation.run': {
    input: z.object({
      signature: fileReference,
      /** Content of a detached signature. */
      content: fileReference.optional(),
      /** Evidence records (RFC 4998) over the signed file. */
      records: z.array(fileReference).max(8).readonly().optional(),
      /** Nothing is fetched. */
      offline: z.boolean().optional(),
      /** Judges as of this time, which has passed; by default now. */
      at: instant.optional(),
      /** Opens an encrypted PDF; never kept. */
      password: z.string().max(1000).optional(),
      recipient: recipientKey.optional(),
      language,
    }),
    output: validationView,
  },
  /** The same validation in another language. `NOT_FOUND` for a forgotten validation. */
  'validation.read': { input: z.object({ id: z.string(), language }), output: validationView },
  /** A validation to keep or to print. `NOT_FOUND` for a forgotten validation. */
  'validation.report': {
    input: z.object({
      id: z.string(),
      format: z.enum(['html', 'pdf', 'json']),
      language,
      /** The paper of a PDF; by default A4. */
      paper: z.enum(['A4', 'Letter']).optional(),
    }),
    output: z.object({ name: z.string(), mediaType: z.string(), data: z.base64() }),
  },
  /**
   * Extends the signatures in a validated file, and answers the new file; the given file stays unchanged.
   * `DOCUMENT_TOO_LARGE` for a file too long for this call: `sinete raise` takes files of any size.
   */
  'validation.raise': {
    input: z.object({
      signature: fileReference,
      /** Content of a detached signature. */
      content: fileReference.optional(),
      level: baselineLevel,
      /** Opens an encrypted PDF; never kept. */
      password: z.string().max(1000).optional(),
    }),
    output: z.object({ name: z.string(), data: z.base64() }),
  },
  /**
   * The contents and the present state of a certificate: of a key here, or of the certificates in a file (PEM, DER,
   * PKCS#7).
   */
  'certificates.inspect': {
    input: z.union([z.object({ alias: z.string() }), z.object({ file: z.base64() })]),
    output: z.array(certificateInspection),
  },
} as const;
