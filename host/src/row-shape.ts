// Owns the text of inserts of very many rows: shared values are in the text, the rest is bound, many rows a statement.
// Must never write user input into a text: only names from closed lists.

/** Runs one statement of the open transaction; a synchronous implementation returns nothing. */
export type RunStatement = (text: string, values: readonly unknown[]) => Promise<unknown> | undefined;

export interface ShapeOptions {
  readonly table: string;
  /** Bound, in this order, row after row. */
  readonly columns: readonly string[];
  /** The same in every row. */
  readonly fixed?: Readonly<Record<string, string | boolean>>;
  /** The row with the same key is updated; without a key a row must be new. */
  readonly key?: readonly string[];
  /** Columns that never change after the insert. Not setting them again spares the indexes they are part of. */
  readonly kept?: readonly string[];
  /** Summed: the given value is added to the row's. */
  readonly added?: readonly string[];
  /** The greater of the row's value and the given one is kept. */
  readonly raised?: readonly string[];
  /** Columns an update clears. */
  readonly emptied?: readonly string[];
}

/** Rows or ids per statement, the largest first: few sizes, so that each text is written once and stays prepared. */
export const STATEMENT_SIZES = [256, 64, 16, 4, 1] as const;

/** Rows of a table that are equal except for bound values. */
export class RowShape {
  readonly #options: ShapeOptions;
  readonly columns: readonly string[];
  readonly #texts = new Map<string, string>();

  constructor(options: ShapeOptions) {
    this.#options = options;
    this.columns = options.columns;
  }

  /**
   * All rows whose values follow one another; each key at most once among them. One statement after another: Kysely would
   * let them wait in line anyway, and what still waits when one fails would run after the transaction is undone.
   */
  async write(run: RunStatement, isNumbered: boolean, values: readonly unknown[]): Promise<void> {
    let at = 0;
    for (const size of STATEMENT_SIZES) {
      const step = size * this.columns.length;
      for (; values.length - at >= step; at += step) {
        const sent = run(this.#text(size, isNumbered), values.slice(at, at + step));
        if (sent !== undefined) await sent;
      }
    }
  }

  #text(size: number, isNumbered: boolean): string {
    const name = `${isNumbered}:${size}`;
    let text = this.#texts.get(name);
    if (text === undefined) {
      text = writeText(this.#options, size, isNumbered);
      this.#texts.set(name, text);
    }
    return text;
  }
}

function writeText(options: ShapeOptions, size: number, isNumbered: boolean): string {
  const { table, columns, fixed = {}, key = [], kept = [], added = [], raised = [], emptied = [] } = options;
  let place = 0;
  const next = (): string => {
    place += 1;
    return isNumbered ? `$${place}` : "?";
  };
  const constants = Object.values(fixed).map(literal);
  const row = (): string => `(${[...columns.map(next), ...constants].join(", ")})`;
  const all = [...columns, ...Object.keys(fixed)];
  // A row that fails rolls back the whole transaction anyway: without statement rollback, SQLite keeps no copy of the
  // pages each touches.
  const verb = isNumbered || key.length > 0 ? "insert into" : "insert or fail into";
  const text = `${verb} "${table}" (${quote(all)}) values ${Array.from({ length: size }, row).join(", ")}`;
  if (key.length === 0) return text;
  const answer = all.filter((column) => !key.includes(column) && !kept.includes(column));
  const set = [
    ...answer.map((column) => {
      const [before, after] = [`"${table}"."${column}"`, `excluded."${column}"`];
      if (added.includes(column)) return `"${column}" = ${before} + ${after}`;
      if (!raised.includes(column)) return `"${column}" = ${after}`;
      return `"${column}" = ${isNumbered ? "greatest" : "max"}(${before}, ${after})`;
    }),
    ...emptied.map((column) => `"${column}" = null`),
  ];
  const change = set.length === 0 ? "nothing" : `update set ${set.join(", ")}`;
  return `${text} on conflict (${quote(key)}) do ${change}`;
}

function literal(value: string | boolean): string {
  return typeof value === "boolean" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

const quote = (names: readonly string[]): string => names.map((column) => `"${column}"`).join(", ");
