import type { Assistant } from '../../service/assistant/index.ts';
import { auditedAssistant, auditedConsent } from '../../service/audit/index.ts';
import type { Consent } from '../../service/consent/index.ts';
import type { Transactions } from '../../service/transactions/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { AuditTrail } from '../log/audit-trail.ts';
import type { Log } from '../log/log.ts';
import { openAssistant, type AssistantParts } from './open-assistant.ts';
import { followNodes } from '../nodes/follow-nodes.ts';
import { grantRows, openConsentOf, type EventListeners } from './open-consent.ts';
import { openIdentity, type Identity } from './open-identity.ts';

/** The callers and people of this instance: sites, people, applications, and the users of this computer. */
export interface People extends Identity {
  readonly consent: Consent;
  readonly assistant: Assistant;
}

/** Builds these services; `closeLater` receives the parts that must be closed. */
export async function openPeople(
  parts: Omit<AssistantParts, 'identity'> & {
    readonly storage: Pick<Storage, 'database' | 'mayErase' | 'transactions' | 'shortLived' | 'sharedWith'>;
    readonly transactions: Transactions;
    readonly events: EventListeners;
    readonly audit: Pick<AuditTrail, 'record'>;
    readonly log: Pick<Log, 'service'>;
  },
  closeLater: (one: { close(): Promise<void> }) => void,
): Promise<People> {
  const { storage, secrets, events, audit, now } = parts;
  const changed = (): void => {
    events.tell({ name: 'users-changed' });
  };
  const consent = await openConsentOf(parts);
  closeLater(consent);
  closeLater(
    followNodes(parts, {
      of: [grantRows],
      async read() {
        await consent.refresh();
        events.tell({ name: 'consent-changed' });
      },
    }),
  );
  const identity = openIdentity({
    storage,
    secrets,
    now,
    record: audit.record,
    onChange: changed,
    approvalSession: parts.configuration.approval.session,
  });
  identity.authorizationRequests.onChange(() => {
    events.tell({ name: 'authorizations-changed' });
  });
  const assistant = await openAssistant({ ...parts, identity });
  closeLater(assistant);
  assistant.onChange(changed);
  return {
    ...identity,
    consent: auditedConsent(consent, audit.record),
    assistant: auditedAssistant(assistant, audit.record),
  };
}
