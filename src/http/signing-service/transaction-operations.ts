import { z } from 'zod';
import type { Transactions } from '../../service/transactions/index.ts';
import { signatureTypes, typeAliases } from '../../request/signature-types.ts';
import type { CredentialServices } from '../authorization/credentials.ts';
import { quotaHeaders, seconds } from '../openapi/headers.ts';
import { json } from '../openapi/problems.ts';
import { ofApplications, forEverybody, withCredentials, type Operation } from '../operation.ts';
import { cancelled, tcn as tcnExample, transaction, uploaded, waiting } from './examples.ts';
import { notificationCallbacks } from './notification-callbacks.ts';
import type { UploadLimits } from './read-form.ts';
import { meanings, sessionAnswerHeader, sessionHeaderSpellings, valueSpellings } from '../client-spellings.ts';
import { createdBody, createRequest, documentsDestinations, documentsSources, transactionBody } from './schemas.ts';
import {
  authorizeTransaction as authorize,
  cancelTransaction as cancel,
  createTransaction as create,
  queryTransaction as query,
  type CreateParts,
} from './signature-service.ts';

/** Services of the operations on transactions. */
export interface TransactionParts {
  readonly transactions: Transactions;
  readonly identity: CredentialServices;
  readonly consent: CreateParts['files'];
  /** Trust data that has ended, or ends soon. */
  readonly staleTrust: CreateParts['staleTrust'];
  readonly limits: UploadLimits;
}

const tag = 'Signing service';

/** The path parameter of a transaction. */
export const tcn = z.string().meta({ description: 'Transaction control token', examples: [tcnExample] });

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
  'HASHES_NOT_ALLOWED',
  'RAW_NOT_ALLOWED',
  'KEY_SIGNS_NO_HASH',
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

const createExamples = {
  UPLOAD_REFERENCE: {
    summary: 'Documents follow as uploads',
    value: { type: 'PAdES', documents_source: 'UPLOAD_REFERENCE' },
  },
  DATA_URL: {
    summary: 'Documents in the request; the answer waits for the signatures',
    value: {
      type: 'CAdES-detached',
      documents_source: 'DATA_URL',
      mode: 'sync',
      documents: [{ id: 'note', original_file_name: 'note.txt', data: 'data:text/plain;base64,SGVsbG8=' }],
    },
  },
  FILE_PATH: {
    summary: 'Files of this computer; results go beside them',
    value: {
      type: 'PAdES',
      documents_source: 'FILE_PATH',
      documents: [{ data: '/home/maria/contract.pdf' }],
    },
  },
  STORE_A_S3: {
    summary: 'Objects of an S3 store',
    value: {
      type: 'PAdES',
      documents_source: 'STORE_A_S3',
      documents_destination: 'STORE_A_S3',
      documents: [{ data: 's3://contracts/in/1.pdf', destination_file_name: 'signed/1.pdf' }],
    },
  },
  STORE_B_STORAGE: {
    summary: 'Objects of Google Cloud Storage',
    value: {
      type: 'PAdES',
      documents_source: 'STORE_B_STORAGE',
      documents_destination: 'STORE_B_STORAGE',
      documents: [{ data: 'gs://contracts/in/1.pdf', destination_file_name: 'signed/1.pdf' }],
    },
  },
  hashes: {
    summary: 'Hashes of documents that stay where they are; the answer carries the signatures',
    value: {
      type: 'CAdES-detached',
      mode: 'sync',
      hashes: [
        {
          id: 'note',
          original_file_name: 'note.txt',
          hash: 'GF+NsyciJX/O7d3DFZ1oN2jtsGwpQNYq4FvPIDIgvts=',
        },
      ],
    },
  },
  stamp: {
    summary: 'A visible signature, a policy and a notification',
    value: {
      type: 'PAdES',
      documents_source: 'UPLOAD_REFERENCE',
      policy: 'B-T',
      notification_callback: 'https://shop.example/signed?tcn=',
      signature_settings: [
        {
          id: 'default',
          reason: 'I agree',
          visible_sign_page: -1,
          visible_sign_x: 385,
          visible_sign_y: 780,
          visible_sign_width: 180,
          visible_sign_height: 50,
        },
      ],
    },
  },
};

/** Names of closed sets beside those of the schema. */
const acceptedNames = {
  CreateTransaction: {
    type: [...Object.keys(typeAliases), ...signatureTypes],
    documents_source: [...documentsSources, ...Object.keys(meanings(valueSpellings.documents_source))],
    documents_destination: [...documentsDestinations, ...Object.keys(meanings(valueSpellings.documents_destination))],
  },
};

