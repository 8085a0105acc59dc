/** What a page of another origin sees in a browser that guards programs on the computer: the expected table. */

/** The browsers with a real window. WebKit's small browser has no permission for programs on the computer. */
export const browserNames = ['chromium', 'firefox', 'webkit'] as const;

export type BrowserName = (typeof browserNames)[number];

/**
 * Where the page runs: its own window over https, over plain http, or over https with a policy that cuts windows off; a
 * frame of another site without and with the attribute of the permission; the background of an extension, and its
 * script inside of the https page.
 */
export type Place = 'https' | 'http' | 'cut' | 'frame' | 'allowed-frame' | 'background' | 'content-script';

/** Ports that the page tries, in order. */
export type Port = 'dead' | 'sinete';

/**
 * The user's answer to the browser's question, by keyboard. `nobody`: the search ends without an answer, and changes no
 * permission. Chromium shows its question also after a search of dead ports has ended.
 */
export type Answer = 'nobody' | 'allow' | 'block' | 'escape';

/** The end of a search, as the page tells its site. */
export interface Told {
  /** The way of a found helper. */
  readonly found?: 'direct' | 'bridge';
  /** Code and reason of the error. */
  readonly code?: string;
  readonly reason?: string;
  /** Words in the message of the error. */
  readonly says?: string;
}

export interface Row {
  readonly row: string;
  readonly browsers: readonly BrowserName[];
  readonly place: Place;
  readonly way: 'direct' | 'bridge' | 'auto';
  readonly ports: readonly Port[];
  readonly answer: Answer;
  readonly expected: Told;
  /** True for the rows of the short form. */
  readonly short?: true;
}

const all: readonly BrowserName[] = ['chromium', 'firefox'];
const dead: readonly Port[] = ['dead', 'dead', 'dead', 'dead', 'dead'];
const notInstalled: Told = { code: 'NOT_INSTALLED' };
const direct: Told = { found: 'direct' };
const bridge: Told = { found: 'bridge' };
const attribute = 'allow="loopback-network"';

/** The rows. Answers come at least two and a half seconds after the question, as a person's. */
// prettier-ignore
export const rows: readonly Row[] = [
  { row: '1 nothing is installed', browsers: all, place: 'https', way: 'direct', ports: dead, answer: 'nobody', expected: notInstalled, short: true },
  { row: '1 nothing is installed, by the bridge', browsers: all, place: 'https', way: 'bridge', ports: ['dead', 'dead'], answer: 'nobody', expected: { code: 'UNREACHABLE' } },
  { row: '2 the first port, and the user allows', browsers: all, place: 'https', way: 'direct', ports: ['sinete'], answer: 'allow', expected: direct },
  { row: '2 the first port, by the bridge', browsers: all, place: 'https', way: 'bridge', ports: ['sinete'], answer: 'nobody', expected: bridge, short: true },
  { row: '3 the second port, and the user allows', browsers: all, place: 'https', way: 'direct', ports: ['dead', 'sinete'], answer: 'allow', expected: direct, short: true },
  { row: '3 the second port, by the bridge', browsers: all, place: 'https', way: 'bridge', ports: ['dead', 'sinete'], answer: 'nobody', expected: bridge },
  { row: '4 the user closes the question', browsers: ['chromium'], place: 'https', way: 'direct', ports: ['dead', 'sinete', 'sinete'], answer: 'escape', expected: { code: 'BLOCKED_BY_BROWSER', reason: 'dismissed' }, short: true },
  { row: '4 the user closes the question, which Firefox takes for a refusal', browsers: ['firefox'], place: 'https', way: 'direct', ports: ['dead', 'sinete', 'sinete'], answer: 'escape', expected: { code: 'BLOCKED_BY_BROWSER', reason: 'denied' } },
  { row: '5 the user blocks', browsers: all, place: 'https', way: 'direct', ports: ['sinete'], answer: 'block', expected: { code: 'BLOCKED_BY_BROWSER', reason: 'denied' } },
  { row: '6 a frame without the attribute', browsers: all, place: 'frame', way: 'direct', ports: ['sinete'], answer: 'nobody', expected: { code: 'FRAME_NOT_ALLOWED', says: attribute }, short: true },
  { row: '6 a frame without the attribute, by the bridge', browsers: all, place: 'frame', way: 'bridge', ports: ['sinete'], answer: 'nobody', expected: bridge },
  { row: '7 a frame with the attribute', browsers: all, place: 'allowed-frame', way: 'direct', ports: ['sinete'], answer: 'allow', expected: direct },
  { row: '7 a frame with the attribute, by the bridge', browsers: all, place: 'allowed-frame', way: 'bridge', ports: ['sinete'], answer: 'nobody', expected: bridge },
  { row: '8 plain http', browsers: all, place: 'http', way: 'direct', ports: ['sinete'], answer: 'nobody', expected: { code: 'INSECURE_PAGE' } },
  { row: '8 plain http, by the bridge of a click', browsers: all, place: 'http', way: 'auto', ports: ['sinete'], answer: 'nobody', expected: bridge, short: true },
  { row: '9 a page that cuts its windows off', browsers: all, place: 'cut', way: 'bridge', ports: ['sinete'], answer: 'nobody', expected: { code: 'BRIDGE_CUT', says: 'same-origin-allow-popups' } },
  { row: '9 a page that cuts its windows off, and the user allows', browsers: all, place: 'cut', way: 'direct', ports: ['sinete'], answer: 'allow', expected: direct },
  { row: '10 the background of an extension', browsers: ['chromium'], place: 'background', way: 'direct', ports: ['sinete'], answer: 'nobody', expected: direct },
  { row: '11 the script of an extension in a page', browsers: ['chromium'], place: 'content-script', way: 'direct', ports: ['sinete'], answer: 'allow', expected: direct },
  { row: '12 WebKit, plain http, by the bridge of a click', browsers: ['webkit'], place: 'http', way: 'auto', ports: ['sinete'], answer: 'nobody', expected: bridge },
  { row: '12 WebKit, https', browsers: ['webkit'], place: 'https', way: 'direct', ports: ['sinete'], answer: 'nobody', expected: { code: 'UNREACHABLE', says: 'Safari' } },
  { row: '12 WebKit, https, by the bridge of a click', browsers: ['webkit'], place: 'https', way: 'auto', ports: ['sinete'], answer: 'nobody', expected: bridge },
  { row: '12 WebKit, plain http', browsers: ['webkit'], place: 'http', way: 'direct', ports: ['sinete'], answer: 'nobody', expected: { code: 'INSECURE_PAGE' } },
];
