import type { Kysely } from 'kysely';
import type { RowOf } from './columns/columns.ts';
import type { ConsentTables } from './columns/consent.ts';
import type { DocumentRow } from './columns/documents.ts';
import type { IdentityTables } from './columns/identity.ts';
import type { NotificationTables } from './columns/notifications.ts';
import type { RenewalRow, RevocationCacheRow, shortLivedColumns } from './columns/others.ts';
import type { TransactionRow } from './columns/transactions.ts';

/** A point in time: milliseconds since 1970, UTC. */
type Instant = number;
/** JSON text. */
type Json = string;

/** The bytes of a small document, by the document's key. */
interface SmallDocumentRow {
  key: string;
  octets: Buffer;
}

interface ResultBlocksRow {
  key: string;
  /** SHA-256 of each MiB of the result, 32 bytes each. */
  hashes: Buffer;
}

interface IdempotencyKeyRow {
  key: string;
  body_digest: string;
  tcn: string;
  created_at: Instant;
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
  sealed_key: Buffer;
  /** Increases with each replacement; part of the place to which the seal is bound. */
  version: number;
}

/** The node counts as alive until this time, by the clock of the database. */
interface NodeRow {
  id: string;
  alive_until: Instant;
  /** Bytes that running requests of the node have reserved and not written yet. */
  reserved_on_disk: number;
  reserved_documents: number;
  /** Milliseconds by which the clock of the node is ahead of the database's. */
  clock_offset: number;
}

interface HealthProbeRow {
  id: number;
  value: string;
}

/** A single row. */
interface DocumentSpaceRow {
  id: number;
  /** Bytes of the stored originals and results. */
  octets: number;
  /** Bytes reserved for results that are not written yet. */
  awaited: number;
}

/** A word for searches in History, in capital letters without accents. */
interface HistoryWordRow {
  word: string;
}

/** A transaction that contains a word, or a document whose hash has this beginning. */
interface HistoryEntryRow {
  word: string;
  number: number;
}

/** The person or company of a certificate that signed. */
interface SignerRow {
  fingerprint: string;
  name: string;
  /** CPF or CNPJ, masked. */
  number: string | null;
  words: string;
}

/** All tables. Rows keep the column names of the database, because renaming the columns of every row costs time. */
export interface Tables extends AuditTables, IdentityTables, ConsentTables, NotificationTables {
  transactions: TransactionRow;
  documents: DocumentRow;
  document_space: DocumentSpaceRow;
  small_originals: SmallDocumentRow;
  small_results: SmallDocumentRow;
  result_blocks: ResultBlocksRow;
  idempotency_keys: IdempotencyKeyRow;
  settings: SettingRow;
  private_keys: PrivateKeyRow;
  health_probe: HealthProbeRow;
  revocation_cache: RevocationCacheRow;
  renewals: RenewalRow;
  nodes: NodeRow;
  short_lived: RowOf<typeof shortLivedColumns>;
  signers: SignerRow;
  history_words: HistoryWordRow;
  history_entries: HistoryEntryRow;
}

export type Database = Kysely<Tables>;

/** A row of the audit log, as defined by the service. */
interface AuditLogRow {
  sequence: number;
  /** Milliseconds since 1970, UTC. */
  at: number;
  kind: string;
  subject: string | null;
  /** JSON text. */
  detail: string;
  previous: string;
  hash: string;
}

/** The single row, of id 1, with the end of the log. */
interface AuditHeadRow {
  id: number;
  sequence: number;
  hash: string;
}

/** The tables of the audit log. */
interface AuditTables {
  audit_log: AuditLogRow;
  audit_head: AuditHeadRow;
}
