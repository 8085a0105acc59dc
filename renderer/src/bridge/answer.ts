import type { CallError, CallResult } from '../../../src/ui-contract/ui-contract.ts';
import type { FileReference, SentDocument } from './bridge.ts';

/**
 * Reads the answer to a call. The value has the contract's type: both ends are built from the same table, and the core
 * checks its answers. Refusals of the HTTP layer are problem documents (RFC 9457).
 */
export function readResult<Value>(status: number, text: string): CallResult<Value> {
  const body = parseJson(text);
  return status === 200 && isResult<Value>(body) ? body : { ok: false, error: errorOf(status, body) };
}

/** Reads the answer to an upload of a document: the upload endpoint's entry, or a problem document. */
export function readUpload(status: number, text: string): CallResult<SentDocument> {
  const body = parseJson(text);
  const documents: unknown = isRecord(body) ? body.documents : undefined;
  const first: unknown = Array.isArray(documents) ? documents[0] : undefined;
  if (status === 200 && isRecord(first) && typeof first.id === 'string') {
    return { ok: true, value: { documentId: first.id } };
  }
  return { ok: false, error: errorOf(status, body) };
}

/** Reads the answer to a file sent for a call, or a problem document. */
export function readGivenFile(status: number, text: string): CallResult<FileReference> {
  const body = parseJson(text);
  if (status === 201 && isRecord(body) && typeof body.upload === 'string') {
    return { ok: true, value: { upload: body.upload } };
  }
  return { ok: false, error: errorOf(status, body) };
}

function errorOf(status: number, body: unknown): CallError {
  if (status === 401) return { code: 'SESSION_ENDED', message: 'The session of this page has ended.' };
  if (isRecord(body) && typeof body.code === 'string') {
    return { code: body.code, message: typeof body.detail === 'string' ? body.detail : '' };
  }
  return { code: 'UNREACHABLE', message: `Unexpected answer with status ${status}.` };
}

function isResult<Value>(body: unknown): body is CallResult<Value> {
  return isRecord(body) && typeof body.ok === 'boolean';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
