// An HttpClient by Node's fetch. Addresses in certificates are chosen by strangers: a program that validates files of
// others also refuses private addresses (`sinete` does).
import { SigningError } from 'sinete/signing';

/** @type {import('sinete/signing').HttpClient} */
export const http = {
  async send({ method, url, body, contentType, accept, authorization, headers, timeout, maxBytes }) {
    const all = { ...headers, 'content-type': contentType, accept, authorization };
    try {
      const response = await fetch(url, {
        method,
        body,
        headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
        signal: AbortSignal.timeout(timeout),
      });
      return {
        status: response.status,
        contentType: response.headers.get('content-type')?.split(';')[0]?.toLowerCase(),
        body: await readBody(response, maxBytes),
      };
    } catch (error) {
      if (error instanceof SigningError) throw error;
      throw new SigningError('NETWORK_UNREACHABLE', `${new URL(url).host} does not answer.`, { cause: error });
    }
  },
};

async function readBody(response, maxBytes) {
  const chunks = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) throw new SigningError('NETWORK_ANSWER_TOO_LARGE', `The answer is over ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
