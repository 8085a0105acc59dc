import { tokenLifetime, type AuthorizationRequest, type DecidingPerson } from '../../service/authorization/index.ts';
import { escapeHtml } from '../pages/page.ts';
import { describeDuration, type PageTexts } from './page-texts.ts';
import type { Page } from './send-page.ts';

/** An error of an answer, shown above the form. */
export type FormFault =
  | { readonly kind: 'credentials' }
  | { readonly kind: 'too-many'; readonly retryAfter: number }
  | { readonly kind: 'unavailable' };

/** As many digits as a company's number, because a company's tokens may live longest. */
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

/** The page checks every two seconds for the person's decision in the window. */
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
 * The page leads back to the application at once. A redirect would fail after a form: browsers hold all further
 * redirects of the application to our `form-action`, and block redirects to another of its origins.
 */
export function returnPage(texts: PageTexts, address: string): Page {
  const { origin } = new URL(address);
  const body = `<h1>${texts.returning}</h1>
<p><a href="${escapeHtml(address)}" rel="noreferrer">${escapeHtml(origin)}</a></p>`;
  const headers = { 'Referrer-Policy': 'no-referrer' };
  return { title: texts.returning, body, headers, refresh: { seconds: 0, address } };
}

/** The request was answered, or its time is over. */
export function overPage(texts: PageTexts): Page {
  return { title: texts.overTitle, body: `<h1>${texts.overTitle}</h1>\n<p>${texts.over}</p>`, status: 410 };
}

/** Client or address cannot be trusted: the person is told, and goes nowhere. */
export function refusalPage(texts: PageTexts, problem: 'client' | 'redirect-uri' | 'no-redirect-uri'): Page {
  const sentences = { client: texts.badClient, 'redirect-uri': texts.badRedirect, 'no-redirect-uri': texts.noRedirect };
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
<p>${texts.forAtMost(duration)}</p>
<p>${texts.goesTo} <span class="place">${escapeHtml(new URL(request.redirectUri).origin)}</span></p>
`;
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
