// The bills of fills, entry by entry: whose money, to whom, how much, for which trade and market; what is frozen and what
// comes back; and what pays when the wallet is empty.
import { describe, expect, test } from "vitest";
import type { MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const MILLION = 1_000_000_000_000;
const [FEES, ROUNDING, CLEARING] = [1, 3, 11];
const usdt = (amount: number): number => Math.round(amount * 1_000_000);
const bills = (events: readonly MachineEvent[]) =>
  eventsOf(events, "posting").map(({ business, account, counterparty, deltaUnits, reference, market }) => [
    ...[business, account, counterparty, deltaUnits, reference, market],
  ]);
const frozen = (events: readonly MachineEvent[]) =>
  eventsOf(events, "frozen").map(({ business, account, deltaUnits, reference, availableUnits, frozenUnits }) => [
    ...[business, account, deltaUnits, reference, availableUnits, frozenUnits],
  ]);
const positions = (events: readonly MachineEvent[]) =>
  eventsOf(events, "positionChanged").map(({ account, lots, costUnits, marginUnits, realizedUnits, leverage }) => [
    ...[account, lots, costUnits, marginUnits, realizedUnits, leverage],
  ]);

test("[FUT-2] a fee is rounded up for who pays; the exact part is the fee book's, the rest the rounding book's", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(MILLION), stage.trader(MILLION)];
  const market = stage.linear;
  stage.sell(bob, 1, 500_001);
  // 50 000 100 units: 30 000.06 for the taker, 10 000.02 for the maker.
  expect(bills(stage.buy(alice, 1, 500_001))).toEqual([
    ["openFee", bob, FEES, -10_001, 1, market],
    ["openFee", FEES, bob, 10_000, 1, market],
    ["rounding", ROUNDING, bob, 1, 1, market],
    ["openFee", alice, FEES, -30_001, 1, market],
    ["openFee", FEES, alice, 30_000, 1, market],
    ["rounding", ROUNDING, alice, 1, 1, market],
  ]);
  stage.buy(bob, 1, 500_002);
  expect(bills(stage.sell(alice, 1, 500_002))).toEqual([
    ["realized", bob, CLEARING, -100, 2, market],
    ["realized", CLEARING, bob, 100, 2, market],
    ["closeFee", bob, FEES, -10_001, 2, market],
    ["closeFee", FEES, bob, 10_000, 2, market],
    ["rounding", ROUNDING, bob, 1, 2, market],
    ["realized", CLEARING, alice, -100, 2, market],
    ["realized", alice, CLEARING, 100, 2, market],
    ["closeFee", alice, FEES, -30_001, 2, market],
    ["closeFee", FEES, alice, 30_000, 2, market],
    ["rounding", ROUNDING, alice, 1, 2, market],
  ]);
  // An even fee leaves nothing to round; nobody pays where the rate is nothing.
  stage.sell(bob, 1, 500_000);
  expect(bills(stage.buy(alice, 1, 500_000)).map(([business]) => business)).toEqual(Array(4).fill("openFee"));
  for (const account of [alice, bob])
    stage.sure({ kind: "setAccountFees", account, feeGroup: 1, makerRate: 0, takerRate: 0 });
  stage.sell(bob, 1, 500_000);
  expect(bills(stage.buy(alice, 1, 500_000))).toEqual([]);
});

test("[FUT-2] results round down once; what that leaves goes to the rounding book with the next settlement", () => {
  const stage = createPerpStage();
  const market = stage.inverse;
  const [long, short] = [stage.trader(MILLION, { inverse: true }), stage.trader(MILLION, { inverse: true })];
  for (const account of [long, short])
    stage.sure({ kind: "setAccountFees", account, feeGroup: 1, makerRate: 0, takerRate: 0 });
  // 700 USD at 51 000.1 are 1 372 546.3… units to both, at 51 000.2 1 372 543.6….
  stage.sell(short, 7, 510_001, { market });
  const opened = stage.buy(long, 7, 510_001, { market });
  expect(bills(opened)).toEqual([]);
  stage.buy(short, 7, 510_002, { market });
  const closed = stage.sell(long, 7, 510_002, { market });
  expect(eventsOf(closed, "positionChanged").map(({ realizedUnits }) => realizedUnits)).toEqual([-3, 2]);
  expect(bills(closed).filter(([business]) => business === "rounding")).toEqual([]);
  stage.mark(market, 510_000);
  stage.sure({ kind: "setIndexPrice", market, source: 0, price: 510_000 });
  stage.time += 9 * 3_600_000;
  const settled = stage.sure({ kind: "tick" });
  expect(bills(settled)).toEqual([
    ["rounding", CLEARING, ROUNDING, -1, 0, market],
    ["rounding", ROUNDING, CLEARING, 1, 0, market],
  ]);
});

