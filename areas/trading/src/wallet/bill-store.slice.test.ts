// The wallet's SQL against a store that scans every row: the same bills, in the same order, for any filter.

import { createRandom } from "@clockwork/kit/random";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type BillFilter, type BillRecord, type WalletStore, walletStore } from "./store.ts";
import { Bank, billAt, naiveStore } from "./wallet-fixture.ts";

const BUSINESSES = ["deposit", "transfer", "fee"];
const REFERENCES = [null, "t:7:Move-1", "t:8:move-2", "1234:x", "77"];
const SEARCHES = ["move", "MOVE-1", "1", "0", "77", "1234", "x", "12345678901234567"];

/** Seven hours: three or four bills a day. */
const STEP_MS = 25_200_000;

/** Four commands share a block of the journal. */
const SEQUENCE_STEP = 500;

/** Bills of four commands' worth of every kind, a few lines each. */
function makeBills(): BillRecord[] {
  const random = createRandom(11);
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
  return Array.from({ length: 160 }, (_, at) =>
    billAt((1 + Math.floor(at / 3)) * SEQUENCE_STEP, at % 3, {
      account: 100 + random.below(4),
      asset: 1 + random.below(4),
      business: pick(BUSINESSES),
      delta_units: BigInt(random.between(-20, 20)),
      reference_number: pick([0, 1, 77, 1_234]),
      reference: pick(REFERENCES),
      time_ms: at * STEP_MS,
    }),
  );
}

function makeFilter(random: ReturnType<typeof createRandom>): BillFilter {
  const sometimes = <Value>(value: () => Value): Value | undefined => (random.below(3) === 0 ? value() : undefined);
  const least = () => new Map([1, 2].map((asset) => [asset, BigInt(random.below(22))] as const));
  return {
    accounts: [100, 101, 102].slice(0, 1 + random.below(3)),
    asset: sometimes(() => 1 + random.below(3)),
    businesses: sometimes(() => BUSINESSES.slice(random.below(3))),
    search: sometimes(() => SEARCHES[random.below(SEARCHES.length)] as string),
    fromMs: sometimes(() => random.below(200) * STEP_MS),
    toMs: sometimes(() => random.below(200) * STEP_MS),
    leastUnits: sometimes(least),
  };
}

forEachMigrated("bills", (place) => {
  const bills = makeBills();
  const naive = naiveStore(bills);
  let store: WalletStore;
  beforeAll(async () => {
    const { kysely } = place.database();
    store = walletStore(kysely);
    const tables = kysely.$extendTables<{ engine_bills: BillRecord & { counterparty: number; market: number } }>();
    const rows = bills.map((bill) => ({ ...bill, counterparty: 0, market: 0 }));
    await tables.insertInto("engine_bills").values(rows).execute();
    await sql`insert into engine_bill_days
      select account, time_ms / 86400000, asset, business, sum(delta_units), count(*), max(abs(delta_units))
      from engine_bills group by account, time_ms / 86400000, asset, business`.execute(kysely);
    await sql`insert into engine_bill_blocks
      select account, asset, business, sequence / 2048, max(abs(delta_units))
      from engine_bills group by account, asset, business, sequence / 2048`.execute(kysely);
  });
  /** As the naive store returns them: without fields only the table has. */
  const plain = (rows: readonly BillRecord[]): BillRecord[] =>
    rows.map((row) => {
      const { counterparty: _, market: __, ...bill } = row as BillRecord & { counterparty: number; market: number };
      return bill;
    });

  test("[WAL-2] any filter finds the bills a full scan finds, newest first, and counts as many", async () => {
    const random = createRandom(12);
    let found = 0;
    for (let round = 0; round < 120; round++) {
      const filter = makeFilter(random);
      const before =
        random.below(3) === 0 ? ([random.between(1, 50) * SEQUENCE_STEP, random.below(4)] as const) : undefined;
      const requested = { ...filter, before, offset: random.below(4), limit: random.between(1, 30) };
      // Single days, a few together, or all.
      store = walletStore(place.database().kysely, [1, 9, 5_000][round % 3]);
      const rows = await store.listBills(requested);
      expect(
        plain(rows),
        JSON.stringify(requested, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
      ).toEqual(await naive.listBills(requested));
      found += rows.length;
      const most = random.between(1, 60);
      expect(await walletStore(place.database().kysely).countBills(filter, most)).toBe(
        await naive.countBills(filter, most),
      );
    }
    expect(found).toBeGreaterThan(300);
  });

  test("[WAL-2] large bills are counted one by one among the newest, and beyond those as if days with one had no others", async () => {
    const least = { accounts: [100, 101, 102, 103], leastUnits: new Map([1, 2, 3, 4].map((asset) => [asset, 15n])) };
    const exact = await naive.countBills(least, 1_000);
    const { kysely } = place.database();
    expect(await walletStore(kysely, 9).countBills(least, 1_000)).toBe(exact);
    const rough = await walletStore(kysely, 1).countBills(least, 1_000);
    expect(rough).toBeGreaterThanOrEqual(exact);
    expect(rough).toBeLessThan(bills.length);
    expect(await walletStore(kysely, 1).countBills(least, 30)).toBe(30);
  });

  test("[WAL-2] a number finds the bill of that number, and none finds those without one", async () => {
    const find = async (search: string) => {
      const rows = await store.listBills({ accounts: [100, 101, 102, 103], search, offset: 0, limit: 500 });
      return new Set(rows.map(({ reference, reference_number }) => `${reference_number} ${reference}`));
    };
    const having = (test: (bill: BillRecord) => boolean) =>
      new Set(bills.filter(test).map(({ reference, reference_number }) => `${reference_number} ${reference}`));
    const says = (text: string) => (bill: BillRecord) => bill.reference?.includes(text) === true;
    expect(await find("1234")).toEqual(having((bill) => says("1234")(bill) || bill.reference_number === 1_234));
    expect(await find("1")).toEqual(having((bill) => says("1")(bill) || bill.reference_number === 1));
    expect(await find("0")).toEqual(new Set());
    expect(await find("x")).toEqual(having(says("x")));
  });

  test("[WAL-2] the largest accepted minimum worth is answered, and so is an account without a bill", async () => {
    const bank = new Bank();
    for (const book of ["spot", "funding", "linear"]) bank.put(7, book);
    const service = bank.service(store);
    const unpriced = bills.filter(({ account, asset }) => account <= 102 && (asset === 3 || asset === 4)).length;
    for (const least of ["9".repeat(24), "9007199254.740991", "9007199254.740992"])
      expect(await service.listBills(7, { least, page: 1 })).toMatchObject({ ok: true, data: { total: unpriced } });
    expect(await store.countBills({ accounts: [999] }, 10)).toBe(0);
    expect(await store.listBills({ accounts: [999], offset: 0, limit: 10 })).toEqual([]);
  });
});
