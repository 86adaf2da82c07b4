// The bounds at which a liquidation and the fund decide, each met exactly and missed by one.
import { tiersA } from "@clockwork/kit/margin-tiers";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import { tiersCommand } from "../../protocol/listing-command.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";
import { liquidateDue } from "./liquidation.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

function endow(stage: PerpStage, units: number): void {
  const money = { asset: stage.usdt, business: "adjustment", units, reference: "endow" } as const;
  stage.sure({ kind: "mint", account: INSURANCE, ...money });
}

function isolate(stage: PerpStage, account: number, leverage: number): void {
  stage.sure({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
  stage.sure({ kind: "setLeverage", account, market: stage.linear, long: leverage });
}

test.each([
  ["takenOver", 0],
  ["deleveraged", 1],
] as const)("[FUT-2] the fund bears a loss that takes its last unit, and none beyond: %s", (step, missing) => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(2_530)), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  // One BTC bought at 47 528.517111 is worth 47 000.
  endow(stage, usdt(528.517111) - missing);
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  expect(eventsOf(stage.mark(stage.linear, 470_000), "liquidationStep")).toMatchObject([{ step }]);
});

test("[FUT-2] a short on its whole worth leaves at what both are, less the fee", () => {
  const stage = createPerpStage();
  endow(stage, usdt(100_000));
  const [alice, bob] = [stage.trader(usdt(51_000)), stage.trader(MILLION)];
  isolate(stage, alice, 1);
  stage.buy(bob, 1_000, 500_000);
  stage.sell(alice, 1_000, 500_000);
  expect(stage.held(alice)).toMatchObject([{ lots: -1_000, margin: usdt(50_000) }]);
  const [taken] = eventsOf(stage.mark(stage.linear, 999_900), "liquidationStep");
  expect(taken).toMatchObject({ step: "takenOver", valueUnits: Number((BigInt(usdt(100_000)) * 10_000n) / 10_006n) });
});

test("[FUT-2] what the fund holds waits while nobody bids, and no order is sent for it", () => {
  const stage = createPerpStage();
  endow(stage, usdt(10_000));
  const [alice, bob] = [stage.trader(usdt(2_530)), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  stage.mark(stage.linear, 477_000);
  stage.time += 500;
  const events = stage.sure({ kind: "tick" });
  expect(events.filter(({ kind }) => kind.startsWith("order") || kind === "trade")).toEqual([]);
  expect(stage.machine.nextTimerAt).toBe(stage.time + 500);
});

test("[FUT-2] of split positions the one in danger is sold, not the one beside it", () => {
  const stage = createPerpStage();
  endow(stage, usdt(100_000));
  const [alice, bob] = [stage.trader(usdt(80_000)), stage.trader(MILLION)];
  stage.sure({ kind: "setPositionMode", account: alice, hedge: true, split: true });
  for (const [lots, price] of [
    [100, 481_000],
    [24_000, 500_000],
    [200, 481_000],
  ] as const) {
    stage.mark(stage.linear, price);
    stage.sell(bob, lots, price);
    stage.buy(alice, lots, price);
  }
  stage.buy(bob, 24_000, 477_000);
  const [before, large, after] = stage.held(alice);
  const events = stage.mark(stage.linear, 477_200);
  const steps = eventsOf(events, "liquidationStep").map(({ step, position }) => [step, position]);
  expect(steps).toEqual(["tierReduced", "tierReduced", "takenOver"].map((step) => [step, large?.id]));
  expect(stage.held(alice)).toEqual([before, after]);
});

test("[FUT-2] a position of one lot is ended like any other, and the fund works it off", () => {
  const stage = createPerpStage();
  endow(stage, usdt(10_000));
  const [alice, bob] = [stage.trader(usdt(10)), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  stage.sell(bob, 1, 500_000);
  stage.buy(alice, 1, 500_000);
  const events = stage.mark(stage.linear, 477_000);
  expect(eventsOf(events, "liquidationStep")).toMatchObject([{ step: "takenOver", lots: 1 }]);
  const published = eventsOf(events, "positionChanged").filter(({ account }) => account === INSURANCE);
  expect(published).toMatchObject([{ lots: 1, realizedUnits: 0 }]);
  expect(stage.held(INSURANCE)).toMatchObject([{ lots: 1 }]);
  expect(stage.machine.nextTimerAt).toBe(stage.time + 500);
  stage.buy(bob, 10, 476_000);
  stage.time += 500;
  stage.sure({ kind: "tick" });
  expect(stage.held(INSURANCE)).toEqual([]);
});

test("[FUT-2] the fund turns from long to short and back by what it takes over, and its slices keep their time", () => {
  const stage = createPerpStage();
  endow(stage, usdt(10_000));
  const bob = stage.trader(MILLION);
  const open = (side: "buy" | "sell", lots: number, price: number): void => {
    const account = stage.trader(usdt(30));
    isolate(stage, account, 20);
    stage[side === "buy" ? "sell" : "buy"](bob, lots, price);
    stage[side](account, lots, price);
  };
  const published = (mark: number): number[][] =>
    eventsOf(stage.mark(stage.linear, mark), "positionChanged")
      .filter(({ account }) => account === INSURANCE)
      .map(({ lots, realizedUnits }) => [lots, Math.sign(realizedUnits)]);
  open("buy", 1, 500_000);
  const from = stage.time;
  expect(published(477_000)).toEqual([[1, 0]]);
  stage.time += 200;
  open("sell", 2, 477_000);
  expect(published(499_000)).toEqual([
    [0, 1],
    [-1, 0],
  ]);
  expect(stage.machine.nextTimerAt).toBe(from + 500);
  stage.time += 200;
  open("buy", 1, 499_000);
  expect(published(476_000)).toEqual([[0, 1]]);
});

test("[FUT-2] a loser of one lot is closed against a winner of one lot", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(5)), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  stage.buy(bob, 1, 500_000);
  stage.sell(alice, 1, 500_000);
  expect(eventsOf(stage.mark(stage.linear, 560_000), "deleveraged")).toMatchObject([{ account: bob, lots: 1 }]);
});

