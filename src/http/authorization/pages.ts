import { randomBytes } from 'node:crypto';
import type { Request, Response } from 'express';
import { tokenLifetime, type AuthorizationRequest, type DecidingPerson } from '../../service/authorization/index.ts';
import type { RefusedRequest } from './check-authorization.ts';
import { escapeHtml } from '../pages/pages.ts';
import { describeDuration, type PageTexts, languages, pageTexts, type Language } from './page-texts.ts';

/** Errors shown above the form after a failed attempt. */
export type FormFault =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'too-many'; readonly retryAfter: number }
  | { readonly kind: 'unavailable' };

/** A placeholder with the 14 digits of a CNPJ: tokens of companies may have the longest lifetime. */
const anyCompany = '0'.repeat(14);

/** The page with the one-time password. */
export function passwordPage(
  texts: PageTexts,
  request: AuthorizationRequest,
  parts: { readonly fault?: FormFault; readonly username?: string },
): Page {
  const body = `${heading(texts, request)}${faultText(texts, parts.fault)}
<form method="post" action="/oauth/authorize">
${idField(request)}
<label for="username">${texts.username}</label>
<input id="username" name="username" value="${escapeHtml(parts.username ?? '')}" autocomplete="username" autocapitalize="characters" spellcheck="false" maxlength="20" required aria-describedby="username-hint">
<p class="hint" id="username-hint">${texts.usernameHint}</p>
<label for="password">${texts.code}</label>
<input id="password" name="password" autocomplete="one-time-code" inputmode="numeric" spellcheck="false" maxlength="40" required aria-describedby="password-hint">
<p class="hint" id="password-hint">${texts.codeHint}</p>
<button class="first" name="decision" value="allow">${texts.allow}</button>
<button name="decision" value="refuse" formnovalidate>${texts.refuse}</button>
<hr>
<button name="way" value="choose" formnovalidate>${texts.otherWay}</button>
</form>`;
  return { title: texts.title, body, ...faultStatus(parts.fault) };
}

/** The page with the ways to authenticate (`integration=true`). */
export function waysPage(texts: PageTexts, request: AuthorizationRequest, selected: DecidingPerson | undefined): Page {
  const hint = selected === undefined ? texts.nobodySelected : texts.byComputerHint(selected.name);
  const body = `${heading(texts, request)}
<h2 id="ways">${texts.chooseWay}</h2>
<form method="post" action="/oauth/authorize" aria-labelledby="ways">
${idField(request)}
${way('computer', texts.byComputer, hint, selected === undefined)}
${way('password', texts.byPassword, texts.byPasswordHint)}
${way('telephone', texts.byTelephone, texts.byTelephoneHint)}
<hr>
<button name="decision" value="refuse">${texts.refuse}</button>
</form>`;
  return { title: texts.title, body };
}

/**
 * The page for the telephone. `qrCode` is an SVG of the address; undefined when a telephone cannot reach the address.
 */
export function telephonePage(texts: PageTexts, request: AuthorizationRequest, qrCode: string | undefined): Page {
  const picture =
    qrCode === undefined
      ? `<p>${texts.telephoneOutOfReach}</p>`
      : `<p>${texts.telephoneScan}</p><div class="code" role="img" aria-label="${texts.qrCode}">${qrCode}</div>`;
  const body = `${heading(texts, request)}
<h2>${texts.byTelephone}</h2>
${picture}
<form method="post" action="/oauth/authorize">
${idField(request)}
<button name="way" value="choose">${texts.back}</button>
</form>`;
  return { title: texts.title, body };
}

/** The page that asks every two seconds whether the person has decided in the window. */
export function waitingPage(texts: PageTexts, request: AuthorizationRequest, name: string): Page {
  const body = `${heading(texts, request)}
<h2>${texts.waitTitle}</h2>
<p role="status">${escapeHtml(texts.wait(name))}</p>
<p class="hint">${texts.waitAgain}</p>
<form method="post" action="/oauth/authorize">
${idField(request)}
<button name="decision" value="refuse">${texts.refuse}</button>
</form>`;
  return { title: texts.waitTitle, body, refresh: { seconds: 2 } };
}

