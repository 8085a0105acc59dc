import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { problems } from '../openapi-problems.ts';
import { certificateInfoBody } from './certificate-info.ts';

/** Endpoint 10 for the OpenAPI document. */
export const certificateInfoPaths = (): ZodOpenApiPathsObject => ({
  '/certificate/info': {
    get: {
      operationId: 'readCertificateInformation',
      tags: ['Authorization'],
      summary: "Tell of the certificates of the token's user",
      requestParams: {
        header: z.object({
          Authentication: z.string().optional().meta({
            description: 'The access token, bare or behind "Bearer". "Authorization: Bearer" works as well.',
          }),
        }),
        query: z.object({
          certificate_alias: z.string().optional().meta({ description: 'One of them; absent: all.' }),
        }),
      },
      responses: {
        200: { description: 'What they say, and whether they are good.', content: json },
        ...problems('CREDENTIALS_INVALID', 'REQUEST_INVALID', 'CERTIFICATE_NOT_FOUND'),
      },
    },
  },
});

const json = { 'application/json': { schema: certificateInfoBody } };
