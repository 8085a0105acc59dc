import type { Kysely } from 'kysely';
import type { AuditTables } from './audit-tables.ts';
import type { ConsentTables } from './consent-schema.ts';
import type { IdentityTables } from './identity-tables.ts';
import type { NotificationTables } from './notification-schema.ts';

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
  documents_source: string;
  destination: string;
  mode: string;
  auto_fix_document: Flag;
  return_signature: Flag;
  settings: Json;
  requester_kind: string;
  requester_name: string;
  certificate_alias: string;
  certificate_fingerprint: string;
  key_source: string;
  approval: string;
  /** End of the upload; null if a waiting transaction has waited since its creation. */
  waiting_since: Instant | null;
  /** The ground of an approval without a question. */
  approved_by: string | null;
  /**
   * The list that the transaction belongs to: `application <client id>`, `person <number>`, `site <origin>`,
   * `programs`.
   */
  caller: string | null;
  upload_open: Flag;
  waiting_for: string | null;
  created_at: Instant;
  finished_at: Instant | null;
  /** The options of `SignatureRequest` without a column of their own, and the span of the create request. */
  options: Json;
  /** DER of the existing signature to add a signer to. */
  existing_signature: Buffer | null;
  /** Maximum number of documents of the transaction, when a token allows fewer than this instance. */
  document_limit: number | null;
  /** The client to notify. */
  callback: Json | null;
  /** The transaction's queue by its credentials, under names without personal data. */
  turn_owner: string | null;
  turn_token: string | null;
  /** The node that works on the transaction (`nodes`), and the number of its claim, which only increases. */
  claimed_by: string | null;
  claim_number: number | null;
  /** `paused` or `cancelled` by the owner, for every node. */
  hold: string | null;
  /** The data folder whose computer has the files of the transaction; null: any node signs. */
  home_node: string | null;
  /**
   * The number of the transaction in `history_entries`. Null: the transaction is not in the index of History yet.
   * Negative: a part of its documents is.
   */
  history_number: number | null;
  /** Not null: documents of the transaction are still being stored, and nobody sees the transaction. */
  incomplete: number | null;
}

export interface DocumentRow {
  key: string;
  tcn: string;
  position: number;
  id: string;
  /** 1: the create request named the id, or the document. */
  announced_id: number;
  announced_name: number;
  status: string;
  original_file_name: string | null;
  media_type: string | null;
  setting_id: string | null;
  content_kind: string | null;
  content_path: string | null;
  size: number | null;
  checksum: string | null;
  destination_path: string | null;
  destination_url: string | null;
  destination_file_name: string | null;
  /** Size, hash and findings: of the pending delivery while WAITING, of the result once SIGNED. */
  result_size: number | null;
  result_checksum: string | null;
  result_signed_at: Instant | null;
  result_signature: string | null;
  result_expires_at: Instant | null;
  result_erased_at: Instant | null;
  error_code: string | null;
  error_detail: string | null;
  repairs: Json | null;
  /** Sentences about stamps moved into their pages. */
  adjustments: Json | null;
  /** How often the result was replaced by its extended form; null: never. */
  revision: number | null;
  /** The level that is still to come, since when, and the next attempt. */
  pending_level: string | null;
  pending_since: Instant | null;
  pending_next: Instant | null;
  /** Bytes and SHA-256 of the extended file that is about to replace the user's file. */
  pending_size: number | null;
  pending_checksum: string | null;
  /** Why a pending level will not be reached. */
  pending_code: string | null;
  pending_detail: string | null;
  /** Warnings about the standards of a PDF. */
  warnings: Json | null;
  /** The number of the claim under which the files were written, as part of their names; null for a single instance. */
  attempt: number | null;
}

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

/** `der` and `crl_index`, or `problem_code` and `problem_sentence`. */
export interface RevocationCacheRow {
  issuer_key: string;
  kind: string;
  locator: string;
  der: Buffer | null;
  crl_index: Buffer | null;
  problem_code: string | null;
  problem_sentence: string | null;
  fresh_until: Instant;
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

/** An entry of `ShortLivedStore`. */
export interface ShortLivedRow {
  kind: string;
  key: string;
  owner: string;
  content: Json;
  ends_at: Instant;
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

/** A file that is kept valid. */
export interface RenewalRow {
  path: string;
  origin: string;
  /** 0 if a person does not want this file of History to be kept valid. */
  kept: Flag;
  /** Null before the first check; then the state of `outcome`. */
  state: string | null;
  outcome: Json | null;
  protected_until: Instant | null;
  checked_at: Instant | null;
  next_at: Instant;
  renewed_at: Instant | null;
  troubled_since: Instant | null;
  /** SHA-256 of the renewed file that is about to replace the old one. */
  replacement: string | null;
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
  short_lived: ShortLivedRow;
  signers: SignerRow;
  history_words: HistoryWordRow;
  history_entries: HistoryEntryRow;
}

export type Database = Kysely<Tables>;
