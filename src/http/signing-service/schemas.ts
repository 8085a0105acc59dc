import { z } from 'zod';
import 'zod-openapi';
import { bodyShape } from '../../request/derive.ts';
import type { StandardWarningCode } from '../../service/transactions/index.ts';
import { hashAlgorithms, informationName, requestOptions, settingOptions } from '../../request/signature-request.ts';
import { signatureTypes } from '../../request/signature-types.ts';

/**
 * The wire schemas of the signing service: the single source for checking requests, for the answers' types and for
 * OpenAPI.
 */

const identifier = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'Use 1 to 64 letters, digits, dots, underscores and hyphens.');
const line = z.string().max(1000);

export const documentsSources = ['DATA_URL', 'FILE_PATH', 'UPLOAD_REFERENCE', 'STORE_A_S3', 'STORE_B_STORAGE'] as const;
export const documentsDestinations = ['FILE_PATH', 'STORE_A_S3', 'STORE_B_STORAGE'] as const;
const pageCorners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
const statuses = ['WAITING', 'SIGNED', 'ERROR'] as const;

const newDocument = z
  .object({
    id: identifier.optional().meta({ description: 'Unique in the transaction. Absent: "0", "1", … in order.' }),
    signature_setting: identifier.optional().meta({ description: 'Id of one of the signature settings.' }),
    original_file_name: z.string().max(255).optional().meta({
      description: 'The name that the approval shows as yours, and that the result is named after.',
    }),
    media_type: z.string().max(255).optional().meta({
      description: 'The type of the document; absent: as its data or its upload says. A signed PDF is application/pdf.',
    }),
    destination_file_name: z
      .string()
      .max(4096)
      .optional()
      .meta({
        description:
          'FILE_PATH: absolute path of the result. Stores: the address of an object (s3://bucket/key, gs://bucket/key), or ' +
          'a name for the first store of the kind. Absent: the name of the result, beside its source where that is there.',
      }),
    data: z
      .string()
      .optional()
      .meta({
        description:
          'DATA_URL: a data URL (RFC 2397). FILE_PATH: an absolute path or a file: URL. UPLOAD_REFERENCE: none. ' +
          'STORE_A_S3: bucket/key or s3://bucket/key. STORE_B_STORAGE: bucket/key or gs://bucket/key. Only configured ' +
          'buckets and prefixes are read.',
      }),
  })
  .meta({ id: 'NewDocument' });

const givenHash = z
  .object({
    id: identifier.optional().meta({ description: 'Unique in the transaction. Absent: "0", "1", … in order.' }),
    hash: z.string().max(1000).optional().meta({
      description: 'The hash of the document, in base64 or hexadecimal. Its length must fit its hash_algorithm.',
    }),
    hash_algorithm: z
      .enum(hashAlgorithms)
      .optional()
      .meta({ description: 'The hash function of this hash; absent: hash_algorithm of the request.' }),
    data_to_sign: z
      .string()
      .max(100_000)
      .optional()
      .meta({
        description:
          'RAW only, in place of hash: base64 of the bytes to sign, at most 64 KiB, such as the signed attributes of a ' +
          'CMS signature. The hash is made here.',
      }),
    original_file_name: z.string().max(255).optional().meta({
      description: 'The name that the approval shows as yours, and that the signature is named after.',
    }),
  })
  .meta({ id: 'GivenHash' });

const pageNumber = z.number().int();
const points = z.number().min(-20_000).max(20_000);
/** An entry of the document information, with a name, or a line of the stamp. */
const extraInfo = z
  .object({
    name: informationName(z).optional().meta({ description: 'For the document information, for example an OID.' }),
    label: line.optional().meta({ description: 'For a line on the stamp.' }),
    value: line.optional().meta({ description: 'An entry with a name may do without.' }),
  })
  .refine(({ name, value }) => name !== undefined || value !== undefined, {
    path: ['value'],
    error: 'Give a name for the document information, or a value for a line on the stamp.',
  })
  .meta({ id: 'ExtraInfo' });

