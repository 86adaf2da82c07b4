// Liquidations on ladders and wallets that no default listing has: a lot above the lowest tier, a margin no single price
// can eat, a house that owes.
import { buildTiers, type Tier } from "@clockwork/kit/margin";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import { EVENTS, type MachineEvent } from "../../protocol/event.ts";
import { tiersCommand } from "../../protocol/listing-command.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { liquidateDue } from "./liquidation.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

/** Caps in USDT, leverages, maintenance in percent. */
const ladder = (...steps: readonly (readonly [number, number, number])[]): Tier[] =>
  buildTiers(
    steps.map(([cap, leverageMax, percent]) => ({
      cap: BigInt(usdt(cap)),
      leverageMax,
      rate: BigInt(percent) * 1_000_000n,
    })),
  );

function listAnother(stage: PerpStage, tiers: readonly Tier[]): number {
  const terms = { marketKind: "linear", base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1 } as const;
  const more = { stepUnits: 100_000, slippageBps: 200, feeGroup: 1, symbol: "BTCUSDT2" } as const;
  const made = stage.send({ kind: "listMarket", ...terms, ...more });
  const market = eventsOf(made, "marketListed")[0]?.market ?? 0;
  stage.send(tiersCommand(market, tiers));
  stage.mark(market, 500_000);
  return market;
}

function endow(stage: PerpStage, units: number): void {
  const money = { asset: stage.usdt, business: "adjustment", units, reference: "endow" } as const;
  stage.sure({ kind: "mint", account: INSURANCE, ...money });
}

const reported = (events: readonly MachineEvent[]): (string | number)[][] =>
  events.flatMap((event) => {
    if (event.kind === "liquidationStep") return [[event.step, event.bankruptcyTicks, event.lots, event.valueUnits]];
    return event.kind === "liquidationPrint" ? [["print", event.price, event.lots]] : [];
  });

