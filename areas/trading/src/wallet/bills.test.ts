// Which bills the wallet lists and how it describes them, over a bank in memory. The store's SQL is in
// bill-store.slice.test.ts.

import type { Outcome } from "@clockwork/host/route";
import { expect, test } from "vitest";
import { BILLS_COUNTED_MAX, type BillPage } from "./contract.ts";
import type { BillsQuery } from "./service.ts";
import type { WalletStore } from "./store.ts";
import { Bank, billAt, naiveStore } from "./wallet-fixture.ts";

const USER = 7;
const pageOf = (outcome: Outcome<BillPage>): BillPage => {
  if (!outcome.ok) throw new Error(outcome.rejection.code);
  return outcome.data;
};

/** Spot 100, inverse of BTC 101, a bot 102, a hidden book 103, and another user's spot 104. */
function makeBank() {
  const bank = new Bank();
  for (const [book, sub] of [["spot"], ["inverse", 2], ["bot", 31], ["insurance"]] as const) bank.put(USER, book, sub);
  bank.put(USER + 1, "spot");
  const list = async (query: BillsQuery = {}, userId = USER) => pageOf(await bank.service().listBills(userId, query));
  const ids = async (query: BillsQuery = {}) => (await list(query)).bills.map(({ id }) => id);
  return { bank, list, ids };
}

test("[WAL-2] a bill gives its book, coin, change, balance after it, and its reference", async () => {
  const { bank, list } = makeBank();
  bank.bills.push(
    billAt(5, 0, { reference: "t:7:move", delta_units: -250_500_000n, business: "transfer" }),
    billAt(6, 1, { account: 101, asset: 2, reference_number: 88, available_units: 1n, frozen_units: 2n }),
    billAt(7, 0, { account: 102, reference_number: 1, reference: "named", time_ms: 99 }),
    billAt(8, 0, { account: 103 }),
    billAt(9, 0, { account: 104 }),
    billAt(10, 0, { asset: 9 }),
  );
  expect(await list()).toEqual({
    bills: [
      {
        id: "7-0",
        walletType: "7",
        sub: "31",
        asset: "USDT",
        business: "deposit",
        change: "1",
        balance: "3.5",
        reference: "named",
        timeMs: 99,
      },
      {
        id: "6-1",
        walletType: "4",
        sub: "BTC",
        asset: "BTC",
        business: "deposit",
        change: "0.01",
        balance: "0.00000003",
        reference: "88",
        timeMs: 1_006,
      },
      {
        id: "5-0",
        walletType: "1",
        sub: null,
        asset: "USDT",
        business: "transfer",
        change: "-250.5",
        balance: "3.5",
        reference: "t:7:move",
        timeMs: 1_005,
      },
    ],
    next: null,
    total: null,
  });
});

test("[WAL-2] a bill without reference and number gives null, one with the number 1 gives it", async () => {
  const { bank, list } = makeBank();
  bank.bills.push(billAt(1, 0), billAt(2, 0, { reference_number: 1 }));
  expect((await list()).bills.map(({ reference }) => reference)).toEqual(["1", null]);
});

test("[WAL-2] rows of books that were not requested are not returned", async () => {
  const { bank } = makeBank();
  const careless = { ...naiveStore([]), listBills: async () => [billAt(4, 0), billAt(3, 0, { account: 104 })] };
  const { bills } = pageOf(await bank.service(careless).listBills(USER, {}));
  expect(bills.map(({ id }) => id)).toEqual(["4-0"]);
});

test("[WAL-2] the tables are waited for up to the last change of each book that is listed", async () => {
  const { bank, list } = makeBank();
  await list();
  expect(bank.waited.splice(0)).toEqual([1_000, 1_010, 1_020]);
  await list({ walletType: "7" });
  expect(bank.waited).toEqual([1_020]);
});

test("[WAL-2] bills are listed by book, coin, business, reference and time", async () => {
  const { bank, ids } = makeBank();
  bank.bills.push(
    billAt(1, 0, { business: "faucet" }),
    billAt(2, 0, { account: 102, business: "transfer", reference: "t:7:Move" }),
    billAt(3, 0, { account: 101, asset: 2, business: "fee" }),
  );
  expect(await ids({ walletType: "1" })).toEqual(["1-0"]);
  expect(await ids({ walletType: "7" })).toEqual(["2-0"]);
  expect(await ids({ walletType: "2" })).toEqual([]);
  expect(await ids({ asset: "BTC" })).toEqual(["3-0"]);
  expect(await ids({ asset: "USDT" })).toEqual(["2-0", "1-0"]);
  expect(await ids({ asset: "NONE" })).toEqual([]);
  expect(await ids({ business: "faucet,fee" })).toEqual(["3-0", "1-0"]);
  expect(await ids({ search: "move" })).toEqual(["2-0"]);
  expect(await ids({ from: 1_002, to: 1_002 })).toEqual(["2-0"]);
});

