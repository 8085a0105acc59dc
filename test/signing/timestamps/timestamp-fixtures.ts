import { hash } from 'node:crypto';
import type { HttpClient, HttpRequest, HttpResponse, TimestampAuthority } from '../../../src/signing/index.ts';
import {
  answerTimestampRequest,
  type TestIdentity,
  type TestTimestampOptions,
} from '../../../src/test-authority/index.ts';

/** When everything in these tests happens, by the clock of this computer. */
export const now = (): Date => new Date();

export const CONTENT = Buffer.from('what is stamped');
export const IMPRINT = hash('sha256', CONTENT, 'buffer');

/** An authority reached by a scripted client only. */
export const authorityWith = (more: Partial<TimestampAuthority> = {}): TimestampAuthority => ({
  id: 'first',
  url: 'http://tsa.example/tsa',
  digest: 'sha256',
  authentication: { kind: 'none' },
  timeout: 5_000,
  ...more,
});

type Handler = (request: HttpRequest) => Promise<HttpResponse> | HttpResponse;

/** An HTTP client without a network: answers by the host of the URL. */
export function scriptedHttp(
  handlers: Readonly<Record<string, Handler>>,
): HttpClient & { readonly sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  return {
    sent,
    async send(request) {
      sent.push(request);
      const handler = handlers[new URL(request.url).host];
      if (handler === undefined) throw new Error('nobody expects this host');
      return handler(request);
    },
  };
}

export const replyWith = (body: Uint8Array, status = 200): HttpResponse => ({
  status,
  contentType: 'application/timestamp-reply',
  body: Buffer.from(body),
});

/** A handler by our test authority. */
export const stampedBy =
  (tsa: TestIdentity, options: TestTimestampOptions = {}): Handler =>
  (request) =>
    replyWith(answerTimestampRequest(tsa, request.body ?? Buffer.alloc(0), options));
