import { z } from 'zod';
import { SUB_INDICATIONS, VALIDATION_CHECK_CODES } from '../../service/validation/index.ts';
import { findingBody, trustBody } from '../authorization/certificate-info.ts';

/** The wire schemas of the validator's answer. */

const text = z.string().nullable();
const instant = z.iso.datetime();
const maybeInstant = instant.nullable();
const indication = z.enum(['TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE']);
const verdict = {
  indication: indication.meta({ description: 'ETSI EN 319 102-1 §5.1.3' }),
  sub_indication: z.enum(SUB_INDICATIONS).nullable(),
};

const checkBody = z
  .object({
    area: z.string(),
    outcome: z.enum(['passed', 'failed', 'unknown', 'warning']),
    code: z.enum(VALIDATION_CHECK_CODES),
    finding: z.string().meta({ description: "What was found, in the caller's language (Accept-Language: pt-BR, en)." }),
    remedy: text.meta({ description: 'What to do about it.' }),
    detail: z.string().meta({ description: 'English, about this very case.' }),
  })
  .meta({ id: 'ValidationCheck' });

const chainEntryBody = z.object({
  name: z.string(),
  not_before: instant,
  not_after: instant,
  fingerprint_sha256: z.string(),
  anchor: z.boolean(),
  time_stamps_only: z.boolean().meta({ description: 'The anchor is trusted for time stamps and for nothing else.' }),
  revocation: z
    .object({
      status: z.enum(['good', 'revoked', 'unknown']),
      kind: z.enum(['ocsp', 'crl']).nullable(),
      origin: z.enum(['embedded', 'cache', 'network']).nullable(),
      this_update: maybeInstant,
      next_update: maybeInstant,
      revoked_at: maybeInstant,
      reason: text,
      problem: text,
    })
    .nullable(),
});

const timestampBody = z
  .object({
    role: z.enum(['signature', 'archive', 'document', 'content', 'references', 'evidence-record']),
    time: maybeInstant.meta({ description: 'Null for a time stamp that cannot be read.' }),
    ...verdict,
    authority: text,
    chain: z.array(chainEntryBody),
    checks: z.array(checkBody),
  })
  .meta({ id: 'ValidatedTimestamp' });

const pdfBody = z.object({
  field_name: z.string(),
  sub_filter: z.string(),
  covers_whole_file: z.boolean(),
  revision: z.number().int(),
  certification: z.number().int().nullable().meta({ description: 'P of DocMDP: 1, 2 or 3.' }),
  reason: text,
  location: text,
  contact: text,
  page: z.number().int().nullable(),
  change_level: z.enum(['none', 'long-term-update', 'form-filling', 'annotations', 'other']),
  changes_allowed: z.boolean(),
  changed_since: z.boolean().meta({
    description: 'A later revision altered what a reader of the document sees, further signatures apart.',
  }),
  signed_size: z.number().int().nullable().meta({
    description: 'Bytes up to the end of the signed revision: the document as it was signed.',
  }),
  changes: z.array(
    z.object({
      revision: z.number().int(),
      page: z.number().int().nullable(),
      field_name: text,
      level: z.string(),
      code: z.string(),
      detail: z.string(),
    }),
  ),
});

