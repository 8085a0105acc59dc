import type { AuditEvent, AuditKind } from './audit.ts';
import type { Administrators } from '../administration/index.ts';
import type { Applications } from '../applications/index.ts';
import type { Assistant } from '../assistant/index.ts';
import type { Authorization, IssuedToken } from '../authorization/index.ts';
import type { Consent } from '../consent/index.ts';
import type { HashCalls } from '../hash-calls/index.ts';
import type { Webhooks } from '../notifications/index.ts';
import type { Accounts } from '../users/index.ts';
import { maskEveryNumber } from '../../text/taxpayer-number.ts';
import { dropUndefined } from '../../values/drop-undefined.ts';

/** Writes an event after its change. Never rejects, because the change has happened already. */
export type RecordAudit = (event: AuditEvent) => Promise<void>;

/**
 * Rules for methods that change something. A rule is called with the arguments before the method runs, and answers a
 * function that makes the event from the result. A rejected call has no event.
 */
export type AuditRules<Service> = {
  readonly [Method in keyof Service]?: Service[Method] extends (...input: infer Input) => Promise<infer Output>
    ? (...input: Input) => (output: Output) => AuditEvent
    : never;
};

type AnyMethod = (...input: readonly unknown[]) => unknown;
type AnyRule = (...input: readonly unknown[]) => (output: unknown) => AuditEvent;

/** A service with an audit event right after each change. */
export function audited<Service extends object>(
  service: Service,
  rules: AuditRules<Service>,
  record: RecordAudit,
): Service {
  return new Proxy(service, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as AnyMethod;
      const rule = Object.hasOwn(rules, name) ? (Reflect.get(rules, name) as AnyRule) : undefined;
      return rule === undefined ? method : tellAfter(method, rule, record);
    },
  });
}

/** Runs a method, then records the event of its rule. */
export function tellAfter(method: AnyMethod, rule: AnyRule, record: RecordAudit): AnyMethod {
  return async (...input) => {
    const told = rule(...input);
    const output = await method(...input);
    await record(told(output));
    return output;
  };
}

type Detail = AuditEvent['detail'];

const always = (kind: AuditKind, subject: string | null, detail: Detail = {}) => {
  return (): AuditEvent => ({ kind, subject, detail });
};
const siteSubject = (origin: string): string => `site:${origin}`;
const applicationSubject = (clientId: string): string => `application:${maskEveryNumber(clientId)}`;
const personSubject = (username: string): string => `person:${maskEveryNumber(username)}`;
const administratorSubject = (name: string): string => `administrator:${maskEveryNumber(name)}`;
const accountSubject = (id: number): string => `account:${id}`;

/** Records changes of people, named by number, and by masked CPF or CNPJ. */
export function auditedAccounts(accounts: Accounts, record: RecordAudit): Accounts {
  return audited(
    accounts,
    {
      confirm:
        () =>
        ({ account }) => ({
          kind: 'person-enrolled',
          subject: accountSubject(account.id),
          detail: { username: maskEveryNumber(account.username) },
        }),
      change: (id, change) => always('person-changed', accountSubject(id), { changed: namesOf(change) }),
      remove: (id) => always('person-removed', accountSubject(id)),
    },
    record,
  );
}

export function auditedApplications(applications: Applications, record: RecordAudit): Applications {
  const registered = (clientId: string, isPublic: boolean): AuditEvent => ({
    kind: 'application-registered',
    subject: applicationSubject(clientId),
    detail: { public: isPublic },
  });
  return audited(
    applications,
    {
      register:
        () =>
        ({ application }) =>
          registered(application.clientId, false),
      registerPublic:
        () =>
        ({ application }) =>
          registered(application.clientId, true),
      change: (clientId, change) =>
        always('application-changed', applicationSubject(clientId), { changed: namesOf(change) }),
      rotate: (clientId) => always('application-rotated', applicationSubject(clientId)),
      remove: (clientId) => always('application-removed', applicationSubject(clientId)),
    },
    record,
  );
}

/** Records tokens by their person and their permissions, never by any part of the token. */
export function auditedAuthorization(authorization: Authorization, record: RecordAudit): Authorization {
  const issued = (username: string | null, clientId: string | null, by: string) => {
    return ({ scopes, expiresAt }: IssuedToken): AuditEvent => ({
      kind: 'token-issued',
      subject: clientId === null ? null : applicationSubject(clientId),
      detail: {
        by,
        scopes: [...scopes],
        expires: expiresAt.toISOString(),
        username: username === null ? null : maskEveryNumber(username),
      },
    });
  };
  return audited(
    authorization,
    {
      issueForCode: (_code, { username, clientId }) => issued(username, clientId, 'code'),
      issueForRefresh: (_token, { username, clientId }) => issued(username, clientId, 'refresh'),
      issueToken: ({ username, clientId }) => issued(username, clientId, 'credentials'),
      issueSession: (username) => issued(username, null, 'session'),
      revoke: () => always('token-revoked', null, { all: false }),
      revokeAll: (of) =>
        always('token-revoked', 'clientId' in of ? applicationSubject(of.clientId) : personSubject(of.username), {
          all: true,
        }),
    },
    record,
  );
}

