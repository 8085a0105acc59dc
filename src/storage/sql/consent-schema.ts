/** The tables of consent and assistant. Times are milliseconds since 1970, UTC; flags 0 or 1. */

export interface SiteGrantRow {
  origin: string;
  /** Scopes joined by spaces. */
  scopes: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  uses: number;
}

export interface StandingApprovalRow {
  origin: string;
  certificate_fingerprint: string;
  signatures_left: number;
  expires_at: number;
}

export interface FileGrantRow {
  /** Origin or client id. */
  caller: string;
  root: string;
  access: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  uses: number;
}

export interface CachedUserRow {
  id: number;
  username: string;
  name: string;
  photo: string | null;
  updated_at: number;
  selected: number;
}

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
  site_grants: SiteGrantRow;
  standing_approvals: StandingApprovalRow;
  file_grants: FileGrantRow;
  cached_users: CachedUserRow;
  user_certificates: UserCertificateRow;
  computer_application: ComputerApplicationRow;
}
