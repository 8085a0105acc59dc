import type { UiEvent } from '../../../src/ui-contract/ui-contract.ts';

/** The core pings every 20 s; after this long without a line the connection counts as dead. */
const silenceLimit = 50_000;

/**
 * Reads newline-delimited JSON until the stream ends, is aborted, or stays silent too long. Resolves in each of these
 * cases. Unknown lines are ignored, so that an older page works with a newer core.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  abort: AbortController,
  onEvent: (event: UiEvent) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  let watchdog = setTimeout(() => abort.abort(), silenceLimit);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(() => abort.abort(), silenceLimit);
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const event = parseEvent(line);
        if (event !== null) onEvent(event);
      }
    }
  } catch {
    return;
  } finally {
    clearTimeout(watchdog);
  }
}

function parseEvent(line: string): UiEvent | null {
  if (line.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || !('name' in value)) return null;
    switch (value.name) {
      case 'keys-changed':
      case 'consent-changed':
      case 'users-changed':
      case 'authorizations-changed':
      case 'renewals-changed':
      case 'ping':
        return { name: value.name };
      case 'transaction-changed':
        return 'tcn' in value && typeof value.tcn === 'string' ? { name: value.name, tcn: value.tcn } : null;
      default:
        return null;
    }
  } catch {
    return null;
  }
}
