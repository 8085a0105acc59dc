import type { Request, RequestHandler } from 'express';
import type { ReportLanguage, Validator } from '../../service/validation/index.ts';
import { findingExample } from '../authorization/certificate-info.ts';
import { attemptOriginOf, hangUpOf } from '../guard-request.ts';
import { withValidatorForm } from './read-validator-form.ts';
import type { UploadLimits } from './read-form.ts';
import { validationBody } from './validator-body.ts';
import { json } from '../openapi/problems.ts';
import { forEverybody, type Operation } from '../operation.ts';
import { document, finished } from './examples.ts';
import { validatorBody, validatorForm } from './validator-schemas.ts';

/**
 * Endpoint 5: `POST /validator-service` validates a signature. 200 with any verdict; 422 for input other than a
 * signature, and for missing parts. Files are streamed to disk and removed after the answer.
 */
function answerValidation(validator: Validator, limits: UploadLimits): RequestHandler {
  return async (request, response) => {
    const signal = hangUpOf(response);
    const caller = attemptOriginOf(response);
    const report = await withValidatorForm(
      request,
      limits,
      caller,
      async ({ kind, signaturePath, documentPath, recordPath }) =>
        validator.validate({
          kind,
          signaturePath,
          signal,
          contentPath: documentPath,
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

/** Services of the validator. */
export interface ValidatorParts {
  readonly validator: Validator;
  readonly limits: UploadLimits;
}

/** Validates the signatures of a document, or a signature beside its document. */
export const validateSignatures: Operation<ValidatorParts> = {
  id: 'validateSignatures',
  number: 5,
  method: 'post',
  paths: ['/validator-service'],
  guard: 'granted',
  access: { ...forEverybody('signing'), isCounted: true },
  body: 'upload',
  handle: ({ validator, limits }) => answerValidation(validator, limits),
  describe: () => ({
    tag: 'Signing service',
    summary: 'Validate signatures',
    description:
      'Answers 200 whenever the input could be read, whatever the verdict. It does not replace the validation at the ' +
      'official site, https://validar.iti.gov.br.',
    body: { required: true, content: { 'multipart/form-data': { schema: validatorForm } } },
    answers: { 200: { description: 'The verdict, and why.', content: json(validatorBody) } },
    example: {
      status: true,
      detail: {
        signature: { status: true, code: 1185, message: 'All digital signatures of the document are intact' },
        ...findingExample,
      },
      indication: 'TOTAL-PASSED',
      sub_indication: null,
      changed_since: false,
      kind: 'cms-detached',
      standards: [],
      no_legal_value: false,
      validated_at: finished,
      content_digest: document.checksum,
      signatures: [],
      document_timestamps: [],
      checks: [],
      notice: {
        text: 'This does not replace the official validation.',
        url: 'https://validar.iti.gov.br',
      },
    },
    problems: [
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
    ],
  }),
};
