// What a liquidation reports, figure by figure: reckoned by hand from the rules.
import { expect, test } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const MILLION = 1_000_000_000_000;
const INSURANCE = 2;
/** The second holder of a position's record. */
const SECOND = 16_777_216;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);

function endow(stage: PerpStage, units: number): void {
  const money = { asset: stage.usdt, business: "adjustment", units, reference: "endow" } as const;
  stage.sure({ kind: "mint", account: INSURANCE, ...money });
}

function isolate(stage: PerpStage, account: number, leverage: number): void {
  stage.sure({ kind: "setMarginMode", account, market: stage.linear, isolated: true });
  stage.sure({ kind: "setLeverage", account, market: stage.linear, long: leverage });
}

/** Two accounts trade and close again: whatever they open next is the second of its record. */
function openAndClose(stage: PerpStage, buyer: number, seller: number): void {
  stage.sell(seller, 10, 500_000);
  stage.buy(buyer, 10, 500_000);
  stage.buy(seller, 10, 500_000);
  stage.sell(buyer, 10, 500_000);
}

const reports = (events: readonly MachineEvent[]): object[] =>
  events
    .filter(({ kind }) => kind.startsWith("liquidation") || kind === "deleveraged")
    .map(({ sequence: _, time: __, ...report }) => report);

test("[FUT-2] a tier step and a takeover are reported whole; what only reduces stays while there is something to reduce", () => {
  const stage = createPerpStage();
  endow(stage, usdt(100_000));
  const [alice, bob] = [stage.trader(usdt(63_000)), stage.trader(MILLION)];
  openAndClose(stage, alice, bob);
  stage.sell(bob, 24_000, 500_000);
  stage.buy(alice, 24_000, 500_000);
  stage.buy(alice, 10, 490_000);
  stage.sell(alice, 5, 520_000, { reduceOnly: true });
  stage.mark(stage.linear, 480_500);
  stage.buy(bob, 9_000, 477_000);
  const whose = { account: alice, position: SECOND + 3, market: stage.linear };
  const step = { kind: "liquidationStep", ...whose };
  const print = { kind: "liquidationPrint", market: stage.linear };
  const started = { kind: "liquidationStarted", ...whose, isolated: false };
  const first = stage.mark(stage.linear, 476_500);
  // 63 000 less fees of 720.60; 24 BTC lost 2 350 each. Sold: 3.014 BTC at 47 700, the fee 0.06 % of it.
  expect(reports(first)).toEqual([
    {
      ...started,
      markTicks: 476_500,
      cashUnits: 62_279_400_000,
      profitUnits: usdt(-56_400),
      needUnits: 6_872_160_000,
    },
    { ...step, step: "ordersCancelled", bankruptcyTicks: 0, lots: 1, valueUnits: 0, cashUnits: 62_279_400_000 },
    {
      ...step,
      step: "tierReduced",
      bankruptcyTicks: 474_335,
      lots: 3_014,
      valueUnits: 143_767_800_000,
      cashUnits: 62_279_400_000 - 6_932_200_000 - 86_260_680,
    },
    { ...print, price: 474_335, lots: 3_014 },
    { kind: "liquidationEnded", ...whose, availableUnits: 55_260_939_320, frozenUnits: 0 },
  ]);
  const ended = (events: readonly MachineEvent[]): (string | number)[][] =>
    eventsOf(events, "orderEnded")
      .filter(({ reason }) => reason !== "IOC_REST")
      .map(({ reason, price }) => [reason, price]);
  expect(ended(first)).toEqual([["LIQUIDATION", 490_000]]);
  const second = stage.mark(stage.linear, 470_500);
  expect(reports(second).slice(3)).toEqual([
    {
      ...step,
      step: "takenOver",
      bankruptcyTicks: 472_736,
      lots: 15_000,
      valueUnits: 709_103_642_186,
      cashUnits: 41_321_820_000,
    },
    { ...print, price: 472_736, lots: 15_000 },
    { kind: "liquidationEnded", ...whose, availableUnits: 0, frozenUnits: 0 },
  ]);
  expect(ended(second)).toEqual([["POSITION_REDUCED", 520_000]]);
  // What can no longer reduce anything goes before the liquidation is over.
  const kinds = second.map((event) => (event.kind === "orderEnded" ? event.reason : event.kind));
  expect(kinds.indexOf("POSITION_REDUCED")).toBeLessThan(kinds.indexOf("liquidationEnded"));
  const fees = eventsOf(first, "posting").filter(({ business }) => business === "liquidationFee");
  expect(fees.map(({ deltaUnits, reference }) => [deltaUnits, reference])).toEqual([
    [-86_260_680, 0],
    [86_260_680, 0],
  ]);
  const sent = eventsOf(first, "orderAccepted");
  expect(sent).toMatchObject([
    { account: alice, side: "sell", reduceOnly: true, timeInForce: "IOC", selfTrade: "EXPIRE_MAKER", heldUnits: 0 },
  ]);
});

