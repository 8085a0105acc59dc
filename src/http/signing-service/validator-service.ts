import type { Request, RequestHandler } from 'express';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { ReportLanguage, Validator } from '../../service/validation/index.ts';
import { hangUpOf } from '../guard-request.ts';
import { withValidatorForm } from './read-validator-form.ts';
import type { UploadLimits } from './read-form.ts';
import { validationBody } from './validator-body.ts';
import { problems } from '../openapi-problems.ts';
import { validatorBody, validatorForm } from './validator-schemas.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/**
 * Endpoint 5: `POST /validator-service` validates a signature. 200 with any verdict; 422 for input other than a
 * signature, and for missing parts. Files are streamed to disk and removed after the answer.
 */
export function validateSignatures(validator: Validator, limits: UploadLimits): RequestHandler {
  return async (request, response) => {
    const signal = hangUpOf(response);
    const report = await withValidatorForm(request, limits, async ({ kind, signaturePath, documentPath, recordPath }) =>
      validator.validate({
        kind,
        signaturePath,
        signal,
        ...dropUndefined({ contentPath: documentPath }),
        ...(recordPath === undefined ? {} : { recordPaths: [recordPath] }),
      }),
    );
    response.vary('Accept-Language');
    response.json(validationBody(report, languageOf(request)));
  };
}

/** Brazilian Portuguese if preferred, else English. */
function languageOf(request: Request): ReportLanguage {
  return request.acceptsLanguages('en', 'pt-BR', 'pt') === 'en' ? 'en' : portugueseOrEnglish(request);
}

function portugueseOrEnglish(request: Request): ReportLanguage {
  return request.acceptsLanguages('pt-BR', 'pt') === false ? 'en' : 'pt-BR';
}

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
          'TYPE_NOT_SUPPORTED',
          'NOT_A_SIGNATURE',
          'DOCUMENT_TOO_LARGE',
          'DOCUMENT_UNREADABLE',
          'DOCUMENT_ENCRYPTED',
          'FEATURE_NOT_SUPPORTED',
          'STORAGE_FULL',
          'BUSY',
          'TOO_MANY_REQUESTS',
        ),
      },
    },
  },
});
