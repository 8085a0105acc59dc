/** Values of the examples in the OpenAPI document. */

export const tcn = 'b3Q7c0pXk2mVt9Yd5Zs8hRf1Wg';
export const created = '2026-01-02T03:04:05.000Z';
export const finished = '2026-01-02T03:04:07.000Z';

export const document = {
  id: '0',
  status: 'SIGNED',
  original_file_name: 'contract.pdf',
  media_type: 'application/pdf',
  size: 48213,
  signature_setting: 'default',
  checksum: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  result: `http://127.0.0.1:17171/file-transfer/${tcn}/0`,
  lifetime: 43_200,
};

export const summary = {
  tcn,
  status: 'SIGNED',
  waiting_for: null,
  certificate_alias: 'MARIA DA SILVA',
  type: 'PAdES',
  hash_algorithm: 'SHA256',
  checksum_algorithm: 'SHA256',
  policy: 'none',
  tsa: false,
  visible_signature: false,
  eot: true,
  documents_source: 'UPLOAD_REFERENCE',
  counts: { SIGNED: 1, WAITING: 0, ERROR: 0 },
  created_at: created,
  finished_at: finished,
};

export const transaction = { ...summary, documents: [document] };
export const waiting = { ...transaction, status: 'WAITING', finished_at: null };
export const cancelled = {
  ...document,
  status: 'ERROR',
  result: null,
  error: { code: 'CANCELLED', detail: 'The transaction was cancelled.' },
};

export const uploaded = {
  tcn,
  documents: [{ ...document, status: 'WAITING', result: null }],
  end_of_transaction: true,
};
