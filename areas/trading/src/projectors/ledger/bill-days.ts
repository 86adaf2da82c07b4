// Owns accounts' bills, summed by day, coin and business, with the largest change of each.
import { BUSINESSES, FIRST_USER_ACCOUNT } from "@clockwork/core/protocol/names";
import type { WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import { DAY_MS } from "@clockwork/kit/time";
import { BLOCK_SEQUENCES } from "../rows/rows.ts";

const DAY_COLUMNS = ["account", "day", "asset", "units", "bills", "most_units"];
const [UNITS, BILLS, DAY_MOST] = [3, 4, 5];
const DAYS = BUSINESSES.map(
  (business) =>
    new RowShape({
      table: "engine_bill_days",
      columns: DAY_COLUMNS,
      fixed: { business },
      key: ["account", "day", "asset", "business"],
      added: ["units", "bills"],
      raised: ["most_units"],
    }),
);
const BLOCK_COLUMNS = ["account", "block", "asset", "most_units"];
const BLOCK_MOST = 3;
const BLOCKS = BUSINESSES.map(
  (business) =>
    new RowShape({
      table: "engine_bill_blocks",
      columns: BLOCK_COLUMNS,
      fixed: { business },
      key: ["account", "asset", "business", "block"],
      raised: ["most_units"],
    }),
);

export class BillDays {
  /** Where a row's values start, by the number of its account and asset, day by day. */
  readonly #days = new Cells();
  readonly #blocks = new Cells();

  /** `cell` numbers account and asset. */
  add(
    cell: number,
    account: number,
    asset: number,
    business: number,
    units: number,
    sequence: number,
    timeMs: number,
  ): void {
    const size = Math.abs(units);
    const day = Math.floor(timeMs / DAY_MS);
    const days = this.#days.values[business] as (number | bigint)[];
    const place = this.#days.find(business, day, cell);
    if (place === undefined) days.push(account, day, asset, units, 1, size);
    else {
      days[place + UNITS] = plus(days[place + UNITS] ?? 0, units);
      days[place + BILLS] = (days[place + BILLS] as number) + 1;
      days[place + DAY_MOST] = Math.max(days[place + DAY_MOST] as number, size);
    }
    // Nobody looks for large bills of the exchange's own accounts.
    if (account < FIRST_USER_ACCOUNT) return;
    const block = Math.floor(sequence / BLOCK_SEQUENCES);
    const blocks = this.#blocks.values[business] as (number | bigint)[];
    const at = this.#blocks.find(business, block, cell);
    if (at === undefined) blocks.push(account, block, asset, size);
    else blocks[at + BLOCK_MOST] = Math.max(blocks[at + BLOCK_MOST] as number, size);
  }

  async write(session: WriteSession): Promise<void> {
    for (const [business, values] of this.#days.values.entries())
      await session.write(DAYS[business] as RowShape, values);
    for (const [business, values] of this.#blocks.values.entries())
      await session.write(BLOCKS[business] as RowShape, values);
  }
}

/** Rows by business, and where the one of a span and a cell is among their values. */
class Cells {
  readonly values = BUSINESSES.map((): (number | bigint)[] => []);
  readonly #places = BUSINESSES.map(() => new Map<number, Map<number, number>>());

  /** Where it begins; nothing the first time, after which it is at the end of the values there are now. */
  find(business: number, span: number, cell: number): number | undefined {
    const spans = this.#places[business] as Map<number, Map<number, number>>;
    let cells = spans.get(span);
    if (cells === undefined) {
      cells = new Map();
      spans.set(span, cells);
    }
    const place = cells.get(cell);
    if (place === undefined) cells.set(cell, (this.values[business] as unknown[]).length);
    return place;
  }
}

function plus(sum: number | bigint, units: number): number | bigint {
  const plain = Number(sum) + units;
  return typeof sum === "number" && Number.isSafeInteger(plain) ? plain : BigInt(sum) + BigInt(units);
}
