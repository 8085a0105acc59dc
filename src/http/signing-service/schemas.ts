import { z } from 'zod';
import 'zod-openapi';

/** The wire schemas of the signing service: one source for checking requests, for the answers' types and for OpenAPI. */

const identifier = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, 'Use 1 to 64 letters, digits, dots, underscores and hyphens.');
const line = z.string().max(1000);

/** Signature types as they are answered. A request may leave `-attached` out and may use any letter case. */
export const signatureTypes = [
  'CMS-attached',
  'CMS-detached',
  'CAdES-attached',
  'CAdES-detached',
  'PDFSignature',
  'PAdES',
] as const;

export const documentsSources = ['DATA_URL', 'FILE_PATH', 'UPLOAD_REFERENCE', 'STORE_A_S3', 'STORE_B_STORAGE'] as const;
export const documentsDestinations = ['FILE_PATH', 'STORE_A_S3', 'STORE_B_STORAGE'] as const;
export const hashAlgorithms = ['SHA256', 'SHA384', 'SHA512'] as const;
const statuses = ['WAITING', 'SIGNED', 'ERROR'] as const;

const newDocument = z
  .object({
    id: identifier.optional().meta({ description: 'Unique in the transaction. Absent: "0", "1", … in order.' }),
    signature_setting: identifier.optional().meta({ description: 'Id of one of the signature settings.' }),
    original_file_name: z.string().max(255).optional(),
    media_type: z.string().max(255).optional(),
    destination_file_name: z.string().max(4096).optional().meta({ description: 'Absolute path of the result.' }),
    data: z.string().optional().meta({
      description:
        'DATA_URL: a data URL (RFC 2397). FILE_PATH: an absolute path or a file: URL. UPLOAD_REFERENCE: none.',
    }),
  })
  .meta({ id: 'NewDocument' });

const setting = z
  .object({
    id: identifier.default('default'),
    reason: line.optional(),
    location: line.optional(),
    contact: line.optional(),
    name: line.optional(),
    field_name: line.optional().meta({ description: 'Full name of an empty signature field to fill.' }),
  })
  .meta({ id: 'SignatureSetting' });

/** The body of endpoint 1 after its form has been made regular; see `read-create-request.ts`. */
export const createRequest = z
  .object({
    type: z.enum(signatureTypes),
    documents_source: z.enum(documentsSources),
    documents: z
      .array(newDocument)
      .default([])
      .meta({ description: 'A list of documents; also one document, one string (its data), or a list of strings.' }),
    certificate_alias: z
      .string()
      .max(500)
      .optional()
      .meta({ description: 'Alias or SHA-256 of the certificate. Absent: the default certificate.' }),
    mode: z.enum(['async', 'sync']).default('async'),
    hash_algorithm: z.enum(hashAlgorithms).default('SHA256'),
    policy: z.enum(['none', 'B-B']).default('none'),
    tsa_server_id: z.string().optional(),
    tsa_hash_algorithm: z.enum(hashAlgorithms).optional(),
    signature_settings: z
      .array(setting)
      .default([{ id: 'default' }])
      .meta({ description: 'A list of settings; also one setting, or a map from id to setting.' }),
    auto_fix_document: z.boolean().default(false),
    documents_destination: z
      .enum(documentsDestinations)
      .optional()
      .meta({ description: 'Absent: kept here until the lifetime ends.' }),
    return_signature: z.boolean().default(false),
  })
  .meta({ id: 'CreateTransaction' });

export type CreateRequestBody = z.output<typeof createRequest>;

const documentEntry = z
  .object({
    id: z.string(),
    status: z.enum(statuses),
    original_file_name: z.string().nullable(),
    media_type: z.string().nullable(),
    size: z.number().int().nullable().meta({ description: 'Octets of the original.' }),
    checksum: z.string().nullable().meta({ description: 'SHA-256 of the original, lower-case hex.' }),
    signature_setting: z.string(),
    result: z.string().nullable().meta({ description: 'Where the signed document is: a URL or a path.' }),
    lifetime: z.number().int().nullable().meta({ description: 'Seconds for which the result is still kept here.' }),
    error: z.object({ code: z.string(), detail: z.string() }).optional().meta({ description: 'Only with ERROR.' }),
    signature: z.string().optional().meta({ description: 'Base64 of the CMS, when return_signature was true.' }),
  })
  .meta({ id: 'DocumentEntry' });

export type DocumentEntry = z.output<typeof documentEntry>;

/** Answer of endpoints 1 and 3. */
export const transactionBody = z
  .object({
    tcn: z.string(),
    status: z.enum(statuses),
    waiting_for: z.enum(['upload', 'approval', 'pin']).nullable(),
    certificate_alias: z.string(),
    type: z.enum(signatureTypes),
    hash_algorithm: z.enum(hashAlgorithms),
    policy: z.string(),
    tsa: z.boolean(),
    documents_source: z.enum(documentsSources),
    documents: z.array(documentEntry),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Transaction' });

export type TransactionBody = z.output<typeof transactionBody>;

/** Answer of endpoint 2. */
export const uploadBody = z
  .object({ tcn: z.string(), documents: z.array(documentEntry), end_of_transaction: z.boolean() })
  .meta({ id: 'UploadResult' });

export type UploadBody = z.output<typeof uploadBody>;

const counts = z.object({ SIGNED: z.number().int(), WAITING: z.number().int(), ERROR: z.number().int() });

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

/** Every refusal of this server (RFC 9457). */
export const problemBody = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.string(),
    instance: z.string(),
    errors: z.array(z.object({ field: z.string(), code: z.string(), detail: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
