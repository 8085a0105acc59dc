import OAuth2Server from '@node-oauth/oauth2-server';

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

/** Thrown by our own code inside and outside of the library's flow. */
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

/** The client's form of an error; undefined for an internal fault. */
export function failureOf(error: unknown): OAuthFailure | undefined {
  const inner = innerOf(error);
  if (inner instanceof OAuth2Server.ServerError || !(inner instanceof OAuth2Server.OAuthError)) return undefined;
  // RFC 6749 §5.2: 401 for a client without authentication.
  const status = inner.name === 'invalid_client' ? 401 : inner.code;
  const headers = inner instanceof OAuthRefusal ? inner.headers : {};
  return { status, error: inner.name, description: plainDescription(inner.message), headers };
}

/** The library wraps foreign errors in a `ServerError`; the cause counts. */
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
