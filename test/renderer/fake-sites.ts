import type { ConsentQuestionView, FileGrantView, SiteView } from '../../src/ui-contract/site-calls.ts';
import type { CallHandlers, CallOutput } from '../../src/ui-contract/ui-contract.ts';
import { inDays, sha256 } from './fake-data.ts';

type SiteCall = Extract<keyof CallHandlers, `sites.${string}` | `consent.${string}`>;
type SiteHandlers = { [Name in SiteCall]?: (input: Parameters<CallHandlers[Name]>[0]) => CallOutput<Name> };

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

/** A site waiting to be let in. */
export function consentQuestion(change: Partial<ConsentQuestionView> = {}): ConsentQuestionView {
  return {
    id: 'q1',
    origin: portal,
    displayOrigin: portal,
    scopes: ['user:read', 'certificates:read', 'sign'],
    wanted: ['sign'],
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

  readonly handlers: SiteHandlers = {
    'sites.list': () => this.sites,
    'sites.files': () => this.files,
    'consent.questions': () => this.questions,
  };
}
