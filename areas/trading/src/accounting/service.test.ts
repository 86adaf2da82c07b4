// The fold over tables in memory: however often it was asked for in between, it says the same.
import { DAY_MS } from "@clockwork/kit/time";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AccountingService } from "./service.ts";
import type { AccountingStore, MovementRow } from "./store.ts";

const [USDT, BTC] = [1, 2];
const USER = 7;

class Tables {
  readonly rows: MovementRow[] = [];
  through = 0;
  #fold: { user_id: number; sequence: number; lots: string } | undefined;
  readonly #days = new Map<number, string>();

  readonly store: AccountingStore = {
    listMovements: async (accounts, from, through) =>
      this.rows.filter((row) => accounts.includes(row.account) && row.sequence >= from && row.sequence <= through),
    readFold: async () => this.#fold,
    write: async (fold, days) => {
      this.#fold = fold;
      for (const { day, record } of days) this.#days.set(day, record);
    },
    listDays: async (user_id, fromDay) => {
      const rows = [...this.#days].map(([day, record]) => ({ user_id, day, record }));
      const before = rows.findLast(({ day }) => day < fromDay);
      return [...(before === undefined ? [] : [before]), ...rows.filter(({ day }) => day >= fromDay)];
    },
    firstDay: async () => this.#days.keys().next().value,
  };

  service(): AccountingService {
    return new AccountingService({
      store: this.store,
      needs: {
        money: () => USDT,
        listBooks: async () => [
          { account: 10, isBot: false },
          { account: 11, isBot: true },
        ],
        settled: async () => this.through,
        valueAt: async (_, timeMs) => (units) => units * BigInt(1 + (Math.floor(timeMs / DAY_MS) % 5)),
        launchCost: async () => undefined,
        readCloses: async (__, from, to) =>
          new Map(
            Array.from({ length: to - from + 1 }, (___, at) => [
              from + at,
              (units: bigint) => units * BigInt(from + at),
            ]),
          ),
        worthUnits: (__, units) => units * 3n,
      },
    });
  }
}

const move = fc.record({
  command: fc.integer({ min: 0, max: 2_000 }),
  account: fc.constantFrom(10, 11, 99),
  kind: fc.constantFrom("deposit", "convert", "earnInterest", "withdrawal", "transfer"),
  units: fc.integer({ min: 1, max: 500 }),
  days: fc.integer({ min: 0, max: 2 }),
});

test("[WAL-3] cost, gain and days are the same whether they are folded at once or call by call, by one process or by the next", async () => {
  const property = fc.asyncProperty(fc.array(move, { maxLength: 30 }), fc.array(fc.boolean()), async (moves, asked) => {
    const [once, often] = [new Tables(), new Tables()];
    let [sequence, day] = [0, 10];
    const held = new Map<number, bigint>();
    for (const [at, { command, account, kind, units, days }] of moves.entries()) {
      sequence += 1 + command * 50;
      day += days;
      const has = held.get(account) ?? 0n;
      const amount = kind === "deposit" || kind === "earnInterest" || BigInt(units) < has ? BigInt(units) : has;
      if (amount === 0n) continue;
      const leg = (of: number, asset: number, change: bigint, line: number): MovementRow => {
        if (asset === BTC) held.set(of, (held.get(of) ?? 0n) + change);
        return {
          account: of,
          sequence,
          line,
          asset,
          business: kind,
          delta_units: change,
          market: 0,
          reference_number: 0,
          reference: null,
          time_ms: day * DAY_MS + at,
        };
      };
      const legs =
        kind === "deposit" || kind === "earnInterest"
          ? [leg(account, BTC, amount, 0)]
          : kind === "withdrawal"
            ? [leg(account, BTC, -amount, 0)]
            : kind === "transfer"
              ? [leg(account, BTC, -amount, 0), leg(account === 10 ? 11 : 10, BTC, amount, 1)]
              : [leg(account, BTC, -amount, 0), leg(account, USDT, amount * 2n, 1)];
      for (const tables of [once, often]) tables.rows.push(...legs);
      once.through = sequence;
      often.through = sequence;
      // Each time by a process that has just begun.
      if (asked[at] === true) await often.service().read(USER);
    }
    const read = async (tables: Tables) => {
      const [service, days] = [tables.service(), 50];
      const standing = await service.read(USER);
      const listed = await service.readDays(USER, day, days);
      return [
        standing?.lots.write(),
        standing?.record.held,
        standing?.record.inUnits,
        listed?.results,
        listed?.gainOf(BTC),
      ];
    };
    expect(await read(often)).toEqual(await read(once));
    const own = [10, 11].reduce((sum, account) => sum + (held.get(account) ?? 0n), 0n);
    expect((await once.service().read(USER))?.lots.cost(BTC).units).toBe(own);
  });
  await fc.assert(property, { numRuns: 60 });
});

test("[WAL-3] a fold over many spans of commands leaves none out and takes none twice", async () => {
  const tables = new Tables();
  const SPAN = 4_096;
  // First spans end at each of these.
  const ends = [0, SPAN, SPAN + 4 * SPAN, SPAN + 4 * SPAN + 16 * SPAN];
  for (const sequence of ends.flatMap((end) => [end - 1, end, end + 1]).filter((one) => one > 0)) {
    tables.rows.push({
      account: 10,
      sequence,
      line: 0,
      asset: BTC,
      business: "deposit",
      delta_units: 1n,
      market: 0,
      reference_number: 0,
      reference: null,
      time_ms: sequence,
    });
    tables.through = sequence;
  }
  expect((await tables.service().read(USER))?.lots.cost(BTC).units).toBe(BigInt(tables.rows.length));
});
