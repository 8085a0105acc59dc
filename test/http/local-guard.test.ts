import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  judgeRequest,
  refusalDetails,
  type GuardClass,
  type GuardQuestion,
  type GuardRefusal,
  type GuardVerdict,
} from '../../src/http/local-guard.ts';

const ownHosts = new Set(['127.0.0.1:hp', 'localhost:hp', '[::1]:hp']);

/** One request sent by a browser: fields joined by ` ; `, `-` for an absent header. */
function recordedQuestion(line: string): { readonly name: string; readonly question: GuardQuestion } {
  const [name = '', method = '', path = '', ...fields] = line.split(' ; ');
  const header = (key: string): string | undefined => {
    const value = fields.find((field) => field.startsWith(`${key}=`))?.slice(key.length + 1);
    return value === '-' ? undefined : value;
  };
  const question: GuardQuestion = {
    peer: 'same-user',
    hasProof: false,
    ownHosts,
    method: method === 'WS' ? 'GET' : method,
    route: path === '/page' ? 'page' : 'api',
    host: header('Host'),
    origin: header('Origin'),
    fetchSite: header('S-F-Site'),
    fetchMode: header('Mode'),
    fetchDest: header('Dest'),
    upgrade: method === 'WS' ? 'websocket' : undefined,
    grant: undefined,
  };
  return { name: `${name} ${method} ${path}`, question };
}

const recordings = ['chromium-156', 'firefox-153-default', 'firefox-153-b'].flatMap((browser) => {
  const text = readFileSync(new URL(`recorded-requests/${browser}-requests.txt`, import.meta.url), 'utf8');
  const lines = text.split('## what the helper received')[1]?.trim().split('\n') ?? [];
  return lines.map((line) => ({ browser, ...recordedQuestion(line) }));
});

describe('the local guard, with requests recorded from browsers', () => {
  it('has recordings of all three browser set-ups', () => {
    expect(recordings.length).toBeGreaterThan(50);
  });

  it.each(recordings)('$browser: $name passes only from our own page', ({ name, question }) => {
    const isOurs = /:self(-origin-get)? /.test(name);
    expect(judgeRequest(question).kind).toBe(isOurs ? 'pass' : 'refuse');
  });

  const attacks = recordings.filter(({ name }) => !/:self/.test(name));
  const classes: readonly GuardClass[] = ['api', 'ui', 'asset', 'none'];

  /** The recordings of pages allowed by the browser to call this computer and naming their origin. */
  const honest = new Set([
    'granted:fetch-simple-form-cors-allowed',
    'granted:fetch-put-form',
    'granted:fetch-custom-header',
  ]);

  it.each(recordings)('$browser: $name has the user asked only when the page is held to CORS', ({ name, question }) => {
    const verdict = judgeRequest({ ...question, route: 'user:write' }).kind;
    const isOurs = name.includes(':self-origin-get ');
    const isHonest = question.origin?.startsWith('https://') === true && question.fetchMode === 'cors';
    if (isOurs) expect(verdict).toBe('pass');
    else if (isHonest) expect(verdict).toBe(question.method === 'OPTIONS' ? 'preflight' : 'ask');
    else expect(verdict).toBe('refuse');
  });

  it.each(recordings)(
    '$browser: $name passes with a grant only when the page is held to CORS',
    ({ name, question }) => {
      const grant = question.origin === undefined ? undefined : (['user:write'] as const);
      const verdict = judgeRequest({ ...question, route: 'user:write', grant }).kind;
      const isOurs = name.includes(':self-origin-get ');
      const isHonest = question.origin !== 'null' && question.origin !== undefined && question.fetchMode === 'cors';
      if (isOurs) expect(verdict).toBe('pass');
      else if (isHonest) expect(verdict).toBe(question.method === 'OPTIONS' ? 'preflight' : 'pass');
      else expect(verdict).toBe('refuse');
    },
  );

  it('has a recording of each kind to pass with a grant', () => {
    const seen = recordings.map(({ name }) => name.split(' ', 1)[0] ?? '');
    expect([...honest].filter((one) => !seen.includes(one))).toEqual([]);
  });

  it.each(classes)('no recorded request of a foreign page reaches a route of class %s', (route) => {
    const passed = attacks.filter(({ question }) => judgeRequest({ ...question, route }).kind !== 'refuse');
    expect(passed.map(({ name }) => name)).toEqual([]);
  });
});

