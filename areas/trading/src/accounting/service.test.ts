// The fold over tables in memory: intermediate reads do not change its result.
import { DAY_MS } from "@clockwork/kit/time";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { PAGE_ROWS } from "./movements.ts";
import { AccountingService } from "./service.ts";
import type { AccountingStore, MovementRow } from "./store.ts";

const [USDT, BTC] = [1, 2];
const USER = 7;

class Tables {
  readonly rows: MovementRow[] = [];
  through = 0;
  /** The number of rows of each read. */
  readonly reads: number[] = [];
  #fold: { user_id: number; sequence: number; lots: string } | undefined;
  readonly #days = new Map<number, string>();

  readonly store: AccountingStore = {
    listMovements: async (account, after, through, limit) => {
      const isAsked = (row: MovementRow) => row.account === account && row.sequence > after && row.sequence <= through;
      const rows = this.rows.filter(isAsked).slice(0, limit);
      this.reads.push(rows.length);
      return rows;
    },
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

test("[WAL-3] cost, gain and days are the same whether folded at once or call by call, by one process or by the next", async () => {
  const property = fc.asyncProperty(
    fc.array(move, { maxLength: 30 }),
    fc.array(fc.boolean()),
    async (moves, requested) => {
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
        // Each time from a newly started process.
        if (requested[at] === true) await often.service().read(USER);
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
    },
  );
  await fc.assert(property, { numRuns: 60 });
});

test("[WAL-3] a fold over many pages leaves no posting out, takes none twice and cuts no command; each read is bounded", async () => {
  const tables = new Tables();
  const add = (account: number, sequence: number, line: number, units: bigint, business = "deposit") =>
    tables.rows.push({
      account,
      sequence,
      line,
      asset: BTC,
      business,
      delta_units: units,
      market: 0,
      reference_number: 0,
      reference: null,
      time_ms: sequence,
    });
  let expected = 0n;
  // One book is busy, the other has occasional postings; a transfer between both is one event.
  for (let sequence = 1; sequence <= PAGE_ROWS * 5; sequence += 1) {
    add(10, sequence, 0, 1n);
    expected += 1n;
    if (sequence % 97 !== 0) continue;
    add(10, sequence, 1, -1n, "transfer");
    add(11, sequence, 2, 1n, "transfer");
  }
  // A command with more postings than a page.
  const last = PAGE_ROWS * 5 + 1;
  for (let line = 0; line < PAGE_ROWS * 3; line += 1) add(10, last, line, 1n);
  expected += BigInt(PAGE_ROWS * 3);
  // Far behind in the journal.
  add(11, 90_000_000, 0, 1n);
  tables.through = 100_000_000;
  const standing = await tables.service().read(USER);
  expect(standing?.lots.cost(BTC).units).toBe(expected + 1n);
  expect(standing?.record.held.get(BTC)).toBe(expected + 1n);
  const total = tables.rows.length;
  expect(tables.reads.length).toBeLessThan(2 * (total / PAGE_ROWS) + 5);
  expect(tables.reads.filter((rows) => rows > PAGE_ROWS).length).toBeLessThanOrEqual(2);
  // Nothing is scanned again.
  tables.through += 1;
  tables.reads.length = 0;
  await tables.service().read(USER);
  expect(tables.reads).toEqual([0, 0]);
});
