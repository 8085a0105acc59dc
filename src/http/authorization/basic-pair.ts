import { OAuthRefusal } from './oauth-library.ts';

/** A name and its secret, as one value of the header `Authorization` carries them. */
export interface Pair {
  readonly name: string;
  readonly secret: string;
}

/** Reads `base64(name:secret)`, UTF-8 (RFC 7617 §2), in either alphabet of RFC 4648; undefined for anything else. */
export function readPair(value: string): Pair | undefined {
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(value)) return undefined;
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/**
 * Reads the client id and the client secret of `Authorization: Basic`, each of which was form-encoded before (RFC 6749
 * §2.3.1). Undefined without the header, and for another scheme: the body names the client then. Throws `OAuthRefusal`
 * `invalid_client` for a value that has another form.
 */
export function readBasicClient(header: string | undefined): Pair | undefined {
  const value = /^\s*Basic(?:\s+|$)(.*?)\s*$/is.exec(header ?? '')?.[1];
  if (value === undefined) return undefined;
  const pair = readPair(value);
  const name = formDecoded(pair?.name);
  const secret = formDecoded(pair?.secret);
  if (name !== undefined && secret !== undefined) return { name, secret };
  const description = 'Behind Basic stands the base64 of client id, colon and secret, each of them form-encoded.';
  throw new OAuthRefusal('invalid_client', description);
}

/** Decodes one value of `application/x-www-form-urlencoded`; undefined where a `%` begins no UTF-8 character. */
function formDecoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