const setting = z
  .object({
    id: identifier.default('default'),
    ...bodyShape(z, settingOptions),
    visible_signature: z
      .boolean()
      .optional()
      .meta({ description: 'Absent: visible when any other visible_sign field or a line for the stamp is given.' }),
    visible_sign_page: pageNumber.optional().meta({
      description:
        '1 is the first page, -1 the last (default), -100 every page. Below 1 or beyond the end: the last page, told in ' +
        'adjustments. A list is read as visible_sign_pages.',
    }),
    visible_sign_pages: z
      .array(pageNumber)
      .min(1)
      .max(1000)
      .optional()
      .meta({ description: 'Several pages that get the stamp, in place of visible_sign_page.' }),
    visible_sign_x: points.optional().meta({
      description:
        'Points from the corner of the page as displayed, inwards. A stamp over the edge is moved into the page.',
    }),
    visible_sign_y: points.optional().meta({ description: 'As visible_sign_x: from the top, downwards, by default.' }),
    visible_sign_corner: z
      .enum(pageCorners)
      .optional()
      .meta({ description: 'The corner that x and y count from; top-left when absent.' }),
    visible_sign_width: points.positive().optional().meta({ description: 'Points.' }),
    visible_sign_height: points.positive().optional().meta({ description: 'Points.' }),
    visible_sign_img: z
      .string()
      .regex(/^data:image\/(png|jpe?g|gif);base64,[A-Za-z0-9+/]+={0,2}$/i, 'Use a data URL of a PNG, a JPEG or a GIF.')
      .max(4_000_000)
      .optional()
      .meta({ description: 'A picture on the stamp: a data URL of a PNG, a JPEG or a GIF.' }),
    visible_sign_text: z.string().max(4000).optional().meta({
      description: 'Variables: {name} {initials} {cpf} {cnpj} {date} {reason} {location} {company} {extra_info}.',
    }),
    extra_info: z
      .array(extraInfo)
      .max(50)
      .optional()
      .meta({
        description:
          'Entries with a name are written into the document information of the PDF, and into its XMP as far as its ' +
          'standard allows; they ask for no stamp. Entries with a label are lines on the stamp. Entries that a ' +
          'signature cannot have are named in ignored_fields; entries that a PDF cannot take, in its warnings.',
      }),
  })
  .meta({ id: 'SignatureSetting' });

/** The body of endpoint 1 in its regular form; see `read-create-request.ts`. */
export const createRequest = z
  .object({
    ...bodyShape(z, requestOptions),
    documents_source: z
      .enum(documentsSources)
      .optional()
      .meta({
        description:
          'Needed unless hashes are sent. DATA_URL: the documents are in the request. UPLOAD_REFERENCE: they are uploaded afterwards. FILE_PATH: files of ' +
          'the computer of Sinete. STORE_A_S3, STORE_B_STORAGE: objects of a configured store of the kind S3 or Google Cloud Storage.',
      }),
    documents: z
      .array(newDocument)
      .default([])
      .meta({ description: 'A list of documents; also one document, one string (its data), or a list of strings.' }),
    hashes: z
      .array(givenHash)
      .optional()
      .meta({
        description:
          'In place of documents and documents_source: hashes of documents that stay where they are, for CMS-detached, ' +
          'CAdES-detached and RAW; also one hash. The answer to a query has each signature as base64 in signature.',
      }),
    certificate_alias: z.string().max(500).optional().meta({
      description:
        'Alias or SHA-256 of the certificate, or the CPF or CNPJ of its holder. Absent: the default certificate.',
    }),
    mode: z
      .enum(['async', 'sync'])
      .default('async')
      .meta({
        description:
          'sync: the answer comes when every document is SIGNED or ERROR, at most after signing.sync_timeout (30 s), and ' +
          'carries them. async: it comes at once.',
      }),
    signature_settings: z
      .array(setting)
      .prefault([{ id: 'default', certify: 'none' }])
      .meta({ description: 'A list of settings; also one setting, or a map from id to setting.' }),
    auto_fix_document: z.boolean().default(false).meta({
      description: 'true: a damaged PDF is repaired before it is signed; the entry says so in repaired and repairs.',
    }),
    documents_destination: z
      .enum(documentsDestinations)
      .optional()
      .meta({
        description:
          'Absent: kept here until the lifetime ends; with FILE_PATH written beside the source under a free name ' +
          '(contract-signed.pdf, contract-signed (2).pdf), and downloaded as well. Results in stores are not downloaded from here: result is their ' +
          'address. Nothing is written over, unless the store is configured so.',
      }),
    notification_callback: z
      .string()
      .max(2000)
      .optional()
      .meta({
        description:
          'An http or https URL that is told when the transaction is finished: see the callback "notification". ' +
          'Private networks are not reached unless the configuration names them; this computer is for callers on it.',
      }),
    return_signature: z.boolean().default(false).meta({
      description: 'true: each entry has signature, the CMS as base64.',
    }),
    signature: z
      .base64()
      .optional()
      .meta({ description: 'A CMS signature, base64: the new signer is added to it. CMS and CAdES only.' }),
  })
  .meta({ id: 'CreateTransaction' });

