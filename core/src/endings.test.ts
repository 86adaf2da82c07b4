// Changes and ends of orders: what they hold is always theirs, and every order is told to its end.
import { beforeEach, describe, expect, it } from "vitest";
import type { Command } from "./command.ts";
import { eventsOf } from "./driver.ts";
import type { MachineEvent } from "./event.ts";
import { checkInvariants } from "./invariants.ts";
import { coreOf } from "./machine.ts";
import { createStage, type Stage } from "./stage.ts";

let stage: Stage;
let alice: number;
let bob: number;

const send = (command: Command): MachineEvent[] => {
  const events = stage.send(command);
  expect(checkInvariants(stage.machine)).toEqual([]);
  return events;
};
const limit = (account: number, side: "buy" | "sell", price: number, quantity: number): MachineEvent[] =>
  send({ kind: "placeOrder", account, market: stage.market, side, price, quantity });
const placedId = (events: readonly MachineEvent[]): number => eventsOf(events, "orderAccepted")[0]?.orderId ?? 0;
const balance = (account: number, asset: number): [number, number] => {
  const { ledger } = coreOf(stage.machine);
  const cell = ledger.cellOf(account, asset);
  return [ledger.available(cell), ledger.frozen(cell)];
};

beforeEach(() => {
  stage = createStage({ anchorTicks: 1_000 });
  alice = stage.trader(1e8, 1e8);
  bob = stage.trader(1e8, 1e8);
});

describe("amends", () => {
  it("[LEDGER-5] an amend under a new fee keeps its reserve in the order and gives it back at the end", () => {
    const bot = stage.trader(0, 1e6, { book: "bot" });
    const fees = (rate: number): MachineEvent[] =>
      send({ kind: "setAccountFees", account: bot, feeGroup: 0, makerRate: rate, takerRate: rate });
    fees(0);
    const orderId = placedId(limit(bot, "buy", 1_000, 5));
    fees(100_000);
    send({ kind: "amendOrder", account: bot, orderId, price: 1_001 });
    expect(balance(bot, stage.quote)).toEqual([1e6 - 5_011, 5_011]);
    const [ended] = eventsOf(send({ kind: "cancelOrder", account: bot, orderId }), "orderEnded");
    expect(ended?.releasedUnits).toBe(5_011);
    expect(balance(bot, stage.quote)).toEqual([1e6, 0]);
  });
});

describe("quote orders", () => {
  const spend = (account: number, quantity: number, selfTrade: "EXPIRE_TAKER" | "DECREMENT" = "EXPIRE_TAKER") =>
    eventsOf(
      send({
        kind: "placeOrder",
        account,
        market: stage.market,
        side: "buy",
        type: "market",
        inQuote: true,
        quantity,
        selfTrade,
      }),
      "orderEnded",
    );

  it("[ORDER-12] a quote order always tells its end and what of it was not spent", () => {
    limit(bob, "sell", 1_000, 5);
    expect(spend(alice, 999)).toMatchObject([{ reason: "MARKET_REST", lots: 999, releasedUnits: 999 }]);
    expect(spend(alice, 1_500)).toMatchObject([{ reason: "QUOTE_SPENT", lots: 500, releasedUnits: 500 }]);
    expect(spend(alice, 1_000)).toMatchObject([{ reason: "QUOTE_SPENT", lots: 0, releasedUnits: 0 }]);
    expect(spend(bob, 1_000)).toMatchObject([{ reason: "STP_TAKER", lots: 1_000 }]);
    expect(spend(alice, 3_001)).toMatchObject([{ reason: "MARKET_REST", lots: 1 }]);
    expect(balance(alice, stage.quote)).toEqual([1e8 - 5_000, 0]);
  });

  it("[ORDER-12] a quote order whose overlap was decremented was not spent", () => {
    limit(bob, "sell", 1_000, 1);
    limit(alice, "sell", 1_000, 5);
    expect(spend(bob, 2_500, "DECREMENT")).toMatchObject([
      { reason: "STP_DECREMENT", lots: 0 },
      { reason: "MARKET_REST", lots: 500 },
    ]);
  });

  it("[ORDER-12] the fee reserve of a quote order comes back with its rest", () => {
    const bot = stage.trader(0, 1e6, { book: "bot" });
    limit(bob, "sell", 1_000, 5);
    expect(spend(bot, 2_500)).toMatchObject([{ reason: "QUOTE_SPENT", lots: 500, releasedUnits: 501 }]);
    expect(balance(bot, stage.quote)).toEqual([1e6 - 2_002, 0]);
  });
});
