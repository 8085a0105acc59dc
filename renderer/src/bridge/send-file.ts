import type { CallResult } from '../../../src/ui-contract/ui-contract.ts';

/** Input of `sendFile`. */
export interface FileToSend<Value> {
  readonly address: string;
  readonly authorization: string;
  /** A file, or several files as a form. */
  readonly content: File | FormData;
  readonly onProgress: (sent: number) => void;
  readonly signal: AbortSignal;
  /** Called if the core no longer knows the session. */
  readonly onSessionEnded: () => void;
  /** Reads the answer: its status and its text. */
  readonly read: (status: number, text: string) => CallResult<Value>;
}

/**
 * Sends a file as the raw body of a PUT, or several as its form. Uses XMLHttpRequest, because fetch does not report how
 * much of a body was sent.
 */
export function sendFile<Value>(options: FileToSend<Value>): Promise<CallResult<Value>> {
  return new Promise((resolve) => {
    const fail = (code: string, message: string): void => resolve({ ok: false, error: { code, message } });
    if (options.signal.aborted) {
      fail('CANCELLED', 'The upload was cancelled.');
      return;
    }
    const request = new XMLHttpRequest();
    request.open('PUT', options.address);
    request.setRequestHeader('Authorization', options.authorization);
    const { content } = options;
    if (content instanceof File) {
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      request.setRequestHeader('X-File-Name', encodeURIComponent(content.name));
    }
    request.upload.onprogress = (event) => options.onProgress(event.loaded);
    request.onabort = () => fail('CANCELLED', 'The upload was cancelled.');
    request.onerror = () => fail('UNREACHABLE', 'The upload broke off.');
    request.onload = () => {
      if (request.status === 401) options.onSessionEnded();
      resolve(options.read(request.status, request.responseText));
    };
    const stop = (): void => request.abort();
    options.signal.addEventListener('abort', stop, { once: true });
    request.onloadend = () => options.signal.removeEventListener('abort', stop);
    request.send(content);
  });
}
