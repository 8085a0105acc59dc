/**
 * How records are stored in rows. A column is told once: its name, its form in the database, and the property of the
 * record that it holds. The type of the row, its statements, and the ways from record to row and back follow from that.
 */

/** The form of one property of a record in one column. */
export interface Column<Name extends string, Stored, Value> {
  readonly name: Name;
  readonly write: (value: Value) => Stored;
  readonly read: (stored: Stored) => Value;
}

/** Any column that can hold this value. */
interface ColumnOf<Value> {
  readonly name: string;
  readonly write: (value: Value) => unknown;
  readonly read: (stored: never) => Value;
}

/** A column with a form of its own. */
export function converted<Name extends string, Stored, Value>(
  name: Name,
  write: (value: Value) => Stored,
  read: (stored: Stored) => Value,
): Column<Name, Stored, Value> {
  return { name, write, read };
}

const unchanged = (value: unknown): unknown => value;

/** The value itself. Values of closed sets are not checked: only this application writes them. */
function plain<Name extends string, Stored, Value extends Stored>(name: Name): Column<Name, Stored, Value> {
  return { name, write: unchanged as (value: Value) => Stored, read: unchanged as (stored: Stored) => Value };
}

export const text = <Name extends string, Value extends string>(name: Name) => plain<Name, string, Value>(name);

export const integer = <Name extends string>(name: Name) => plain<Name, number, number>(name);

export const bytes = <Name extends string>(name: Name) => plain<Name, Buffer, Buffer>(name);

/** 0 or 1. */
export const flag = <Name extends string>(name: Name): Column<Name, number, boolean> =>
  converted(name, Number, (stored) => stored === 1);

/** A point in time: milliseconds since 1970, UTC. */
export const date = <Name extends string>(name: Name): Column<Name, number, Date> =>
  converted(
    name,
    (time) => time.getTime(),
    (stored) => new Date(stored),
  );

/** JSON text. */
export const json = <Name extends string, Value>(name: Name): Column<Name, string, Value> =>
  converted(name, JSON.stringify, (stored) => JSON.parse(stored) as Value);

/** The column, with NULL for `null`. */
export const nullable = <Name extends string, Stored, Value>({
  name,
  write,
  read,
}: Column<Name, Stored, Value>): Column<Name, Stored | null, Value | null> =>
  converted(
    name,
    (value) => (value === null ? null : write(value)),
    (stored) => (stored === null ? null : read(stored)),
  );

/** The column, with NULL for a property that is absent. */
export const optional = <Name extends string, Stored, Value>({
  name,
  write,
  read,
}: Column<Name, Stored, Value>): Column<Name, Stored | null, Value | undefined> =>
  converted(
    name,
    (value) => (value === undefined ? null : write(value)),
    (stored) => (stored === null ? undefined : read(stored)),
  );

type ColumnsOf<Item> = { readonly [Property in keyof Item]-?: ColumnOf<Item[Property]> };

type StoredIn<Columns> = {
  [Property in keyof Columns as NameOf<Columns[Property]>]: Columns[Property] extends {
    readonly write: (value: never) => infer Stored;
  }
    ? Stored
    : never;
};

type NameOf<Some> = Some extends { readonly name: infer Name extends string } ? Name : never;

type Change<Item> = { readonly [Property in keyof Item]?: Item[Property] | undefined };

type AnyColumn = Column<string, unknown, unknown>;

/** The columns of a record. */
export class RecordColumns<Item extends object, Row extends object> {
  readonly names: readonly (keyof Row & string)[];
  readonly #columns: readonly (readonly [property: string, AnyColumn])[];

  constructor(columns: ColumnsOf<Item>) {
    this.#columns = Object.entries(columns as unknown as Record<string, AnyColumn>);
    this.names = this.#columns.map(([, { name }]) => name as keyof Row & string);
  }

  toRow(record: Item): Row {
    const row: Record<string, unknown> = {};
    for (const [property, { name, write }] of this.#columns) {
      row[name] = write((record as Readonly<Record<string, unknown>>)[property]);
    }
    return row as Row;
  }

  /** The columns of the properties that a change has. */
  toChange(change: Change<Item>): Partial<Row> {
    const row: Record<string, unknown> = {};
    for (const [property, { name, write }] of this.#columns) {
      const value = (change as Readonly<Record<string, unknown>>)[property];
      if (value !== undefined) row[name] = write(value);
    }
    return row as Partial<Row>;
  }

  fromRow(row: Row): Item {
    const record: Record<string, unknown> = {};
    for (const [property, { name, read }] of this.#columns) {
      const value = read((row as Readonly<Record<string, unknown>>)[name]);
      if (value !== undefined) record[property] = value;
    }
    return record as Item;
  }
}

type OrNull<Row> = { [Name in keyof Row]: Row[Name] | null };

/** The columns of a part of a record that may be missing; then all of them are NULL. */
export class PartColumns<Part extends object, Row extends object> {
  readonly names: readonly (keyof Row & string)[];
  readonly #columns: RecordColumns<Part, Row>;
  readonly #missing: OrNull<Row>;

  constructor(columns: RecordColumns<Part, Row>) {
    this.#columns = columns;
    this.names = columns.names;
    this.#missing = Object.fromEntries(columns.names.map((name) => [name, null])) as OrNull<Row>;
  }

  toRow(part: Part | null | undefined): OrNull<Row> {
    return part ? this.#columns.toRow(part) : this.#missing;
  }

  toChange(change: Change<Part>): Partial<Row> {
    return this.#columns.toChange(change);
  }

  /** Undefined if the first column is NULL. */
  fromRow(row: OrNull<Row>): Part | undefined {
    const [first] = this.names;
    return first === undefined || row[first] === null ? undefined : this.#columns.fromRow(row as Row);
  }
}

/** The columns of a record, by its properties: `recordColumns<Person>()({ birthDay: date('birth_day') })`. */
export const recordColumns =
  <Item extends object>() =>
  <Columns extends ColumnsOf<Item>>(columns: Columns): RecordColumns<Item, StoredIn<Columns>> =>
    new RecordColumns(columns);

/** The columns of a part of a record, by its properties. The first column must not be NULL when the part is there. */
export const partColumns =
  <Part extends object>() =>
  <Columns extends ColumnsOf<Part>>(columns: Columns): PartColumns<Part, StoredIn<Columns>> =>
    new PartColumns(new RecordColumns(columns));

/** The row of these columns. */
export type RowOf<Columns> = Columns extends { readonly toRow: (item: never) => infer Row } ? Row : never;

/** The row of all these columns together. */
export type RowOfAll<All extends readonly unknown[]> = All extends readonly [infer First, ...infer Rest]
  ? RowOf<First> & RowOfAll<Rest>
  : unknown;
