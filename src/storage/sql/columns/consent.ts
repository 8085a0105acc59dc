/** The tables of consent and assistant. */
import type { CachedUser } from '../../../service/assistant/index.ts';
import type { FileGrant, GrantScope, SiteGrant, StandingApproval } from '../../../service/consent/index.ts';
import { converted, date, flag, integer, nullable, recordColumns, text, type RowOf } from './columns.ts';

export const siteGrantColumns = recordColumns<Omit<SiteGrant, 'source'>>()({
  origin: text('origin'),
  // Joined by spaces.
  scopes: converted(
    'scopes',
    (scopes: readonly GrantScope[]) => scopes.join(' '),
    (stored) => stored.split(' ') as readonly GrantScope[],
  ),
  createdAt: date('created_at'),
  expiresAt: nullable(date('expires_at')),
  lastUsedAt: nullable(date('last_used_at')),
  uses: integer('uses'),
});

export const standingApprovalColumns = recordColumns<StandingApproval>()({
  origin: text('origin'),
  certificateFingerprint: text('certificate_fingerprint'),
  signaturesLeft: integer('signatures_left'),
  expiresAt: date('expires_at'),
});

export const fileGrantColumns = recordColumns<Omit<FileGrant, 'source'>>()({
  // Origin or client id.
  caller: text('caller'),
  root: text('root'),
  access: text('access'),
  createdAt: date('created_at'),
  expiresAt: nullable(date('expires_at')),
  lastUsedAt: nullable(date('last_used_at')),
  uses: integer('uses'),
});

export const cachedUserColumns = recordColumns<CachedUser>()({
  id: integer('id'),
  username: text('username'),
  name: text('name'),
  photo: nullable(text('photo')),
  updatedAt: date('updated_at'),
  selected: flag('selected'),
});

interface UserCertificateRow {
  user_id: number;
  fingerprint: string;
}

interface ComputerApplicationRow {
  /** Always 1: there is one computer. */
  id: number;
  client_name: string;
  client_id: string;
  /** Sealed for this client id. */
  sealed_secret: Buffer;
}

export interface ConsentTables {
  site_grants: RowOf<typeof siteGrantColumns>;
  standing_approvals: RowOf<typeof standingApprovalColumns>;
  file_grants: RowOf<typeof fileGrantColumns>;
  cached_users: RowOf<typeof cachedUserColumns>;
  user_certificates: UserCertificateRow;
  computer_application: ComputerApplicationRow;
}
