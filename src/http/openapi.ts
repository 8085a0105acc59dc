import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import { assistantPaths } from './assistant/openapi.ts';
import { authorizationPaths } from './authorization/openapi.ts';
import { certificateInfoPaths } from './authorization/certificate-info-openapi.ts';
import { finishOpenApi } from './openapi-finish.ts';
import { json, problems } from './openapi-problems.ts';
import { monitoringPaths } from './signing-service/monitoring-openapi.ts';
import { signingPaths } from './signing-service/signing-openapi.ts';
import { webhookPaths } from './webhooks/webhook-openapi.ts';
import { validatorPaths } from './signing-service/validator-service.ts';

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
