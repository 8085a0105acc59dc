import { ServiceError } from '../errors.ts';
import type { Consent, ConsentOutcome, GrantScope } from './consent.ts';
import type { ConsentStore } from './consent-store.ts';
import { type ConfiguredSite, Grants } from './grants.ts';
import { type ConsentLimits, defaultConsentLimits, Questions } from './questions.ts';

/** What the consent of an instance is built from. */
export interface ConsentDependencies {
  readonly store: ConsentStore;
  /** Sites that the configuration lets in; `REQUEST_INVALID` when one is no origin. */
  readonly configured: readonly ConfiguredSite[];
  /** Whether a window is open in which a question is seen. */
  readonly canAsk: () => boolean;
  readonly now: () => Date;
  /** Overrides of `defaultConsentLimits`. */
  readonly limits?: Partial<ConsentLimits>;
}

/** What a site without a grant is asked for: what pages that sign need. The computer's secret is never among it. */
export const usualScopes: readonly GrantScope[] = ['user:read', 'user:write', 'certificates:read', 'sign'];

/** Reads the grants. Rejects with `ServiceError`. */
export async function openConsent(dependencies: ConsentDependencies): Promise<Consent> {
  const { store, configured, canAsk, now } = dependencies;
  const grants = await Grants.open(store, now, configured);
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const questions = new Questions({ ...defaultConsentLimits, ...dependencies.limits }, now, changed);

  /** The requests that a question holds go on as far as the grant of its origin reaches. */
  const settle = (id: string): void => {
    const question = questions.take(id);
    question?.end((scope): ConsentOutcome => {
      if (grants.find(question.origin)?.scopes.includes(scope) === true) return 'granted';
      questions.remember(question.origin, scope);
      return 'refused';
    });
  };

  return {
    scopesOf: (origin) => grants.find(origin)?.scopes,
    async grantOf(origin, use) {
      const grant = grants.find(origin);
      return Promise.resolve(use && grant !== undefined ? grants.countUse(grant) : grant);
    },
    async request(origin, scope, signal) {
      const grant = grants.find(origin);
      if (grant?.scopes.includes(scope) === true) return 'granted';
      if (grant?.source === 'configuration' || scope === 'application:read') return 'refused';
      if (!canAsk()) return 'nobody-to-ask';
      return questions.hold(origin, scope, grant === undefined ? usualScopes : [scope], signal);
    },
    questions: () => questions.list(),
    async answer(id, decision) {
      const question = questions.take(id);
      if (question === undefined) throw new ServiceError('NOT_FOUND', 'This question is over: nobody waits for it.');
      const { origin } = question;
      if (!decision.allow) {
        questions.remember(origin, '*');
        question.end(() => 'refused');
        return;
      }
      const kept = grants.find(origin)?.scopes ?? [];
      await grants.allow({ origin, scopes: [...kept, ...decision.scopes], days: decision.days });
      settle(id);
      changed();
    },
    grants: async () => Promise.resolve(grants.list()),
    async allow(grant) {
      const given = await grants.allow(grant);
      questions.forget(given.origin);
      for (const { id, origin } of questions.list()) if (origin === given.origin) settle(id);
      changed();
      return given;
    },
    async revoke(origin) {
      await grants.revoke(origin);
      changed();
    },
    standingApprovals: async () => store.standingApprovals(now()),
    async allowSignatures(approval) {
      await store.saveStandingApproval(approval);
      changed();
    },
    takeSignatures: async (origin, fingerprint, count) => store.takeSignatures(origin, fingerprint, count, now()),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      questions.close();
      await grants.flush();
    },
  };
}
