import {
  tellAfter,
  transactionSubject,
  type AuditEvent,
  type AuditKind,
  type RecordAudit,
} from '../../service/audit/index.ts';
import type { AuditRowView } from '../../ui-contract/audit-calls.ts';
import type { CallHandlers, CallName } from '../../ui-contract/ui-contract.ts';
import type { Core } from '../compose/open-core.ts';

type AuditCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `audit.${string}`>>;

/** The calls about the audit log. */
export function auditCalls({ audit }: Pick<Core, 'audit'>): AuditCalls {
  return {
    'audit.list': async ({ after, before, tcn, limit }) => {
      const rows = await audit.page({
        limit,
        after,
        before,
        subject: tcn === undefined ? undefined : transactionSubject(tcn),
      });
      return rows.map(({ at, ...row }): AuditRowView => ({ ...row, at: new Date(at).toISOString() }));
    },
    'audit.verify': async () => audit.verify(),
  };
}

type Rule<Name extends CallName> = (
  input: Parameters<CallHandlers[Name]>[0],
  output: Awaited<ReturnType<CallHandlers[Name]>>,
) => AuditEvent;

const event = (kind: AuditKind, subject: string | null, detail: AuditEvent['detail'] = {}): AuditEvent => ({
  kind,
  subject,
  detail,
});

/**
 * Audit events of calls. Transactions, people and sites are missing here, because their services write their own
 * events.
 */
const rules: { readonly [Name in CallName]?: Rule<Name> } = {
  'trust.import': (_input, { anchors, intermediates }) =>
    event('trust-changed', null, { action: 'import', roots: anchors.map((one) => one.fingerprint), intermediates }),
  'trust.update': (_input, { anchors, intermediates }) =>
    event('trust-changed', null, { action: 'update', roots: anchors.map((one) => one.fingerprint), intermediates }),
  'trust.remove': ({ fingerprint }) => event('trust-changed', null, { action: 'remove', roots: [fingerprint] }),
  'trust.accept': ({ fingerprint }) => event('trust-changed', null, { action: 'accept', roots: [fingerprint] }),
  'tsa.add': ({ id, url, digest }) =>
    event('timestamp-servers-changed', `timestamp-server:${id}`, { action: 'add', host: hostOf(url), digest }),
  'tsa.remove': ({ id }) => event('timestamp-servers-changed', `timestamp-server:${id}`, { action: 'remove' }),
  'tsa.reorder': ({ ids }) => event('timestamp-servers-changed', null, { action: 'reorder', order: ids }),
  'modules.add': ({ path }) => event('modules-changed', null, { action: 'add', path }),
  'modules.remove': ({ id }) => event('modules-changed', `module:${id}`, { action: 'remove' }),
  'modules.retry': ({ id }) => event('modules-changed', `module:${id}`, { action: 'retry' }),
  'clock.accept': (_input, { now }) => event('clock-accepted', null, { clock: now }),
  'secrets.keep': () => event('master-key-moved', null, { to: 'key-file' }),
  'stores.add': ({ id, kind }) => event('stores-changed', `store:${id}`, { action: 'add', kind }),
  'stores.remove': ({ id }) => event('stores-changed', `store:${id}`, { action: 'remove' }),
  'certificates.import': (_input, added) =>
    event('certificate-added', null, { source: 'file', certificates: added.map(({ fingerprint }) => fingerprint) }),
  'certificates.makeTestIdentity': (_input, { fingerprint }) =>
    event('certificate-added', null, { source: 'test', certificates: [fingerprint] }),
  'certificates.remove': ({ alias }) => event('certificate-removed', `certificate:${alias}`),
  'certificates.unlock': (_input, { fingerprint }) => event('key-unlocked', `certificate:${fingerprint}`),
  'certificates.lock': (_input, { fingerprint }) => event('key-locked', `certificate:${fingerprint}`),
};

/** Adds the audit log to the table of calls: a change is logged right after its call. */
export function withAudit(handlers: CallHandlers, record: RecordAudit): CallHandlers {
  const entries = Object.entries(handlers).map(([name, handle]) => {
    const rule = (rules as Readonly<Record<string, ((input: unknown, output: unknown) => AuditEvent) | undefined>>)[
      name
    ];
    if (rule === undefined) return [name, handle] as const;
    const told = (input: unknown) => (output: unknown) => rule(input, output);
    return [name, tellAfter(handle as (...input: readonly unknown[]) => unknown, told, record)] as const;
  });
  return Object.fromEntries<unknown>(entries) as CallHandlers;
}

/** Only the host is logged, because a URL may contain a secret key. */
function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}
