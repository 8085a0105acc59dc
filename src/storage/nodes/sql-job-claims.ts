import { sql, type RawBuilder } from 'kysely';
import type { Reserved } from '../../service/space/index.ts';
import type { ClaimedJob, JobClaim, JobClaimStore } from '../../service/transactions/index.ts';
import { databaseTime } from '../sql/commits.ts';
import type { Database } from '../sql/database-schema.ts';
import { storing } from '../service-failure.ts';

/** Milliseconds for which a node counts as alive after its last heartbeat. */
const ALIVE_FOR = 10_000;

/** True for a row of `transactions` whose job no other living node has. */
const isFree = (node: string): RawBuilder<boolean> => sql<boolean>`(
  transactions.claimed_by is null or transactions.claimed_by = ${node} or not exists (
    select from nodes where nodes.id = transactions.claimed_by and nodes.alive_until > ${databaseTime}))`;

interface ClaimRow {
  readonly tcn: string;
  readonly claim_number: number;
  readonly hold: string | null;
  readonly key_source: string;
  readonly certificate_fingerprint: string;
  /** The node that had the job before; null after a release. */
  readonly earlier_node: string | null;
}

const claimed = sql`claimed_by = excluded_node.id, claim_number = coalesce(claim_number, 0) + 1`;
const answered = sql`
  transactions.tcn, transactions.claim_number, transactions.hold, transactions.key_source,
  transactions.certificate_fingerprint, earlier.node as earlier_node`;

/**
 * Claims in the rows of the transactions themselves, on PostgreSQL: a claim is a compare-and-set of one statement, and
 * each commit of a job requires its claim (`requireClaims`).
 */
export class SqlJobClaims implements JobClaimStore {
  readonly node: string;
  readonly #database: Database;
  readonly #home: string;

  /** @param home the name of the data folder, for transactions with files of this computer */
  constructor(database: Database, names: { readonly node: string; readonly home: string }) {
    this.#database = database;
    this.node = names.node;
    this.#home = names.home;
  }

