import { randomBytes } from 'node:crypto';
import type { Response } from 'express';

/** The content security policy of a page; `nonce` marks its single style sheet or style element. */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/**
 * The policy of the window's worker for PDF pages: the decoders of scanned pages may run as WebAssembly, and nothing
 * else. The worker itself loads nothing.
 */
export const workerPolicy = "default-src 'none'; script-src 'wasm-unsafe-eval'";

/** Sends HTML under the strict policy. `html` receives the nonce of this answer. */
export function sendPage(response: Response, html: (nonce: string) => string): void {
  const nonce = randomBytes(16).toString('base64');
  response.set('Content-Security-Policy', contentSecurityPolicy(nonce));
  response.type('text/html; charset=utf-8').send(html(nonce));
}

/** Text as HTML content or as the value of an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