/** Records the searches of applications for people. The signatures of hashes are recorded with their transactions. */
export function auditedHashCalls(hashCalls: HashCalls, record: RecordAudit): HashCalls {
  return audited(
    hashCalls,
    {
      discover:
        ({ clientId, username }) =>
        (slot) => ({
          kind: 'person-searched',
          subject: applicationSubject(clientId),
          detail: { username: maskEveryNumber(username), found: slot !== undefined },
        }),
    },
    record,
  );
}

/** Records changes that administrators make over the network, and the beginning and end of their tokens. */
export function auditedAdministrators(administrators: Administrators, record: RecordAudit): Administrators {
  return audited(
    administrators,
    {
      add: (name, scopes) => always('administrator-added', administratorSubject(name), { scopes: [...scopes].sort() }),
      act: (name, operation) => always('administrator-acted', administratorSubject(name), { operation }),
      revoke: (name) => always('administrator-revoked', administratorSubject(name)),
    },
    record,
  );
}

/** Records changes of webhook endpoints, without their URLs, whose queries may contain secrets. */
export function auditedWebhooks(webhooks: Webhooks, record: RecordAudit): Webhooks {
  const changed = (clientId: string, webhook: string, changed: readonly string[]): AuditEvent => ({
    kind: 'application-changed',
    subject: applicationSubject(clientId),
    detail: { webhook, changed },
  });
  return audited(
    webhooks,
    {
      add:
        () =>
        ({ endpoint }) =>
          changed(endpoint.clientId, endpoint.id, ['added']),
      change: (clientId, id, change) => () => changed(clientId, id, namesOf(change)),
      rotate: (clientId, id) => () => changed(clientId, id, ['secret']),
      remove: (clientId, id) => () => changed(clientId, id, ['removed']),
    },
    record,
  );
}

/** The event of a refresh token used twice, which ends all tokens of its permission. */
export function refreshTokenReused(clientId: string): AuditEvent {
  return {
    kind: 'token-revoked',
    subject: applicationSubject(clientId),
    detail: { all: false, reason: 'refresh-token-reused' },
  };
}

export function auditedConsent(consent: Consent, record: RecordAudit): Consent {
  return audited(
    consent,
    {
      answer: (id, decision) => {
        const asked = consent.questions().find((question) => question.id === id);
        const subject = asked === undefined ? null : siteSubject(asked.origin);
        if (!decision.allow) return always('consent-refused', subject);
        return always('consent-given', subject, { scopes: [...decision.scopes].sort(), days: decision.days });
      },
      allow: () => (grant) => ({
        kind: 'consent-given',
        subject: siteSubject(grant.origin),
        detail: { scopes: [...grant.scopes].sort(), expires: grant.expiresAt?.toISOString() ?? null },
      }),
      revoke: (origin) => always('consent-revoked', siteSubject(origin)),
      allowFiles: () => (grant) => ({
        kind: 'consent-given',
        subject: siteSubject(grant.caller),
        detail: { folder: grant.root, access: grant.access, expires: grant.expiresAt?.toISOString() ?? null },
      }),
      revokeFiles: (caller, root) => always('consent-revoked', siteSubject(caller), { folder: root }),
      allowSignatures: ({ origin, certificateFingerprint, signaturesLeft, expiresAt }) =>
        always('signatures-allowed', siteSubject(origin), {
          certificate: certificateFingerprint,
          signatures: signaturesLeft,
          expires: expiresAt.toISOString(),
        }),
      endStandingApproval: (origin, certificate) =>
        always('signatures-allowance-ended', siteSubject(origin), { certificate }),
    },
    record,
  );
}

/** Records changes of the users of this computer and of their links. */
export function auditedAssistant(assistant: Assistant, record: RecordAudit): Assistant {
  return audited(
    assistant,
    {
      addUser: (username) => always('user-added', personSubject(username)),
      selectUser: (username) => always('user-selected', personSubject(username)),
      removeUser: (id) => always('user-removed', `user:${id}`),
      linkCertificate: (username, certificate) =>
        always('certificate-linked', personSubject(username), { certificate }),
      unlinkCertificate: (username, certificate) =>
        always('certificate-unlinked', personSubject(username), { certificate }),
    },
    record,
  );
}

/** The names of the properties that a change sets, in alphabetical order. */
const namesOf = (change: object): readonly string[] => Object.keys(dropUndefined(change)).sort();