/** A verdict in a single word. */
function told(verdict: GuardVerdict): string {
  switch (verdict.kind) {
    case 'pass':
      return verdict.caller;
    case 'preflight':
    case 'extension':
      return verdict.kind;
    case 'busy':
      return 'ask again';
    case 'ask':
      return `ask ${verdict.scope}`;
    case 'refuse':
      return verdict.refusal;
  }
}

const plain: GuardQuestion = {
  peer: 'same-user',
  hasProof: false,
  ownHosts: new Set(['127.0.0.1:17171', 'localhost:17171', '[::1]:17171']),
  method: 'GET',
  route: 'api',
  host: '127.0.0.1:17171',
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
  fetchDest: undefined,
  upgrade: undefined,
  grant: undefined,
};
const ownFetch = { origin: 'http://127.0.0.1:17171', fetchSite: 'same-origin', fetchMode: 'cors', fetchDest: 'empty' };
const foreignFetch = { ...ownFetch, origin: 'https://portal.example', fetchSite: 'cross-site' };
const navigation = { fetchSite: 'none', fetchMode: 'navigate', fetchDest: 'document' };

interface Row {
  readonly says: string;
  readonly asks: Partial<GuardQuestion>;
  readonly answer: string;
}

const rows: readonly Row[] = [
  { says: 'a native program passes', asks: {}, answer: 'native-program' },
  { says: 'localhost is our name', asks: { host: 'localhost:17171' }, answer: 'native-program' },
  { says: 'names are compared without case', asks: { host: 'LocalHost:17171' }, answer: 'native-program' },
  { says: 'the IPv6 loopback is our name', asks: { host: '[::1]:17171' }, answer: 'native-program' },
  { says: 'another port is not ours', asks: { host: '127.0.0.1:1' }, answer: 'HOST_NOT_OURS' },
  { says: 'a name without port is not ours', asks: { host: '127.0.0.1' }, answer: 'HOST_NOT_OURS' },
  { says: 'a foreign name is not ours', asks: { host: 'rebind.example:17171' }, answer: 'HOST_NOT_OURS' },
  { says: 'a missing Host is not ours', asks: { host: undefined }, answer: 'HOST_NOT_OURS' },
  { says: 'another user is refused', asks: { peer: 'other-user' }, answer: 'USER_NOT_ALLOWED' },
  {
    says: 'another user is refused on our own page',
    asks: { peer: 'other-user', ...ownFetch, route: 'ui' },
    answer: 'USER_NOT_ALLOWED',
  },
  {
    says: 'another user may find the helper',
    asks: { peer: 'other-user', route: 'discovery' },
    answer: 'native-program',
  },
  {
    says: 'a peer without an established socket is refused',
    asks: { peer: 'not-identified' },
    answer: 'PROOF_REQUIRED',
  },
  {
    says: 'a peer without an established socket is no site either',
    asks: { peer: 'not-identified', ...foreignFetch, route: 'sign', grant: ['sign'] },
    answer: 'PROOF_REQUIRED',
  },
  {
    says: 'a peer without an established socket passes with a proof',
    asks: { peer: 'not-identified', hasProof: true },
    answer: 'native-program',
  },
  {
    says: 'a peer without an established socket may find the helper',
    asks: { peer: 'not-identified', route: 'discovery' },
    answer: 'native-program',
  },
  {
    says: 'nobody is refused because the system could not be asked',
    asks: { peer: 'not-asked' },
    answer: 'ask again',
  },
  {
    says: 'a program may find the helper although the system could not be asked',
    asks: { peer: 'not-asked', route: 'discovery' },
    answer: 'native-program',
  },
  {
    says: 'a proof counts although the system could not be asked',
    asks: { peer: 'not-asked', hasProof: true },
    answer: 'native-program',
  },
  { says: 'a program of an untold user needs a proof', asks: { peer: 'not-told' }, answer: 'PROOF_REQUIRED' },
  {
    says: 'a program of an untold user that names our own origin needs a proof',
    asks: { peer: 'not-told', ...ownFetch },
    answer: 'PROOF_REQUIRED',
  },
  {
    says: 'a program of an untold user passes with a proof',
    asks: { peer: 'not-told', hasProof: true },
    answer: 'native-program',
  },
  {
    says: 'a program of an untold user may find the helper',
    asks: { peer: 'not-told', route: 'discovery' },
    answer: 'native-program',
  },
  {
    says: 'a page of an untold user that may sign passes',
    asks: { peer: 'not-told', ...foreignFetch, route: 'sign', grant: ['sign'] },
    answer: 'site',
  },
  {
    says: 'a proof does not make another user the owner',
    asks: { peer: 'other-user', hasProof: true },
    answer: 'USER_NOT_ALLOWED',
  },
  {
    says: 'a proof does not let a site in',
    asks: { hasProof: true, ...foreignFetch, route: 'api' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  {
    says: 'another computer is refused, even discovery',
    asks: { peer: 'not-loopback', route: 'discovery' },
    answer: 'USER_NOT_ALLOWED',
  },
  { says: 'our own page passes', asks: { ...ownFetch, method: 'POST', route: 'ui' }, answer: 'own-page' },
  { says: 'our own page may use the interface', asks: { ...ownFetch, method: 'POST' }, answer: 'own-page' },
  {
    says: 'our own origin, said by another of our names, is another site',
    asks: { ...ownFetch, origin: 'http://localhost:17171', fetchSite: 'cross-site' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  {
    says: 'our own origin with a browser that says cross-site is refused',
    asks: { ...ownFetch, fetchSite: 'cross-site' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  {
    says: 'our own origin without Sec-Fetch must equal the Host',
    asks: { origin: 'http://localhost:17171' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  { says: 'our own origin without Sec-Fetch passes', asks: { origin: 'http://127.0.0.1:17171' }, answer: 'own-page' },
  { says: 'a foreign origin is refused', asks: foreignFetch, answer: 'ORIGIN_NOT_GRANTED' },
  {
    says: 'a foreign preflight is refused',
    asks: { ...foreignFetch, method: 'OPTIONS' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  { says: 'a foreign origin may find the helper', asks: { ...foreignFetch, route: 'discovery' }, answer: 'site' },
  { says: 'an opaque origin is refused', asks: { ...foreignFetch, origin: 'null' }, answer: 'ORIGIN_OPAQUE' },
  {
    says: 'a blind write is refused',
    asks: { ...foreignFetch, fetchMode: 'no-cors', method: 'POST' },
    answer: 'BLIND_REQUEST_REFUSED',
  },
  {
    says: 'a blind read of discovery is refused',
    asks: { ...foreignFetch, fetchMode: 'no-cors', route: 'discovery' },
    answer: 'BLIND_REQUEST_REFUSED',
  },
  { says: 'a person may open a page', asks: { ...navigation, route: 'page' }, answer: 'own-page' },
  {
    says: 'a link on another site may open a page',
    asks: { ...navigation, fetchSite: 'cross-site', route: 'page' },
    answer: 'own-page',
  },
  {
    says: 'a page is not shown in a frame',
    asks: { ...navigation, fetchSite: 'cross-site', fetchDest: 'iframe', route: 'page' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a form may not be posted to a page',
    asks: { ...navigation, method: 'POST', route: 'page' },
    answer: 'NAVIGATION_REFUSED',
  },
  { says: 'the interface is not opened in a browser', asks: navigation, answer: 'NAVIGATION_REFUSED' },
  {
    says: 'a download starts on our own page',
    asks: { ...navigation, fetchSite: 'same-origin', route: 'download' },
    answer: 'own-page',
  },
  {
    says: 'a person follows the address of a result from another site',
    asks: { ...navigation, fetchSite: 'cross-site', route: 'download' },
    answer: 'own-page',
  },
  {
    says: 'a person opens the address of a result from the address bar',
    asks: { ...navigation, route: 'download' },
    answer: 'own-page',
  },
  {
    says: 'a result does not open inside a frame of another site',
    asks: { ...navigation, fetchSite: 'cross-site', fetchDest: 'iframe', route: 'download' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a form of another site is not posted to the address of a result',
    asks: { ...navigation, method: 'POST', fetchSite: 'cross-site', route: 'download' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'our own page loads its script',
    asks: { route: 'asset', fetchSite: 'same-origin', fetchMode: 'no-cors', fetchDest: 'script' },
    answer: 'own-page',
  },
  {
    says: 'another site does not load our script',
    asks: { route: 'asset', fetchSite: 'cross-site', fetchMode: 'no-cors', fetchDest: 'script' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'an image elsewhere cannot call the interface',
    asks: { fetchSite: 'cross-site', fetchMode: 'no-cors', fetchDest: 'image' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a request of another site without Origin is refused',
    asks: { fetchSite: 'cross-site', fetchMode: 'cors', fetchDest: 'empty' },
    answer: 'CROSS_SITE_REFUSED',
  },
];

const site: Partial<GuardQuestion> = { ...foreignFetch, route: 'sign' };
const development = { ...site, origin: 'http://localhost:3000', fetchSite: 'same-site' };

const siteRows: readonly Row[] = [
  { says: 'an unknown https site is asked about', asks: site, answer: 'ask sign' },
  { says: 'its preflight is answered', asks: { ...site, method: 'OPTIONS' }, answer: 'preflight' },
  { says: 'a page under development on this computer is asked about', asks: development, answer: 'ask sign' },
  {
    says: 'a site of plain http is refused',
    asks: { ...site, origin: 'http://portal.example' },
    answer: 'ORIGIN_NOT_SECURE',
  },
  {
    says: 'a host that only looks like loopback is refused',
    asks: { ...site, origin: 'http://localhost.portal.example' },
    answer: 'ORIGIN_NOT_SECURE',
  },
  ...['http://localhost', 'http://app.localhost:3000', 'http://127.0.0.11:3000', 'http://[::1]:3000'].map((origin) => ({
    says: `a page of this computer at ${origin} is asked about`,
    asks: { ...development, origin },
    answer: 'ask sign',
  })),
  ...[
    'view-source:https://portal.example',
    'https://portal.example/page',
    'view-source:http://localhost:3000',
    'http://localhost:3000/page',
  ].map((origin) => ({
    says: `${origin} is no origin of a site`,
    asks: { ...site, origin },
    answer: 'ORIGIN_NOT_SECURE',
  })),
  { says: 'an extension is no site', asks: { ...site, origin: 'moz-extension://1' }, answer: 'ORIGIN_NOT_SECURE' },
  {
    says: 'a preflight of plain http is refused',
    asks: { ...site, origin: 'http://portal.example', method: 'OPTIONS' },
    answer: 'ORIGIN_NOT_SECURE',
  },
  { says: 'a site with the scope passes', asks: { ...site, grant: ['sign'] }, answer: 'site' },
  {
    says: 'a site with another scope is asked about',
    asks: { ...site, grant: ['user:read'] },
    answer: 'ask sign',
  },
  {
    says: 'any grant lets a site query',
    asks: { ...site, route: 'granted', grant: ['user:read'] },
    answer: 'site',
  },
  { says: 'any grant lets a site download', asks: { ...site, route: 'download', grant: ['sign'] }, answer: 'site' },
  { says: 'no grant lets nobody download', asks: { ...site, route: 'download' }, answer: 'ask sign' },
  {
    says: "the computer's secret is never asked for",
    asks: { ...site, route: 'application:read' },
    answer: 'SITE_SCOPE_MISSING',
  },
  {
    says: "the computer's secret is not among the usual scopes",
    asks: { ...site, route: 'application:read', grant: ['user:read', 'user:write', 'certificates:read', 'sign'] },
    answer: 'SITE_SCOPE_MISSING',
  },
  {
    says: "the computer's secret goes to a site that was given that scope",
    asks: { ...site, route: 'application:read', grant: ['application:read'] },
    answer: 'site',
  },
  {
    says: 'no grant opens what is no business of sites',
    asks: { ...site, route: 'api', grant: ['sign'] },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  { says: 'no grant opens the GUI', asks: { ...site, route: 'ui', grant: ['sign'] }, answer: 'ORIGIN_NOT_GRANTED' },
  {
    says: 'a grant does not let a form act',
    asks: { ...navigation, fetchSite: 'cross-site', method: 'POST', route: 'sign', grant: ['sign'] },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a grant does not let a blind request act',
    asks: { ...site, fetchMode: 'no-cors', method: 'POST', grant: ['sign'] },
    answer: 'BLIND_REQUEST_REFUSED',
  },
  {
    says: 'a grant does not open a WebSocket, which Chromium sends without Sec-Fetch',
    asks: {
      ...site,
      fetchSite: undefined,
      fetchMode: undefined,
      fetchDest: undefined,
      upgrade: 'websocket',
      grant: ['sign'],
    },
    answer: 'BLIND_REQUEST_REFUSED',
  },
  { says: 'curl may offer HTTP/2', asks: { upgrade: 'h2c' }, answer: 'native-program' },
  {
    says: "another user's browser is refused whatever its site was granted",
    asks: { ...site, peer: 'other-user', grant: ['sign'] },
    answer: 'USER_NOT_ALLOWED',
  },
  {
    says: 'a rebound name is refused whatever it was granted',
    asks: { host: 'evil.example:17171', origin: 'http://evil.example:17171', grant: ['sign'] },
    answer: 'HOST_NOT_OURS',
  },
  {
    says: 'any site may load our script module',
    asks: { ...foreignFetch, route: 'discovery', fetchDest: 'script' },
    answer: 'site',
  },
  {
    says: 'a form of our own page is taken',
    asks: { ...ownFetch, ...navigation, fetchSite: 'same-origin', method: 'POST', route: 'form' },
    answer: 'own-page',
  },
  {
    says: 'a form of another page is not',
    asks: { ...foreignFetch, ...navigation, fetchSite: 'cross-site', method: 'POST', route: 'form' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a form that hides its origin is not',
    asks: { ...navigation, fetchSite: 'same-origin', origin: 'null', method: 'POST', route: 'form' },
    answer: 'NAVIGATION_REFUSED',
  },
  { says: 'a link leads to a page with a form', asks: { ...navigation, route: 'form' }, answer: 'own-page' },
];

/** Requests of our own pages, and the same requests with a single wrong header each. */
const loading = { fetchSite: 'same-origin', fetchMode: 'no-cors' };
const ownForm: Partial<GuardQuestion> = {
  ...ownFetch,
  ...navigation,
  fetchSite: 'same-origin',
  method: 'POST',
  route: 'form',
};

const navigationRows: readonly Row[] = [
  {
    says: 'a navigation is refused by its mode alone, where the browser names no destination',
    asks: { fetchMode: 'navigate' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a page opens in a browser that names no destination',
    asks: { fetchMode: 'navigate', route: 'page' },
    answer: 'own-page',
  },
  { says: 'a page answers HEAD', asks: { ...navigation, method: 'HEAD', route: 'page' }, answer: 'own-page' },
  {
    says: 'a page is opened by GET and HEAD only',
    asks: { ...navigation, method: 'PUT', route: 'page' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'another site does not fetch a page as a document without opening it',
    asks: { fetchSite: 'cross-site', fetchMode: 'cors', fetchDest: 'document', route: 'page' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'our own page may load a page ahead of a click',
    asks: { ...loading, fetchDest: 'document', route: 'page' },
    answer: 'own-page',
  },
  {
    says: 'our own page does not show a page in a frame',
    asks: { ...navigation, fetchSite: 'same-origin', fetchDest: 'iframe', route: 'page' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'our own page does not open the interface',
    asks: { ...navigation, fetchSite: 'same-origin' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'our own page does not open its script as a page',
    asks: { ...navigation, fetchSite: 'same-origin', route: 'asset' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'an image of our own page cannot call the interface',
    asks: { ...loading, fetchDest: 'image' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a link with the attribute download works on our own page',
    asks: { ...loading, fetchDest: 'empty', route: 'download' },
    answer: 'own-page',
  },
  {
    says: 'our own page shows a result in a frame',
    asks: { ...navigation, fetchSite: 'same-origin', fetchDest: 'iframe', route: 'download' },
    answer: 'own-page',
  },
  {
    says: 'another site does not load a result as a document without opening it',
    asks: { ...loading, fetchSite: 'cross-site', fetchDest: 'document', route: 'download' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a link with the attribute download does not work on another site',
    asks: { ...loading, fetchSite: 'cross-site', fetchDest: 'empty', route: 'download' },
    answer: 'BLIND_REQUEST_REFUSED',
  },
  {
    says: 'a blind request of our own page is refused',
    asks: { ...loading, fetchDest: 'empty', method: 'POST' },
    answer: 'BLIND_REQUEST_REFUSED',
  },
  {
    says: 'our script module is not loaded as a plain script by another site',
    asks: { ...foreignFetch, fetchMode: 'no-cors', fetchDest: 'script', route: 'discovery' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'discovery is not loaded as an image by another site',
    asks: { ...foreignFetch, fetchDest: 'image', route: 'discovery' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'the interface is not loaded as a script module by another site',
    asks: { ...foreignFetch, fetchDest: 'script' },
    answer: 'NAVIGATION_REFUSED',
  },
  { says: 'our own form is taken', asks: ownForm, answer: 'own-page' },
  {
    says: 'our own form is not taken by a page without one',
    asks: { ...ownForm, route: 'page' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'our own form is not taken inside a frame',
    asks: { ...ownForm, fetchDest: 'iframe' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a form without Origin is refused',
    asks: { ...ownForm, origin: undefined },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a form is refused when the browser calls its page another site',
    asks: { ...ownForm, fetchSite: 'same-site' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a form of a foreign origin is refused, also when the browser calls it ours',
    asks: { ...ownForm, origin: 'https://portal.example' },
    answer: 'NAVIGATION_REFUSED',
  },
];

const originRows: readonly Row[] = [
  {
    says: 'our own origin may find the helper as a site when the browser says cross-site',
    asks: { ...ownFetch, fetchSite: 'cross-site', route: 'discovery' },
    answer: 'site',
  },
  {
    says: 'our own origin sends no token when the browser says cross-site',
    asks: { ...ownFetch, fetchSite: 'cross-site', route: 'token' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  { says: 'a site without a grant sends its token', asks: { ...foreignFetch, route: 'token' }, answer: 'site' },
  {
    says: 'a site of plain http does not send a token',
    asks: { ...foreignFetch, origin: 'http://portal.example', route: 'token' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  {
    says: 'a request of a plain http site is refused although the site has a grant: the grant is for the bridge',
    asks: { ...site, origin: 'http://intranet.example', grant: ['sign'] },
    answer: 'ORIGIN_NOT_SECURE',
  },
  {
    says: 'a site is asked about for the scope that the route needs',
    asks: { ...site, route: 'user:read' },
    answer: 'ask user:read',
  },
];

const open = { access: 'open', administrator: 'nobody', origin: 'https://sign.example' } as const;
const closed = { ...open, access: 'administrator' } as const;
const server = {
  peer: 'not-loopback',
  host: 'sign.example',
  ownHosts: new Set(['sign.example']),
  remote: open,
} as const;
const ownPage = { ...ownFetch, origin: 'https://sign.example' };

const remoteRows: readonly Row[] = [
  { says: 'what is open answers anyone', asks: server, answer: 'native-program' },
  {
    says: "the assistant needs an administrator's token",
    asks: { ...server, remote: closed },
    answer: 'ADMINISTRATOR_REQUIRED',
  },
  {
    says: 'an administrator without the scope is told so',
    asks: { ...server, remote: { ...closed, administrator: 'without-scope' } },
    answer: 'ADMINISTRATOR_SCOPE_MISSING',
  },
  {
    says: 'an administrator passes',
    asks: { ...server, remote: { ...closed, administrator: 'permitted' } },
    answer: 'native-program',
  },
  {
    says: 'a service of another listener is not there, even for an administrator',
    asks: { ...server, isServed: false, remote: { ...closed, administrator: 'permitted' } },
    answer: 'ADDRESS_NOT_FOUND',
  },
  {
    says: 'a service of another listener is not there on loopback either',
    asks: { isServed: false },
    answer: 'ADDRESS_NOT_FOUND',
  },
  {
    says: 'a rebound name is refused there as well',
    asks: { ...server, host: 'evil.example' },
    answer: 'HOST_NOT_OURS',
  },
  { says: 'loopback is none of its names', asks: { ...server, host: '127.0.0.1:17171' }, answer: 'HOST_NOT_OURS' },
  {
    says: 'a page of the public address is ours',
    asks: { ...server, ...ownPage, route: 'ui' },
    answer: 'own-page',
  },
  {
    says: 'a page of the same name without TLS is not ours',
    asks: { ...server, ...ownPage, route: 'ui', origin: 'http://sign.example' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  {
    says: 'a form of the public address is ours',
    asks: {
      ...server,
      ...navigation,
      method: 'POST',
      route: 'form',
      fetchSite: 'same-origin',
      origin: 'https://sign.example',
    },
    answer: 'own-page',
  },
  {
    says: 'a site without a grant is refused, and nobody is asked',
    asks: { ...server, ...foreignFetch, route: 'sign' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  {
    says: 'the preflight of a site without a grant is refused',
    asks: { ...server, ...foreignFetch, method: 'OPTIONS', route: 'sign' },
    answer: 'ORIGIN_NOT_GRANTED',
  },
  {
    says: 'a site with a grant for something else is refused, and nobody is asked',
    asks: { ...server, ...foreignFetch, route: 'sign', grant: ['user:read'] },
    answer: 'SITE_SCOPE_MISSING',
  },
  {
    says: 'a site with its grant passes',
    asks: { ...server, ...foreignFetch, route: 'sign', grant: ['sign'] },
    answer: 'site',
  },
];

const portalOrigin = 'https://portal.example';
const forwarded: Partial<GuardQuestion> = {
  method: 'POST',
  route: 'sign',
  ...ownFetch,
  bridge: { key: 'good', origin: portalOrigin },
};
const plainSite = { key: 'good', origin: 'http://intranet.example' } as const;

const bridgeRows: readonly Row[] = [
  {
    says: 'any site may open the window',
    asks: { ...navigation, fetchSite: 'cross-site', route: 'bridge' },
    answer: 'own-page',
  },
  {
    says: 'a frame does not show it',
    asks: { ...navigation, fetchDest: 'iframe', route: 'bridge' },
    answer: 'NAVIGATION_REFUSED',
  },
  { says: 'a page does not fetch it', asks: { ...foreignFetch, route: 'bridge' }, answer: 'NAVIGATION_REFUSED' },
  {
    says: 'a browser without the marks of a window is refused',
    asks: { fetchMode: 'navigate', route: 'bridge' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a form is not posted to it',
    asks: { ...navigation, method: 'POST', route: 'bridge' },
    answer: 'NAVIGATION_REFUSED',
  },
  { says: 'a new site is asked about as the site itself', asks: forwarded, answer: 'ask sign' },
  { says: 'a site with a grant passes as the site', asks: { ...forwarded, grant: ['sign'] }, answer: 'site' },
  {
    says: 'it is not our own page for the window of the product',
    asks: { ...forwarded, route: 'ui' },
    answer: 'BRIDGE_REFUSED',
  },
  {
    says: 'it is not our own page for the registry',
    asks: { ...forwarded, route: 'api', grant: ['sign'] },
    answer: 'BRIDGE_REFUSED',
  },
  {
    says: 'it changes no people',
    asks: { ...forwarded, route: 'user:write', grant: ['user:write'] },
    answer: 'BRIDGE_REFUSED',
  },
  {
    says: 'it reads no secret of the computer',
    asks: { ...forwarded, route: 'application:read', grant: ['application:read'] },
    answer: 'BRIDGE_REFUSED',
  },
  { says: 'it gets no token', asks: { ...forwarded, route: 'token' }, answer: 'BRIDGE_REFUSED' },
  {
    says: 'an unknown key is refused',
    asks: { ...forwarded, grant: ['sign'], bridge: { key: 'unknown', origin: portalOrigin } },
    answer: 'BRIDGE_KEY_UNKNOWN',
  },
  {
    says: 'a key of another site is refused',
    asks: { ...forwarded, grant: ['sign'], bridge: { key: 'bound', origin: portalOrigin } },
    answer: 'BRIDGE_BOUND',
  },
  {
    says: 'a foreign page with a key is refused',
    asks: { ...forwarded, ...foreignFetch, grant: ['sign'] },
    answer: 'CROSS_SITE_REFUSED',
  },
  {
    says: 'a page at another port of ours is refused',
    asks: { ...forwarded, origin: 'http://127.0.0.1:8099', fetchSite: 'same-site', grant: ['sign'] },
    answer: 'CROSS_SITE_REFUSED',
  },
  {
    says: 'our other name is not the page',
    asks: { ...forwarded, origin: 'http://localhost:17171', grant: ['sign'] },
    answer: 'CROSS_SITE_REFUSED',
  },
  {
    says: 'a program with a key is refused: a browser has to say where the request comes from',
    asks: { method: 'POST', route: 'sign', grant: ['sign'], bridge: { key: 'good', origin: portalOrigin } },
    answer: 'CROSS_SITE_REFUSED',
  },
  {
    says: 'a page without an origin is refused',
    asks: { ...forwarded, bridge: { key: 'good', origin: 'null' } },
    answer: 'ORIGIN_OPAQUE',
  },
  {
    says: 'a system that tells no user still serves the window',
    asks: { ...forwarded, peer: 'not-told', grant: ['sign'] },
    answer: 'site',
  },
  {
    says: 'another user has no window',
    asks: { ...forwarded, peer: 'other-user', grant: ['sign'] },
    answer: 'USER_NOT_ALLOWED',
  },
  {
    says: 'a plain http site without a grant causes no question',
    asks: { ...forwarded, bridge: plainSite },
    answer: 'ORIGIN_NOT_SECURE',
  },
  {
    says: 'a plain http site with a grant asks for signatures',
    asks: { ...forwarded, bridge: plainSite, grant: ['sign'] },
    answer: 'site',
  },
  {
    says: 'a plain http site with a grant reads its result',
    asks: { ...forwarded, method: 'GET', bridge: plainSite, route: 'download', grant: ['sign'] },
    answer: 'site',
  },
  {
    says: 'a plain http site reads no certificates, whatever its grant',
    asks: {
      ...forwarded,
      method: 'GET',
      bridge: plainSite,
      route: 'certificates:read',
      grant: ['sign', 'certificates:read'],
    },
    answer: 'SITE_SCOPE_MISSING',
  },
  { says: 'the window ends its key', asks: { ...forwarded, method: 'DELETE', route: 'bridge' }, answer: 'own-page' },
  {
    says: 'a listener of other computers has no window',
    asks: { ...forwarded, remote: { access: 'open', administrator: 'nobody', origin: 'https://sign.example' } },
    answer: 'BRIDGE_REFUSED',
  },
];

const extension = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
const background = { fetchSite: 'none', fetchMode: 'cors', fetchDest: 'empty' };

const extensionRows: readonly Row[] = [
  {
    says: 'an extension that nobody named is refused',
    asks: { ...site, origin: extension },
    answer: 'ORIGIN_NOT_SECURE',
  },
  {
    says: 'an extension that the owner named passes',
    asks: { ...site, origin: extension, grant: ['sign'] },
    answer: 'site',
  },
  {
    says: 'an extension causes no question about a further scope',
    asks: { ...site, origin: extension, route: 'user:read', grant: ['sign'] },
    answer: 'SITE_SCOPE_MISSING',
  },
  {
    says: 'an application that the owner named passes',
    asks: { ...site, origin: 'app://org.example.editor', grant: ['sign'] },
    answer: 'site',
  },
  {
    says: 'the background of an extension may find the helper',
    asks: { ...background, route: 'discovery' },
    answer: 'own-page',
  },
  {
    says: 'the background of an extension may ask for a transaction',
    asks: { ...background, route: 'granted' },
    answer: 'extension',
  },
  {
    says: 'the background of an extension may ask for a result',
    asks: { ...background, route: 'download' },
    answer: 'extension',
  },
  {
    says: 'the background of an extension changes nothing without its origin',
    asks: { ...background, method: 'POST', route: 'granted' },
    answer: 'CROSS_SITE_REFUSED',
  },
  {
    says: 'the background of an extension is no program',
    asks: { ...background, route: 'api' },
    answer: 'CROSS_SITE_REFUSED',
  },
  {
    says: 'a page is no background of an extension',
    asks: { ...background, fetchSite: 'cross-site', route: 'granted' },
    answer: 'CROSS_SITE_REFUSED',
  },
];

describe.each([
  { what: 'the local guard, for the bridge window', rows: bridgeRows },
  { what: 'the local guard, for extensions and applications', rows: extensionRows },
  { what: 'the local guard, rule by rule', rows },
  { what: 'the local guard, for web sites', rows: siteRows },
  { what: 'the local guard, for navigations and what pages load', rows: navigationRows },
  { what: 'the local guard, for origins and their grants', rows: originRows },
  { what: 'the guard of a listener beyond loopback', rows: remoteRows },
])('$what', ({ rows: all }) => {
  it.each(all)('$says', ({ asks, answer }) => {
    expect(told(judgeRequest({ ...plain, ...asks }))).toBe(answer);
  });
});

describe('a refusal', () => {
  const all = [rows, siteRows, navigationRows, originRows, remoteRows, bridgeRows].flat();
  const refusals = [...new Set(all.map(({ answer }) => answer).filter((answer) => /^[A-Z_]+$/.test(answer)))];

  it.each(refusals)('%s names the remedy in a sentence', (refusal) => {
    expect(refusalDetails[refusal as GuardRefusal]).toMatch(/^[A-Z].{30,}\.$/);
  });

  it('of every kind has a row', () => {
    expect(refusals.toSorted()).toEqual(Object.keys(refusalDetails).toSorted());
  });
});
