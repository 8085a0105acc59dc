import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { problems } from '../openapi-problems.ts';
import { validatorBody, validatorForm } from './validator-schemas.ts';

/** Endpoint 5 for the OpenAPI document. */
export const validatorPaths = (): ZodOpenApiPathsObject => ({
  '/validator-service': {
    post: {
      operationId: 'validateSignatures',
      tags: ['Signing service'],
      summary: 'Validate signatures',
      description:
        'Answers 200 whenever the input could be read, whatever the verdict. It does not replace the validation at the ' +
        'official site, https://validar.iti.gov.br.',
      requestBody: { required: true, content: { 'multipart/form-data': { schema: validatorForm } } },
      responses: {
        200: { description: 'The verdict, and why.', content: { 'application/json': { schema: validatorBody } } },
        ...problems(
          'UPLOAD_INCOMPLETE',
          'REQUEST_MALFORMED',
          'MEDIA_TYPE_NOT_SUPPORTED',
          'REQUEST_INVALID',
          'NOT_A_SIGNATURE',
          'DOCUMENT_TOO_LARGE',
          'DOCUMENT_UNREADABLE',
          'DOCUMENT_ENCRYPTED',
          'FEATURE_NOT_SUPPORTED',
          'STORAGE_FULL',
          'BUSY',
        ),
      },
    },
  },
});
