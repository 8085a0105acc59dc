import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeRequest, type GuardClass, type GuardQuestion } from '../../src/http/local-guard.ts';

const ownHosts = new Set(['127.0.0.1:hp', 'localhost:hp', '[::1]:hp']);

/** One request as a browser sent it: fields joined by ` ; `, `-` for an absent header. */
function recordedQuestion(line: string): { readonly name: string; readonly question: GuardQuestion } {
  const [name = '', method = '', path = '', ...fields] = line.split(' ; ');
  const header = (key: string): string | undefined => {
    const value = fields.find((field) => field.startsWith(`${key}=`))?.slice(key.length + 1);
    return value === '-' ? undefined : value;
  };
  const question: GuardQuestion = {
    peer: 'same-user',
    ownHosts,
    method: method === 'WS' ? 'GET' : method,
    route: path === '/page' ? 'page' : 'api',
    host: header('Host'),
    origin: header('Origin'),
    fetchSite: header('S-F-Site'),
    fetchMode: header('Mode'),
    fetchDest: header('Dest'),
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

  it.each(recordings)('$browser: $name passes only when it comes from our own page', ({ name, question }) => {
    const isOurs = /:self(-origin-get)? /.test(name);
    expect(judgeRequest(question).allowed).toBe(isOurs);
  });

  const attacks = recordings.filter(({ name }) => !/:self/.test(name));
  const classes: readonly GuardClass[] = ['api', 'download', 'ui', 'asset', 'none'];

  it.each(classes)('no recorded request of a foreign page reaches a route of class %s', (route) => {
    const passed = attacks.filter(({ question }) => judgeRequest({ ...question, route }).allowed);
    expect(passed.map(({ name }) => name)).toEqual([]);
  });
});

const plain: GuardQuestion = {
  peer: 'same-user',
  ownHosts: new Set(['127.0.0.1:17171', 'localhost:17171', '[::1]:17171']),
  method: 'GET',
  route: 'api',
  host: '127.0.0.1:17171',
  origin: undefined,
  fetchSite: undefined,
  fetchMode: undefined,
  fetchDest: undefined,
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
  { says: 'an unchecked user passes', asks: { peer: 'not-checked' }, answer: 'native-program' },
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
    says: 'a download does not start on another site',
    asks: { ...navigation, fetchSite: 'cross-site', route: 'download' },
    answer: 'NAVIGATION_REFUSED',
  },
  {
    says: 'a download is not opened from the address bar',
    asks: { ...navigation, route: 'download' },
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

describe('the local guard, rule by rule', () => {
  it.each(rows)('$says', ({ asks, answer }) => {
    const verdict = judgeRequest({ ...plain, ...asks });
    expect(verdict.allowed ? verdict.caller : verdict.refusal).toBe(answer);
  });
});
