// Tables in memory for a fold outside the database: rows written, by their shape, in order.
import type { WriteSession } from "@clockwork/host/projector";
import type { RowShape } from "@clockwork/host/row-shape";

export class MemoryTables {
  readonly #rows = new Map<RowShape, object[]>();
  /** Rows of several shapes are states of one table: which was written after which. */
  readonly #written = new WeakMap<object, number>();
  #writes = 0;

  readonly #balances = new Map<number, Map<number, number>>();

  /** Starts empty: only balances are ever read back. */
  readonly session: WriteSession = {
    read: async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
      if (!text.includes("engine_balances")) return [];
      const own = this.#balances.get(values[0] as number) ?? new Map<number, number>();
      return [...own].map(([asset, available_units]) => ({ asset, available_units, frozen_units: 0 })) as Row[];
    },
    write: async () => undefined,
    run: async () => undefined,
    writeRows: async (shape, rows) => {
      const known = this.#rows.get(shape) ?? [];
      for (const row of rows) {
        const kept = { ...row };
        known.push(kept);
        this.#writes += 1;
        this.#written.set(kept, this.#writes);
      }
      this.#rows.set(shape, known);
    },
  };

  /** An account's current balance of an asset, free or not. */
  setBalance(account: number, asset: number, units: number): void {
    const own = this.#balances.get(account) ?? new Map<number, number>();
    this.#balances.set(account, own.set(asset, units));
  }

  /** Every state a row was written in, oldest first. */
  of<Row extends object>(shape: RowShape): readonly Row[] {
    return (this.#rows.get(shape) ?? []) as Row[];
  }

  /** An account's current balances, by asset. */
  balancesOf(account: number): ReadonlyMap<number, number> {
    return this.#balances.get(account) ?? new Map();
  }

  /** The last state of every row of a table that several shapes write, by the column that names a row. */
  latest<Row extends object>(shapes: readonly RowShape[], key: keyof Row): readonly Row[] {
    const all = shapes.flatMap((shape) => this.of<Row>(shape));
    all.sort((left, right) => (this.#written.get(left) ?? 0) - (this.#written.get(right) ?? 0));
    const found = new Map<unknown, Row>();
    for (const row of all) found.set(row[key], { ...found.get(row[key]), ...row });
    return [...found.values()];
  }
}
