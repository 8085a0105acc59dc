import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';

/**
 * Turns an HTTP answer into a result. The value is taken as the contract declares it: both ends are built from the same
 * table, and the core checks what it answers.
 */
export function readAnswer<Value>(status: number, text: string): CallResult<Value> {
  if (status === 401) {
    return { ok: false, error: { code: 'SESSION_ENDED', message: 'The session of this page has ended.' } };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isResult<Value>(value)) return value;
  } catch {
    // Not JSON: told below, with the status.
  }
  return { ok: false, error: { code: 'UNREACHABLE', message: `Unexpected answer with status ${status}.` } };
}

function isResult<Value>(value: unknown): value is CallResult<Value> {
  return typeof value === 'object' && value !== null && 'ok' in value && typeof value.ok === 'boolean';
}
