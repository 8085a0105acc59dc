/**
 * Reasons for a failure, in the form needed by a page:
 *
 * - `NOT_INSTALLED`: nothing answers on this computer: install Sinete, or start it.
 * - `BLOCKED_BY_BROWSER`: the browser does not let this page reach programs on the computer; its user can change this.
 *   `reason` is `dismissed` (the question was closed, or left without an answer), `denied` (the user or the
 *   administrator of the browser), or `popup` (the browser opened no window).
 * - `FRAME_NOT_ALLOWED`: the page is in a frame whose outer page has to write `allow="loopback-network"`.
 * - `INSECURE_PAGE`: the page came over plain http; the bridge window remains (`Sinete.find({ way: 'bridge' })`).
 * - `UNREACHABLE`: nothing answers, or the browser blocks the page; this browser does not say which.
 * - `BRIDGE_CLOSED`: the bridge window was closed before the work ended.
 * - `BRIDGE_CUT`: the page's own `Cross-Origin-Opener-Policy` cuts the page off from its bridge window.
 * - `NOT_ALLOWED`: the user did not let this site in, or did not answer.
 * - `CREDENTIALS_REQUIRED`: a token is missing or expired.
 * - `CERTIFICATE_REQUIRED`: there is no certificate, or several without a choice; `problem` lists the certificates.
 * - `INPUT_INVALID`: the request was understood and cannot be fulfilled; `problem` has the reason.
 * - `BUSY`: a limit was reached, or a token or a server is unavailable: try again after `retryAfter` seconds.
 * - `CANCELLED`: the caller's own `AbortSignal`.
 * - `NOT_GENUINE`: a callback or an answer of the authorize page is not what it claims to be (`sinete-client/server`).
 * - `FAILED`: anything else.
 */
export type SineteErrorCode =
  | 'NOT_INSTALLED'
  | 'BLOCKED_BY_BROWSER'
  | 'FRAME_NOT_ALLOWED'
  | 'INSECURE_PAGE'
  | 'UNREACHABLE'
  | 'BRIDGE_CLOSED'
  | 'BRIDGE_CUT'
  | 'NOT_ALLOWED'
  | 'CREDENTIALS_REQUIRED'
  | 'CERTIFICATE_REQUIRED'
  | 'INPUT_INVALID'
  | 'BUSY'
  | 'CANCELLED'
  | 'NOT_GENUINE'
  | 'FAILED';

/**
 * The cause of a `BLOCKED_BY_BROWSER`: the browser's question was closed or left without an answer (`dismissed`), the
 * user or the administrator of the browser refused (`denied`), or the browser opened no window (`popup`).
 */
export type SineteErrorReason = 'dismissed' | 'denied' | 'popup';
