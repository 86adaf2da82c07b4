// How SQLite reads pages of history: by an index in the page's own order for every filter, so that a page costs what it
// shows and not the length of the account's history.
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { PROJECTION_MIGRATIONS } from "@clockwork/server/projectors/projection-fixture";
import { resolveTokens } from "@clockwork/server/storage/dialect";
import { type CompiledQuery, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { expect, test } from "vitest";
import { accountingStore } from "../accounting/store.ts";
import { futuresStore } from "../futures/store.ts";
import { orderNoticeStore } from "../ordernotices/store.ts";
import { statementStore } from "../statements/store.ts";
import { walletStore } from "../wallet/store.ts";
import { spotStore } from "./store.ts";

const database = new DatabaseSync(":memory:");
for (const { sql } of PROJECTION_MIGRATIONS) database.exec(resolveTokens(sql, "sqlite"));
database.exec(`
  insert into engine_bills (account, sequence, line, asset, business, delta_units, available_units, frozen_units,
    counterparty, market, reference_number, time_ms) values (20, 1, 1, 1, 'trade', 1, 1, 1, 1, 1, 1, 1);
  insert into engine_bills (account, sequence, line, asset, business, delta_units, available_units, frozen_units,
    counterparty, market, reference_number, time_ms) values (20, 2, 1, 1, 'funding', 1, 1, 1, 1, 1, 1, 1);
  insert into engine_bill_days values (20, 0, 1, 'trade', 1, 1, 1);
  insert into engine_bill_blocks values (20, 1, 'trade', 0, 1);
  insert into engine_fills (account, sequence, trade_number, market, role, order_id, side, price_ticks, lots,
    notional_units, fee_units, time_ms) values (20, 1, 1, 1, 'maker', 1, 'buy', 1, 1, 1, 1, 1);
  insert into engine_balances values (20, 1, 0, 0, 1);
`);
let plan: string[] = [];
const run = async ({ sql, parameters }: CompiledQuery) => {
  const values = parameters as SQLInputValue[];
  const steps = database.prepare(`explain query plan ${sql}`).all(...values);
  plan.push(
    ...steps
      .map(({ detail }) => String(detail))
      .filter((detail) => /engine_(bills|fills|orders)\b| [bk] USING/.test(detail)),
  );
  return { rows: database.prepare(sql).all(...values) as never[] };
};
const nothing = async (): Promise<void> => undefined;
const kysely = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (own) => new SqliteIntrospector(own),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: nothing,
      destroy: nothing,
      releaseConnection: nothing,
      beginTransaction: nothing,
      commitTransaction: nothing,
      rollbackTransaction: nothing,
      acquireConnection: async () => ({ executeQuery: run, streamQuery: () => [] as never }),
    }),
  },
});

const [spot, futures, wallet] = [spotStore(kysely), futuresStore(kysely), walletStore(kysely)];
const statements = statementStore(kysely);
const [market, limit, accounts, offset] = [1, 5, [20], 0];
const range = { accounts, asset: undefined, fromMs: 5, toMs: 90_000_000_000 };

test.each([
  [
    "ended orders of a pair",
    () => spot.listHistory(20, { market, limit }),
    /orders_by_market \(account=\? AND market=\? AND side=\?/,
  ],
  [
    "ended orders of a time",
    () => spot.listHistory(20, { fromMs: 1, toMs: 9, limit }),
    /created_sequence>\? AND created_sequence<\?/,
  ],
  [
    "fills of a pair and side",
    () => spot.listFills(20, { market, side: "buy", limit }),
    /fills_by_market \(account=\? AND market=\? AND side=\?/,
  ],
  [
    "fills of a side",
    () => spot.listFills(20, { side: "buy", limit }),
    /fills_by_market \(account=\? AND market=\? AND side=\?/,
  ],
  [
    "fills of a time",
    () => spot.listFills(20, { fromMs: 1, toMs: 9, limit }),
    /PRIMARY KEY \(account=\? AND sequence>\? AND sequence<\?/,
  ],
  [
    "fills of a contract",
    () => futures.listFills({ accounts: [20, 21], market, limit }),
    /fills_by_market \(account=\? AND market=\? AND side=\?/,
  ],
  [
    "futures bills of a type",
    () => futures.listBills({ accounts, businesses: ["fee"], limit }),
    /bills_by_kind \(account=\? AND asset=\? AND business=\?/,
  ],
  [
    "futures bills of a contract",
    () => futures.listBills({ accounts: [20, 21], market, limit }),
    /bills_by_market \(account=\? AND market=\? AND asset=\? AND business=\?/,
  ],
  [
    "futures bills of a contract and a type",
    () => futures.listBills({ accounts, market, asset: 1, businesses: ["funding"], limit }),
    /bills_by_market \(account=\? AND market=\? AND asset=\? AND business=\?/,
  ],
  [
    "bills of at least an amount",
    () => wallet.listBills({ accounts, leastUnits: new Map([[1, 1n]]), offset, limit }),
    /COVERING INDEX engine_bills_by_kind \(account=\? AND asset=\? AND business=\? AND sequence>\? AND sequence<\?/,
  ],
  [
    "blocks with a bill of at least an amount",
    () => wallet.listBills({ accounts, leastUnits: new Map([[1, 1n]]), offset, limit }),
    /k USING PRIMARY KEY \(account=\? AND asset=\? AND business=\? AND block>\?/,
  ],
  [
    "how many bills are of at least an amount",
    () => wallet.countBills({ accounts, leastUnits: new Map([[1, 1n]]) }, 9),
    /COVERING INDEX engine_bills_by_kind \(account=\? AND asset=\? AND business=\? AND sequence>\? AND sequence<\?/,
  ],
  [
    "bills of a coin",
    () => wallet.listBills({ accounts, asset: 1, offset, limit }),
    /bills_by_kind \(account=\? AND asset=\? AND business=\?/,
  ],
  [
    "bills of a business",
    () => wallet.countBills({ accounts, businesses: ["trade"] }, 9),
    /bills_by_kind \(account=\? AND asset=\? AND business=\?/,
  ],
  [
    "bills by number",
    () => wallet.listBills({ accounts, search: "77", offset, limit }),
    /bills_by_number \(account=\? AND reference_number=\?/,
  ],
  [
    "bills by name",
    () => wallet.listBills({ accounts, search: "x", offset, limit }),
    /bills_named \(account=\? AND reference>\?/,
  ],
  ["ended orders to notify of", () => orderNoticeStore(kysely).listEnded(20, 1, limit), /orders_ended \(account=\?/],
  [
    "a statement's postings",
    () => statements.listPostings(range, 20, 0, 90, limit),
    /PRIMARY KEY \(account=\? AND sequence>\? AND sequence<\?/,
  ],
  [
    "a statement's sums",
    () => statements.sumByBusiness(range),
    /COVERING INDEX engine_bills_by_kind \(account=\? AND asset=\? AND business=\? AND sequence>\? AND sequence<\?/,
  ],
  [
    "the movements of a book",
    () => accountingStore(kysely).listMovements(20, 7, 90, limit),
    /PRIMARY KEY \(account=\? AND sequence>\? AND sequence<\?/,
  ],
] as const)("[NET-4] %s are found by an index made for them", async (_, read, index) => {
  plan = [];
  await read();
  expect(plan.filter((step) => step.startsWith("SCAN"))).toEqual([]);
  expect(
    plan.some((step) => index.test(step)),
    plan.join("\n"),
  ).toBe(true);
});
