// The core beside its naive twin on one linear perpetual: the same refusals, trades, positions, wallets and
// liquidations.

import { coreOf, createMachine } from "@clockwork/core/machine/machine";
import { contractOf } from "@clockwork/core/perp/margin/equity";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createPerpStage } from "@clockwork/core/testing/perp-stage";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { NaivePerps } from "./perp-reference.ts";

const LEVERAGE = 20n;

function runTwins(seed: number, commands: number): { trades: number; refusals: Set<string>; liquidations: number } {
  const machine = createMachine({
    fastPathsAfter: 16,
    orderCapacity: 4_096,
    accountCapacity: 256,
    eventCapacity: 4_096,
  });
  const stage = createPerpStage(machine, { restingMax: 10_000 });
  const random = createRandom(seed);
  const contract = contractOf(coreOf(machine), stage.linear);
  const naive = new NaivePerps(contract, LEVERAGE, 500_000n, { maker: 20_000n, taker: 60_000n });
  const accounts = Array.from({ length: 10 }, (_, i) => {
    const units = i % 3 === 0 ? 150_000_000 : 50_000_000_000;
    const account = stage.trader(units);
    naive.open(account, BigInt(units));
    return account;
  });
  const seen = { trades: 0, refusals: new Set<string>(), liquidations: 0 };
  let middle = 500_000;
  for (let i = 0; i < commands; i++) {
    const account = random.pick(accounts);
    const dice = random.below(100);
    if (dice < 60) {
      const sells = random.chance(1, 2);
      const lots = random.between(1, 30);
      const price = middle + random.between(-400, 400) + (random.chance(1, 30) ? random.pick([-40_000, 40_000]) : 0);
      const timeInForce = random.chance(1, 4) ? "IOC" : "GTC";
      const side = sells ? "sell" : "buy";
      const events = stage.send({
        kind: "placeOrder",
        account,
        market: stage.linear,
        side,
        quantity: lots,
        price,
        timeInForce,
      });
      const order = { id: 0, account, sells, price: BigInt(price), lots: BigInt(lots) };
      const wanted = naive.refusal(order);
      expect([i, eventsOf(events, "rejected")[0]?.code]).toEqual([i, wanted]);
      if (wanted !== undefined) {
        seen.refusals.add(wanted);
        continue;
      }
      const id = eventsOf(events, "orderAccepted")[0]?.orderId ?? 0;
      const trades = naive.place({ ...order, id }, timeInForce === "IOC");
      expect(
        eventsOf(events, "trade").map((trade) => [BigInt(trade.price), BigInt(trade.lots), trade.makerAccount]),
      ).toEqual(trades);
      seen.trades += trades.length;
    } else if (dice < 92 && naive.orders.length > 0) {
      const order = random.pick(naive.orders);
      const events = stage.send({ kind: "cancelOrder", account: order.account, orderId: order.id });
      expect(eventsOf(events, "orderEnded")).toHaveLength(1);
      naive.cancel(order.id);
    } else {
      middle += random.between(-14_000, 14_000);
      naive.mark = BigInt(middle);
      const due = naive.due();
      const events = stage.send({
        kind: "setReferencePrice",
        market: stage.linear,
        markTicks: middle,
        indexTicks: middle,
      });
      const started = eventsOf(events, "liquidationStarted").map((event) => event.account);
      expect([i, new Set(started)]).toEqual([i, new Set(due)]);
      seen.liquidations += due.length;
      if (due.length > 0) return seen;
    }
    for (const [one, { cash, lots, cost }] of naive.holders) {
      const [held] = stage.held(one);
      expect([i, one, BigInt(held?.lots ?? 0), BigInt(held?.cost ?? 0)]).toEqual([i, one, lots, cost]);
      expect([i, one, BigInt(stage.balance(one).available)]).toEqual([i, one, cash]);
    }
  }
  return seen;
}

test("[FUT-2] the core and its naive twin agree command for command until somebody is liquidated, and on whom", () => {
  const refusals = new Set<string>();
  let trades = 0;
  let liquidations = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const seen = runTwins(seed, 250);
    trades += seen.trades;
    liquidations += seen.liquidations;
    for (const code of seen.refusals) refusals.add(code);
  }
  expect(trades).toBeGreaterThan(200);
  expect(liquidations).toBeGreaterThan(2);
  expect([...refusals]).toEqual(expect.arrayContaining(["INSUFFICIENT_MARGIN", "PRICE_TOO_HIGH", "PRICE_TOO_LOW"]));
});
