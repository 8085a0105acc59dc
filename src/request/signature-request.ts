/**
 * The request for a signature, described once. The body of `POST /signature-service` and its OpenAPI document, the
 * calls of the window, the options of `sinete sign` and the stored record derive from the two tables below. An option
 * that is added here is known everywhere, for its signature types and with its closed set of values; what remains to be
 * written is its effect on the signature.
 *
 * zod is passed in, because a command of a running instance reads the tables without loading zod.
 */
import type { z } from 'zod';
import {
  cadesTypes,
  cmsTypes,
  documentTypes,
  pdfTypes,
  signatureTypes,
  type SignatureType,
} from './signature-types.ts';
import { baselineLevels, icpBrasilArc, icpBrasilProfiles, signaturePolicies } from './signature-policies.ts';

export type Zod = typeof z;

/** One option, with its names outside of the program. */
export type RequestOption = OptionForm & {
  /** The signature types that the option has an effect on. */
  readonly types: readonly SignatureType[];
  /**
   * A request of another type that names the option: `ignored` accepts the request, drops the option and names it in
   * `ignored_fields`; a sentence is the detail of the refusal. Absent: refused with a sentence that lists the types.
   */
  readonly otherTypes?: string;
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
  /** The field that refusals name, of an option with several fields in the HTTP body. */
  readonly field?: string;
  /** The option of the command line, in the notation of commander; absent: `sign` reads the option by itself. */
  readonly command?: {
    readonly flags: string;
    readonly about: string;
    /** The option may be repeated; each is a name and, after `=`, a value. */
    readonly isEntry?: true;
  };
};

/** The option's form inside the program, in calls and in the record: a closed set of values, or a schema. */
type OptionForm =
  | { readonly values: readonly string[]; readonly schema?: undefined }
  | { readonly values?: undefined; readonly schema: (zod: Zod) => z.ZodType };

/** Names of hash functions on the wire, and inside. */
export const digestOfName = { SHA256: 'sha256', SHA384: 'sha384', SHA512: 'sha512' } as const;
export const hashAlgorithms = ['SHA256', 'SHA384', 'SHA512'] as const;
export const digests = ['sha256', 'sha384', 'sha512'] as const;

/** Permitted changes of a PDF after its signature (DocMDP). */
const certifications = ['no-changes', 'form-filling', 'annotations'] as const;

const line = (zod: Zod) => zod.string().max(1000);

/** Most bytes of a name in a PDF (ISO 19005-1 §6.1.12, ISO 32000-1 Annex C). */
const longestName = 127;

/** Bytes of a text in UTF-8. The window's contract has neither `Buffer` nor `TextEncoder`. */
const bytesOf = (text: string): number =>
  Array.from(text, (character) => character.codePointAt(0) ?? 0)
    .map((code) => (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4))
    .reduce((sum: number, bytes) => sum + bytes, 0);

/** The name of an entry of the document information. */
export const informationName = (zod: Zod) =>
  zod
    .string()
    .min(1)
    .refine((name) => bytesOf(name) <= longestName, `Use at most ${longestName} bytes.`)
    .refine((name) => !/\p{Cc}/u.test(name), 'Use no control characters.');

const informationEntry = (zod: Zod) => zod.object({ name: informationName(zod), value: line(zod).optional() });

