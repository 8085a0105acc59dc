/**
 * The signing core's only access to the network: time stamps, revocation lists, OCSP and issuer certificates are
 * fetched through this interface. The application passes in an implementation that guards private addresses, sizes and
 * times.
 */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** The kind of the exchange, by which traces name it. It is not sent. */
  readonly purpose?: 'time-stamp' | 'ocsp' | 'crl' | 'issuer';
  /** `http:` or `https:`. The query may be personal data or a secret and is never logged whole. */
  readonly url: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: Uint8Array;
  /** The value of the `Authorization` header; a secret. */
  readonly authorization?: string;
  /** Further headers, lower-case names; values may be secrets. Must not repeat headers made from the other fields. */
  readonly headers?: Readonly<Record<string, string>>;
  /** TLS client certificate (RFC 8446 §4.4.2), PEM; the key is a secret. */
  readonly clientCertificate?: { readonly certificate: string; readonly privateKey: string };
  /** Milliseconds from the call to the last byte of the answer. */
  readonly timeout: number;
  /** Limit on the body in bytes; a longer answer is rejected. */
  readonly maxBytes: number;
  /**
   * Only the status is wanted: the body is read and dropped, up to `maxBytes` and no longer than `timeout`. An
   * incomplete body does not change the answer. Default: false.
   */
  readonly discardBody?: boolean;
  readonly signal?: AbortSignal;
}

/** An answer that came, whatever its status. */
export interface HttpResponse {
  readonly status: number;
  /** Without parameters, lower case: `application/timestamp-reply`. */
  readonly contentType: string | undefined;
  /** The header `Date` (RFC 9110 §6.6.1), the other computer's clock; absent without the header. */
  readonly date?: Date;
  /** Empty for a discarded body. */
  readonly body: Buffer;
}

/** Sends one request to another computer; the caller of the core decides which computers may be reached. */
export interface HttpClient {
  /**
   * A single exchange. Redirects are followed for GET only, at most five, and only to addresses allowed by the guard.
   * Rejects with `SigningError`: `NETWORK_REFUSED` (the guard forbids the address), `NETWORK_UNREACHABLE` (no answer in
   * time, connection or TLS failed), `NETWORK_ANSWER_TOO_LARGE`. Any HTTP status is an answer, not an error.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
}
