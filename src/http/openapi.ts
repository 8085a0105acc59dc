import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { assistantPaths } from './assistant/openapi.ts';
import { authorizationPaths } from './authorization/openapi.ts';
import { certificateInfoPaths } from './authorization/certificate-info-openapi.ts';
import { finishOpenApi } from './openapi-finish.ts';
import { problems } from './openapi-problems.ts';
import { dashboardBody, healthBody, lifeBody } from './signing-service/schemas.ts';
import { signingPaths } from './signing-service/signing-openapi.ts';
import { webhookPaths } from './webhooks/webhook-openapi.ts';
import { validatorPaths } from './signing-service/validator-service.ts';

const json = (schema: z.ZodType) => ({ 'application/json': { schema } });

/** Builds the OpenAPI 3.1 document from the same schemas that check requests and type the answers. */
export function buildOpenApi(version: string): ReturnType<typeof createDocument> {
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Sinete',
      version,
      description:
        'Signs documents with keys on this computer: CMS, CAdES, PDFSignature and PAdES; levels B-B to B-LTA (ETSI ' +
        'EN 319 122-1 and EN 319 142-1) and the ICP-Brasil policies AD-RB, AD-RT, AD-RV, AD-RC and AD-RA.',
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      contact: { name: 'Sinete' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Signing service', description: 'Transactions, uploads, results and the validator.' },
      { name: 'Authorization', description: 'OAuth 2.0 and certificate information.' },
      { name: 'Registry', description: 'Applications and their webhooks.' },
      { name: 'Monitoring', description: 'Counters, health and metrics.' },
      { name: 'Local helper', description: 'The users of this computer, and the computer as an application.' },
      { name: 'This instance', description: 'What this instance is.' },
    ],
    paths: {
      ...signingPaths(),
      ...monitoringPaths(),
      ...instancePaths(),
      ...validatorPaths(),
      ...authorizationPaths(problems),
      ...certificateInfoPaths(),
      ...assistantPaths(),
      ...webhookPaths(),
    },
  });
  return finishOpenApi(document);
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
    '/live': {
      get: {
        operationId: 'checkLiveness',
        tags: ['Monitoring'],
        summary: 'Tell that this process answers',
        responses: {
          200: { description: 'It answers.', content: json(z.object({ status: z.literal('LIVE') })) },
          ...problems(),
        },
      },
    },
    '/ready': {
      get: {
        operationId: 'checkReadiness',
        tags: ['Monitoring'],
        summary: 'Tell whether this instance takes new work',
        responses: {
          200: { description: 'New work is taken.', content: json(lifeBody) },
          ...problems(),
          503: { description: 'New work is not taken now; status tells why.', content: json(lifeBody) },
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
        description:
          'With `challenge`, the instance proves that it knows the key in its file, and gives a nonce for `X-Sinete-Proof`.',
        requestParams: {
          query: z.object({
            challenge: z
              .string()
              .optional()
              .meta({ pattern: '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$', description: '32 bytes, base64url' }),
          }),
        },
        responses: {
          200: { description: 'Name, version and a random id of this run.', content: json(product) },
          ...problems('REQUEST_INVALID'),
        },
      },
    },
  };
}
