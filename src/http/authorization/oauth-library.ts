import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';
import { problemOf } from '../problems/send-error.ts';
import { fieldsOf, readFormInto } from '../read-body.ts';
import { readMultipartFields } from './multipart-fields.ts';

/** Adapts requests to, and errors from, `@node-oauth/oauth2-server`. */
export { OAuth2Server };

/** Parameters of an RFC 6749 request, without repetitions. */
export type Parameters = Readonly<Record<string, string>>;

/** The library's own request. The library reads forms only, so a JSON body is converted to a form. */
export function libraryRequest(parameters: Parameters): OAuth2Server.Request {
  return new OAuth2Server.Request({
    method: 'POST',
    query: {},
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    body: { ...parameters },
  });
}

/** An error of RFC 6749 §4.1.2.1 or §5.2, in its form for the client. */
export interface OAuthFailure {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An OAuth error thrown by this code rather than by the library. */
export class OAuthRefusal extends OAuth2Server.OAuthError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    error: string,
    description: string,
    options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(description, { name: error, code: options.status ?? 400 });
    this.headers = options.headers ?? {};
  }
}

/** The error for the client; undefined for an internal fault. */
export function failureOf(error: unknown): OAuthFailure | undefined {
  const inner = innerOf(error);
  if (inner instanceof OAuth2Server.ServerError || !(inner instanceof OAuth2Server.OAuthError)) return undefined;
  // RFC 6749 §5.2: 401 for a client without authentication.
  const status = inner.name === 'invalid_client' ? 401 : inner.code;
  const headers = inner instanceof OAuthRefusal ? inner.headers : {};
  return { status, error: inner.name, description: plainDescription(inner.message), headers };
}

/** Unwraps an error that the library has wrapped in a `ServerError`: the cause decides. */
export function innerOf(error: unknown): unknown {
  if (error instanceof OAuth2Server.ServerError && 'inner' in error && error.inner instanceof Error) {
    return innerOf(error.inner);
  }
  return error;
}

/** The characters allowed in a description by RFC 6749 §5.2. */
function plainDescription(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}

/** A name and its secret, sent together in the header `Authorization`. */
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
 * Splits `Authorization` into its scheme and the rest (RFC 9110 §11.4), without white space around them. A search by
 * one pattern would need time that grows with the square of the white space between them.
 */
export function splitScheme(header: string): { readonly scheme: string; readonly value: string } {
  const text = header.trim();
  const end = text.search(/\s/);
  return end < 0 ? { scheme: text, value: '' } : { scheme: text.slice(0, end), value: text.slice(end).trim() };
}

/**
 * Reads the client id and the client secret of `Authorization: Basic`, each of which was form-encoded before (RFC 6749
 * §2.3.1). Undefined without the header, and for another scheme: the body names the client then. Throws `OAuthRefusal`
 * `invalid_client` for a value that has another form.
 */
export function readBasicClient(header: string | undefined): Pair | undefined {
  const { scheme, value } = splitScheme(header ?? '');
  if (scheme.toLowerCase() !== 'basic') return undefined;
  const pair = readPair(value);
  const name = formDecoded(pair?.name);
  const secret = formDecoded(pair?.secret);
  if (name !== undefined && secret !== undefined) return { name, secret };
  const description = 'Behind Basic stands the base64 of client id, colon and secret, each of them form-encoded.';
  throw new OAuthRefusal('invalid_client', description);
}

/** Decodes one value of `application/x-www-form-urlencoded`; undefined when a `%` does not begin a UTF-8 character. */
function formDecoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Maximum length of a parameter; `state` is the longest in practice. */
const lengthLimit = 8192;

/**
 * Parameters by RFC 6749 §3.1: an empty value counts as absent, and no parameter may be repeated. Names of repeated
 * parameters are returned, so that the caller can decide about a redirect.
 */
export function readParameters(fields: Readonly<Record<string, unknown>>): {
  readonly parameters: Parameters;
  readonly wrong: readonly string[];
} {
  const parameters: Record<string, string> = {};
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const text = toParameterText(name, value);
    if (text === undefined || text === null || text === '') continue;
    if (typeof text !== 'string' || text.length > lengthLimit) wrong.push(name);
    else parameters[name] = text;
  }
  return { parameters, wrong };
}

/** Some programs for certificate clouds write the names of fields in capitals. */
export const inLowerCase = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])),
  ...fields,
});

/** Parameters that are random text: a JSON number or boolean in one of them is a mistake. */
const secrets = new Set(['token', 'refresh_token', 'code', 'code_verifier', 'client_secret', 'request_uri']);

/** JSON bodies may send a code or a lifetime as a number, and `integration` as a boolean. */
function toParameterText(name: string, value: unknown): unknown {
  if (typeof value === 'number' && !secrets.has(name)) return String(value);
  return typeof value === 'boolean' && name === 'integration' ? String(value) : value;
}

/**
 * The parameters of a token or revocation request, from a form (in either encoding) or JSON. Rejects with
 * `OAuthRefusal`.
 */
export async function readOAuthBody(request: Request): Promise<Parameters> {
  try {
    const isMultipart = /^multipart\/form-data\s*(;|$)/i.test(request.get('Content-Type') ?? '');
    if (!isMultipart) await readFormInto(request);
    const { parameters, wrong } = readParameters(
      inLowerCase(isMultipart ? await readMultipartFields(request) : fieldsOf(request)),
    );
    if (wrong.length === 0) return parameters;
    throw new OAuthRefusal('invalid_request', `These parameters are repeated or no text: ${wrong.join(', ')}.`);
  } catch (error) {
    if (error instanceof OAuthRefusal) throw error;
    const { kind, detail } = problemOf(error);
    const isTheirs = kind.status < 500;
    const status = kind.status === 415 ? 415 : 400;
    throw isTheirs ? new OAuthRefusal('invalid_request', detail, { status }) : error;
  }
}
