import type { SiteVisit } from '../../service/checks/index.ts';

const remembered = 50;

/**
 * Requests of web sites since the start, for the Doctor: they show whether browsers let sites reach this instance. In
 * memory only.
 */
export class SiteVisits {
  readonly #now: () => Date;
  #visits: readonly SiteVisit[] = [];

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** Notes a request with a foreign origin. A site with several requests shows once, with its last time. */
  note(origin: string, userAgent: string | undefined, outcome: string): void {
    const visit = { origin: origin.slice(0, 200), browser: browserOf(userAgent ?? ''), outcome, at: this.#now() };
    const others = this.#visits.filter(
      (one) => one.origin !== visit.origin || one.browser !== visit.browser || one.outcome !== outcome,
    );
    this.#visits = [visit, ...others].slice(0, remembered);
  }

  /** Newest first. */
  list(): readonly SiteVisit[] {
    return this.#visits;
  }
}

/** Browsers also name the browsers that they imitate, so the most specific name is tested first. */
function browserOf(userAgent: string): SiteVisit['browser'] {
  if (/\bEdg\//.test(userAgent)) return 'Edge';
  if (/\bOPR\//.test(userAgent)) return 'Opera';
  if (/\bFirefox\//.test(userAgent)) return 'Firefox';
  if (/\b(?:Headless)?Chrome\//.test(userAgent)) return 'Chrome';
  if (/\bSafari\//.test(userAgent)) return 'Safari';
  return 'other';
}
