// Owns accounts' bills, summed by day, coin and business, with the largest change of each.
import { BUSINESSES } from "@clockwork/core/protocol/names";
import type { WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import { DAY_MS } from "@clockwork/kit/time";

const COLUMNS = ["account", "day", "asset", "units", "bills", "most_units"];
const [UNITS, BILLS, MOST] = ["units", "bills", "most_units"].map((name) => COLUMNS.indexOf(name)) as [
  number,
  number,
  number,
];
const SHAPES = BUSINESSES.map(
  (business) =>
    new RowShape({
      table: "engine_bill_days",
      columns: COLUMNS,
      fixed: { business },
      key: ["account", "day", "asset", "business"],
      added: ["units", "bills"],
      raised: ["most_units"],
    }),
);

export class BillDays {
  /** Where a row's values start, by the number of its account and asset, day by day. */
  readonly #places = BUSINESSES.map(() => new Map<number, Map<number, number>>());
  readonly #values = BUSINESSES.map((): (number | bigint)[] => []);

  /** `cell` numbers account and asset. */
  add(cell: number, account: number, asset: number, business: number, units: number, timeMs: number): void {
    const day = Math.floor(timeMs / DAY_MS);
    const values = this.#values[business] as (number | bigint)[];
    const days = this.#places[business] as Map<number, Map<number, number>>;
    let cells = days.get(day);
    if (cells === undefined) {
      cells = new Map();
      days.set(day, cells);
    }
    const place = cells.get(cell);
    if (place === undefined) {
      cells.set(cell, values.length);
      values.push(account, day, asset, units, 1, Math.abs(units));
      return;
    }
    values[place + UNITS] = plus(values[place + UNITS] ?? 0, units);
    values[place + BILLS] = (values[place + BILLS] as number) + 1;
    values[place + MOST] = Math.max(values[place + MOST] as number, Math.abs(units));
  }

  async write(session: WriteSession): Promise<void> {
    for (const [business, values] of this.#values.entries()) await session.write(SHAPES[business] as RowShape, values);
  }
}

function plus(sum: number | bigint, units: number): number | bigint {
  const plain = Number(sum) + units;
  return typeof sum === "number" && Number.isSafeInteger(plain) ? plain : BigInt(sum) + BigInt(units);
}