/** Options of a transaction: all its signatures have the same. */
export const requestOptions = {
  type: {
    types: signatureTypes,
    required: true,
    values: signatureTypes,
    body: {
      name: 'type',
      schema: (zod) => zod.enum(signatureTypes, { error: `Use CMS, CAdES, ${signatureTypes.join(', ')}.` }),
      about:
        'CMS and CAdES sign any file; attached (CMS and CAdES alone mean this) puts the file into the signature, detached ' +
        'makes a signature beside it. PDFSignature and PAdES sign inside a PDF. RAW is a bare signature of hashes: each ' +
        'caller but programs of the owner needs a permission for it.',
    },
  },
  digest: {
    types: signatureTypes,
    required: true,
    values: digests,
    body: {
      name: 'hash_algorithm',
      schema: (zod) =>
        zod
          .enum(hashAlgorithms)
          .default('SHA256')
          .transform((name) => digestOfName[name]),
      about: 'The hash function of the signature; a hyphen (SHA-256) is accepted.',
    },
  },
  /** The level of the signature; a call may use any letter case (`parseSignaturePolicy`). */
  policy: {
    types: signatureTypes,
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
        "OID of one version: ICP-Brasil policies, by default the newest for the certificate's root. AD_RB is AD-RB; " +
        'CAdES_AD_RB and PAdES_AD_RT say the type too.',
    },
    command: {
      flags: '--policy <name>',
      about: `${[...baselineLevels.slice(1), ...icpBrasilProfiles].join(', ')}, or the OID of a policy`,
    },
  },
  /** Id of the only time stamp server to ask; absent: all configured servers, in order. */
  timestampServer: {
    types: documentTypes,
    schema: (zod) => zod.string(),
    body: {
      name: 'tsa_server_id',
      about:
        'Id of the only time-stamp server to ask; without a policy it asks for B-T. Absent: the configured servers, in order.',
    },
    command: { flags: '--tsa <id>', about: 'ask this time-stamp server only' },
  },
  /** The hash of time stamps' imprints; absent: the server's own. */
  timestampDigest: {
    types: documentTypes,
    values: digests,
    body: {
      name: 'tsa_hash_algorithm',
      schema: (zod) =>
        zod
          .enum(hashAlgorithms)
          .transform((name) => digestOfName[name])
          .optional(),
      about: "The hash function of time stamps; absent: that of the server's configuration, SHA256.",
    },
  },
  /**
   * The way to go on when revocation data newer than the signature is not available yet. `later` (the default): the
   * document is SIGNED with a time stamp, and the extended file replaces it later. `wait`: the document stays WAITING.
   */
  evidence: {
    types: documentTypes,
    values: ['later', 'wait'],
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
    types: documentTypes,
    schema: (zod) => zod.object({ name: line(zod).optional(), cnpj: zod.string().max(32) }),
    body: {
      name: 'signer_company',
      about: 'Also the CNPJ alone. It must be that of the e-CNPJ certificate that signs.',
    },
  },
  /** The scheme of a bare signature; absent: the usual one of the key, PKCS#1 v1.5 for RSA. */
  signatureAlgorithm: {
    types: ['RAW'],
    otherTypes: 'Bare signatures (RAW) alone have this option: leave it out.',
    values: ['RSASSA-PKCS1-v1_5', 'RSASSA-PSS', 'ECDSA'],
    body: {
      name: 'signature_algorithm',
      about:
        'RAW only: RSASSA-PKCS1-v1_5 (default for RSA), RSASSA-PSS (MGF1 and salt of the hash), ECDSA (DER). Keys that hash ' +
        'by themselves have one algorithm, and need none here.',
    },
  },
  /** The role that the signer claims, in signer-attributes-v2 (EN 319 122-1 §5.2.6.1); for CAdES and PAdES. */
  claimedRole: {
    types: cadesTypes,
    otherTypes: 'Signatures of the types CAdES and PAdES claim a role; counter-signatures do not.',
    schema: (zod) => zod.string().min(1).max(200),
    body: {
      name: 'claimed_role',
      about: 'The role that the signer claims; nobody certifies it.',
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
  /** Moved to the nearest empty part of the page, when something is drawn at the place. */
  clear: zod.boolean().optional(),
});

