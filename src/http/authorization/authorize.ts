import type { Request, RequestHandler, Response } from 'express';
import { toString as drawQrCode } from 'qrcode';
import type {
  AuthorizationDetails,
  AuthorizationRequest,
  AuthorizationRequests,
  DecidingPerson,
  PushedRequests,
} from '../../service/authorization/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import { HttpError } from '../http-error.ts';
import { attemptOriginOf, baseUrlOf, isRemote } from '../guard-request.ts';
import { fieldsOf } from '../read-body.ts';
import { checkAuthorization } from './check-authorization.ts';
import {
  overPage,
  passwordPage,
  refusalPage,
  returnPage,
  telephonePage,
  waitingPage,
  waysPage,
  type FormFault,
  sendAuthorizePage,
} from './pages.ts';
import { hashParameters } from './hash-permission.ts';
import { readParameters } from './oauth-library.ts';
import type { TokenServices } from './token-model.ts';

/** Services of the authorize page. */
export interface AuthorizeServices extends TokenServices {
  readonly requests: AuthorizationRequests;
  /** Requests that applications pushed (RFC 9126). */
  readonly pushed: PushedRequests;
  /** The selected user of this computer. */
  readonly selectedUser: () => Promise<DecidingPerson | undefined>;
  readonly onFault: (error: unknown) => void;
}

/** Endpoint 8: `GET /oauth/authorize` shows the page, or tells the application the error in its request. */
export function showAuthorization(services: AuthorizeServices): RequestHandler {
  return async (request, response) => {
    const sent = readParameters(request.query);
    const { parameters, wrong } = await readPushed(services.pushed, sent);
    if (parameters === undefined) {
      sendAuthorizePage(request, response, (texts) => refusalPage(texts, 'request-uri'));
      return;
    }
    const check = await checkAuthorization(services.applications, parameters, wrong, services.hashCalls.most);
    switch (check.kind) {
      case 'show':
        sendAuthorizePage(request, response, (texts) => refusalPage(texts, check.problem));
        return;
      case 'redirect': {
        const { error, description } = check;
        const state = wrong.includes('state') ? undefined : parameters.state;
        const iss = baseUrlOf(request);
        redirect(withParameters(check.redirectUri, { error, error_description: description, state, iss }), response);
        return;
      }
      case 'ok': {
        const shown = await services.requests.add(check.details);
        if (parameters.integration?.toLowerCase() === 'true') await sendWays(services, shown, request, response);
        else sendAuthorizePage(request, response, (texts) => passwordPage(texts, shown, hintOf(shown)));
      }
    }
  };
}

type SentParameters = ReturnType<typeof readParameters>;

/**
 * Reads the parameters of a `request_uri`: only the pushed ones, none of the address itself (RFC 9126 §4). `parameters`
 * is undefined when the reference is unknown, expired, or belongs to another application.
 */
async function readPushed(
  pushed: PushedRequests,
  { parameters, wrong }: SentParameters,
): Promise<{ readonly parameters: SentParameters['parameters'] | undefined; readonly wrong: readonly string[] }> {
  const { request_uri: uri, client_id: clientId = '' } = parameters;
  if (uri === undefined && !wrong.includes('request_uri')) return { parameters, wrong };
  return { parameters: uri === undefined ? undefined : await pushed.find(uri, clientId), wrong: [] };
}

/** `POST /oauth/authorize`: the page's own form, bound to the shown page by the id of the request. */
export function answerAuthorization(services: AuthorizeServices): RequestHandler {
  return async (request, response) => {
    const { parameters } = readParameters(fieldsOf(request));
    if (parameters.request === undefined) throw requestMissing();
    const shown = await services.requests.find(parameters.request);
    if (shown === undefined) {
      sendAuthorizePage(request, response, overPage);
      return;
    }
    if (parameters.decision === 'refuse') await finish(services, shown.id, undefined, request, response);
    else if (parameters.way !== undefined) await sendChosenWay(services, shown, parameters.way, request, response);
    else await allowByPassword(services, shown, request, response);
  };
}

/**
 * `GET /oauth/authorize/waiting?request=<id>`: the page that reloads itself until the person has decided in the window.
 */
export function awaitAuthorization(services: AuthorizeServices): RequestHandler {
  return async (request, response) => {
    const { requests } = services;
    const { request: id } = readParameters(request.query).parameters;
    if (id === undefined) throw requestMissing();
    const shown = await requests.find(id);
    if (shown === undefined) {
      sendAuthorizePage(request, response, overPage);
      return;
    }
    const decision = await requests.decisionOf(id);
    switch (decision?.kind) {
      case undefined:
      case 'not-asked':
        await sendWays(services, shown, request, response);
        return;
      case 'waiting':
        sendAuthorizePage(request, response, (texts) => waitingPage(texts, shown, decision.person.name));
        return;
      case 'refused':
        await finish(services, id, undefined, request, response);
        return;
      case 'allowed':
        await finish(services, id, decision.person.username, request, response);
    }
  };
}

const requestMissing = (): HttpError =>
  new HttpError('REQUEST_MALFORMED', 'The parameter request is missing: its page has it.');

