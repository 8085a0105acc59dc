/**
 * The request for a signature, described once. The body of `POST /signature-service` and its OpenAPI document, the
 * calls of the window, the options of `sinete sign` and the stored record derive from the two tables below. An option
 * that is added here is known everywhere; what remains to be written is its effect on the signature.
 *
 * zod is passed in, because a command of a running instance reads the tables without loading zod.
 */
import type { z } from 'zod';
import { baselineLevels, icpBrasilArc, icpBrasilProfiles, signaturePolicies } from './signature-policies.ts';

export type Zod = typeof z;

/** One option, with its names outside of the program. */
export interface RequestOption {
  /** The option's form inside the program, in calls and in the record. */
  readonly schema: (zod: Zod) => z.ZodType;
  /** Every request has the option; absent: the option may be left out. */
  readonly required?: true;
  /** The form in calls, if another one: an absent value then means the default. */
  readonly call?: (zod: Zod) => z.ZodType;
  /** The field of the HTTP body; absent: HTTP has no such field, or several fields (`read-create-request.ts`). */
  readonly body?: {
    readonly name: string;
    /** The form on the wire, if another one; its output is the form inside. */
    readonly schema?: (zod: Zod) => z.ZodType;
    readonly about?: string;
  };
  /** The option of the command line, in the notation of commander; absent: `sign` reads the option by itself. */
  readonly command?: {
    readonly flags: string;
    readonly about: string;
    readonly choices?: readonly string[];
    /** Left out for files other than PDFs. */
    readonly pdfOnly?: true;
  };
}

/** Signature types, spelled as the interface answers them. */
export const signatureTypes = [
  'CMS-attached',
  'CMS-detached',
  'CAdES-attached',
  'CAdES-detached',
  'PDFSignature',
  'PAdES',
] as const;

/** Names of hash functions on the wire, and inside. */
const digestOfName = { SHA256: 'sha256', SHA384: 'sha384', SHA512: 'sha512' } as const;
export const hashAlgorithms = ['SHA256', 'SHA384', 'SHA512'] as const;
const digests = ['sha256', 'sha384', 'sha512'] as const;

/** Permitted changes of a PDF after its signature (DocMDP). */
const certifications = ['no-changes', 'form-filling', 'annotations'] as const;

const line = (zod: Zod) => zod.string().max(1000);

/** Ways to go on when revocation data newer than the signature is not available yet. */
export const evidenceWishes = ['later', 'wait'] as const;

/** Options of a transaction: all its signatures have the same. */
export const requestOptions = {
  type: {
    required: true,
    schema: (zod) => zod.enum(signatureTypes),
    body: {
      name: 'type',
      schema: (zod) => zod.enum(signatureTypes, { error: `Use CMS, CAdES, ${signatureTypes.join(', ')}.` }),
    },
  },
  digest: {
    required: true,
    schema: (zod) => zod.enum(digests),
    body: {
      name: 'hash_algorithm',
      schema: (zod) =>
        zod
          .enum(hashAlgorithms)
          .default('SHA256')
          .transform((name) => digestOfName[name]),
    },
  },
  /** The level of the signature; a call may use any letter case (`parseSignaturePolicy`). */
  policy: {
    required: true,
    schema: (zod) =>
      zod.union([zod.enum(signaturePolicies), zod.templateLiteral([zod.literal(`${icpBrasilArc}.`), zod.string()])]),
    call: (zod) => zod.string().max(60).optional(),
    body: {
      name: 'policy',
      schema: (zod) =>
        zod
          .union([zod.enum(signaturePolicies), zod.templateLiteral([zod.literal(`${icpBrasilArc}.`), zod.string()])])
          .default('none'),
      about:
        `none or B-B: the signature itself. B-T, B-LT, B-LTA: ETSI levels, also for PDFSignature. ${icpBrasilProfiles.join(', ')} or the ` +
        "OID of one version: ICP-Brasil policies, by default the newest for the certificate's root.",
    },
    command: {
      flags: '--policy <name>',
      about: `${[...baselineLevels.slice(1), ...icpBrasilProfiles].join(', ')}, or the OID of a policy`,
    },
  },
  /** Id of the only time stamp server to ask; absent: all configured servers, in order. */
  timestampServer: {
    schema: (zod) => zod.string(),
    body: { name: 'tsa_server_id', about: 'Absent: the configured servers, in order.' },
    command: { flags: '--tsa <id>', about: 'ask this time-stamp server only' },
  },
  /** The hash of time stamps' imprints; absent: the server's own. */
  timestampDigest: {
    schema: (zod) => zod.enum(digests),
    body: {
      name: 'tsa_hash_algorithm',
      schema: (zod) =>
        zod
          .enum(hashAlgorithms)
          .transform((name) => digestOfName[name])
          .optional(),
    },
  },
  /**
   * The way to go on when revocation data newer than the signature is not available yet. `later` (the default): the
   * document is SIGNED with a time stamp, and the extended file replaces it later. `wait`: the document stays WAITING.
   */
  evidence: {
    schema: (zod) => zod.enum(evidenceWishes),
    body: {
      name: 'evidence',
      about:
        'For B-LT, B-LTA, AD-RV and higher, when revocation data newer than the signature is not to be had yet. ' +
        'later (default): SIGNED at B-T with pending_level; the extended file replaces the result once. ' +
        'wait: WAITING with waiting_for evidence, at most evidence.timeout. Object stores get the extended file only.',
    },
  },
  /** The signer's company: the name, by default the certificate's, and the CNPJ with or without punctuation. */
  signerCompany: {
    schema: (zod) => zod.object({ name: line(zod).optional(), cnpj: zod.string().max(32) }),
    body: {
      name: 'signer_company',
      about: 'Also the CNPJ alone. It must be that of the e-CNPJ certificate that signs.',
    },
  },
  /** The role that the signer claims, in signer-attributes-v2 (EN 319 122-1 §5.2.6.1); for CAdES and PAdES. */
  claimedRole: {
    schema: (zod) => zod.string().min(1).max(200),
    body: {
      name: 'claimed_role',
      about: 'The role that the signer claims; nobody certifies it. CAdES and PAdES only.',
    },
    command: { flags: '--claimed-role <text>', about: 'your role, by your own word, in CAdES and PAdES signatures' },
  },
} as const satisfies Readonly<Record<string, RequestOption>>;