export type CreateRequestBody = z.output<typeof createRequest>;

const documentEntry = z
  .object({
    id: z.string().meta({ description: 'Names the document in addresses.' }),
    status: z.enum(statuses).meta({ description: 'SIGNED and ERROR are final.' }),
    original_file_name: z.string().nullable().meta({ description: 'Null until it is known.' }),
    media_type: z.string().nullable().meta({ description: 'Type of the original; null where nothing tells it.' }),
    size: z.number().int().nullable().meta({ description: 'Bytes of the original.' }),
    checksum: z.string().nullable().meta({ description: 'SHA-256 of the original, lower-case hex.' }),
    signature_setting: z.string().meta({ description: 'Id of its signature setting.' }),
    result: z
      .string()
      .nullable()
      .meta({ description: 'Where the signed document is: a URL, a path, or the address of an object.' }),
    destination_file_name: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Only with a destination in an object store. Null until it is known.' }),
    lifetime: z
      .number()
      .int()
      .min(0)
      .meta({
        description:
          'Seconds for which the result is still kept here. While WAITING, and for a result that was written elsewhere: ' +
          'the whole lifetime of results. 0 on ERROR.',
      }),
    error: z.object({ code: z.string(), detail: z.string() }).optional().meta({
      description: 'Only with ERROR. The detail is in the language of Accept-Language (pt-BR, en); codes never change.',
    }),
    hash: z
      .string()
      .optional()
      .meta({ description: 'The given hash, lower-case hex, of a document that is not here.' }),
    hash_algorithm: z.enum(hashAlgorithms).optional().meta({ description: 'The hash function of hash.' }),
    signature: z.string().optional().meta({
      description: 'Base64 of the CMS, when return_signature was true; with hashes always, for RAW the bare signature.',
    }),
    repaired: z.literal(true).optional().meta({ description: 'The PDF was repaired before it was signed.' }),
    repairs: z.array(z.string()).optional().meta({ description: 'What was repaired, a sentence each.' }),
    adjustments: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'Stamps that reached over the edge of their page and were moved into it, or whose page is not in the file, a ' +
          'sentence each.',
      }),
    level: z
      .string()
      .optional()
      .meta({ description: 'The level of the result now. Only with a policy other than none.' }),
    pending_level: z.string().optional().meta({
      description: 'The level that is still to come: revocation data newer than the signature is not to be had yet.',
    }),
    pending_error: z
      .object({ code: z.string(), detail: z.string() })
      .optional()
      .meta({ description: 'Why the pending level will not be reached. The result stays as it is.' }),
    revision: z
      .number()
      .int()
      .optional()
      .meta({ description: 'How often the result was replaced by its extended form, each time under a new ETag.' }),
    warnings: z
      .array(
        z.object({
          code: z.enum([
            'PICTURE_FLATTENED',
            'WIDGET_NOT_TAGGED',
            'FILE_NOT_TAGGED',
            'FIELDS_LEFT_EMPTY',
            'INFORMATION_LEFT_OUT',
            'GLYPHS_MISSING',
            'CERTIFICATE_REVOKED',
          ] satisfies StandardWarningCode[]),
          standard: z.string().meta({
            description:
              'What the PDF claims to be, such as PDF/A-2b or PDF/UA-1; empty for a warning about something else.',
          }),
          kept: z.boolean().meta({ description: 'True when the PDF was signed so that it keeps the standard.' }),
          detail: z.string(),
        }),
      )
      .optional()
      .meta({
        description:
          'What the signer may not expect: effects on the claimed standards, empty fields, missing characters, a revoked certificate.',
      }),
  })
  .meta({ id: 'DocumentEntry', override: { additionalProperties: {} } });

/**
 * An entry as sent: existing clients read its media type under another name too. The OpenAPI document has one of the
 * names, because generators make the same method name of both.
 */
export type DocumentEntry = z.output<typeof documentEntry> & { readonly mediatype: string | null };

const counts = z.object({ SIGNED: z.number().int(), WAITING: z.number().int(), ERROR: z.number().int() });

