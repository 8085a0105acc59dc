import { ServiceError } from '../errors/index.ts';
import { isPlainHttpOrigin } from './approved-callers.ts';
import type {
  Consent,
  ConsentOutcome,
  ConsentQuestion,
  GrantScope,
  NewGrant,
  SiteGrant,
  StandingApproval,
  ConsentStore,
} from './consent.ts';
import { type ConfiguredFileGrant, type FileGrant, FileGrants, type NewFileGrant } from './file-grants.ts';
import { type ConfiguredSite, Grants } from './grants.ts';
import { type ConsentLimits, defaultConsentLimits, Questions } from './questions.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** Services for the consent of an instance. */
export interface ConsentDependencies {
  readonly store: ConsentStore;
  /** Sites permitted by the configuration; `REQUEST_INVALID` for an invalid origin. */
  readonly configured: readonly ConfiguredSite[];
  /** Folders and stores opened to callers by the configuration. Default: none. */
  readonly configuredFiles?: readonly ConfiguredFileGrant[];
  /** True if a window is open for questions. */
  readonly canAsk: () => boolean;
  readonly now: () => Date;
  /** Overrides of `defaultConsentLimits`. */
  readonly limits?: Partial<ConsentLimits>;
}

/**
 * The scopes that a question about a site without a grant offers beside the scope that the site asks for. Changing the
 * users of this computer and the computer's secret are offered only to a site that asks for them.
 */
const usualScopes: readonly GrantScope[] = ['user:read', 'certificates:read', 'sign'];

/** Consent that can read the stored grants again, after another node has changed them. */
export interface RefreshedConsent extends Consent {
  /** Rejects with `ServiceError` `STORAGE_UNAVAILABLE`; the grants in memory then stay. */
  refresh(): Promise<void>;
  /** Ends all questions with `nobody-to-ask`, because the last window has closed. */
  stopAsking(): void;
}

/** Reads the grants. Rejects with `ServiceError`. */
export async function openConsent(dependencies: ConsentDependencies): Promise<RefreshedConsent> {
  const { store, configured, configuredFiles = [], now } = dependencies;
  const files = await FileGrants.open(store, now, configuredFiles);
  return new SiteConsent(dependencies, await Grants.open(store, now, configured), files);
}

class SiteConsent implements RefreshedConsent {
  readonly #store: ConsentStore;
  readonly #canAsk: () => boolean;
  readonly #now: () => Date;
  readonly #grants: Grants;
  readonly #files: FileGrants;
  readonly #questions: Questions;
  readonly #listeners = new Set<() => void>();

  constructor({ store, canAsk, now, limits }: ConsentDependencies, grants: Grants, files: FileGrants) {
    this.#store = store;
    this.#canAsk = canAsk;
    this.#now = now;
    this.#grants = grants;
    this.#files = files;
    this.#questions = new Questions({ ...defaultConsentLimits, ...dropUndefined(limits ?? {}) }, now, () => {
      this.#changed();
    });
  }

  scopesOf(origin: string): readonly GrantScope[] | undefined {
    return this.#grants.find(origin)?.scopes;
  }

  async grantOf(origin: string, use: boolean): Promise<SiteGrant | undefined> {
    const grant = this.#grants.find(origin);
    return Promise.resolve(use && grant !== undefined ? this.#grants.countUse(grant) : grant);
  }

  async request(origin: string, scope: GrantScope, signal: AbortSignal): Promise<ConsentOutcome> {
    const grant = this.#grants.find(origin);
    if (grant?.scopes.includes(scope) === true) return 'granted';
    if (grant?.source === 'configuration' || scope === 'application:read') return 'refused';
    if (!this.#canAsk()) return 'nobody-to-ask';
    return this.#questions.hold(origin, scope, grant === undefined ? usualScopes : [scope], signal);
  }

  questions(): readonly ConsentQuestion[] {
    return this.#questions.list();
  }

  async answer(id: string, decision: Parameters<Consent['answer']>[1]): Promise<void> {
    const question = this.#questions.take(id);
    if (question === undefined) throw new ServiceError('NOT_FOUND', 'This question is over: nobody waits for it.');
    const { origin } = question;
    if (!decision.allow) {
      this.#questions.remember(origin, '*');
      question.end(() => 'refused');
      return;
    }
    // A grant for a single action supplements the present grant; any other grant replaces it and keeps its scopes.
    const kept = decision.days === 'once' ? [] : (this.#grants.find(origin)?.scopes ?? []);
    await this.#grants.allow({ origin, scopes: [...kept, ...decision.scopes], days: decision.days });
    this.#settle(id);
    this.#changed();
  }

  async grants(): Promise<readonly SiteGrant[]> {
    return Promise.resolve(this.#grants.list());
  }

  async allow(grant: NewGrant): Promise<SiteGrant> {
    const given = await this.#grants.allow(grant);
    this.#questions.forget(given.origin);
    for (const { id, origin } of this.#questions.list()) if (origin === given.origin) this.#settle(id);
    this.#changed();
    return given;
  }

  async revoke(origin: string): Promise<void> {
    await this.#files.revokeAll(await this.#grants.revoke(origin));
    this.#changed();
  }

  async standingApprovals(): Promise<readonly StandingApproval[]> {
    return this.#store.standingApprovals(this.#now());
  }

  async allowSignatures(approval: StandingApproval): Promise<void> {
    if (isPlainHttpOrigin(approval.origin)) {
      const detail = 'Every signature of a plain http site is asked, because anybody on its network can speak for it.';
      throw new ServiceError('REQUEST_INVALID', detail);
    }
    await this.#store.saveStandingApproval(approval);
    this.#changed();
  }

  async endStandingApproval(origin: string, certificateFingerprint: string): Promise<void> {
    await this.#store.removeStandingApproval(origin, certificateFingerprint);
    this.#changed();
  }

  async takeSignatures(origin: string, certificateFingerprint: string, count: number): Promise<boolean> {
    return this.#store.takeSignatures(origin, certificateFingerprint, count, this.#now());
  }

  fileGrants(): readonly FileGrant[] {
    return this.#files.list();
  }

  async allowFiles(grant: NewFileGrant): Promise<FileGrant> {
    const given = await this.#files.allow(grant);
    this.#changed();
    return given;
  }

  async revokeFiles(caller: string, root: string): Promise<void> {
    await this.#files.revoke(caller, root);
    this.#changed();
  }

  async countFileUse(grant: Pick<FileGrant, 'caller' | 'root'>): Promise<void> {
    await this.#files.countUse(grant);
  }

  /** Listeners are not called, because they would notify the other nodes again. */
  async refresh(): Promise<void> {
    await this.#grants.refresh();
    await this.#files.refresh();
  }

  stopAsking(): void {
    this.#questions.endAll('nobody-to-ask');
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#questions.endAll('refused');
    await this.#grants.flush();
  }

  /** Waiting requests of a question continue as far as the origin's grant permits. */
  #settle(id: string): void {
    const question = this.#questions.take(id);
    question?.end((scope): ConsentOutcome => {
      if (this.#grants.find(question.origin)?.scopes.includes(scope) === true) return 'granted';
      this.#questions.remember(question.origin, scope);
      return 'refused';
    });
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
