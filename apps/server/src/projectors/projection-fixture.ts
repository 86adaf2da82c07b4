// Owns what the projection's tests share: a seeded session of many kinds of commands, its events as batches, and a
// dump of the tables. Must never be used by the running server.

import { readFileSync } from "node:fs";
import { createMachine } from "@clockwork/core/machine/machine";
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import { createStage, type Stage } from "@clockwork/core/testing/stage";
import type { EventBatch } from "@clockwork/host/engine";
import { createRandom, type Random } from "@clockwork/kit/random";
import type { ProjectionTables } from "@clockwork/trading/projectors/rows/rows";
import type { Kysely } from "kysely";

export const PROJECTION_MIGRATIONS = [
  "001-projection.sql",
  "002-fees.sql",
  "003-exits.sql",
  "004-named.sql",
  "005-lean.sql",
  "006-contracts.sql",
  "007-futures.sql",
  "008-told.sql",
  "009-copy.sql",
  "010-plans.sql",
  "011-bots.sql",
  "012-turnover.sql",
  "013-rebalancers.sql",
  "014-modes.sql",
  "015-bot-exits.sql",
  "016-bot-fees.sql",
  "017-bonus-source.sql",
  "018-margin-told.sql",
  "019-margins.sql",
  "020-icebergs.sql",
  "021-gold-fees.sql",
  "022-premiums.sql",
  "023-expiries.sql",
  "024-debts.sql",
  "025-reading.sql",
  "026-bill-keys.sql",
  "027-exact-costs.sql",
  "028-values.sql",
  "029-large-bills.sql",
  "030-bill-blocks.sql",
  "031-slices.sql",
  "032-order-events.sql",
].map((file) => ({
  name: `engine/${file}`,
  sql: readFileSync(new URL(`./${file}`, import.meta.url), "utf8"),
}));

export const JOURNAL = "00112233445566778899aabbccddeeff";

export interface Session {
  readonly stage: Stage;
  readonly accounts: readonly number[];
  /** One batch per command, in order from sequence 1. */
  readonly batches: readonly EventBatch[];
}

/** Runs `count` random commands on its own machine; the first `simulated` traders are simulated ones. */
export function runSession(seed: number, count: number, simulated = 0): Session {
  const random = createRandom(seed);
  const stage = createStage({ anchorTicks: 1_000, restingMax: 100_000 });
  const accounts = [0, 1, 2, 3].map((index) =>
    stage.trader(10 ** 10, 10 ** 10, { user: index < simulated ? SIMULATED_USER_MIN + index : index + 1 }),
  );
  accounts.push(stage.trader(10 ** 10, 10 ** 10, { user: 9, book: "bot", sub: 3 }));
  const orders: KnownOrder[] = [];
  for (let index = 0; index < count; index++) {
    if (random.chance(1, 3)) stage.time += random.below(400);
    for (const event of stage.send(nextCommand(random, stage, accounts, orders, index))) remember(event, orders);
  }
  return { stage, accounts, batches: listBatches(stage.journal) };
}

/** The same commands once more, for their events as bytes. */
export function listBatches(journal: readonly Uint8Array[]): EventBatch[] {
  const machine = createMachine();
  return journal.map((command) => {
    const timeBeforeMs = machine.now;
    machine.events.clear();
    machine.apply(command, 0);
    const { sequence, events } = machine;
    const bytes = events.bytes.slice(0, events.length);
    return { firstSequence: sequence, lastSequence: sequence, timeBeforeMs, bytes };
  });
}

interface KnownOrder {
  readonly id: number;
  readonly account: number;
}