test("[FUT-2] a winner's place in the queue counts his profit once", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(1_600)), stage.trader(MILLION)];
  const [high, low] = [stage.trader(MILLION), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  for (const account of [low, high]) isolate(stage, account, 50);
  stage.sell(high, 600, 500_000);
  stage.buy(alice, 600, 500_000);
  stage.mark(stage.linear, 480_000);
  stage.sell(low, 600, 480_000);
  stage.buy(bob, 600, 480_000);
  const closed = eventsOf(stage.mark(stage.linear, 440_000), "deleveraged");
  expect(closed).toMatchObject([{ account: high, lots: 600 }]);
});

test("[FUT-2] the fund sells nothing while the market is halted", () => {
  const stage = createPerpStage();
  endow(stage, usdt(10_000));
  const [alice, bob] = [stage.trader(usdt(2_530)), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  stage.mark(stage.linear, 477_000);
  stage.buy(bob, 2_000, 476_000);
  stage.sure({ kind: "setMarketStatus", market: stage.linear, status: "HALT" });
  stage.time += 500;
  stage.sure({ kind: "tick" });
  expect(stage.held(INSURANCE)).toMatchObject([{ lots: 1_000 }]);
});

test("[FUT-2] who is healthy, or gone, when his turn comes is left alone", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(2_530)), stage.trader(MILLION)];
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  const core = coreOf(stage.machine);
  const position = stage.held(alice)[0]?.id ?? 0;
  const before = core.events.count;
  liquidateDue(core, [position]);
  expect([core.events.count - before, stage.held(alice)[0]?.lots]).toEqual([0, 1_000]);
});

test("[FUT-2] a liquidation takes back no order that another coin's margin carries", () => {
  const stage = createPerpStage();
  endow(stage, usdt(10_000));
  const listed = stage.send({ kind: "listAsset", symbol: "USDC", scale: 6 });
  const quote = eventsOf(listed, "assetListed")[0]?.asset ?? 0;
  const terms = { marketKind: "linear", base: stage.btc, quote, tickMantissa: 1, tickDecimals: 1 } as const;
  const more = { stepUnits: 100_000, slippageBps: 200, feeGroup: 1, symbol: "BTCUSDC" } as const;
  const made = stage.send({ kind: "listMarket", ...terms, ...more });
  const other = eventsOf(made, "marketListed")[0]?.market ?? 0;
  stage.send(tiersCommand(other, tiersA(6)));
  stage.mark(other, 500_000);
  const [alice, bob] = [stage.trader(usdt(2_530)), stage.trader(MILLION)];
  const money = { business: "deposit", units: usdt(1_000), reference: "usdc" } as const;
  stage.sure({ kind: "mint", account: alice, asset: quote, ...money });
  expect(eventsOf(stage.buy(alice, 10, 490_000, { market: other }), "orderAccepted")).toHaveLength(1);
  stage.sell(bob, 900, 500_000);
  stage.buy(alice, 900, 500_000);
  const events = stage.mark(stage.linear, 450_000);
  expect(eventsOf(events, "liquidationEnded")).toHaveLength(1);
  expect(eventsOf(events, "orderEnded")).toEqual([]);
});

