import { type Compilable, CompiledQuery, type DialectAdapter, type Kysely, type QueryResult } from 'kysely';
import type { Tables } from './database-schema.ts';
import { ManyRows } from './many-rows.ts';

/**
 * The placeholder of a value in a statement. Its type fits every column; the database checks values when the statement
 * runs.
 */
export type Place = (name: string) => never;

/** A placeholder for each column. */
export const placesOf = <Name extends string>(names: readonly Name[], place: Place): Record<Name, never> =>
  Object.fromEntries(names.map((name) => [name, place(name)])) as Record<Name, never>;

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A statement with changing values, built and compiled once, because a batch may run it a thousand times. */
export class RepeatedStatement<Values extends object, Row = unknown> {
  readonly #build: (database: Kysely<Tables>, place: Place) => Compilable<Row>;
  /** Compiled forms by the adapter of the database, because each engine needs its own. */
  readonly #compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();

  constructor(build: (database: Kysely<Tables>, place: Place) => Compilable<Row>) {
    this.#build = build;
  }

  async run(database: Kysely<Tables>, values: Values): Promise<QueryResult<Row>> {
    const compiled = this.#compile(database);
    return database.executeQuery<Row>(CompiledQuery.raw(compiled.sql, parametersOf(compiled, values)));
  }

  /**
   * Runs the statement for each element of `all` in a single call, which is much faster than separate calls. Answers
   * the rows of each, in order.
   */
  async runAll(database: Kysely<Tables>, all: readonly Values[]): Promise<readonly (readonly Row[])[]> {
    if (all.length === 0) return [];
    const compiled = this.#compile(database);
    const many = new ManyRows(all.map((values) => parametersOf(compiled, values)));
    const { rows } = await database.executeQuery<readonly Row[]>(CompiledQuery.raw(compiled.sql, [many]));
    return rows;
  }

  #compile(database: Kysely<Tables>): CompiledQuery<Row> {
    const { adapter } = database.getExecutor();
    const known = this.#compiled.get(adapter);
    if (known !== undefined) return known;
    const compiled = this.#build(database, (name) => new Slot(name) as never).compile();
    this.#compiled.set(adapter, compiled);
    return compiled;
  }
}

function parametersOf({ parameters }: CompiledQuery, values: object): unknown[] {
  return parameters.map((value): unknown => (value instanceof Slot ? Reflect.get(values, value.name) : value));
}
