import type { SqliteStatement } from 'kysely';

/** The only parameter of a statement that runs once for each row of values, in order, in a single call. */
export class ManyRows {
  readonly rows: readonly (readonly unknown[])[];

  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows;
  }
}

/** Makes a statement also accept `ManyRows`; `all` then answers a list of rows for each run. */
export function takesManyRows(statement: SqliteStatement): SqliteStatement {
  return {
    reader: statement.reader,
    all(parameters) {
      const many = parameters[0];
      return many instanceof ManyRows ? many.rows.map((row) => statement.all(row)) : statement.all(parameters);
    },
    run(parameters) {
      const many = parameters[0];
      if (!(many instanceof ManyRows)) return statement.run(parameters);
      for (const row of many.rows) statement.run(row);
      return { changes: many.rows.length, lastInsertRowid: 0 };
    },
    iterate: (parameters) => statement.iterate(parameters),
  };
}
