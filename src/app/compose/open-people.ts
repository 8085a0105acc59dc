import type { Assistant } from '../../service/assistant/index.ts';
import { auditedAssistant } from '../../service/audit/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { AuditTrail } from '../log/audit-trail.ts';
import { linkedTo, openAssistant, type AssistantParts } from './open-assistant.ts';
import type { EventListeners } from './open-consent.ts';
import { openIdentity, type Identity } from './open-identity.ts';

/** The callers and people of this instance: people, applications, and the users of this computer. */
export interface People extends Identity {
  readonly assistant: Assistant;
  /** Fingerprints of a user's certificates; empty for a person who is not a user of this computer. */
  readonly linkedCertificates: (username: string) => Promise<readonly string[]>;
}

/** Builds these services; `closeLater` receives the parts that must be closed. */
export async function openPeople(
  parts: Omit<AssistantParts, 'identity'> & {
    readonly storage: Pick<Storage, 'database' | 'mayErase' | 'sharedWith' | 'shortLived'>;
    readonly events: EventListeners;
    readonly audit: Pick<AuditTrail, 'record'>;
  },
  closeLater: (one: { close(): Promise<void> }) => void,
): Promise<People> {
  const { storage, secrets, events, audit, now } = parts;
  const changed = (): void => {
    events.tell({ name: 'users-changed' });
  };
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
  const opened = await openAssistant({ ...parts, identity });
  closeLater(opened);
  opened.onChange(changed);
  const assistant = auditedAssistant(opened, audit.record);
  return {
    ...identity,
    assistant,
    linkedCertificates: async (username) => linkedTo(assistant, username),
  };
}