/** Options of a signature setting: documents of the same transaction may differ. */
export const settingOptions = {
  reason: {
    types: pdfTypes,
    otherTypes: 'ignored',
    schema: line,
    body: { name: 'reason', about: 'The reason for the signature; PDFs only, as location, contact and name.' },
    command: { flags: '--reason <text>', about: 'reason, in the PDF' },
  },
  location: {
    types: pdfTypes,
    otherTypes: 'ignored',
    schema: line,
    body: { name: 'location', about: 'The place of the signature.' },
    command: { flags: '--location <text>', about: 'place, in the PDF' },
  },
  contact: {
    types: pdfTypes,
    otherTypes: 'ignored',
    schema: line,
    body: { name: 'contact', about: 'How to reach the signer.' },
  },
  name: {
    types: pdfTypes,
    otherTypes: 'ignored',
    schema: line,
    body: { name: 'name', about: "The signer's name in the PDF; absent: that of the certificate." },
  },
  /** Full name of an empty signature field to fill; absent: the only one there is, where no place is given. */
  fieldName: {
    types: pdfTypes,
    otherTypes: 'ignored',
    schema: (zod) => line(zod).min(1),
    body: {
      name: 'field_name',
      about:
        'Full name of an empty signature field to fill. Absent, and no place for a stamp: the only empty field; with several, a ' +
        'field of its own and the warning FIELDS_LEFT_EMPTY. "?": with several, the error FIELD_REQUIRED.',
    },
    command: {
      flags: '--field <name>',
      about: 'fill this empty signature field of the PDFs; by default the only one there is',
    },
  },
  /** A filled field shows nothing, although it has a place on a page. */
  invisible: {
    types: pdfTypes,
    otherTypes: 'ignored',
    schema: (zod) => zod.boolean(),
    command: { flags: '--invisible', about: 'show nothing in a field of the PDFs that is filled' },
  },
  /** Permitted changes of the PDF afterwards (DocMDP); absent: no certification. */
  certify: {
    types: pdfTypes,
    otherTypes: 'Only PDFs can be certified.',
    values: certifications,
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
    },
  },
  /**
   * Entries for the document information of the PDF: its information dictionary, and its XMP. HTTP has them in
   * `extra_info`, together with lines of the stamp.
   */
  information: {
    types: pdfTypes,
    otherTypes: 'ignored',
    field: 'extra_info',
    schema: (zod) => zod.array(informationEntry(zod)).max(50).readonly(),
    command: {
      flags: '--information <name=value>',
      about: 'an entry for the document information of the PDFs, such as 2.16.76.1.4.2.2.1=12345; may be repeated',
      isEntry: true,
    },
  },
  /** Refuse a PDF that would not keep the standard that it claims (PDF/A, PDF/UA). */
  keepStandard: {
    types: pdfTypes,
    otherTypes: 'ignored',
    schema: (zod) => zod.boolean(),
    body: {
      name: 'keep_standard',
      about: 'Refuse a PDF that would not keep the standard that it claims (PDF/A, PDF/UA): DOCUMENT_STANDARD_LOST.',
    },
    command: {
      flags: '--keep-standard',
      about: 'refuse PDFs that would not keep their standard (PDF/A, PDF/UA)',
    },
  },
  /** For a document that is a CMS signature: the index of the signer to counter-sign, from 0, or all signers. */
  counterSign: {
    types: cmsTypes,
    otherTypes: 'Only CMS and CAdES signatures in files are counter-signed, each into a file of its own.',
    schema: (zod) => zod.union([zod.number().int().min(0), zod.literal('all')]),
  },
  /**
   * A stamp on a PDF: points from a corner of the page as displayed, by default the bottom left. With `fit`, a stamp
   * that reaches over the edge of its page is moved, and made smaller if it must be, into the page; else its document
   * fails. Absent: the signature is invisible.
   */
  visible: {
    types: pdfTypes,
    otherTypes: 'Only PDFs show their signature.',
    field: 'visible_signature',
    schema: (zod) =>
      zod.object({
        /** 1 is the first page, -1 the last, -100 every page. */
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

type Output<Option extends RequestOption> = Option extends { values: readonly (infer Value)[] }
  ? Value
  : Option extends { schema: (zod: Zod) => infer Schema extends z.ZodType }
    ? z.output<Schema>
    : never;

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

export type SignaturePolicy = SignatureRequest['policy'];
export type SignerCompany = NonNullable<SignatureRequest['signerCompany']>;
export type VisibleSignature = NonNullable<SignatureSetting['visible']>;