async function sendChosenWay(
  services: AuthorizeServices,
  shown: AuthorizationRequest,
  way: string,
  request: Request,
  response: Response,
): Promise<void> {
  // Only a browser on this computer may learn the selected user's name or request the user's approval.
  const selected = way === 'computer' && !isRemote(response) ? await services.selectedUser() : undefined;
  if (selected !== undefined) {
    await services.requests.ask(shown.id, selected);
    response.redirect(303, `/oauth/authorize/waiting?request=${encodeURIComponent(shown.id)}`);
  } else if (way === 'password') {
    sendAuthorizePage(request, response, (texts) => passwordPage(texts, shown, hintOf(shown)));
  } else if (way === 'telephone') {
    const qrCode = await qrCodeFor(shown, baseUrlOf(request));
    sendAuthorizePage(request, response, (texts) => telephonePage(texts, shown, qrCode));
  } else {
    await sendWays(services, shown, request, response);
  }
}

/** Fills the form with the `login_hint` of the application; the person can change the text. */
const hintOf = ({ loginHint }: AuthorizationRequest): { readonly username?: string } => ({ username: loginHint });

async function sendWays(
  { selectedUser }: AuthorizeServices,
  shown: AuthorizationRequest,
  request: Request,
  response: Response,
): Promise<void> {
  const selected = isRemote(response) ? undefined : await selectedUser();
  sendAuthorizePage(request, response, (texts) => waysPage(texts, shown, selected));
}

async function allowByPassword(
  services: AuthorizeServices,
  shown: AuthorizationRequest,
  request: Request,
  response: Response,
): Promise<void> {
  const { username = '', password = '' } = readParameters(fieldsOf(request)).parameters;
  let person: DecidingPerson;
  try {
    // Failed attempts are counted per application, or per address when the browser is on another computer.
    const origin = isRemote(response) ? attemptOriginOf(response) : new URL(shown.redirectUri).origin;
    person = await services.accounts.authenticate(username, password, origin);
  } catch (error) {
    const fault = faultOf(error);
    if (fault.kind === 'unavailable') services.onFault(error);
    sendAuthorizePage(request, response, (texts) => passwordPage(texts, shown, { fault, username }));
    return;
  }
  await finish(services, shown.id, person.username, request, response);
}

function faultOf(error: unknown): FormFault {
  if (!(error instanceof ServiceError)) return { kind: 'unavailable' };
  if (error.code === 'INVALID_CREDENTIALS') return { kind: 'credentials' };
  if (error.code === 'TOO_MANY_ATTEMPTS') return { kind: 'too-many', retryAfter: error.retryAfter ?? 60 };
  return { kind: 'unavailable' };
}

async function issueCode(
  { authorization }: AuthorizeServices,
  shown: AuthorizationRequest,
  username: string,
): Promise<string> {
  const { redirectUri, redirectUriGiven, scopes, codeChallenge, lifetime, hashes } = shown;
  const { clientId } = shown.application;
  return authorization.issueCode({
    clientId,
    username,
    redirectUri,
    redirectUriGiven,
    scopes,
    codeChallenge,
    lifetime,
    hashes,
  });
}

/**
 * Redirects the person to the application, with a code or with the refusal. The request is removed first, so that a
 * second answer finds no request.
 */
async function finish(
  services: AuthorizeServices,
  id: string,
  username: string | undefined,
  request: Request,
  response: Response,
): Promise<void> {
  const taken = await services.requests.take(id);
  if (taken === undefined) {
    sendAuthorizePage(request, response, overPage);
    return;
  }
  const { redirectUri, state } = taken;
  // Names this authorization server (RFC 9207), so that an application that uses several servers cannot be misled.
  const iss = baseUrlOf(request);
  if (username === undefined) {
    const error_description = 'The person refused, or went away.';
    sendBack(withParameters(redirectUri, { error: 'access_denied', error_description, state, iss }), request, response);
  } else {
    const code = await issueCode(services, taken, username);
    sendBack(withParameters(redirectUri, { code, state, iss }), request, response);
  }
}

/** Adds parameters to a registered address, which stays otherwise unchanged (RFC 6749 §3.1.2). */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const query = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&');
  const joint = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?';
  return `${redirectUri}${joint}${query}`;
}

/** Answers a submitted form with a page that refreshes itself, and every other request with a redirect. */
function sendBack(address: string, request: Request, response: Response): void {
  const isForm = request.method === 'POST' && response.locals.caller === 'own-page';
  if (isForm) sendAuthorizePage(request, response, (texts) => returnPage(texts, address));
  else redirect(address, response);
}

function redirect(address: string, response: Response): void {
  response.set('Referrer-Policy', 'no-referrer');
  response.status(303).set('Location', address).end();
}

/** A QR code of the request's address, for a telephone; undefined when telephones cannot reach this instance. */
async function qrCodeFor(shown: AuthorizationRequest, baseUrl: string): Promise<string | undefined> {
  if (isLoopback(new URL(baseUrl).hostname)) return undefined;
  return drawQrCode(addressOf(shown, baseUrl), { type: 'svg', margin: 2 });
}

/** The address of the authorize page at `baseUrl` for the same request. */
export function addressOf(shown: AuthorizationDetails, baseUrl: string): string {
  const { application, redirectUri, redirectUriGiven, state, scopes, codeChallenge, lifetime } = shown;
  return withParameters(`${baseUrl}/oauth/authorize`, {
    response_type: 'code',
    client_id: application.clientId,
    scope: scopes.join(' '),
    state,
    redirect_uri: redirectUriGiven ? redirectUri : undefined,
    lifetime: lifetime?.toString(),
    login_hint: shown.loginHint,
    code_challenge: codeChallenge,
    code_challenge_method: codeChallenge === undefined ? undefined : 'S256',
    ...hashParameters(shown.hashes, scopes),
  });
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
}