test("[WAL-2] users without books, and requests for an unknown coin, get no bill; a page by number gives the total: none", async () => {
  const { bank, list } = makeBank();
  bank.bills.push(billAt(1, 0));
  const none = { bills: [], next: null };
  expect(await list({}, 999)).toEqual({ ...none, total: null });
  expect(await list({ page: 1 }, 999)).toEqual({ ...none, total: 0 });
  expect(await list({ asset: "NONE" })).toEqual({ ...none, total: null });
  expect(await list({ asset: "NONE", page: 2 })).toEqual({ ...none, total: 0 });
  // One book is enough, with and without a coin.
  expect((await list({ walletType: "1", page: 1 })).total).toBe(1);
  expect((await list({ walletType: "1", asset: "USDT", page: 1 })).total).toBe(1);
});

test("[WAL-2] paging by the last position gives every bill once", async () => {
  const { bank, list } = makeBank();
  for (let at = 0; at < 120; at++) bank.bills.push(billAt(1 + Math.floor(at / 3), at % 3));
  const found: string[] = [];
  let before: string | null | undefined;
  for (const limit of [undefined, 1, 68, 1]) {
    const page = await list({ ...(before == null ? {} : { before }), ...(limit === undefined ? {} : { limit }) });
    expect(page.bills).toHaveLength(limit ?? 50);
    found.push(...page.bills.map(({ id }) => id));
    before = page.next;
  }
  expect(before).toBeNull();
  const all = Array.from({ length: 120 }, (_, at) => `${40 - Math.floor(at / 3)}-${2 - (at % 3)}`);
  expect(found).toEqual(all);
  // A sequence without a line leaves all of that command's bills out.
  expect((await list({ before: "39" })).bills[0]?.id).toBe("38-2");
});

test("[WAL-2] numbered pages are contiguous, whatever cursor is named with them, and end at the last that is counted", async () => {
  const { bank, list, ids } = makeBank();
  for (let at = 1; at <= 7; at++) bank.bills.push(billAt(at, 0));
  expect(await ids({ page: 1, limit: 3 })).toEqual(["7-0", "6-0", "5-0"]);
  expect(await ids({ page: 2, limit: 3, before: "3-0" })).toEqual(["4-0", "3-0", "2-0"]);
  expect(await list({ page: 3, limit: 3 })).toMatchObject({ bills: [{ id: "1-0" }], next: null, total: 7 });
  const requested: number[] = [];
  const endless: WalletStore = {
    listBills: async ({ offset, limit }) => {
      requested.push(offset);
      return Array.from({ length: limit }, (_, at) => billAt(1_000_000 - offset - at, 0));
    },
    countBills: async (_, most) => most,
  };
  const service = bank.service(endless);
  const lastPage = BILLS_COUNTED_MAX / 200;
  expect(BILLS_COUNTED_MAX).toBe(10_000);
  expect(pageOf(await service.listBills(USER, { page: lastPage, limit: 200 }))).toMatchObject({ total: 10_000 });
  const beyond = await service.listBills(USER, { page: lastPage + 1, limit: 200 });
  expect(pageOf(beyond)).toEqual({ bills: [], next: null, total: 10_000 });
  expect(requested).toEqual([9_800]);
});

test("[WAL-2] the minimum worth of a change is exact to the unit, either way, in each coin; coins without a price are all shown", async () => {
  const { bank, ids } = makeBank();
  const put = (at: number, asset: number, delta_units: bigint) =>
    bank.bills.push(billAt(at, 0, { asset, delta_units }));
  // 1 BTC is 65000.123457: 100 USDT are 153845.86… units of it, so that 153846 is the first to reach it.
  put(1, 2, 153_845n);
  put(2, 2, 153_846n);
  put(3, 2, -153_846n);
  put(4, 1, 99_999_999n);
  put(5, 1, -100_000_000n);
  put(6, 3, 1n);
  put(7, 4, 1n);
  put(8, 5, 3_333_333_333_333_333n);
  put(9, 5, 3_333_333_333_333_334n);
  expect(await ids({ least: "100" })).toEqual(["9-0", "7-0", "6-0", "5-0", "3-0", "2-0"]);
  expect(await ids({ least: "0" })).toHaveLength(9);
});

test("[WAL-2] a minimum worth finer than a unit of USDT or above everything filters too, by numbers a table can hold", async () => {
  const { bank, ids } = makeBank();
  bank.bills.push(billAt(1, 0, { delta_units: 1_000_000_000n }), billAt(2, 0, { delta_units: 1_000_000_001n }));
  bank.bills.push(billAt(3, 0, { asset: 5, delta_units: 9_007_199_254_740_991n }), billAt(4, 0, { asset: 3 }));
  expect(await ids({ least: "1000.0000001" })).toEqual(["4-0", "2-0"]);
  expect(await ids({ least: "1000.000001000" })).toEqual(["4-0", "2-0"]);
  // 270.21… USDT of CENT are all of it that a book can hold.
  expect(await ids({ least: "270.21" })).toEqual(["4-0", "3-0", "2-0", "1-0"]);
  expect(await ids({ least: "9".repeat(24) })).toEqual(["4-0"]);
  const requested: bigint[] = [];
  const store: WalletStore = {
    ...naiveStore([]),
    listBills: async ({ leastUnits }) => {
      requested.push(...(leastUnits?.values() ?? []));
      return [];
    },
  };
  await bank.service(store).listBills(USER, { least: "9".repeat(24) });
  expect(requested).toEqual([2n ** 53n, 2n ** 53n, 2n ** 53n]);
});