/** Starts a transaction. */
export const createTransaction: Operation<TransactionParts> = {
  id: 'createTransaction',
  number: 1,
  method: 'post',
  paths: ['/signature-service'],
  guard: 'sign',
  access: withCredentials('signing'),
  body: 'json',
  handle: ({ transactions, identity, consent, limits, staleTrust }) =>
    create(transactions, identity, { files: consent, mostDocuments: limits.documents, staleTrust }),
  describe: () => ({
    tag,
    summary: 'Start a signature',
    description: 'Letter case of closed values does not matter; unknown fields are ignored.',
    credentials: [
      {},
      { personPassword: [] },
      { accessToken: [] },
      { applicationSecret: [] },
      { oauth2: ['signature_session'] },
    ],
    parameters: {
      header: z.object({
        'X-Session-Options': z
          .string()
          .optional()
          .meta({
            description:
              'With Basic of a person: lifetime=300;return_access_token=true returns a session token. Also as ' +
              `${sessionHeaderSpellings.map(({ spelling }) => spelling).join(' or ')}.`,
          }),
        Prefer: z.string().optional().meta({ description: 'handling=strict refuses unknown fields (RFC 7240).' }),
        'Idempotency-Key': z.string().max(255).optional().meta({
          description:
            'The same key within 24 hours, with a body of the same meaning, answers the first transaction again.',
        }),
      }),
    },
    body: { required: true, content: json(createRequest) },
    examples: createExamples,
    callbacks: notificationCallbacks,
    answers: {
      201: {
        description: 'The transaction; with mode "sync", finished.',
        headers: z.object({
          Location: z.string(),
          'X-Session-Token': z.string().optional().meta({ description: 'The session token that was asked for.' }),
          'Idempotent-Replayed': z
            .literal('true')
            .optional()
            .meta({ description: 'The answer is that of an earlier request with the same Idempotency-Key.' }),
          [sessionAnswerHeader.spelling]: z
            .string()
            .optional()
            .meta({ description: '<token>;<seconds>;<provider>, where the request has a header of that family.' }),
        }),
        links: transactionLinks,
        content: json(createdBody),
      },
    },
    headers: quotaHeaders,
    example: { ...waiting, waiting_for: 'upload', documents: [], counts: { SIGNED: 0, WAITING: 0, ERROR: 0 } },
    problems: createProblems,
    accepts: acceptedNames,
  }),
};

/** Answers the state of a transaction. */
export const queryTransaction: Operation<TransactionParts> = {
  id: 'queryTransaction',
  number: 3,
  method: 'get',
  paths: ['/signature-service/:tcn'],
  guard: 'granted',
  access: forEverybody('signing'),
  body: 'none',
  handle: ({ transactions }) => query(transactions),
  describe: () => ({
    tag,
    summary: 'Query a transaction',
    description: 'The TCN is enough. Ask with wait instead of asking often.',
    parameters: {
      path: z.object({ tcn }),
      query: z.object({
        wait: z
          .int()
          .min(0)
          .max(60)
          .optional()
          .meta({
            description:
              'Holds the answer until the status, or the reason to wait, changes; at most this many seconds. Single ' +
              'documents of a batch do not end the wait.',
          }),
        documents_after: z
          .string()
          .optional()
          .meta({ description: 'Id of the last document of the page before; 422 for an id that no document has.' }),
        documents_limit: z
          .number()
          .int()
          .min(0)
          .max(1000)
          .optional()
          .meta({ description: 'Most documents of the answer; 1,000 by default.' }),
      }),
    },
    answers: {
      200: { description: 'The transaction. Retry-After while it waits.', content: json(transactionBody) },
    },
    headers: { 'Retry-After': seconds('While the transaction waits.') },
    example: transaction,
    problems: ['REQUEST_MALFORMED', 'TRANSACTION_NOT_FOUND', 'REQUEST_INVALID'],
  }),
};

/** Approves a transaction by the token of a person. */
export const authorizeTransaction: Operation<TransactionParts> = {
  id: 'authorizeTransaction',
  method: 'post',
  paths: ['/signature-service/:tcn/authorize'],
  guard: 'token',
  access: withCredentials('signing'),
  body: 'none',
  handle: ({ transactions, identity }) => authorize(transactions, identity),
  describe: () => ({
    tag,
    summary: "Approve a waiting transaction with a person's token",
    description:
      'For a transaction that an application started: the person approves on the authorize page, and the application ' +
      'sends the token here. The scope tells how far the approval goes.',
    credentials: [{ accessToken: [] }],
    parameters: { path: z.object({ tcn }) },
    answers: { 200: { description: 'The transaction.', content: json(transactionBody) } },
    example: { ...waiting, counts: { SIGNED: 0, WAITING: 1, ERROR: 0 }, documents: uploaded.documents },
    problems: [
      'REQUEST_MALFORMED',
      'CREDENTIALS_INVALID',
      'SCOPE_NOT_ALLOWED',
      'TRANSACTION_NOT_FOUND',
      'APPROVAL_NOT_WAITING',
    ],
  }),
};

/** Cancels the documents of a transaction that are not signed yet. */
export const cancelTransaction: Operation<TransactionParts> = {
  id: 'cancelTransaction',
  method: 'delete',
  paths: ['/signature-service/:tcn'],
  guard: 'sign',
  access: withCredentials('signing'),
  body: 'none',
  handle: ({ transactions, identity }) => cancel(transactions, identity),
  describe: () => ({
    tag,
    summary: 'Cancel what is not signed yet',
    description:
      'Documents that are signed, or being signed, stay. The others end with ERROR and CANCELLED. Only the creator of the transaction, the person of its certificate and the owner of this computer may cancel; for others the transaction is not there (404).',
    credentials: ofApplications,
    parameters: { path: z.object({ tcn }) },
    answers: { 200: { description: 'The transaction.', content: json(transactionBody) } },
    example: {
      ...transaction,
      status: 'ERROR',
      counts: { SIGNED: 0, WAITING: 0, ERROR: 1 },
      documents: [cancelled],
    },
    problems: ['REQUEST_MALFORMED', 'CREDENTIALS_INVALID', 'TOO_MANY_ATTEMPTS', 'TRANSACTION_NOT_FOUND'],
  }),
};
