import { z } from 'zod';
import type { Transactions } from '../../service/transactions/index.ts';
import { quotaHeaders, text } from '../openapi/headers.ts';
import { json, type ProblemCode } from '../openapi/problems.ts';
import { forEverybody, type Description, type Operation } from '../operation.ts';
import { uploaded } from './examples.ts';
import { downloadDocument as download, uploadDocuments as upload } from './file-transfer.ts';
import type { UploadLimits } from './read-form.ts';
import { uploadBody } from './schemas.ts';
import { tcn } from './transaction-operations.ts';

/** Services of uploads and downloads. */
export interface TransferParts {
  readonly transactions: Transactions;
  readonly limits: UploadLimits;
}

const tag = 'Signing service';
const file = { type: 'string', format: 'binary' } as const;

const uploadProblems: readonly ProblemCode[] = [
  'UPLOAD_INCOMPLETE',
  'REQUEST_MALFORMED',
  'BODY_NOT_UTF8',
  'APPLICATION_OUT_OF_HOURS',
  'APPLICATION_LIMIT_REACHED',
  'TRANSACTION_NOT_FOUND',
  'UPLOAD_CLOSED',
  'DOCUMENT_NOT_ANNOUNCED',
  'DOCUMENT_ALREADY_UPLOADED',
  'UPLOAD_EXPIRED',
  'DOCUMENT_TOO_LARGE',
  'REQUEST_TOO_SLOW',
  'MEDIA_TYPE_NOT_SUPPORTED',
  'REQUEST_INVALID',
  'SIGNATURE_SETTING_REQUIRED',
  'SIGNATURE_SETTING_UNKNOWN',
  'NO_DOCUMENTS',
  'TOO_MANY_DOCUMENTS',
  'STORAGE_FULL',
  'BUSY',
];

const usualUpload = (): Description => ({
  tag,
  summary: 'Upload documents; more follow',
  description: 'Field document, or document[<id>] for an announced document; or the document itself as the body.',
  body: {
    description:
      'The file is in the field document, document[<announced id>], or document[0] to document[n]. A file whose name was announced goes to ' +
      'the entry with this name. One document as the body, application/pdf or application/octet-stream, is accepted too.',
    content: { 'multipart/form-data': { schema: { type: 'object', properties: { document: file } } } },
  },
  answers: { 200: { description: 'The documents of this request.', content: json(uploadBody) } },
  headers: quotaHeaders,
  example: uploaded,
  problems: uploadProblems,
});

const end = z.enum(['eot', 'continue']);
const ofOnlySetting = end.meta({ description: '"eot" ends the batch; "continue" does not.', examples: ['eot'] });

/**
 * Receives documents. The path has optional groups because an empty segment does not match a named parameter. OpenAPI
 * has no optional path parameters, so three forms of the path are operations of their own there.
 */
export const uploadDocuments: Operation<TransferParts> = {
  id: 'uploadDocuments',
  number: 2,
  method: 'post',
  paths: ['/file-transfer/:tcn/{:eot}/{:setting}', '/file-transfer/:tcn', '/file-transfer/:tcn/:eot'],
  guard: 'sign',
  access: forEverybody('signing'),
  body: 'upload',
  handle: ({ transactions, limits }) => upload(transactions, limits),
  describe: () => [
    {
      ...usualUpload(),
      form: { id: 'uploadDocuments', path: '/file-transfer/{tcn}/{eot}/{signature_setting}' },
      summary: 'Upload documents',
      parameters: {
        path: z.object({
          tcn,
          eot: end.meta({
            description: '"eot" ends the batch; "continue" or nothing does not.',
            examples: ['eot'],
          }),
          signature_setting: z.string().meta({
            description: 'Id of the setting; may be empty when there is only one.',
            examples: ['default'],
          }),
        }),
      },
    },
    {
      ...usualUpload(),
      form: { id: 'uploadMoreDocuments', path: '/file-transfer/{tcn}' },
      parameters: { path: z.object({ tcn }) },
      example: { ...uploaded, end_of_transaction: false },
    },
    {
      ...usualUpload(),
      form: { id: 'uploadToOnlySetting', path: '/file-transfer/{tcn}/{document_id}' },
      summary: 'Upload documents for the only signature setting',
      parameters: { path: z.object({ tcn, document_id: ofOnlySetting }) },
    },
  ],
};

const result = {
  'application/pdf': { schema: file },
  'application/pkcs7-mime; smime-type=signed-data': { schema: file },
  'application/pkcs7-signature': { schema: file },
};

/** Answers a signed document, or a signature. */
export const downloadDocument: Operation<TransferParts> = {
  id: 'downloadDocument',
  number: 4,
  method: 'get',
  paths: ['/file-transfer/:tcn/:documentId'],
  guard: 'download',
  access: forEverybody('signing'),
  body: 'none',
  handle: ({ transactions }) => download(transactions),
  describe: () => ({
    tag,
    summary: 'Download a signed document or a signature',
    description: 'The TCN and the id of the document are enough. Ranges and conditions work (RFC 9110 §13, §14).',
    parameters: { path: z.object({ tcn, document_id: z.string().meta({ examples: ['0'] }) }) },
    answers: {
      200: { description: 'The file, with its name, ETag and Digest.', content: result },
      206: { description: 'A part of the file.', content: result },
      304: { description: 'The file is the one that the client has.' },
    },
    headers: {
      ETag: text('Changes when an extended file replaces the result.'),
      Digest: text('SHA-256 of the file (RFC 3230).'),
      'Content-Disposition': text('attachment, with the name of the result.'),
      'Accept-Ranges': text('bytes'),
    },
    problems: [
      'REQUEST_MALFORMED',
      'TRANSACTION_NOT_FOUND',
      'DOCUMENT_NOT_FOUND',
      'NOT_SIGNED_YET',
      'SIGNING_FAILED',
      'RESULT_DELIVERED',
      'LIFETIME_OVER',
      'RESULT_DAMAGED',
      'PRECONDITION_FAILED',
      'RANGE_NOT_SATISFIABLE',
    ],
  }),
};
