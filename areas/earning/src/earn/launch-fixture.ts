// A launch of one round for tests, put there with its coins as operators' proposals would.

import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { commitTo, roundSeed } from "@clockwork/kit/earn/draw";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import type { TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { launchStore, type ProjectRow, type RoundRow } from "../launchpad/store.ts";

export const SEED = "5a".repeat(32);
export const coins = (whole: number): bigint => BigInt(whole) * 100_000_000n;
let subs = 0;

/** A launch of DOT at half a USDT with one round, open from a minute ago for an hour. */
export async function launchOf(
  server: TradingServer,
  kind: RoundRow["kind"],
  stock: bigint,
  more: Partial<RoundRow> = {},
): Promise<RoundRow> {
  subs += 1;
  const now = server.nowMs();
  const name = `p${subs}`;
  const project: ProjectRow = {
    project_id: name,
    name,
    asset: "DOT",
    scale: 8,
    summary: "",
    supply: "1000",
    price_units: 500_000n,
    vest_bps: 2_000,
    vest_days: 10,
    announced_ms: now,
    listing_ms: now + 5 * DAY_MS,
    state: "ACTIVE",
    promise: commitTo(SEED),
    server_seed: SEED,
    salt: "salt",
    sub: subs,
    is_simulated: false,
  };
  const round: RoundRow = {
    round_id: `${name}-1`,
    project_id: name,
    number: 1,
    kind,
    stock_units: stock,
    lot_units: coins(100),
    cap_units: 0n,
    tickets_max: 20,
    unit_units: 1_000_000_000n,
    snapshot_days: 1,
    preheat_ms: now - DAY_MS,
    opens_ms: now - MINUTE_MS,
    closes_ms: now + HOUR_MS,
    pay_until_ms: now + 5 * HOUR_MS,
    stage: "OPEN",
    root: null,
    close_sequence: 0,
    promise: commitTo(roundSeed(SEED, `${name}-1`)),
    draw_ms: null,
    journal: null,
    public_seed: null,
    seed: null,
    tickets: 0,
    winners_max: 3,
    sub: subs,
    returned_units: null,
    ...more,
  };
  const asset = (await server.engine.readListing())?.assets.find(({ symbol }) => symbol === "DOT")?.asset ?? 0;
  const sale = (await openHouseAccount(server.engine.submit, "sale", subs)) ?? 0;
  const units = Number(stock.toString());
  await server.engine.submit({
    kind: "mint",
    account: sale,
    asset,
    business: "deposit",
    units,
    reference: `stock:${name}`,
  });
  if (server.kysely !== undefined) await launchStore(server.kysely).add(project, [round]);
  return round;
}

/** The free DOT in a sale account; 0 is the exchange's own for sales. */
export async function stockIn(server: TradingServer, sub: number): Promise<bigint> {
  const asset = (await server.engine.readListing())?.assets.find(({ symbol }) => symbol === "DOT")?.asset ?? 0;
  const account = (await openHouseAccount(server.engine.submit, "sale", sub)) ?? 0;
  const view = await server.engine.cache?.open(account, server.nowMs());
  return view?.of(ledgerView).balances.get(asset)?.available_units ?? 0n;
}
