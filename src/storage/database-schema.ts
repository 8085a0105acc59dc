import type { Kysely } from 'kysely';

/** A point in time: milliseconds since 1970, UTC. */
type Instant = number;
/** 0 or 1. */
type Flag = number;
/** JSON text. */
type Json = string;

export interface TransactionRow {
  tcn: string;
  type: string;
  digest: string;
  policy: string;
  documentsSource: string;
  destination: string;
  mode: string;
  autoFixDocument: Flag;
  returnSignature: Flag;
  settings: Json;
  requesterKind: string;
  requesterName: string;
  certificateAlias: string;
  certificateFingerprint: string;
  keySource: string;
  approval: string;
  uploadOpen: Flag;
  waitingFor: string | null;
  createdAt: Instant;
  finishedAt: Instant | null;
}

export interface DocumentRow {
  key: string;
  tcn: string;
  position: number;
  id: string;
  status: string;
  originalFileName: string | null;
  mediaType: string | null;
  settingId: string | null;
  contentKind: string | null;
  contentPath: string | null;
  size: number | null;
  checksum: string | null;
  destinationPath: string | null;
  destinationFileName: string | null;
  /** A delivery while WAITING, the result once SIGNED. */
  resultSize: number | null;
  resultChecksum: string | null;
  resultSignedAt: Instant | null;
  resultSignature: string | null;
  resultExpiresAt: Instant | null;
  resultErasedAt: Instant | null;
  errorCode: string | null;
  errorDetail: string | null;
}

interface IdempotencyKeyRow {
  key: string;
  bodyDigest: string;
  tcn: string;
  createdAt: Instant;
}

interface SettingRow {
  key: string;
  value: Json;
}

interface PrivateKeyRow {
  id: string;
  position: number;
  label: string;
  certificate: Buffer;
  /** Length-prefixed DER certificates, nearest issuer first. */
  chain: Buffer;
  /** The private key, sealed for this row. */
  sealedKey: Buffer;
  /** Raised at each replacement; part of what the seal is bound to. */
  version: number;
}

interface HealthProbeRow {
  id: number;
  value: string;
}

/** The tables, in the code's spelling; columns are snake_case in the file. */
export interface Tables {
  transactions: TransactionRow;
  documents: DocumentRow;
  idempotencyKeys: IdempotencyKeyRow;
  settings: SettingRow;
  privateKeys: PrivateKeyRow;
  healthProbe: HealthProbeRow;
}

export type Database = Kysely<Tables>;
