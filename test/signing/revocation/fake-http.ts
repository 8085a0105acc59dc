import { SigningError, type HttpClient, type HttpRequest } from '../../../src/signing/index.ts';

/** The answer of an address: bytes, a status, or nothing. */
export type FakeAnswer = Buffer | number | 'unreachable' | ((request: HttpRequest) => Buffer | Promise<Buffer>);

/** An HTTP client without a network: answers by address, and a list of the requested addresses. */
export interface FakeHttp extends HttpClient {
  readonly asked: string[];
  answers: Readonly<Record<string, FakeAnswer>>;
}

export function createFakeHttp(answers: Readonly<Record<string, FakeAnswer>> = {}): FakeHttp {
  const http: FakeHttp = {
    asked: [],
    answers,
    async send(request) {
      http.asked.push(request.url);
      const answer = http.answers[request.url] ?? 404;
      if (answer === 'unreachable') throw new SigningError('NETWORK_UNREACHABLE', 'No answer.');
      if (typeof answer === 'number') return { status: answer, contentType: undefined, body: Buffer.from('no') };
      const body = typeof answer === 'function' ? await answer(request) : answer;
      if (body.length > request.maxBytes) throw new SigningError('NETWORK_ANSWER_TOO_LARGE', 'Too large.');
      return { status: 200, contentType: undefined, body };
    },
  };
  return http;
}
