import { domainToUnicode } from 'node:url';
import type { Consent, ConsentQuestion, FileGrant, SiteGrant, StandingApproval } from '../../service/consent/index.ts';
import { ServiceError } from '../../service/errors/index.ts';
import type { TransactionView } from '../../service/transactions/index.ts';
import type { CallHandlers, CallInput } from '../../ui-contract/ui-contract.ts';
import type { ConsentQuestionView, FileGrantView, SiteView } from '../../ui-contract/site-calls.ts';
import type { Core } from '../compose/open-core.ts';

type SiteCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `sites.${string}` | `consent.${string}`>>;

/** The calls about the permissions of web sites. */
export function siteCalls({ consent }: Pick<Core, 'consent'>): SiteCalls {
  return {
    'sites.list': async () => {
      const [grants, approvals] = await Promise.all([consent.grants(), consent.standingApprovals()]);
      return grants.map((grant) => siteForUi(grant, approvals));
    },
    'sites.change': async (grant) => siteForUi(await consent.allow(grant), await consent.standingApprovals()),
    'sites.revoke': async ({ origin }) => {
      await consent.revoke(origin);
      return {};
    },
    'sites.endStandingApproval': async ({ origin, certificateFingerprint }) => {
      await consent.endStandingApproval(origin, certificateFingerprint);
      return {};
    },
    'sites.files': async () => Promise.resolve(consent.fileGrants().map(fileGrantForUi)),
    'sites.allowFiles': async (grant) => fileGrantForUi(await consent.allowFiles(grant)),
    'sites.revokeFiles': async ({ caller, root }) => {
      await consent.revokeFiles(caller, root);
      return {};
    },
    'consent.questions': async () => Promise.resolve(consent.questions().map(questionForUi)),
    'consent.answer': async ({ id, ...decision }) => {
      await consent.answer(id, decision);
      return {};
    },
  };
}

/**
 * Stores an approval in advance that the user gives while approving a site's transaction. Rejects with
 * `REQUEST_INVALID` for other transactions.
 */
export async function approveInAdvance(
  consent: Pick<Consent, 'allowSignatures'>,
  { requester, certificateFingerprint }: Pick<TransactionView, 'requester' | 'certificateFingerprint'>,
  { signatures, minutes }: NonNullable<CallInput<'approvals.decide'>['standing']>,
  now: Date,
): Promise<void> {
  if (requester.kind !== 'site') {
    throw new ServiceError('REQUEST_INVALID', 'Only signatures of a web site can be approved in advance.');
  }
  await consent.allowSignatures({
    origin: requester.name,
    certificateFingerprint,
    signaturesLeft: signatures,
    expiresAt: new Date(now.getTime() + minutes * 60_000),
  });
}

function siteForUi(grant: SiteGrant, approvals: readonly StandingApproval[]): SiteView {
  const { origin, scopes, createdAt, expiresAt, lastUsedAt, uses, source } = grant;
  return {
    origin,
    displayOrigin: displayOrigin(origin),
    scopes: [...scopes],
    uses,
    source,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    standingApprovals: approvals
      .filter((approval) => approval.origin === origin)
      .map(({ certificateFingerprint, signaturesLeft, expiresAt: end }) => ({
        certificateFingerprint,
        signaturesLeft,
        expiresAt: end.toISOString(),
      })),
  };
}

function fileGrantForUi({ caller, createdAt, expiresAt, lastUsedAt, ...grant }: FileGrant): FileGrantView {
  return {
    ...grant,
    caller,
    displayCaller: caller.includes('://') ? displayOrigin(caller) : caller,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

function questionForUi(question: ConsentQuestion): ConsentQuestionView {
  const { id, origin, scopes, wanted, askedAt, expiresAt } = question;
  return {
    id,
    origin,
    displayOrigin: displayOrigin(origin),
    scopes: [...scopes],
    wanted: [...wanted],
    askedAt: askedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}

/** The origin with its host in Unicode (UTS 46); unchanged if the host cannot be converted. */
function displayOrigin(origin: string): string {
  const { hostname } = new URL(origin);
  const unicode = domainToUnicode(hostname);
  return unicode === '' ? origin : origin.replace(hostname, unicode);
}
