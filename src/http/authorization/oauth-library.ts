import OAuth2Server from '@node-oauth/oauth2-server';

/** The one door to the OAuth2 library: what it is given, and what it throws. */
export { OAuth2Server };

/** What a request of RFC 6749 carries, once each. */
export type Parameters = Readonly<Record<string, string>>;

/** The library's own request: it takes forms only, so a JSON body is handed over as the form that it stands for. */
export function libraryRequest(
  parameters: Parameters,
  headers: Readonly<Record<string, string>> = {},
): OAuth2Server.Request {
  return new OAuth2Server.Request({
    method: 'POST',
    query: {},
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    body: { ...parameters },
  });
}

/** An error of RFC 6749 §4.1.2.1 or §5.2, as it goes to the client. */
export interface OAuthFailure {
  readonly status: number;
  readonly error: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Thrown by our own code inside the library's flow, and beside it. */
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

/** What an error becomes for the client; undefined for one that is a fault of ours. */
export function failureOf(error: unknown): OAuthFailure | undefined {
  const inner = innerOf(error);
  if (inner instanceof OAuth2Server.ServerError || !(inner instanceof OAuth2Server.OAuthError)) return undefined;
  // RFC 6749 §5.2: 401 for a client that is not authenticated.
  const status = inner.name === 'invalid_client' ? 401 : inner.code;
  const headers = inner instanceof OAuthRefusal ? inner.headers : {};
  return { status, error: inner.name, description: plainDescription(inner.message), headers };
}

/** The library wraps what is not its own in a `ServerError`; the cause is what counts. */
export function innerOf(error: unknown): unknown {
  if (error instanceof OAuth2Server.ServerError && 'inner' in error && error.inner instanceof Error) {
    return innerOf(error.inner);
  }
  return error;
}

/** The characters that RFC 6749 §5.2 allows in a description. */
function plainDescription(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}
