type Header = Readonly<Record<string, unknown>>;

/** A header with a text. */
export const text = (description: string): Header => ({ description, schema: { type: 'string' } });
/** A header with a number of seconds. */
export const seconds = (description: string): Header => ({ description, schema: { type: 'integer', format: 'int64' } });
const rateLimit = text('What is left, as a structured field: "documents-per-day";r=150;t=3600.');

/** Headers of refusals by status. */
export const headersOf: Readonly<Record<string, Readonly<Record<string, Header>>>> = {
  401: { 'WWW-Authenticate': text('The schemes that are accepted (RFC 9110 §11.6.1).') },
  403: { 'Retry-After': seconds('Seconds until the hours of the application begin.') },
  409: { 'Retry-After': seconds('Seconds until another try makes sense.') },
  429: { 'Retry-After': seconds('Seconds until another try makes sense.'), RateLimit: rateLimit },
  503: { 'Retry-After': seconds('Seconds until another try makes sense.') },
};

/** The header of every answer. */
export const requestIdHeader = { 'X-Request-Id': text('Names the request in the log of the instance.') };

/** Headers of answers that count against the limits of an application. */
export const quotaHeaders = {
  RateLimit: rateLimit,
  'RateLimit-Policy': text('The limit, as a structured field: "documents-per-day";q=200;w=86400.'),
};
