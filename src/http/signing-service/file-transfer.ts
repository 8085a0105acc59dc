import type { Request, RequestHandler } from 'express';
import type { Transactions, UploadRequest } from '../../service/transactions/index.ts';
import { baseUrlOf, hangUpOf } from '../guard-request.ts';
import { invalidFields } from '../read-json.ts';
import { readUpload } from './read-upload.ts';
import { sendResult } from './send-result.ts';
import { uploadBody } from './transaction-body.ts';
import { announcedOctets, type UploadLimits } from './upload-limits.ts';

/** Path parameters of an upload: `/file-transfer/<tcn>/<eot, continue or empty>/<signature_setting>`. */
export type UploadPath = { tcn: string; eot?: string; setting?: string };

/** Path parameters of a download. */
type DownloadPath = { tcn: string; documentId: string };

/** Endpoint 2: takes documents in a form or as the raw body, and starts signing when the batch has ended. */
export function uploadDocuments(transactions: Transactions, limits: UploadLimits): RequestHandler<UploadPath> {
  return async (request, response) => {
    const hangUp = hangUpOf(response);
    const upload = { ...readUploadPath(request), ...announcedOctets(request) };
    const documents = readUpload(request, limits);
    const outcome = await transactions.upload(request.params.tcn, upload, documents, hangUp);
    response.json(uploadBody(outcome, baseUrlOf(request)));
  };
}

/** Endpoint 4: the signed document or signature, streamed, with ranges. */
export function downloadDocument(transactions: Transactions): RequestHandler {
  return async (request, response) => {
    const { tcn, documentId } = request.params as DownloadPath;
    await sendResult(await transactions.result(tcn, documentId), request, response);
  };
}

function readUploadPath({ params }: Request<UploadPath>): UploadRequest {
  const { eot = '', setting = '' } = params;
  const settingId = setting === '' ? {} : { settingId: setting };
  switch (eot.toLowerCase()) {
    case 'eot':
      return { endOfTransaction: true, ...settingId };
    case 'continue':
    case '':
      return { endOfTransaction: false, ...settingId };
    default: {
      const detail = 'The segment behind the TCN is "eot", "continue" or empty; the signature setting comes behind it.';
      throw invalidFields([{ field: 'eot', code: 'INVALID_VALUE', detail }]);
    }
  }
}
