import { SigningError } from '../errors.ts';
import type { HttpClient, HttpRequest } from '../http-client.ts';

/** An exchange that needs a body with status 200. Rejects with `NETWORK_…`. */
export async function fetchOctets(http: HttpClient, request: HttpRequest): Promise<Buffer> {
  const { status, body } = await http.send(request);
  if (status !== 200 || body.length === 0) {
    const { host } = new URL(request.url);
    throw new SigningError('NETWORK_UNREACHABLE', `${host} answered with status ${status}.`);
  }
  return body;
}

const PEM_CRL = /-----BEGIN X509 CRL-----([^-]+)-----END X509 CRL-----/;

/** DER of a CRL in DER or in PEM, as served by some authorities. */
export function crlDer(body: Buffer): Buffer {
  if (!body.subarray(0, 4096).includes('-----BEGIN')) return body;
  const match = PEM_CRL.exec(body.toString('latin1'));
  return match?.[1] === undefined ? body : Buffer.from(match[1], 'base64');
}