test.each([100, 1])(
  "[FUT-2] %i lots that each are above the lowest tier are over by its step; the wallet pays",
  (lots) => {
    const stage = createPerpStage();
    endow(stage, usdt(10_000));
    const market = listAnother(stage, ladder([10, 125, 1], [1_000_000, 20, 2]));
    const [carol, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
    // Position 1 is somebody else's, with a margin of its own.
    stage.sure({ kind: "setMarginMode", account: carol, market: stage.linear, isolated: true });
    stage.buy(carol, 1, 500_000);
    stage.sell(bob, 1, 500_000);
    const alice = stage.trader(usdt(300));
    stage.sure({ kind: "setLeverage", account: alice, market, long: 20 });
    stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
    stage.sell(bob, lots, 500_000, { market });
    stage.buy(alice, lots, 500_000, { market });
    stage.buy(bob, lots, 480_000, { market });
    const held = stage.held(carol);
    const [before, fund] = [stage.balance(alice).available, stage.balance(INSURANCE).available];
    const events = stage.mark(market, 482_000);
    // Each lot is sold for 48, of which 0.06 %; nothing is left to report a step of.
    expect(reported(events)).toEqual([["print", 475_286, lots]]);
    expect(stage.held(alice, market)).toEqual([]);
    expect(stage.balance(alice)).toEqual({ available: before + lots * (500_000 - 28_800), frozen: 0 });
    expect([stage.balance(INSURANCE).available - fund, stage.held(carol)]).toEqual([lots * 28_800, held]);
  },
);

const LARGE = { lots: 800, heavyLots: 2_000, funds: 60_100, cap: 1_000 };
const SMALL = { lots: 1, heavyLots: 2, funds: 60.2, cap: 4 };

/** 0.8 BTC that lost nine tenths beside a position that asks for more than is left, on a wallet above its whole cost. */
function unbreakable(bids: number, { lots, heavyLots, funds, cap } = LARGE) {
  const stage = createPerpStage();
  endow(stage, usdt(100_000));
  const heavy = listAnother(stage, ladder([1_000_000, 2, 25]));
  stage.send(tiersCommand(stage.linear, ladder([cap, 125, 1], [1_000_000, 20, 2])));
  const [alice, bob] = [stage.trader(usdt(funds)), stage.trader(MILLION)];
  stage.mark(stage.linear, 1);
  if (bids > 0) stage.buy(bob, bids, 1);
  stage.mark(stage.linear, 500_000);
  stage.sure({ kind: "setLeverage", account: alice, market: heavy, long: 2 });
  stage.sell(bob, heavyLots, 500_000, { market: heavy });
  stage.buy(alice, heavyLots, 500_000, { market: heavy });
  stage.sell(bob, lots, 500_000);
  stage.buy(alice, lots, 500_000);
  return { stage, alice };
}

test("[FUT-2] a position that no price of its own makes bankrupt leaves its tier at any price", () => {
  const { stage } = unbreakable(700);
  const events = stage.mark(stage.linear, 50_000);
  // 4 000 at 5 000 each; 1 000 of it stay, which are 200 lots.
  expect(reported(events)[0]).toEqual(["tierReduced", 1, 600, 60_000]);
  expect(reported(events)[1]).toEqual(["print", 1, 600]);
  const one = unbreakable(10, SMALL).stage;
  expect(reported(one.mark(one.linear, 50_000))[0]).toEqual(["print", 1, 1]);
});

test("[FUT-2] a position that no price of its own makes bankrupt is taken over for nothing", () => {
  const { stage, alice } = unbreakable(0);
  const events = stage.mark(stage.linear, 50_000);
  expect(reported(events)[0]).toEqual(["takenOver", 0, 800, 0]);
  expect(stage.held(alice)).toEqual([]);
});

test("[FUT-2] what the house owes counts against its fund", () => {
  const stage = createPerpStage();
  const market = listAnother(stage, ladder([1_000_000, 100, 1]));
  const [poor, rich, alice] = [stage.trader(usdt(2_700)), stage.trader(MILLION), stage.trader(usdt(2_530))];
  stage.sell(rich, 1_000, 500_000);
  stage.buy(poor, 1_000, 500_000);
  stage.sure({ kind: "setLeverage", account: alice, market, long: 20 });
  stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
  stage.sell(rich, 1_000, 500_000, { market });
  stage.buy(alice, 1_000, 500_000, { market });
  // One source alone liquidates nobody; the market ends far below what the loser can pay.
  stage.sure({ kind: "setIndexPrice", market: stage.linear, source: 0, price: 400_000 });
  stage.mark(stage.linear, 400_000);
  stage.sure({ kind: "setMarketStatus", market: stage.linear, status: "DELISTED" });
  const { ledger } = coreOf(stage.machine);
  expect(ledger.available(ledger.cellIndex.find(12, stage.usdt))).toBeLessThan(usdt(-7_000));
  expect(eventsOf(stage.mark(market, 470_000), "liquidationStep")).toMatchObject([{ step: "deleveraged" }]);
});

/** With one source of its index alone a market liquidates nobody, whatever its mark. */
function unheard(stage: PerpStage, market: number, ticks: number): void {
  stage.sure({ kind: "setIndexPrice", market, source: 0, price: ticks });
  stage.mark(market, ticks);
}

test("[FUT-2] a short that others' losses have made worth less than nothing leaves for nothing", () => {
  const stage = createPerpStage();
  endow(stage, usdt(100_000));
  const market = listAnother(stage, ladder([1_000_000, 100, 1]));
  const [alice, bob] = [stage.trader(usdt(100)), stage.trader(MILLION)];
  for (const where of [stage.linear, market]) {
    stage.buy(bob, 1, 500_000, { market: where });
    stage.sell(alice, 1, 500_000, { market: where });
  }
  unheard(stage, stage.linear, 10_500_000);
  unheard(stage, market, 10_400_000);
  const core = coreOf(stage.machine);
  const from = core.events.count;
  liquidateDue(core, [stage.held(alice)[0]?.id ?? 0]);
  const steps: number[] = [];
  for (let record = from; record < core.events.count; record++)
    if (((core.events.i32[record << 4] as number) & 255) === EVENTS.liquidationStep.kind)
      steps.push(core.events.f64[(record << 3) | 5] as number);
  // The other then leaves at what is left: its cost, what the first one brought, and 100 less two fees.
  expect(steps).toEqual([0, Math.floor(usdt(50 + 50 + 100 - 0.06) / 1.0006)]);
});

test("[FUT-2] of those with the same margin ratio the older goes first, in whatever order they were found", () => {
  const stage = createPerpStage();
  endow(stage, usdt(100_000));
  const bob = stage.trader(MILLION);
  const holders = Array.from({ length: 5 }, () => {
    const account = stage.trader(usdt(3_000));
    stage.sure({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
    stage.sell(bob, 1_000, 500_000);
    stage.buy(account, 1_000, 500_000);
    return account;
  });
  unheard(stage, stage.linear, 477_000);
  const core = coreOf(stage.machine);
  const from = core.events.count;
  const found = holders.map((account) => stage.held(account)[0]?.id ?? 0);
  liquidateDue(
    core,
    [2, 0, 4, 1, 3].map((i) => found[i] ?? 0),
  );
  const started: number[] = [];
  for (let record = from; record < core.events.count; record++)
    if (((core.events.i32[record << 4] as number) & 255) === EVENTS.liquidationStarted.kind)
      started.push(core.events.i32[(record << 4) | 1] as number);
  expect(started).toEqual(holders);
});