const corners = ['bottom-left', 'bottom-right', 'top-left', 'top-right'] as const;

/** A place on a page, in points from a corner of the page as displayed; absent: the bottom left. */
const stampBox = (zod: Zod) => ({
  x: zod.number(),
  y: zod.number(),
  corner: zod.enum(corners).optional(),
  width: zod.number().positive(),
  height: zod.number().positive(),
});

/** Options of a signature setting: documents of the same transaction may differ. */
export const settingOptions = {
  reason: {
    schema: line,
    body: { name: 'reason' },
    command: { flags: '--reason <text>', about: 'reason, in the PDF' },
  },
  location: {
    schema: line,
    body: { name: 'location' },
    command: { flags: '--location <text>', about: 'place, in the PDF' },
  },
  contact: { schema: line, body: { name: 'contact' } },
  name: { schema: line, body: { name: 'name' } },
  /** Full name of an empty signature field to fill; absent: the only one there is, where no place is given. */
  fieldName: {
    schema: (zod) => line(zod).min(1),
    body: { name: 'field_name', about: 'Full name of an empty signature field to fill.' },
    command: {
      flags: '--field <name>',
      about: 'fill this empty signature field of the PDFs; by default the only one there is',
      pdfOnly: true,
    },
  },
  /** Permitted changes of the PDF afterwards (DocMDP); absent: no certification. */
  certify: {
    schema: (zod) => zod.enum(certifications),
    body: {
      name: 'certify',
      schema: (zod) =>
        zod
          .enum(['none', ...certifications])
          .default('none')
          .transform((changes) => (changes === 'none' ? undefined : changes)),
      about: 'What may be done to the PDF afterwards (DocMDP); only its first signature can say so.',
    },
    command: {
      flags: '--certify <changes>',
      about: 'certify PDFs: what may still be done to them',
      choices: certifications,
      pdfOnly: true,
    },
  },
  /** Refuse a PDF that would not keep the standard that it claims (PDF/A, PDF/UA). */
  keepStandard: {
    schema: (zod) => zod.boolean(),
    body: {
      name: 'keep_standard',
      about: 'Refuse a PDF that would not keep the standard that it claims (PDF/A, PDF/UA): DOCUMENT_STANDARD_LOST.',
    },
    command: {
      flags: '--keep-standard',
      about: 'refuse PDFs that would not keep their standard (PDF/A, PDF/UA)',
      pdfOnly: true,
    },
  },
  /** For a document that is a CMS signature: the index of the signer to counter-sign, from 0, or all signers. */
  counterSign: { schema: (zod) => zod.union([zod.number().int().min(0), zod.literal('all')]) },
  /**
   * A stamp on a PDF: points from a corner of the page as displayed, by default the bottom left. With `fit`, a stamp
   * that reaches over the edge of its page is moved, and made smaller if it must be, into the page; else its document
   * fails. Absent: the signature is invisible.
   */
  visible: {
    schema: (zod) =>
      zod.object({
        /** 1 is the first page, -1 the last. */
        pages: zod.array(zod.number().int()).min(1).readonly(),
        ...stampBox(zod),
        /**
         * A small mark on each page without the stamp; by default the signer's initials. PDFs with an earlier signature
         * get none.
         */
        initials: zod.object({ ...stampBox(zod), text: zod.string().max(200).optional() }).optional(),
        fit: zod.boolean().optional(),
        /** Base64 of a PNG, a JPEG or a GIF. */
        image: zod.base64().optional(),
        /** A template; absent: the default template. */
        text: zod.string().max(4000).optional(),
        extraInfo: zod
          .array(zod.object({ label: line(zod), value: line(zod) }))
          .readonly()
          .optional(),
      }),
  },
} as const satisfies Readonly<Record<string, RequestOption>>;

type Output<Option extends RequestOption> = z.output<ReturnType<Option['schema']>>;

/** The values of a table of options, by their names. */
export type OptionValues<Options extends Readonly<Record<string, RequestOption>>> = {
  readonly [Name in keyof Options as Options[Name] extends { required: true } ? Name : never]: Output<Options[Name]>;
} & {
  readonly [Name in keyof Options as Options[Name] extends { required: true } ? never : Name]?: Output<Options[Name]>;
};

/** The requested properties of all signatures of a transaction. */
export type SignatureRequest = OptionValues<typeof requestOptions>;

/** Requested properties of single documents' signatures, beside those of the transaction; `id` names the setting. */
export type SignatureSetting = OptionValues<typeof settingOptions> & { readonly id: string };

export type SignatureType = SignatureRequest['type'];
export type SignaturePolicy = SignatureRequest['policy'];
export type SignerCompany = NonNullable<SignatureRequest['signerCompany']>;
export type VisibleSignature = NonNullable<SignatureSetting['visible']>;
