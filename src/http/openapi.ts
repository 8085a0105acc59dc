import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { assistantPaths } from './assistant/openapi.ts';
import { authorizationPaths } from './authorization/openapi.ts';
import { certificateInfoPaths } from './authorization/certificate-info-openapi.ts';
import { problems } from './openapi-problems.ts';
import { notificationCallbacks } from './signing-service/notification-openapi.ts';
import { createRequest, dashboardBody, healthBody, transactionBody, uploadBody } from './signing-service/schemas.ts';
import { validatorPaths } from './signing-service/validator-service.ts';

const tcn = z.string().meta({ description: 'Transaction control token', examples: ['b3Q7c0pXk2mVt9Yd5Zs8hRf1Wg'] });
const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
const file = { type: 'string', format: 'binary' } as const;

/** The OpenAPI 3.1 document, from the same schemas as the checks of requests and the types of answers. */
export function buildOpenApi(version: string): ReturnType<typeof createDocument> {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Sinete',
      version,
      description:
        'Signs documents with keys on this computer: CMS, CAdES, PDFSignature and PAdES; levels B-B to B-LTA (ETSI ' +
        'EN 319 122-1 and EN 319 142-1) and the ICP-Brasil policies AD-RB, AD-RT, AD-RV, AD-RC and AD-RA.',
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Signing service' },
      { name: 'Authorization' },
      { name: 'Monitoring' },
      { name: 'Local helper' },
      { name: 'This instance' },
    ],
    paths: {
      ...signingPaths(),
      ...monitoringPaths(),
      ...instancePaths(),
      ...validatorPaths(),
      ...authorizationPaths(problems),
      ...certificateInfoPaths(),
      ...assistantPaths(),
    },
  });
}

function signingPaths(): ZodOpenApiPathsObject {
  return {
    '/signature-service': { post: createOperation() },
    '/signature-service/{tcn}': { get: queryOperation() },
    '/file-transfer/{tcn}/{eot}/{signature_setting}': { post: uploadOperation('uploadDocuments', true) },
    '/file-transfer/{tcn}': { post: uploadOperation('uploadMoreDocuments', false) },
    '/file-transfer/{tcn}/{document_id}': { get: downloadOperation() },
  };
}

function createOperation(): ZodOpenApiOperationObject {
  return {
    operationId: 'createTransaction',
    tags: ['Signing service'],
    summary: 'Start a signature',
    description: 'Letter case of closed values does not matter; unknown fields are ignored.',
    requestParams: {
      header: z.object({
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
        headers: z.object({ Location: z.string() }),
        content: json(transactionBody),
      },
      ...problems(
        'REQUEST_MALFORMED',
        'CREDENTIALS_INVALID',
        'SCOPE_NOT_ALLOWED',
        'TOO_MANY_ATTEMPTS',
        'PATH_NOT_ALLOWED',
        'CERTIFICATE_AMBIGUOUS',
        'DESTINATION_EXISTS',
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
      ),
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
          .meta({ description: 'Holds the answer until the state changes, at most this many seconds.' }),
      }),
    },
    responses: {
      200: { description: 'The transaction. Retry-After while it waits.', content: json(transactionBody) },
      ...problems('REQUEST_MALFORMED', 'TRANSACTION_NOT_FOUND', 'REQUEST_INVALID'),
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
      description: 'Fields document, or document[0] to document[n]; or one document as the body.',
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { document: file, 'document[0]': file, 'document[1]': file } },
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
        'TRANSACTION_NOT_FOUND',
        'UPLOAD_CLOSED',
        'UPLOAD_EXPIRED',
        'DOCUMENT_TOO_LARGE',
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
        'RANGE_NOT_SATISFIABLE',
      ),
    },
  };
}

function monitoringPaths(): ZodOpenApiPathsObject {
  return {
    '/dashboard': {
      get: {
        operationId: 'readDashboard',
        tags: ['Monitoring'],
        summary: 'Count documents by status',
        responses: { 200: { description: 'The counters.', content: json(dashboardBody) }, ...problems() },
      },
    },
    '/metrics': {
      get: {
        operationId: 'readMetrics',
        tags: ['Monitoring'],
        summary: 'Figures for Prometheus, where the configuration switches them on',
        responses: {
          200: { description: 'The figures.', content: { 'text/plain': { schema: z.string() } } },
          ...problems('ADDRESS_NOT_FOUND'),
        },
      },
    },
    '/health-check': {
      get: {
        operationId: 'checkHealth',
        tags: ['Monitoring'],
        summary: 'Check this instance now',
        requestParams: { query: z.object({ full: z.boolean().optional() }) },
        responses: {
          200: { description: 'Everything is well.', content: json(healthBody) },
          ...problems('REQUEST_INVALID'),
          503: { description: 'Something is wrong; messages tell what.', content: json(healthBody) },
        },
      },
    },
  };
}

function instancePaths(): ZodOpenApiPathsObject {
  const product = z.object({
    name: z.string(),
    version: z.string(),
    api_versions: z.array(z.string()),
    instance: z.string(),
  });
  return {
    '/.well-known/sinete': {
      get: {
        operationId: 'discover',
        tags: ['This instance'],
        summary: 'Find the helper',
        responses: {
          200: { description: 'Name, version and a random id of this run.', content: json(product) },
          ...problems(),
        },
      },
    },
  };
}