test("[FUT-2] an isolated position freezes its margin by the fill and gives back what no longer covers lots", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(1_000)), stage.trader(MILLION)];
  const market = stage.linear;
  stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
  stage.sure({ kind: "setLeverage", account: alice, market, long: 7 });
  stage.sell(bob, 10, 500_000);
  const opened = stage.buy(alice, 10, 500_000);
  // 500 ÷ 7, rounded up.
  const margin = 71_428_572;
  const id = stage.held(alice)[0]?.id ?? 0;
  expect(frozen(opened)).toEqual([["margin", alice, margin, id, usdt(1_000) - 300_000 - margin, margin]]);
  expect(positions(opened).at(-1)).toEqual([alice, 10, usdt(500), margin, 0, 7]);
  stage.buy(bob, 10, 490_000);
  const reduced = stage.sell(alice, 3, 490_000);
  // A loss of 3 from the margin; then seven tenths of it stay, rounded in favour of what is open.
  const stays = margin - Math.floor((margin * 3) / 10);
  expect(bills(reduced).filter(([, account]) => account === alice)).toEqual([
    ["realized", alice, CLEARING, -usdt(3), 2, market],
    ["closeFee", alice, FEES, -88_200, 2, market],
  ]);
  const back = margin - usdt(3) - stays;
  expect(frozen(reduced)).toEqual([["margin", alice, -back, id, usdt(1_000) - 300_000 - margin + back, stays]]);
  expect(positions(reduced).at(-1)).toEqual([alice, 7, usdt(350), stays, -usdt(3), 7]);
  expect(stage.balance(alice).frozen).toBe(stays);
  stage.buy(bob, 10, 510_000);
  const closed = stage.sell(alice, 7, 510_000);
  expect(frozen(closed)).toEqual([
    ["margin", alice, -stays, id, usdt(1_000) - 300_000 - usdt(3) - 88_200 + usdt(7), 0],
  ]);
  expect(positions(closed).at(-1)).toEqual([alice, 0, 0, 0, usdt(7), 7]);
  expect(stage.balance(alice)).toEqual({
    available: usdt(1_000) - 300_000 - usdt(3) - 88_200 + usdt(7) - 214_200,
    frozen: 0,
  });
});

