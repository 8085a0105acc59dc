import type { CreateTransaction } from '../../../src/service/transactions/index.ts';

/** A create request for a CAdES signature beside its content, by upload, unless told otherwise. */
export function createRequest(overrides: Partial<CreateTransaction> = {}): CreateTransaction {
  return {
    type: 'CAdES-detached',
    documentsSource: 'UPLOAD_REFERENCE',
    documents: [],
    mode: 'async',
    digest: 'sha256',
    policy: 'none',
    settings: [],
    destination: 'LOCAL',
    reach: { kind: 'owner', overNetwork: false },
    autoFixDocument: false,
    returnSignature: false,
    ...overrides,
  };
}

export const dataUrl = (content: string | Buffer, mediaType = 'text/plain'): string =>
  `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`;
