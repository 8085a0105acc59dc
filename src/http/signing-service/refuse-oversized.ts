import { ServiceError } from '../../service/errors/index.ts';
import { invalidFields, isObject } from '../read-body.ts';

/** Maximum number of fields of one object: the schema knows about forty. */
const mostFields = 200;
const mostSettings = 1000;

/**
 * Refuses a create request with more documents, settings or fields than any transaction has, only by counting them.
 * Checking each document would keep the server busy for minutes with a single small request. Throws
 * `TOO_MANY_DOCUMENTS` and `REQUEST_INVALID`.
 */
export function refuseOversized(body: unknown, mostDocuments: number): void {
  if (!isObject(body)) return;
  refuseFields(body, 'body');
  const { documents, signature_settings: settings } = body;
  if (Array.isArray(documents) && documents.length > mostDocuments) {
    const detail = `A transaction takes at most ${mostDocuments} documents.`;
    const problems = [{ field: 'documents', code: 'TOO_MANY_DOCUMENTS', detail }];
    throw new ServiceError('TOO_MANY_DOCUMENTS', detail, { problems });
  }
  if (isObject(settings)) refuseCount(Object.keys(settings).length, mostSettings, 'signature_settings');
  if (Array.isArray(settings)) refuseCount(settings.length, mostSettings, 'signature_settings');
  for (const [name, list] of Object.entries({ documents, signature_settings: settings })) {
    const inner: readonly unknown[] = isObject(list) ? Object.values(list) : Array.isArray(list) ? list : [];
    for (const one of [...inner, list]) if (isObject(one)) refuseFields(one, name);
  }
}

function refuseFields(fields: Record<string, unknown>, field: string): void {
  refuseCount(Object.keys(fields).length, field === 'signature_settings' ? mostSettings : mostFields, field);
}

function refuseCount(count: number, most: number, field: string): void {
  if (count <= most) return;
  throw invalidFields([{ field, code: 'TOO_BIG', detail: `Give at most ${most} entries.` }]);
}