describe("[FUT-2] a debt the wallet cannot pay", () => {
  /** Both sides of a market, no fees, and a wallet that the loser's loss is more than. */
  const hedged = (inverse: boolean, wallet: number, lots: number): { stage: PerpStage; alice: number; bob: number } => {
    const stage = createPerpStage();
    const market = inverse ? stage.inverse : stage.linear;
    const [alice, bob] = [stage.trader(wallet, { inverse }), stage.trader(MILLION, { inverse })];
    for (const account of [alice, bob])
      stage.sure({ kind: "setAccountFees", account, feeGroup: 1, makerRate: 0, takerRate: 0 });
    stage.sure({ kind: "setPositionMode", account: alice, hedge: true });
    stage.sell(bob, lots, 500_000, { market });
    stage.buy(alice, lots, 500_000, { market });
    stage.buy(bob, lots, 500_000, { market });
    stage.sell(alice, lots, 500_000, { market });
    return { stage, alice, bob };
  };

  test("is paid by profit of the other cross positions, which cost that much more from then on", () => {
    const { stage, alice, bob } = hedged(false, usdt(5_000), 1_000);
    stage.mark(stage.linear, 560_000);
    stage.sell(bob, 1_000, 560_000);
    const long = stage.held(alice).find(({ lots }) => lots > 0)?.id;
    const events = stage.buy(alice, 1_000, 560_000, { reduceOnly: true });
    const trade = eventsOf(events, "trade")[0]?.tradeNumber;
    expect(bills(events).filter(([, account]) => account === alice)).toEqual([
      ["realized", alice, CLEARING, usdt(1_000), long, stage.linear],
      ["realized", alice, CLEARING, -usdt(6_000), trade, stage.linear],
    ]);
    expect(positions(events).filter(([account]) => account === alice)).toEqual([
      [alice, 1_000, usdt(51_000), 0, usdt(1_000), 20],
      [alice, 0, 0, 0, -usdt(6_000), 20],
    ]);
    expect(stage.balance(alice).available).toBe(0);
  });

  test("of a single unit more is paid the same way", () => {
    const { stage, alice, bob } = hedged(false, usdt(6_000) - 1, 1_000);
    stage.mark(stage.linear, 560_000);
    stage.sell(bob, 1_000, 560_000);
    const events = stage.buy(alice, 1_000, 560_000, { reduceOnly: true });
    expect(positions(events).filter(([account]) => account === alice)).toEqual([
      [alice, 1_000, usdt(50_000) + 1, 0, 1, 20],
      [alice, 0, 0, 0, -usdt(6_000), 20],
    ]);
  });

  test("of a short is paid the same way: it costs that much less", () => {
    const { stage, alice, bob } = hedged(false, usdt(5_000), 1_000);
    stage.mark(stage.linear, 440_000);
    stage.buy(bob, 1_000, 440_000);
    const events = stage.sell(alice, 1_000, 440_000, { reduceOnly: true });
    expect(positions(events).filter(([account]) => account === alice)).toEqual([
      [alice, -1_000, usdt(49_000), 0, usdt(1_000), 20],
      [alice, 0, 0, 0, -usdt(6_000), 20],
    ]);
  });

  test("of inverse contracts turns the signs, and what was had is counted as realised when the rest closes", () => {
    // 50 000 USD each way: 1 BTC; ten per cent up the short loses 0.0909… and the long has won that much.
    const { stage, alice, bob } = hedged(true, 10_000_000, 500);
    const market = stage.inverse;
    stage.mark(market, 560_000);
    stage.sell(bob, 500, 560_000, { market });
    const events = stage.buy(alice, 500, 560_000, { market, reduceOnly: true });
    const worth = Math.floor(1e8 / 1.12);
    const missing = 1e8 - worth - 10_000_000;
    expect(positions(events).filter(([account]) => account === alice)).toEqual([
      [alice, 500, 1e8 - missing, 0, missing, 20],
      [alice, 0, 0, 0, worth - 1e8, 20],
    ]);
    stage.buy(bob, 500, 560_000, { market });
    const rest = stage.sell(alice, 500, 560_000, { market, reduceOnly: true });
    const gained = 1e8 - missing - (worth + 1);
    expect(positions(rest).filter(([account]) => account === alice)).toEqual([[alice, 0, 0, 0, gained, 20]]);
    expect(stage.balance(alice, stage.btc).available).toBe(gained);
  });

  test("of an isolated position is its own margin's: neither the wallet nor the other side pays", () => {
    const { stage, alice, bob } = hedged(false, usdt(10_000), 1_000);
    expect(stage.held(alice)).toHaveLength(2);
    stage.sure({ kind: "setMarginMode", account: alice, market: stage.linear, isolated: true });
    const before = stage.balance(alice);
    stage.sell(bob, 1_000, 510_000);
    const events = stage.buy(alice, 1_000, 510_000, { reduceOnly: true });
    expect(positions(events).filter(([account]) => account === alice)).toEqual([[alice, 0, 0, 0, -usdt(1_000), 20]]);
    expect(stage.held(alice)).toMatchObject([{ lots: 1_000, cost: usdt(50_000), margin: usdt(2_500) }]);
    expect(stage.balance(alice)).toEqual({ available: before.available + usdt(1_500), frozen: usdt(2_500) });
  });
});