/** Answer of endpoints 1 and 3. */
export const transactionBody = z
  .object({
    tcn: z.string().meta({ description: 'The transaction control token. It opens the results: keep it secret.' }),
    status: z.enum(statuses).meta({
      description: 'WAITING while any document waits, then ERROR if any failed, else SIGNED.',
    }),
    waiting_for: z.enum(['upload', 'approval', 'pin', 'evidence']).nullable().meta({
      description: 'What a WAITING transaction waits for; null while it is being signed, and at the end.',
    }),
    certificate_alias: z.string().meta({ description: 'The certificate that signs.' }),
    type: z.enum(signatureTypes).meta({ description: 'A bare CMS or CAdES of the request is told as attached.' }),
    hash_algorithm: z.enum(hashAlgorithms).meta({ description: 'The hash function of the signature.' }),
    checksum_algorithm: z
      .literal('SHA256')
      .meta({ description: 'The algorithm of every checksum; hash_algorithm is that of the signature.' }),
    policy: z.string().meta({ description: 'The level or policy; none without one.' }),
    tsa: z.boolean().meta({ description: 'True when the policy needs a time stamp.' }),
    visible_signature: z.boolean().meta({ description: 'True when a signature setting asks for a stamp.' }),
    eot: z.boolean().meta({ description: 'True when the transaction takes no more documents.' }),
    documents_source: z.enum(documentsSources).nullable().meta({ description: 'As in the request; null for hashes.' }),
    counts: counts.meta({ description: 'Numbers of all documents by status.' }),
    documents: z
      .array(documentEntry)
      .meta({ description: 'At most 1,000; the others by documents_after with the id of the last one.' }),
    created_at: z.iso.datetime().meta({ description: 'UTC.' }),
    finished_at: z.iso.datetime().nullable().meta({ description: 'UTC; null while WAITING.' }),
    notification: z
      .object({
        status: z.enum(['WAITING', 'DELIVERED', 'GIVEN_UP']),
        attempts: z.number().int(),
        last_error: z.string().nullable(),
      })
      .optional()
      .meta({ description: 'Only where notification_callback was given.' }),
  })
  .meta({ id: 'Transaction' });

export type TransactionBody = z.output<typeof transactionBody>;

/** Answer of endpoint 1, which also lists the ignored fields of the request and stale trust data. */
export const createdBody = transactionBody
  .extend({
    ignored_fields: z
      .array(z.object({ field: z.string(), did_you_mean: z.string().optional() }))
      .optional()
      .meta({ description: 'Unknown fields of the request. With "Prefer: handling=strict" they are refused.' }),
    stale_trust: z
      .array(z.string())
      .optional()
      .meta({ description: 'For AD-RA: a sentence for each part of the trust data that has ended, or ends soon.' }),
  })
  .meta({ id: 'CreatedTransaction' });

/** Answer of endpoint 2. */
export const uploadBody = z
  .object({
    tcn: z.string(),
    documents: z.array(documentEntry).meta({ description: 'The documents of this upload.' }),
    end_of_transaction: z.boolean().meta({ description: 'True when no more uploads are taken.' }),
  })
  .meta({ id: 'UploadResult' });

export type UploadBody = z.output<typeof uploadBody>;

/** Answer of endpoint 6. */
export const dashboardBody = z
  .object({ time: z.string().meta({ description: 'Seconds since 1970, as text.' }), status: counts })
  .meta({ id: 'Dashboard' });

export type DashboardBody = z.output<typeof dashboardBody>;

const amounts = z.object({ total: z.string(), used: z.string(), available: z.string() });

/** Answer of endpoint 7. */
export const healthBody = z
  .object({
    status: z.enum(['OK', 'ERROR']),
    messages: z.array(z.string()),
    details: z
      .object({
        memory: amounts,
        swap: amounts,
        cpu_usage: z.string(),
        num_cpu: z.number().int(),
        running_processes: z.string(),
        proc_loadavg: z.string(),
        disk_total: z.record(z.string(), z.string()),
        disk_free: z.record(z.string(), z.string()),
        signature: dashboardBody,
      })
      .optional(),
  })
  .meta({ id: 'Health' });

export type HealthBody = z.output<typeof healthBody>;

export const lifeBody = z
  .object({ status: z.enum(['READY', 'PAUSED', 'READ_ONLY', 'DRAINING']) })
  .meta({ id: 'Readiness' });

export type LifeBody = z.output<typeof lifeBody>;