/**
 * The page that leads back to the application at once. A redirect would fail after a form: browsers apply our
 * `form-action` to all further redirects of the application, and block a redirect to another of its origins.
 */
export function returnPage(texts: PageTexts, address: string): Page {
  const { origin } = new URL(address);
  const body = `<h1>${texts.returning}</h1>
<p><a href="${escapeHtml(address)}" rel="noreferrer">${escapeHtml(origin)}</a></p>`;
  const headers = { 'Referrer-Policy': 'no-referrer' };
  return { title: texts.returning, body, headers, refresh: { seconds: 0, address } };
}

/** Shown when the request was answered already, or has expired. */
export function overPage(texts: PageTexts): Page {
  return { title: texts.overTitle, body: `<h1>${texts.overTitle}</h1>\n<p>${texts.over}</p>`, status: 410 };
}

/** Shown when client or address cannot be trusted: the person sees the reason and is not redirected. */
export function refusalPage(texts: PageTexts, problem: RefusedRequest): Page {
  const sentences = {
    client: texts.badClient,
    'redirect-uri': texts.badRedirect,
    'no-redirect-uri': texts.noRedirect,
    'request-uri': texts.badRequestUri,
  };
  const body = `<h1>${texts.badTitle}</h1>\n<p>${sentences[problem]}</p>`;
  return { title: texts.badTitle, body, status: 400 };
}

/** The application, the permissions, the lifetime, and the address of the answer. */
function heading(texts: PageTexts, request: AuthorizationRequest): string {
  const scopes = request.scopes.map((scope) => `<li>${texts.scopes[scope]}</li>`).join('');
  const duration = describeDuration(tokenLifetime(anyCompany, request.lifetime), texts);
  return `<h1>${escapeHtml(request.application.name)} <small>${texts.asks}</small></h1>
<p>${texts.mayDo}</p>
<ul>${scopes}</ul>
${hashesText(texts, request)}<p>${texts.forAtMost(duration)}</p>
<p>${texts.goesTo} <span class="place">${escapeHtml(new URL(request.redirectUri).origin)}</span></p>
`;
}

function hashesText(texts: PageTexts, { hashes }: AuthorizationRequest): string {
  return hashes === undefined ? '' : `<p>${texts.hashes(hashes.most, hashes.values !== undefined)}</p>\n`;
}

function idField({ id }: AuthorizationRequest): string {
  return `<input type="hidden" name="request" value="${escapeHtml(id)}">`;
}

function way(value: string, name: string, hint: string, disabled = false): string {
  return `<button class="way" name="way" value="${value}"${disabled ? ' disabled' : ''}>${name}<small>${escapeHtml(hint)}</small></button>`;
}

function faultText(texts: PageTexts, fault: FormFault | undefined): string {
  return fault === undefined ? '' : `<p class="fault" role="alert">${faultSentence(texts, fault)}</p>`;
}

function faultSentence(texts: PageTexts, fault: FormFault): string {
  switch (fault.kind) {
    case 'credentials':
      return texts.wrongCredentials;
    case 'too-many':
      return texts.tooMany(describeDuration(fault.retryAfter, texts));
    case 'unavailable':
      return texts.unavailable;
  }
}

function faultStatus(fault: FormFault | undefined): Pick<Page, 'status' | 'headers'> {
  switch (fault?.kind) {
    case undefined:
      return {};
    case 'credentials':
      return { status: 401, headers: { 'WWW-Authenticate': 'Sinete-Form' } };
    case 'too-many':
      return { status: 429, headers: { 'Retry-After': String(fault.retryAfter) } };
    case 'unavailable':
      return { status: 503, headers: { 'Retry-After': '30' } };
  }
}

/** A page with its texts in one language. */
export interface Page {
  readonly title: string;
  /** HTML of the main part; texts from outside are escaped. */
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Seconds until the browser requests the same address again, or goes to another address. */
  readonly refresh?: { readonly seconds: number; readonly address?: string };
}

