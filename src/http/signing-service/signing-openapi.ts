import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { json, problems } from '../openapi-problems.ts';
import { eventsOperation, listOperation, ownEventsOperation, statusOperation } from './lists-openapi.ts';
import { notificationCallbacks } from './notification-openapi.ts';
import { createdBody, createRequest, transactionBody, uploadBody } from './schemas.ts';

const tcn = z.string().meta({ description: 'Transaction control token', examples: ['b3Q7c0pXk2mVt9Yd5Zs8hRf1Wg'] });
const file = { type: 'string', format: 'binary' } as const;

/** The operations of the signing service: create, query, cancel, authorize, upload, download, lists and events. */
export function signingPaths(): ZodOpenApiPathsObject {
  return {
    '/signature-service': { get: listOperation, post: createOperation() },
    '/signature-service/status': { post: statusOperation },
    '/signature-service/events': { get: ownEventsOperation },
    '/signature-service/{tcn}/events': { get: eventsOperation(tcn) },
    '/signature-service/{tcn}': { get: queryOperation(), delete: cancelOperation() },
    '/signature-service/{tcn}/authorize': { post: authorizeOperation() },
    '/file-transfer/{tcn}/{eot}/{signature_setting}': { post: uploadOperation('uploadDocuments', true) },
    '/file-transfer/{tcn}': { post: uploadOperation('uploadMoreDocuments', false) },
    '/file-transfer/{tcn}/{document_id}': { get: downloadOperation(), post: uploadWithoutSetting() },
  };
}

/** Links from the created transaction to the following steps. */
const transactionLinks = {
  query: { operationId: 'queryTransaction', parameters: { tcn: '$response.body#/tcn' } },
  upload: { operationId: 'uploadMoreDocuments', parameters: { tcn: '$response.body#/tcn' } },
  uploadLast: {
    operationId: 'uploadToOnlySetting',
    parameters: { tcn: '$response.body#/tcn', document_id: 'eot' },
  },
  uploadLastWithSetting: {
    operationId: 'uploadDocuments',
    parameters: { tcn: '$response.body#/tcn', eot: 'eot', signature_setting: 'default' },
  },
  cancel: { operationId: 'cancelTransaction', parameters: { tcn: '$response.body#/tcn' } },
  download: {
    operationId: 'downloadDocument',
    parameters: { tcn: '$response.body#/tcn', document_id: '$response.body#/documents/0/id' },
  },
};

/** Refusals of a create request. */
const createProblems = [
  'REQUEST_MALFORMED',
  'BODY_NOT_UTF8',
  'CREDENTIALS_INVALID',
  'SCOPE_NOT_ALLOWED',
  'APPLICATION_OUT_OF_HOURS',
  'TOO_MANY_ATTEMPTS',
  'APPLICATION_LIMIT_REACHED',
  'PATH_NOT_ALLOWED',
  'SOURCE_NOT_ALLOWED',
  'DESTINATION_NOT_ALLOWED',
  'CERTIFICATE_AMBIGUOUS',
  'DESTINATION_EXISTS',
  'FOLDER_NOT_FOUND',
  'IDEMPOTENCY_CONFLICT',
  'REQUEST_TOO_LARGE',
  'DOCUMENT_TOO_LARGE',
  'MEDIA_TYPE_NOT_SUPPORTED',
  'REQUEST_INVALID',
  'TYPE_NOT_SUPPORTED',
  'ALGORITHM_NOT_SUPPORTED',
  'POLICY_NOT_SUPPORTED',
  'TSA_NOT_CONFIGURED',
  'FEATURE_NOT_SUPPORTED',
  'STORE_NOT_CONFIGURED',
  'STORE_REFUSED',
  'STORE_UNAVAILABLE',
  'CERTIFICATE_NOT_FOUND',
  'CERTIFICATE_NOT_VALID',
  'SIGNATURE_SETTING_REQUIRED',
  'SIGNATURE_SETTING_UNKNOWN',
  'NO_DOCUMENTS',
  'TOO_MANY_DOCUMENTS',
  'DOCUMENT_UNREADABLE',
  'KEY_SOURCE_UNAVAILABLE',
  'STORAGE_FULL',
  'BUSY',
] as const;

function createOperation(): ZodOpenApiOperationObject {
  return {
    operationId: 'createTransaction',
    tags: ['Signing service'],
    summary: 'Start a signature',
    description: 'Letter case of closed values does not matter; unknown fields are ignored.',
    requestParams: {
      header: z.object({
        'X-Session-Options': z
          .string()
          .optional()
          .meta({
            description:
              'With Basic of a person: lifetime=300;return_access_token=true returns a session token. VCSchemaCfg is ' +
              'another name.',
          }),
        Prefer: z.string().optional().meta({ description: 'handling=strict refuses unknown fields (RFC 7240).' }),
        'Idempotency-Key': z
          .string()
          .max(255)
          .optional()
          .meta({ description: 'The same key and body within 24 hours answers the first transaction again.' }),
      }),
    },
    requestBody: { required: true, content: json(createRequest) },
    callbacks: notificationCallbacks,
    responses: {
      201: {
        description: 'The transaction; with mode "sync", finished.',
        headers: z.object({
          Location: z.string(),
          'X-Session-Token': z.string().optional().meta({ description: 'The session token that was asked for.' }),
          VCSchemaData: z.string().optional().meta({ description: '<token>;<seconds>;<provider>, for VCSchemaCfg.' }),
        }),
        links: transactionLinks,
        content: json(createdBody),
      },
      ...problems(...createProblems),
    },
  };
}

