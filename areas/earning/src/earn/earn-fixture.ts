// Products for tests of earn, put there as operators' proposals would.

import { Visitor } from "@clockwork/server/process/account-fixture";
import type { TradingServer } from "@clockwork/trading/spot/spot-fixture";
import type { Kysely } from "kysely";
import type { ProductRow } from "./row-store.ts";
import { writeTiers } from "./rules.ts";
import { earnStore } from "./store.ts";

const PERCENT = 1_000_000;
const USDT = 1_000_000n;
export const TIERS = [
  { uptoUnits: 500n * USDT, rate: 8 * PERCENT },
  { uptoUnits: null, rate: 2 * PERCENT },
];

const PRODUCT: ProductRow = {
  product_id: "",
  kind: "flexible",
  asset: "USDT",
  days: 0,
  rate: 0,
  terms: "",
  min_units: USDT,
  user_max_units: 100_000n * USDT,
  quota_units: 1_000_000n * USDT,
  taken_units: 0n,
  day_in_units: 1_000_000n * USDT,
  day_out_units: 1_000_000n * USDT,
  is_open: true,
  opens_ms: 0,
  closes_ms: Number.MAX_SAFE_INTEGER,
  starts_ms: 0,
  ends_ms: 0,
  settled_ms: null,
  price_sum: null,
  price_count: null,
  is_knocked_out: false,
  is_simulated: false,
  created_ms: 0,
};

export async function offer(kysely: Kysely<unknown>, row: Partial<ProductRow> & { product_id: string }): Promise<void> {
  const store = earnStore(kysely);
  await store.addProduct({ ...PRODUCT, ...row });
  if ((row.kind ?? "flexible") !== "flexible") return;
  await store.putRate({ product_id: row.product_id, from_hour: 0, tiers: writeTiers(TIERS) });
}

let people = 0;
const addresses = new WeakMap<Visitor, string>();

/** A verified user with the given USDT in spot. */
export async function saver(server: TradingServer, usdt = "10000"): Promise<Visitor> {
  const visitor = new Visitor(server);
  people += 1;
  const address = `saver-${people}@example.com`;
  addresses.set(visitor, address);
  await visitor.signUp(address);
  await visitor.faucet("USDT", usdt);
  await visitor.dev("/identity", { level: 2 });
  return visitor;
}

/** Time passes; the given users sign in again, since sessions do not last for weeks. */
export async function pass(server: TradingServer, ms: number, ...visitors: readonly Visitor[]): Promise<void> {
  server.wait(ms);
  for (const visitor of visitors) {
    visitor.jar.clear();
    await visitor.signIn(addresses.get(visitor) ?? "");
  }
}
