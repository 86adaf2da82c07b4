import { SimulatedGrid } from "@clockwork/kit/grid/simulate";
import { describe, expect, it } from "vitest";
import { O_PRICE, ORDER_SHIFT } from "../book/orders.ts";
import { coreOf, createMachine, restoreMachine } from "../machine/machine.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { type BotStage, COIN, createBotStage } from "../testing/bot-stage.ts";
import { eventsOf } from "../testing/driver.ts";
import { termsOf } from "./note/view.ts";

const P = 1_004_000;

function started(own: Parameters<BotStage["create"]>[0] = {}): BotStage {
  const stage = createBotStage();
  stage.moveTo(P);
  stage.create(own);
  return stage;
}

/** A row of prices that repeats itself. */
function walk(seed: number, count: number, low: number, high: number): number[] {
  let state = seed;
  const draw = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
  let price = P;
  return Array.from({ length: count }, () => {
    price = Math.max(low, Math.min(high, price + draw(60_001) - 30_000));
    return price;
  });
}

describe("a spot grid in the core", () => {
  it("[GRID-1] buys the coins of the cells above, leaves the gap empty and lays the other lines", () => {
    const stage = started();
    const { account } = stage.bot();
    // 1 % stays back: floor(9 900 ÷ ((9 450 + 10 × 1 004) × 1.001)) at 0.00001.
    const lots = 507;
    expect(stage.state()).toMatchObject({ status: "RUNNING", pairs: 0, profitUnits: 0 });
    expect(stage.resting(account)).toEqual([
      ...Array.from({ length: 10 }, (_, i) => ["buy", 900_000 + i * 10_000] as const),
      ...Array.from({ length: 10 }, (_, i) => ["sell", 1_010_000 + i * 10_000] as const),
    ]);
    const coins = stage.balance(account, stage.btc);
    expect(coins.available + coins.frozen).toBe(lots * 10 * 1_000);
    expect(stage.balance(account).available).toBeGreaterThan(90 * COIN);
  });

  it("[GRID-1] a line that is filled lays its counter order, and the later of a pair counts its profit", () => {
    const stage = started();
    const { account } = stage.bot();
    const fell = stage.moveTo(985_000);
    expect(stage.resting(account)).toContainEqual(["sell", 1_000_000]);
    expect(eventsOf(fell, "botPairClosed")).toEqual([]);
    const rose = stage.moveTo(1_003_000);
    const [pair] = eventsOf(rose, "botPairClosed");
    // 507 lots from 99 000 to 100 000: 5.07 less 0.1 % of both.
    expect(pair).toMatchObject({ later: "sell", lowTicks: 990_000, highTicks: 1_000_000, lots: 507, pairs: 1 });
    expect(pair?.profitUnits).toBe(5_070_000 - 501_930 - 507_000);
    expect(stage.state().profitUnits).toBe(pair?.profitUnits);
    expect(stage.resting(account)).toContainEqual(["buy", 990_000]);
  });

  it("[GRID-1] core, back-test and preview make the same of the same trades, fees and float included", () => {
    for (const [i, own] of [
      {},
      { spacing: "geometric", cells: 37 },
      { cells: 8, trailUpTicks: 1_300_000, trailDownTicks: 700_000 },
      { grid: "infinity", spacing: "geometric", lowTicks: 850_000, highTicks: P, cells: 8 },
      { grid: "infinity", spacing: "geometric", lowTicks: 960_000, highTicks: P, cells: 3 },
    ].entries()) {
      const stage = started(own as Parameters<BotStage["create"]>[0]);
      const { account, bot } = stage.bot();
      const core = coreOf(stage.machine);
      const lines = Array.from({ length: stage.state().lines.length }, (_, at) => stage.state().lines.at(at) as number);
      const simulated = new SimulatedGrid(
        termsOf(core, bot),
        lines,
        { tickLotUnits: 1, makerRate: 100_000, takerRate: 100_000 },
        10_000 * COIN,
      );
      simulated.trade(P, 0);
      // The last goes up by and by, over several windows, and down again.
      const drift = (at: number): number => (i < 4 ? 0 : 6_000 * Math.min(at, 60 - at));
      for (const [at, drawn] of walk(7 + i, 60, 820_000, 1_180_000).entries()) {
        const ticks = drawn + drift(at);
        stage.moveTo(ticks);
        simulated.trade(ticks, stage.machine.now);
        const state = stage.state();
        expect(state.latticeIndex).toBe(simulated.state.latticeIndex ?? 0);
        expect([state.status, state.pairs, state.profitUnits]).toEqual([
          simulated.state.status,
          simulated.state.pairs,
          simulated.state.profitUnits,
        ]);
        expect(stage.resting(account)).toEqual(
          simulated
            .resting()
            .map(({ side, ticks: at }) => [side, at])
            .sort((a, b) => (a[1] as number) - (b[1] as number)),
        );
        const coins = stage.balance(account, stage.btc);
        expect((coins.available + coins.frozen) / 1_000).toBe(simulated.lots);
      }
      expect(stage.state().pairs).toBeGreaterThan(4);
    }
  });

  it("[GRID-1] the profit shown is the profit of the fills, over walks with parts of orders, restarts and gaps", () => {
    for (let seed = 1; seed <= 6; seed++) {
      const stage = started({ cells: 10 + seed * 3, spacing: seed % 2 === 0 ? "geometric" : "arithmetic" });
      const { account } = stage.bot();
      let flows = 0;
      const add = (events: readonly MachineEvent[]): void => {
        for (const event of events)
          if (event.kind === "posting" && event.account === account && event.asset === stage.usdt)
            flows += event.business === "trade" || event.business === "fee" ? event.deltaUnits : 0;
      };
      for (const [i, ticks] of walk(seed, 25, 850_000, 1_150_000).entries()) {
        add(stage.moveTo(ticks));
        // Part of the nearest order, by somebody else, once nothing stands before it.
        stage.sure({ kind: "cancelAll", account: stage.maker, market: stage.spot });
        const side = i % 2 === 0 ? "buy" : "sell";
        const price = i % 2 === 0 ? ticks + 40_000 : ticks - 40_000;
        const part = { kind: "placeOrder", account: stage.maker, market: stage.spot, side, price } as const;
        add(stage.sure({ ...part, quantity: 50 + (i % 400), timeInForce: "IOC" }));
        if (i % 10 === 5) stage.machine.restore(stage.machine.snapshot());
      }
      const state = stage.state();
      let open = 0;
      for (let cell = 0; cell < state.cells.length; cell++) open += state.cells.at(cell)?.flowUnits ?? 0;
      // All the cells' cash is profit of pairs or of a half that is still open.
      expect(state.profitUnits + open).toBe(flows);
      expect(state.pairs).toBeGreaterThan(0);
    }
  });

  it("[GRID-1] base alone and both are used, and what is too many is sold", () => {
    const base = started({ quoteUnits: 0, baseUnits: 10_000_000 });
    expect(base.state().status).toBe("RUNNING");
    expect(base.resting(base.bot().account)).toHaveLength(20);
    const both = started({ quoteUnits: 5_000 * COIN, baseUnits: 5_000_000 });
    expect(both.resting(both.bot().account)).toHaveLength(20);
  });

  it("[GRID-1] waits for its trigger, ends at its stop and gives everything back", () => {
    const stage = started({ triggerTicks: 990_000, stopBelowTicks: 880_000, stopAboveTicks: 1_150_000 });
    const { account } = stage.bot();
    const before = stage.balance(stage.user).available;
    expect(stage.state().status).toBe("WAIT_TRIGGER");
    expect(stage.resting(account)).toEqual([]);
    stage.moveTo(995_000);
    expect(stage.state().status).toBe("WAIT_TRIGGER");
    stage.moveTo(989_000);
    expect(stage.state().status).toBe("RUNNING");
    const ended = stage.moveTo(870_000);
    const closed = eventsOf(ended, "botChanged").at(-1);
    expect(closed).toMatchObject({ change: "closed", status: "CLOSED", reason: "STOP_LOSS" });
    expect(stage.resting(account)).toEqual([]);
    for (const asset of [stage.usdt, stage.btc])
      expect(stage.balance(account, asset)).toEqual({ available: 0, frozen: 0 });
    expect(stage.balance(stage.user).available).toBeGreaterThan(before + 8_000 * COIN);
  });

  it("[GRID-1] a trailing exit is moved up by better prices, outlives a restart and ends where the price has come back to it", () => {
    const stage = started({ exitBps: 500 });
    const { account } = stage.bot();
    stage.moveTo(1_080_000);
    stage.machine.restore(stage.machine.snapshot());
    const best = stage.state().bestTicks ?? 0;
    expect(best).toBeGreaterThan(1_070_000);
    stage.moveTo(best - 53_000);
    expect(stage.state().status).toBe("RUNNING");
    const before = stage.balance(stage.user).available;
    const ended = stage.moveTo(best - 54_100);
    expect(eventsOf(ended, "botChanged").at(-1)).toMatchObject({ change: "closed", reason: "TRAILING_EXIT" });
    expect(stage.balance(account)).toEqual({ available: 0, frozen: 0 });
    expect(stage.balance(stage.user).available).toBeGreaterThan(before + 9_900 * COIN);
    const changed = started({ exitBps: 500 });
    changed.moveTo(1_080_000);
    const settings = { kind: "changeBot", account: changed.bot().account } as const;
    const terms = eventsOf(changed.sure({ ...settings, reference: "wider", exitBps: 2_000 }), "botTerms")[0];
    expect(terms).toMatchObject({ exitBps: 2_000, leverage: 1 });
    changed.moveTo(1_000_000);
    expect(changed.state().status).toBe("RUNNING");
  });

  it("[GRID-1] ends at its time, keeps the coins when asked to, and follows the price both ways", () => {
    const stage = started({ keeps: true, endsAt: 1_700_000_900_000, cells: 50, trailUpTicks: 1_500_000 });
    const { account } = stage.bot();
    const moved = stage.moveTo(1_105_000);
    expect(eventsOf(moved, "botChanged").at(-1)).toMatchObject({
      change: "trailed",
      lowTicks: 908_000,
      highTicks: 1_108_000,
    });
    expect(stage.resting(account)).toHaveLength(50);
    const coins = stage.balance(stage.user, stage.btc).available;
    stage.time = 1_700_000_900_000;
    const ended = stage.sure({ kind: "tick" });
    expect(eventsOf(ended, "botChanged").at(-1)).toMatchObject({ change: "closed", reason: "ENDED" });
    expect(stage.balance(stage.user, stage.btc).available).toBeGreaterThan(coins);
  });

  it("[GRID-1] only its own orders are in its book; one may be withdrawn and comes back with a change", () => {
    const stage = started();
    const { account } = stage.bot();
    const place = stage.sure({
      kind: "placeOrder",
      account,
      market: stage.spot,
      side: "sell",
      price: 1_050_000,
      quantity: 50,
    });
    expect(eventsOf(place, "rejected")[0]?.code).toBe("BOT_BOOK_CLOSED");
    const out = stage.sure({
      kind: "transfer",
      account,
      to: stage.user,
      asset: stage.usdt,
      units: 1,
      business: "transfer",
      reference: "x",
    });
    expect(eventsOf(out, "rejected")[0]?.code).toBe("NOT_TRANSFERABLE");
    const core = coreOf(stage.machine);
    const [slot] = core.accountMarkets.openOrdersOf(core.accountMarkets.find(account, stage.spot));
    stage.sure({ kind: "cancelOrder", account, orderId: core.books.orders.id(slot as number) });
    expect(stage.resting(account)).toHaveLength(19);
    stage.sure({ kind: "changeBot", reference: "r:1", account, stopBelowTicks: 880_000 });
    expect(stage.resting(account)).toHaveLength(20);
  });

  it("[GRID-1] a line that takes as it is laid turns its cell like one that was met, and pays the taker's fee", () => {
    const stage = started();
    const { account } = stage.bot();
    const core = coreOf(stage.machine);
    const slots = core.accountMarkets.openOrdersOf(core.accountMarkets.find(account, stage.spot));
    for (const slot of slots)
      if (core.books.orderWords[(slot << ORDER_SHIFT) | O_PRICE] === 1_010_000)
        stage.sure({ kind: "cancelOrder", account, orderId: core.books.orders.id(slot) });
    stage.send({ kind: "setFeeGroup", feeGroup: 0, makerRate: 0, takerRate: 200_000 });
    stage.sure({ kind: "cancelAll", account: stage.maker, market: stage.spot });
    const bid = { kind: "placeOrder", account: stage.maker, market: stage.spot, side: "buy" } as const;
    stage.sure({ ...bid, price: 1_012_000, quantity: 1_000 });
    const laid = stage.sure({ kind: "changeBot", reference: "r:4", account, stopBelowTicks: 880_000 });
    expect(eventsOf(laid, "trade")).toMatchObject([{ account, price: 1_012_000, lots: 507, takerSide: "sell" }]);
    expect(stage.resting(account)).toContainEqual(["buy", 1_000_000]);
    expect(stage.resting(account)).not.toContainEqual(["sell", 1_010_000]);
    const cell = stage.state().cells.at(10);
    expect(cell).toMatchObject({ side: "buy", flowUnits: 507 * 1_012_000 - Math.ceil((507 * 1_012_000 * 2) / 1_000) });
  });

  it("[GRID-1] profit above the reserve can be taken out, more cannot", () => {
    const stage = started();
    const { account } = stage.bot();
    for (let i = 0; i < 3; i++) {
      stage.moveTo(960_000);
      stage.moveTo(1_003_000);
    }
    const { profitUnits } = stage.state();
    const much = stage.sure({ kind: "takeBotProfit", reference: "r:2", account, units: profitUnits + 1 });
    expect(eventsOf(much, "rejected")[0]?.code).toBe("BOT_PROFIT_TOO_SMALL");
    const free = stage.balance(account).available - 100 * COIN;
    const units = Math.min(profitUnits, free);
    expect(units).toBeGreaterThan(0);
    const taken = stage.sure({ kind: "takeBotProfit", reference: "r:3", account, units });
    expect(eventsOf(taken, "botChanged")[0]).toMatchObject({ change: "profitTaken", takenUnits: units });
    const stopped = stage.sure({ kind: "stopBot", account, sells: true });
    expect(eventsOf(stopped, "botChanged").at(-1)).toMatchObject({ change: "closed", reason: "USER" });
    expect(eventsOf(stage.sure({ kind: "stopBot", account, sells: true }), "rejected")[0]?.code).toBe(
      "BOT_NOT_RUNNING",
    );
  });

  it("[GRID-1] a snapshot, a restart or a replay gives the same bot", () => {
    const stage = started({ trailUpTicks: 1_400_000, cells: 12 });
    for (const ticks of walk(3, 20, 880_000, 1_200_000)) stage.moveTo(ticks);
    const hash = stage.machine.stateHash();
    const replay = createMachine({ orderCapacity: 8, fastPathsAfter: 0 });
    for (const [at, bytes] of stage.journal.entries()) {
      if (at === stage.journal.length - 40) {
        const forked = restoreMachine(replay.snapshot());
        for (const rest of stage.journal.slice(at)) forked.apply(rest, 0);
        expect(forked.stateHash()).toBe(hash);
      }
      replay.apply(bytes, 0);
      replay.events.clear();
    }
    expect(replay.stateHash()).toBe(hash);
  });
});