function queryOperation(): ZodOpenApiOperationObject {
  return {
    operationId: 'queryTransaction',
    tags: ['Signing service'],
    summary: 'Query a transaction',
    requestParams: {
      path: z.object({ tcn }),
      query: z.object({
        wait: z
          .number()
          .min(0)
          .max(60)
          .optional()
          .meta({
            description:
              'Holds the answer until the status, or the reason to wait, changes; at most this many seconds. Single ' +
              'documents of a batch do not end the wait.',
          }),
        documents_after: z.string().optional().meta({ description: 'Id of the last document of the page before.' }),
        documents_limit: z
          .number()
          .int()
          .min(0)
          .max(1000)
          .optional()
          .meta({ description: 'Most documents of the answer; 1,000 by default.' }),
      }),
    },
    responses: {
      200: { description: 'The transaction. Retry-After while it waits.', content: json(transactionBody) },
      ...problems('REQUEST_MALFORMED', 'TRANSACTION_NOT_FOUND', 'REQUEST_INVALID'),
    },
  };
}

function cancelOperation(): ZodOpenApiOperationObject {
  return {
    operationId: 'cancelTransaction',
    tags: ['Signing service'],
    summary: 'Cancel what is not signed yet',
    description: 'Documents that are signed, or being signed, stay. The others end with ERROR and CANCELLED.',
    requestParams: { path: z.object({ tcn }) },
    responses: {
      200: { description: 'The transaction.', content: json(transactionBody) },
      ...problems('REQUEST_MALFORMED', 'TRANSACTION_NOT_FOUND'),
    },
  };
}

function authorizeOperation(): ZodOpenApiOperationObject {
  return {
    operationId: 'authorizeTransaction',
    tags: ['Signing service'],
    summary: "Approve a waiting transaction with a person's token",
    description:
      'For a transaction that an application started: the person approves on the authorize page, and the application ' +
      'sends the token here. The scope tells how far the approval goes.',
    requestParams: { path: z.object({ tcn }) },
    responses: {
      200: { description: 'The transaction.', content: json(transactionBody) },
      ...problems(
        'REQUEST_MALFORMED',
        'CREDENTIALS_INVALID',
        'SCOPE_NOT_ALLOWED',
        'TRANSACTION_NOT_FOUND',
        'APPROVAL_NOT_WAITING',
      ),
    },
  };
}

function uploadOperation(operationId: string, full: boolean): ZodOpenApiOperationObject {
  const path = full
    ? z.object({
        tcn,
        eot: z.enum(['eot', 'continue']).meta({ description: '"eot" ends the batch; "continue" or nothing does not.' }),
        signature_setting: z.string().meta({ description: 'Id of the setting; may be empty when there is only one.' }),
      })
    : z.object({ tcn });
  return {
    operationId,
    tags: ['Signing service'],
    summary: full ? 'Upload documents' : 'Upload documents; more follow',
    requestParams: { path },
    requestBody: {
      description:
        'Fields document, document[<announced id>], or document[0] to document[n]; or one document as the body. A file ' +
        'whose name was announced goes to the entry with this name.',
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { document: file, 'document[]': { type: 'array', items: file } } },
        },
        'application/pdf': { schema: file },
        'application/octet-stream': { schema: file },
      },
    },
    responses: {
      200: { description: 'The documents of this request.', content: json(uploadBody) },
      ...problems(
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
      ),
    },
  };
}

/** OpenAPI allows no optional path parameters, so the form `/file-transfer/<tcn>/eot` is an operation of its own. */
function uploadWithoutSetting(): ZodOpenApiOperationObject {
  const end = z.enum(['eot', 'continue']).meta({ description: '"eot" ends the batch; "continue" does not.' });
  return {
    ...uploadOperation('uploadToOnlySetting', false),
    summary: 'Upload documents for the only signature setting',
    requestParams: { path: z.object({ tcn, document_id: end }) },
  };
}

function downloadOperation(): ZodOpenApiOperationObject {
  const binary = { schema: file };
  const content = {
    'application/pdf': binary,
    'application/pkcs7-mime; smime-type=signed-data': binary,
    'application/pkcs7-signature': binary,
  };
  return {
    operationId: 'downloadDocument',
    tags: ['Signing service'],
    summary: 'Download a signed document or a signature',
    requestParams: { path: z.object({ tcn, document_id: z.string() }) },
    responses: {
      200: { description: 'The file, with its name, ETag and Digest.', content },
      206: { description: 'A part of the file.', content },
      304: { description: 'The file is the one that the client has.' },
      ...problems(
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
      ),
    },
  };
}
