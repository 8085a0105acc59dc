import { type Compilable, CompiledQuery, type Kysely, type QueryResult } from 'kysely';
import type { Tables } from './database-schema.ts';

/** The place of a value in a statement. It fits every column: values are checked where the statement is run. */
export type Place = (name: string) => never;

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A statement of which only the values change: it is built and compiled once, because a batch runs it a thousand times. */
export class RepeatedStatement<Values extends object, Row = unknown> {
  readonly #build: (database: Kysely<Tables>, place: Place) => Compilable<Row>;
  #compiled: CompiledQuery<Row> | undefined;

  constructor(build: (database: Kysely<Tables>, place: Place) => Compilable<Row>) {
    this.#build = build;
  }

  async run(database: Kysely<Tables>, values: Values): Promise<QueryResult<Row>> {
    this.#compiled ??= this.#build(database, (name) => new Slot(name) as never).compile();
    const { sql, parameters } = this.#compiled;
    const given = parameters.map((value): unknown => (value instanceof Slot ? Reflect.get(values, value.name) : value));
    return database.executeQuery<Row>(CompiledQuery.raw(sql, given));
  }
}