function nextCommand(
  random: Random,
  stage: Stage,
  accounts: readonly number[],
  orders: readonly KnownOrder[],
  index: number,
): Command {
  const { market } = stage;
  const account = random.pick(accounts);
  const side = random.pick(["buy", "sell"] as const);
  const price = random.between(950, 1_050);
  const quantity = random.between(1, 40);
  const selfTrade = random.pick(["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_BOTH", "DECREMENT"] as const);
  const order = { account, market, side, price, quantity, selfTrade };
  const known = orders.length > 0 ? random.pick(orders) : { id: 1, account };
  const reference = `ref:${index}`;
  switch (random.below(24)) {
    case 0:
      return { kind: "placeOrder", ...order, price: 0, type: "market" };
    case 1:
      return { kind: "placeOrder", ...order, side: "buy", price: 0, type: "market", inQuote: true, quantity: 20_000 };
    case 2:
    case 3:
    case 4:
      return { kind: "cancelOrder", account: known.account, orderId: known.id };
    case 5:
      return { kind: "amendOrder", account: known.account, orderId: known.id, price, quantity };
    case 6:
      return { kind: "amendOrder", account: known.account, orderId: known.id, quantity: random.between(1, 20) };
    case 7: {
      const conditional = random.pick(["stopLimit", "stopMarket", "trailingStop"] as const);
      const direction = random.pick(["rises", "falls"] as const);
      return { kind: "placeConditional", ...order, conditional, direction, trigger: price, callbackBps: 100 };
    }
    case 8:
      return { kind: "placeBracket", ...order, profitPrice: random.between(1_000, 1_050), stopTrigger: 960 };
    case 9:
      return { kind: "placeOco", ...order, trigger: random.between(950, 1_050), stopPrice: 0 };
    case 10: {
      stage.time += random.below(15_000);
      const slices = { durationMs: 300_000, intervalMs: 10_000 };
      return random.chance(1, 4) ? { kind: "placeTwap", ...order, quantity: 300, ...slices } : { kind: "tick" };
    }
    case 11: {
      const business = random.pick(["deposit", "adjustment"] as const);
      return { kind: "mint", account, asset: stage.quote, business, units: quantity, reference };
    }
    case 12:
      return { kind: "transfer", account, asset: stage.base, units: quantity, to: random.pick(accounts), reference };
    default: {
      const timeInForce = random.pick(["GTC", "GTC", "IOC", "FOK"] as const);
      return { kind: "placeOrder", ...order, timeInForce, clientOrderId: random.chance(1, 4) ? `c${index}` : "" };
    }
  }
}

function remember(event: MachineEvent, orders: KnownOrder[]): void {
  if (event.kind !== "orderAccepted" && event.kind !== "conditionalAccepted") return;
  orders.push({ id: event.orderId, account: event.account });
  if (orders.length > 80) orders.shift();
}

const KEYS = {
  engine_cursor: ["name"],
  engine_accounts: ["account"],
  engine_assets: ["asset"],
  engine_markets: ["market"],
  engine_orders: ["order_id"],
  engine_fills: ["market", "trade_number", "role"],
  engine_turnover: ["hour", "account", "market", "role", "fee_asset"],
  engine_fill_days: ["account", "day", "market", "side", "fee_asset"],
  engine_bill_days: ["account", "day", "asset", "business"],
  engine_bill_blocks: ["account", "asset", "business", "block"],
  engine_minutes: ["minute"],
  engine_values: ["asset", "span_ms", "slot_ms"],
  engine_bills: ["sequence", "line"],
  engine_balances: ["account", "asset"],
  engine_fees: ["account", "fee_group"],
  engine_user_fees: ["user_id"],
  engine_expired_holds: ["sequence", "line"],
  engine_restrictions: ["user_id"],
  engine_debts: ["user_id", "asset"],
  engine_house_accounts: ["account"],
  engine_seeds: ["number"],
  engine_margin_told: ["sequence", "line"],
} as const;

/** Every row of every table of the projection, in the order of its key. */
export async function dumpTables(kysely: Kysely<unknown>): Promise<Record<keyof typeof KEYS, unknown[]>> {
  const tables = kysely.$extendTables<ProjectionTables>();
  const found: Record<string, unknown[]> = {};
  for (const [table, keys] of Object.entries(KEYS) as [keyof ProjectionTables, readonly string[]][]) {
    let query = tables.selectFrom(table).selectAll();
    for (const key of keys) query = query.orderBy(key as never);
    found[table] = await query.execute();
  }
  return found as Record<keyof typeof KEYS, unknown[]>;
}