test("[FUT-2] deleveraging is reported whole to everyone it closes", () => {
  const stage = createPerpStage();
  const [alice, strong, weak] = [stage.trader(usdt(2_530)), stage.trader(MILLION), stage.trader(MILLION)];
  openAndClose(stage, strong, weak);
  isolate(stage, alice, 20);
  isolate(stage, strong, 50);
  isolate(stage, weak, 2);
  stage.sell(weak, 600, 500_000);
  stage.sell(strong, 600, 500_000);
  stage.buy(alice, 1_000, 500_000);
  const whose = { account: alice, position: stage.held(alice)[0]?.id, market: stage.linear };
  const closed = { kind: "deleveraged", market: stage.linear, price: 475_286 };
  // 50 000 less the margin of 2 500 and the fee is shared by lots, rounded down; the last one takes what is left.
  expect(reports(stage.mark(stage.linear, 440_000))).toEqual([
    {
      kind: "liquidationStarted",
      ...whose,
      isolated: true,
      markTicks: 440_000,
      cashUnits: usdt(2_500),
      profitUnits: usdt(-6_000),
      needUnits: 202_400_000,
    },
    {
      kind: "liquidationStep",
      ...whose,
      step: "deleveraged",
      bankruptcyTicks: 475_286,
      lots: 1_000,
      valueUnits: 47_528_517_111,
      cashUnits: usdt(2_500),
    },
    { kind: "liquidationPrint", market: stage.linear, price: 475_286, lots: 1_000 },
    {
      ...closed,
      account: strong,
      position: SECOND + 3,
      lots: 400,
      valueUnits: 19_011_406_844,
      realizedUnits: 988_593_156,
    },
    {
      ...closed,
      account: weak,
      position: SECOND + 1,
      lots: 600,
      valueUnits: 28_517_110_267,
      realizedUnits: 1_482_889_733,
    },
    { kind: "liquidationEnded", ...whose, availableUnits: 0, frozenUnits: 0 },
  ]);
});

test("[FUT-2] a hedge is netted at the mark and reported whole", () => {
  const stage = createPerpStage();
  endow(stage, usdt(100_000));
  const [alice, bob] = [stage.trader(usdt(8_000)), stage.trader(MILLION)];
  stage.sure({ kind: "setPositionMode", account: alice, hedge: true });
  stage.sell(bob, 2_000, 500_000);
  stage.buy(alice, 2_000, 500_000);
  stage.buy(bob, 500, 500_000);
  stage.sell(alice, 500, 500_000);
  const [long, short] = stage.held(alice).map(({ id }) => id);
  const step = { kind: "liquidationStep", account: alice, position: long, market: stage.linear };
  expect(reports(stage.mark(stage.linear, 447_000))).toEqual([
    expect.objectContaining({ kind: "liquidationStarted", position: short, profitUnits: usdt(-7_950) }),
    {
      ...step,
      step: "pairNetted",
      bankruptcyTicks: 447_000,
      lots: 500,
      valueUnits: usdt(22_350),
      cashUnits: usdt(7_925),
    },
    expect.objectContaining({ ...step, step: "takenOver", lots: 1_500 }),
    expect.objectContaining({ kind: "liquidationPrint", lots: 1_500 }),
    expect.objectContaining({ kind: "liquidationEnded", position: short }),
  ]);
});