/** The supported language that the browser prefers. */
export function languageOf(request: Request): Language {
  const preferred = request.acceptsLanguages('pt-BR', 'pt', 'en');
  if (preferred === false) return 'en';
  return languages.find((language) => language === preferred) ?? 'pt-BR';
}

/**
 * Sends a page without scripts, under a policy that allows only its own style sheet and its own form. Two headers
 * differ from other answers: without a referrer a browser sends no origin with a form, and an opener policy would
 * separate an application's popup from its opener.
 */
export function sendAuthorizePage(request: Request, response: Response, draw: (texts: PageTexts) => Page): void {
  const language = languageOf(request);
  const page = draw(pageTexts[language]);
  const nonce = randomBytes(16).toString('base64');
  response.set('Content-Security-Policy', policy(nonce));
  response.set('Referrer-Policy', 'same-origin');
  response.set('Cross-Origin-Opener-Policy', 'unsafe-none');
  response.vary('Accept-Language');
  response.set('Content-Language', language);
  response.set(page.headers ?? {});
  response
    .status(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(html(page, language, nonce));
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}

const style = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; --line: #8886; --strong: #0b5cad; --on: #fff; }
  @media (prefers-color-scheme: dark) { :root { --strong: #8fc1f5; --on: #06223f; } }
  * { box-sizing: border-box; }
  body { margin: 0; }
  main { max-width: 28rem; margin: 0 auto; padding: 1.25rem; }
  .brand { letter-spacing: 0.04em; font-weight: 600; margin: 0.5rem 0 1.5rem; }
  h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 1rem; overflow-wrap: anywhere; }
  h1 small { display: block; font-size: 1rem; font-weight: 400; }
  h2 { font-size: 1rem; margin: 1.25rem 0 0.25rem; }
  ul { margin: 0 0 0.5rem; padding-left: 1.25rem; }
  p { margin: 0 0 0.75rem; }
  .place { overflow-wrap: anywhere; font-weight: 600; }
  .hint { font-size: 0.9rem; opacity: 0.85; margin: 0.2rem 0 0; }
  .fault { border: 2px solid #c62828; border-radius: 0.5rem; padding: 0.75rem; margin: 0 0 1rem; }
  label { display: block; font-weight: 600; margin-top: 1rem; }
  input { width: 100%; min-height: 3rem; font: inherit; font-size: 1.1rem; padding: 0.5rem 0.75rem; margin-top: 0.25rem;
    border: 1px solid currentcolor; border-radius: 0.5rem; background: Field; color: FieldText; }
  button { display: block; width: 100%; min-height: 3rem; font: inherit; padding: 0.6rem 1rem; margin-top: 0.75rem;
    border: 1px solid currentcolor; border-radius: 0.5rem; background: transparent; color: inherit; text-align: center; }
  button.first { background: var(--strong); border-color: var(--strong); color: var(--on); font-weight: 600; margin-top: 1.5rem; }
  button.way { text-align: left; }
  button small { display: block; }
  button:disabled { opacity: 0.6; }
  input:focus-visible, button:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
  .code { background: #fff; padding: 0.5rem; border-radius: 0.5rem; max-width: 18rem; }
  .code svg { display: block; width: 100%; height: auto; }
  hr { border: 0; border-top: 1px solid var(--line); margin: 1.5rem 0 0.75rem; }
`;

function html({ title, body, refresh }: Page, language: Language, nonce: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refreshOf(refresh)}<title>${escapeHtml(title)} · Sinete</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main>
<p class="brand">Sinete</p>
${body}
</main>
</body>
</html>
`;
}

function refreshOf(refresh: Page['refresh']): string {
  if (refresh === undefined) return '';
  const address = refresh.address === undefined ? '' : `;url=${escapeHtml(refresh.address)}`;
  return `<meta http-equiv="refresh" content="${refresh.seconds}${address}">\n`;
}
