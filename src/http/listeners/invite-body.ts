import type { IncomingMessage, ServerResponse } from 'node:http';

const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/** Notes a client that sends `Expect: 100-continue`, and waits for an invitation or a refusal (RFC 9110 §10.1.1). */
export function noteExpectation(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response);
}

/** Sends 100 Continue to a client that waits for it before its body; called when the body is about to be read. */
export function inviteBody(request: IncomingMessage): void {
  const response = waiting.get(request);
  if (response === undefined || response.headersSent) return;
  waiting.delete(request);
  response.writeContinue();
}
