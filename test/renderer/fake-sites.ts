import type { ConsentQuestionView, FileGrantView, SiteView } from '../../src/ui-contract/site-calls.ts';
import type { CallHandlers, CallOutput, UiEvent } from '../../src/ui-contract/ui-contract.ts';
import { inDays, sha256 } from './fake-data.ts';
import { FakeError } from './fake-error.ts';

type SiteCall = Extract<keyof CallHandlers, `sites.${string}` | `consent.${string}`>;
type SiteHandlers = { [Name in SiteCall]: (input: Parameters<CallHandlers[Name]>[0]) => CallOutput<Name> };

const portal = 'https://portal.tribunal.jus.br';

/** Sites of every kind: with signatures approved in advance, with a name in other letters, and a configured one. */
export const sites: readonly SiteView[] = [
  {
    origin: portal,
    displayOrigin: portal,
    scopes: ['certificates:read', 'sign', 'user:read'],
    createdAt: inDays(-5),
    expiresAt: inDays(25),
    lastUsedAt: inDays(-1),
    uses: 38,
    source: 'user',
    standingApprovals: [
      { certificateFingerprint: sha256('maria-a1'), signaturesLeft: 12, expiresAt: inDays(0.01) },
      { certificateFingerprint: sha256('unknown'), signaturesLeft: 1, expiresAt: inDays(0.02) },
    ],
  },
  {
    origin: 'https://xn--exmplo-iva.com.br:8443',
    displayOrigin: 'https://exêmplo.com.br:8443',
    scopes: ['sign'],
    createdAt: inDays(-1),
    expiresAt: null,
    lastUsedAt: null,
    uses: 0,
    source: 'user',
    standingApprovals: [],
  },
  {
    origin: 'https://intranet.exemplo.org',
    displayOrigin: 'https://intranet.exemplo.org',
    scopes: ['certificates:read', 'sign', 'application:read'],
    createdAt: inDays(-90),
    expiresAt: null,
    lastUsedAt: inDays(-2),
    uses: 1204,
    source: 'configuration',
    standingApprovals: [],
  },
];

/** Folders opened to a site: by the owner, and by the configuration. */
export const fileGrants: readonly FileGrantView[] = [
  {
    caller: portal,
    displayCaller: portal,
    root: '/home/maria/Documentos/portal',
    access: 'read',
    createdAt: inDays(-3),
    expiresAt: inDays(27),
    lastUsedAt: inDays(-1),
    uses: 4,
    source: 'user',
  },
  {
    caller: 'intranet',
    displayCaller: 'intranet',
    root: 's3://assinados/intranet',
    access: 'both',
    createdAt: inDays(-90),
    expiresAt: null,
    lastUsedAt: null,
    uses: 0,
    source: 'configuration',
  },
];

/** A site that waits to be let in. */
export function consentQuestion(change: Partial<ConsentQuestionView> = {}): ConsentQuestionView {
  return {
    id: 'q1',
    origin: portal,
    displayOrigin: portal,
    scopes: ['user:read', 'user:write', 'certificates:read', 'sign'],
    wanted: ['certificates:read'],
    askedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 120_000).toISOString(),
    ...change,
  };
}

/** Permissions and questions of web sites, in memory. */
export class FakeSites {
  sites: SiteView[] = [...sites];
  files: FileGrantView[] = [...fileGrants];
  questions: ConsentQuestionView[] = [];
  readonly #emit: (event: UiEvent) => void;

  constructor(emit: (event: UiEvent) => void) {
    this.#emit = emit;
  }

  /** A site wants to be let in. */
  ask(question: ConsentQuestionView): void {
    this.questions = [...this.questions, question];
    this.#emit({ name: 'consent-changed' });
  }

  /** The page that asked was closed, or the patience is over. */
  withdraw(id: string): void {
    this.questions = this.questions.filter((one) => one.id !== id);
    this.#emit({ name: 'consent-changed' });
  }

  readonly handlers: SiteHandlers = {
    'sites.list': () => this.sites,
    'sites.change': ({ origin, scopes, days }) => {
      const earlier = this.sites.find((one) => one.origin === origin);
      const made: SiteView = {
        origin,
        displayOrigin: origin,
        createdAt: new Date().toISOString(),
        lastUsedAt: null,
        uses: 0,
        source: 'user',
        standingApprovals: [],
        ...earlier,
        scopes,
        expiresAt: days === null ? null : inDays(days),
      };
      this.sites = [...this.sites.filter((one) => one.origin !== origin), made];
      return made;
    },
    'sites.files': () => this.files,
    'sites.allowFiles': ({ caller, root, access, days }) => {
      const made: FileGrantView = {
        caller,
        displayCaller: caller,
        root,
        access,
        createdAt: new Date().toISOString(),
        expiresAt: days === null ? null : inDays(days),
        lastUsedAt: null,
        uses: 0,
        source: 'user',
      };
      this.files = [...this.files.filter((one) => one.caller !== caller || one.root !== root), made];
      return made;
    },
    'sites.revokeFiles': ({ caller, root }) => {
      this.files = this.files.filter((one) => one.caller !== caller || one.root !== root);
      return {};
    },
    'sites.revoke': ({ origin }) => {
      this.sites = this.sites.filter((one) => one.origin !== origin);
      return {};
    },
    'sites.endStandingApproval': ({ origin, certificateFingerprint }) => {
      this.sites = this.sites.map((site) => ({
        ...site,
        standingApprovals: site.standingApprovals.filter(
          (one) => site.origin !== origin || one.certificateFingerprint !== certificateFingerprint,
        ),
      }));
      return {};
    },
    'consent.questions': () => this.questions,
    'consent.answer': ({ id }) => {
      if (!this.questions.some((one) => one.id === id)) throw new FakeError('NOT_FOUND');
      this.withdraw(id);
      return {};
    },
  };
}