/** A signer: a SignerInfo, a counter-signature, or a signature field of a PDF. */
const signatureFields = z.object({
  id: z.string(),
  format: z.enum(['CMS', 'CAdES', 'PDF', 'PAdES']),
  status: z.boolean(),
  ...verdict,
  holder: z.object({
    name: text,
    taxpayer_number: text.meta({ description: 'CPF or CNPJ, masked.' }),
  }),
  signer_certificate: z
    .object({
      cn: z.string().meta({ description: 'With the number behind the name masked.' }),
      issuer: z.string(),
      serial_number_hex: z.string(),
      not_before: instant,
      not_after: instant,
      fingerprint: z.string().meta({ description: 'SHA-1' }),
      fingerprint_sha256: z.string(),
      policy_type: text,
      pem: z.string(),
    })
    .nullable(),
  hierarchy: z
    .enum(['ICP-Brasil', 'gov.br', 'test', 'other'])
    .nullable()
    .meta({ description: 'gov.br: an advanced signature, not a qualified one (Lei 14.063/2020).' }),
  level: text.meta({
    description:
      'The ICP-Brasil policy (AD-RB 2.4) where there is one, else B-B to B-LTA: the highest level whose material is there and right, whatever is trusted and however old it is.',
  }),
  level_proven: text.meta({ description: 'The level that is proven at the time of validation; null when not valid.' }),
  protection: z
    .object({ until: instant, cause: z.enum(['certificate', 'algorithm']), name: z.string() })
    .nullable()
    .meta({
      description:
        'Until when the signature proves itself without any server, and what ends then; null when not valid.',
    }),
  policy: z.object({ oid: z.string(), name: text, recognised: z.boolean() }).nullable(),
  claimed_signing_time: maybeInstant,
  statements: z
    .object({
      claimed_roles: z.array(z.string()),
      place: z.array(z.string()),
      commitments: z.array(z.string()),
      content_hints: z.array(z.string()),
    })
    .nullable()
    .meta({ description: 'What the signer states in signed attributes: claims, which nobody checked.' }),
  proven_time: maybeInstant.meta({ description: 'The earliest time stamp that is valid.' }),
  validation_time: instant,
  digest_algorithm: text,
  signature_algorithm: text,
  chain: z.array(chainEntryBody),
  timestamps: z.array(timestampBody),
  checks: z.array(checkBody),
  pdf: pdfBody.nullable(),
  extendable: z.enum(['B-T', 'B-LT', 'B-LTA']).nullable().meta({ description: 'What would make it last longer.' }),
});

export interface ValidatedSignatureBody extends z.output<typeof signatureFields> {
  counter_signatures: ValidatedSignatureBody[];
}

const signatureBody: z.ZodType<ValidatedSignatureBody> = signatureFields
  .extend({ counter_signatures: z.lazy(() => z.array(signatureBody)) })
  .meta({ id: 'ValidatedSignature' });

/** Answer of endpoint 5. */
export const validatorBody = z
  .object({
    status: z.boolean(),
    detail: z.object({
      signature: findingBody,
      date: findingBody,
      crl: findingBody,
      trust: trustBody,
      policy: findingBody.optional().meta({ description: 'Only where a signature names a policy.' }),
    }),
    ...verdict,
    changed_since: z.boolean().meta({
      description: 'True when it holds for a signature of a PDF; `indication` and `status` do not depend on it.',
    }),
    kind: z.enum(['cms-attached', 'cms-detached', 'pdf', 'timestamp', 'evidence-record']),
    standards: z.array(z.string()).meta({
      description: 'What a PDF claims to be, such as PDF/A-2b and PDF/UA-1. The claims are not checked.',
    }),
    no_legal_value: z.boolean().meta({ description: 'A chain ends at a root for trying out (homologation).' }),
    validated_at: instant,
    content_digest: text.meta({ description: 'SHA-256 of the content, lower-case hex.' }),
    signatures: z.array(signatureBody),
    document_timestamps: z.array(timestampBody),
    checks: z.array(checkBody).meta({ description: 'About the file as a whole.' }),
    notice: z.object({ text: z.string(), url: z.string() }).meta({
      description: 'This answer does not replace the validation at the official site.',
    }),
  })
  .meta({ id: 'Validation' });

export type ValidatorBody = z.output<typeof validatorBody>;
export type ValidatedTimestampBody = z.output<typeof timestampBody>;
export type ValidatedChainEntry = z.output<typeof chainEntryBody>;
export type ValidationCheckBody = z.output<typeof checkBody>;

const file = { type: 'string', format: 'binary' } as const;

/** The form of endpoint 5, for the OpenAPI document; `read-validator-form.ts` reads it. */
export const validatorForm = {
  type: 'object' as const,
  required: ['type', 'signature'] as string[],
  properties: {
    type: {
      type: 'string' as const,
      enum: ['CMS', 'CAdES', 'PDF', 'PAdES', 'TimeStamp', 'EvidenceRecord'] as string[],
      description: 'In any letter case.',
    },
    signature: { ...file, description: 'The signature, or the signed PDF.' },
    document: { ...file, description: 'Content of a detached signature.' },
    evidence_record: { ...file, description: 'An evidence record (RFC 4998) over the signed file as it stands.' },
  },
};
