import SqliteDatabase from 'better-sqlite3';
import { hashAuditRow, type AuditRow } from '../../src/service/audit/index.ts';

/** How much is added to a database. */
export interface HistorySize {
  readonly transactions: number;
  /** Documents of each transaction; every thousandth has failed. */
  readonly documents: number;
  readonly auditRows: number;
}

/** Milliseconds between two transactions: about two months for 200,000. */
const APART = 26_000;

/**
 * Makes the history of a stopped instance long: copies of its first signed transaction, older and older, and rows of the
 * audit log whose chain is sound.
 */
export function lengthenHistory(path: string, { transactions, documents, auditRows }: HistorySize): void {
  const database = new SqliteDatabase(path);
  try {
    database.pragma('synchronous = off');
    database.transaction(() => {
      copyTransactions(database, transactions, documents);
      addAuditRows(database, auditRows);
    })();
  } finally {
    database.close();
  }
}

function copyTransactions(database: SqliteDatabase.Database, transactions: number, documents: number): void {
  const columnsOf = (table: string, ...own: readonly string[]): string =>
    (database.prepare(`select name from pragma_table_info('${table}')`).pluck().all() as string[])
      .filter((name) => !own.includes(name))
      .map((name) => `"${name}"`)
      .join(', ');
  const first = "(select tcn from documents where status = 'SIGNED' limit 1)";
  const numbers = (count: number): string =>
    `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${count} - 1)`;
  const others = columnsOf('transactions', 'tcn', 'created_at', 'finished_at', 'history_number');
  database
    .prepare(
      `${numbers(transactions)} insert into transactions (tcn, created_at, finished_at, ${others})
       select printf('%032x', n), created_at - (n + 1) * ${APART}, created_at - (n + 1) * ${APART}, ${others}
       from transactions, numbers where tcn = ${first}`,
    )
    .run();
  const own = ['key', 'tcn', 'position', 'id', 'status', 'original_file_name', 'error_code'] as const;
  const rest = columnsOf('documents', ...own);
  database
    .prepare(
      `${numbers(transactions * documents)} insert into documents (${own.join(', ')}, ${rest})
       select printf('%032x', n), printf('%032x', n / ${documents}), n % ${documents}, n % ${documents},
         iif(n % 1000 = 7, 'ERROR', 'SIGNED'), 'Contrato ' || n || '.pdf',
         iif(n % 1000 = 7, 'KEY_UNAVAILABLE', null), ${rest}
       from documents, numbers where key = (select key from documents where status = 'SIGNED' limit 1)`,
    )
    .run();
}

function addAuditRows(database: SqliteDatabase.Database, count: number): void {
  const head = database.prepare('select sequence, hash from audit_head where id = 1').get() as {
    readonly sequence: number;
    readonly hash: string;
  };
  const kind = 'documents-signed';
  const at = Date.now();
  const insert = database.prepare(
    'insert into audit_log values (@sequence, @at, @kind, @subject, @detail, @previous, @hash)',
  );
  let { sequence, hash } = head;
  for (let added = 0; added < count; added += 1) {
    const row = { sequence: sequence + 1, at, kind, subject: null, detail: '{}', previous: hash } as Omit<
      AuditRow,
      'hash'
    >;
    hash = hashAuditRow(row);
    insert.run({ ...row, hash });
    sequence = row.sequence;
  }
  database.prepare('update audit_head set sequence = ?, hash = ? where id = 1').run(sequence, hash);
}