  async claim(tcn: string): Promise<ClaimedJob | undefined> {
    const { rows } = await storing(() =>
      sql<ClaimRow>`
        update transactions set ${claimed} from (select ${this.node}::text as id) as excluded_node,
          (select claimed_by as node from transactions where tcn = ${tcn}) as earlier
        where tcn = ${tcn} and incomplete is null and ${isFree(this.node)} and ${this.#isHere()}
        returning ${answered}`.execute(this.#database),
    );
    return rows[0] && this.#jobOf(rows[0]);
  }

  async claimNext(most: number, except: readonly string[]): Promise<readonly ClaimedJob[]> {
    // The first job of each owner comes before the second of any owner; jobs already claimed count as earlier ones.
    const { rows } = await storing(() =>
      sql<ClaimRow>`
        with waiting as (
          select tcn, created_at, ${isFree(this.node)} as is_free, hold, home_node,
            row_number() over (
              partition by coalesce(turn_owner, requester_kind || ' ' || requester_name)
              order by ${isFree(this.node)}, created_at, tcn) as place
          from transactions
          where finished_at is null and waiting_for is null and upload_open = 0 and incomplete is null
        ), due as (
          select transactions.tcn, transactions.claimed_by as node from transactions join waiting on waiting.tcn = transactions.tcn
          where waiting.is_free and ${isFree(this.node)} and ${this.#isHere()}
            and coalesce(transactions.hold, '') <> 'paused' and transactions.tcn <> all (${[...except]}::text[])
          order by waiting.place, waiting.created_at limit ${most}
          for update of transactions skip locked
        )
        update transactions set ${claimed} from due as earlier, (select ${this.node}::text as id) as excluded_node
        where transactions.tcn = earlier.tcn
        returning ${answered}`.execute(this.#database),
    );
    return rows.map((row) => this.#jobOf(row));
  }

  async release({ tcn, node, number }: JobClaim): Promise<void> {
    await storing(() =>
      this.#database
        .updateTable('transactions')
        .set({ claimed_by: null })
        .where('tcn', '=', tcn)
        .where('claimed_by', '=', node)
        .where('claim_number', '=', number)
        .execute(),
    );
  }

  async hold(tcn: string, hold: 'paused' | 'cancelled' | null): Promise<void> {
    await storing(() =>
      this.#database
        .updateTable('transactions')
        .set({ hold })
        .where('tcn', '=', tcn)
        .where('finished_at', 'is', null)
        .execute(),
    );
  }

  async countAlive(): Promise<number> {
    const { rows } = await storing(() =>
      sql<{ count: number }>`select count(*) as count from nodes where alive_until > ${databaseTime}`.execute(
        this.#database,
      ),
    );
    return rows[0]?.count ?? 0;
  }

  /** The living nodes, and the unfinished transactions that this node has claimed. */
  async countNodes(): Promise<{ readonly alive: number; readonly jobs: number }> {
    const { rows } = await storing(() =>
      sql<{ alive: number; jobs: number }>`
        select (select count(*) from nodes where alive_until > ${databaseTime}) as alive,
          (select count(*) from transactions where claimed_by = ${this.node} and finished_at is null) as jobs`.execute(
        this.#database,
      ),
    );
    return rows[0] ?? { alive: 0, jobs: 0 };
  }

  /** Records that this node is alive and the time of its clock, and removes nodes that ended a day ago. */
  async beat(now = Date.now()): Promise<void> {
    await sql`
      with forgotten as (delete from nodes where alive_until < ${databaseTime} - 86400000)
      insert into nodes (id, alive_until, clock_offset)
      values (${this.node}, ${databaseTime} + ${ALIVE_FOR}::bigint, ${now}::bigint - ${databaseTime})
      on conflict (id) do update set alive_until = excluded.alive_until, clock_offset = excluded.clock_offset`.execute(
      this.#database,
    );
  }

  /** Largest difference in milliseconds between the clocks of two living nodes. */
  async clockSpread(): Promise<number> {
    const { rows } = await storing(() =>
      sql<{ spread: number | null }>`
        select max(clock_offset) - min(clock_offset) as spread from nodes where alive_until > ${databaseTime}`.execute(
        this.#database,
      ),
    );
    return rows[0]?.spread ?? 0;
  }

  /** Stores the disk space that requests of this node have reserved; answers that of the other living nodes. */
  async exchangeReserved({ onDisk, kept }: Reserved): Promise<Reserved> {
    const { rows } = await storing(() =>
      sql<{ on_disk: number; kept: number }>`
        with noted as (
          update nodes set reserved_on_disk = ${onDisk}::bigint, reserved_documents = ${kept}::bigint
          where id = ${this.node})
        select coalesce(sum(reserved_on_disk), 0)::bigint as on_disk, coalesce(sum(reserved_documents), 0)::bigint as kept
        from nodes where id <> ${this.node} and alive_until > ${databaseTime}`.execute(this.#database),
    );
    return { onDisk: rows[0]?.on_disk ?? 0, kept: rows[0]?.kept ?? 0 };
  }

  /** Releases all claims of this node. */
  async leave(): Promise<void> {
    await this.#database.deleteFrom('nodes').where('id', '=', this.node).execute();
  }

  #isHere(): RawBuilder<boolean> {
    return sql<boolean>`(transactions.home_node is null or transactions.home_node = ${this.#home})`;
  }

  #jobOf(row: ClaimRow): ClaimedJob {
    return {
      tcn: row.tcn,
      node: this.node,
      number: row.claim_number,
      hold: row.hold === 'paused' || row.hold === 'cancelled' ? row.hold : null,
      tokenCertificate: row.key_source === 'token' ? row.certificate_fingerprint : null,
      isTakenOver: row.earlier_node !== null && row.earlier_node !== this.node,
    };
  }
}