test.each([
  // Bought for 200 on 100: it is nothing at 100, and at 101 the fee of one unit is paid.
  { lots: 1, funds: 101, ticks: 2, value: 101, fee: 1 },
  // 99.9 units a lot are less than one tick, and there is no price below one.
  { lots: 1_000, funds: 100_220, ticks: 1, value: 99_960, fee: 60 },
])("[FUT-2] at the lowest price there is $lots lots leave at $value units", ({ lots, funds, ticks, value, fee }) => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(funds), stage.trader(MILLION)];
  endow(stage, 1_000);
  stage.sure({ kind: "setLeverage", account: alice, market: stage.linear, long: 2 });
  stage.mark(stage.linear, 2);
  stage.sell(bob, lots, 2);
  stage.buy(alice, lots, 2);
  const before = stage.balance(INSURANCE).available;
  const taken = eventsOf(stage.mark(stage.linear, 1), "liquidationStep");
  expect(taken).toMatchObject([{ step: "takenOver", bankruptcyTicks: ticks, valueUnits: value }]);
  expect(stage.balance(INSURANCE).available - before).toBe(fee);
  // A tenth of ten lots that are bid at the only price there is.
  stage.buy(bob, 10, 1);
  stage.time += 500;
  expect(eventsOf(stage.sure({ kind: "tick" }), "trade")).toMatchObject([{ lots: 1, price: 1 }]);
});

test("[FUT-2] the fund keeps what it holds while it is worth nothing, and not when it is worth less", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(2_530)), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  endow(stage, usdt(600));
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  stage.mark(stage.linear, 470_000);
  // 628.517111 with the fee, and one BTC for 47 528.517111.
  expect(stage.balance(INSURANCE).available).toBe(usdt(628.517111));
  expect(eventsOf(stage.mark(stage.linear, 469_000), "deleveraged")).toEqual([]);
  expect(eventsOf(stage.mark(stage.linear, 468_999), "deleveraged")).toMatchObject([{ account: bob, lots: 1_000 }]);
  expect(stage.held(INSURANCE)).toEqual([]);
});

test("[FUT-2] one lot that has eaten the fund goes to who won it", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(3)), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  endow(stage, usdt(1));
  stage.sell(bob, 1, 500_000);
  stage.buy(alice, 1, 500_000);
  stage.mark(stage.linear, 470_000);
  expect(stage.held(INSURANCE)).toMatchObject([{ lots: 1 }]);
  expect(eventsOf(stage.mark(stage.linear, 460_000), "deleveraged")).toMatchObject([{ account: bob, lots: 1 }]);
});

test("[FUT-2] a contract without a liquidation fee charges none", () => {
  const stage = createPerpStage(undefined, { liquidationRate: 0 });
  endow(stage, usdt(10_000));
  const [alice, bob] = [stage.trader(usdt(2_530)), stage.trader(MILLION)];
  isolate(stage, alice, 20);
  stage.sell(bob, 1_000, 500_000);
  stage.buy(alice, 1_000, 500_000);
  const events = stage.mark(stage.linear, 476_000);
  expect(eventsOf(events, "liquidationStep")).toMatchObject([{ step: "takenOver", valueUnits: usdt(47_500) }]);
  expect(eventsOf(events, "posting").filter(({ business }) => business === "liquidationFee")).toEqual([]);
});

test("[FUT-2] the first of all accounts has its opening orders taken back too", () => {
  const stage = createPerpStage();
  endow(stage, usdt(10_000));
  const [alice, bob] = [stage.trader(usdt(2_600)), stage.trader(MILLION)];
  stage.buy(alice, 1, 490_000);
  stage.sell(bob, 990, 500_000);
  stage.buy(alice, 990, 500_000);
  const events = stage.mark(stage.linear, 470_000);
  expect(eventsOf(events, "orderEnded")).toMatchObject([{ reason: "LIQUIDATION", price: 490_000 }]);
});
