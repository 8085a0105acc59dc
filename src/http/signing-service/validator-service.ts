import type { Request, RequestHandler } from 'express';
import type { ReportLanguage, Validator } from '../../service/validation/index.ts';
import { hangUpOf } from '../guard-request.ts';
import { withValidatorForm } from './read-validator-form.ts';
import type { UploadLimits } from './upload-limits.ts';
import { validationBody } from './validator-body.ts';

/**
 * Endpoint 5: `POST /validator-service` validates a signature. 200 with any verdict; 422 for input other than a
 * signature, and for missing parts. Files are streamed to disk and removed after the answer.
 */
export function validateSignatures(validator: Validator, limits: UploadLimits): RequestHandler {
  return async (request, response) => {
    const signal = hangUpOf(response);
    const report = await withValidatorForm(request, limits, async ({ kind, signaturePath, documentPath }) =>
      validator.validate({
        ...{ kind, signaturePath, signal },
        ...(documentPath === undefined ? {} : { contentPath: documentPath }),
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
