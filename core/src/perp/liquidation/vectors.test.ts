// The rules' worked examples of liquidation, driven through the machine: each position dies at the first tick past its
// price and not a tick before, and the bankruptcy price that is told is the example's.
import { present } from "@clockwork/kit/assert";
import { tiersA } from "@clockwork/kit/margin-tiers";
import { describe, expect, test } from "vitest";
import { tiersCommand } from "../../protocol/listing-command.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const INSURANCE = 2;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);
const btc = (amount: number): number => Math.round(amount * 100_000_000);

interface Position {
  readonly market: number;
  readonly long: boolean;
  readonly lots: number;
  readonly ticks: number;
}

/** The fund is rich, so that nobody is deleveraged; the maker sells and buys whatever is asked. */
function begin(inverse: boolean): { stage: PerpStage; maker: number } {
  const stage = createPerpStage();
  const endowed = { business: "adjustment", units: 10 ** 12, reference: "endow" } as const;
  stage.sure({ kind: "mint", account: INSURANCE, asset: inverse ? stage.btc : stage.usdt, ...endowed });
  return { stage, maker: stage.trader(inverse ? btc(1_000) : usdt(100_000_000), { inverse }) };
}

function open(stage: PerpStage, maker: number, account: number, { market, long, lots, ticks }: Position): void {
  const [first, second] = long ? [stage.sell, stage.buy] : [stage.buy, stage.sell];
  first(maker, lots, ticks, { market });
  expect(eventsOf(second(account, lots, ticks, { market }), "trade")).toHaveLength(1);
}

/** Whom the last healthy tick and the first deadly one end, and the first bankruptcy price that is told. */
function die(stage: PerpStage, market: number, healthy: number, deadly: number): [number[], number[], number] {
  const ended = (ticks: number) => {
    const events = stage.mark(market, ticks);
    return {
      accounts: eventsOf(events, "liquidationStarted").map(({ account }) => account),
      price: eventsOf(events, "liquidationStep").find(({ step }) => step !== "ordersCancelled")?.bankruptcyTicks ?? 0,
    };
  };
  const before = ended(healthy);
  const after = ended(deadly);
  return [before.accounts, after.accounts, after.price];
}

describe("[FUT-2] one isolated position", () => {
  const linear = { funds: usdt(20_000), inverse: false } as const;
  const inverse = { funds: btc(0.2), inverse: true } as const;
  test.each([
    ["linear long", { ...linear, long: true, lots: 1_000, at: 500_000, leverage: 20 }, 477_196, 477_195, 475_286],
    ["linear short", { ...linear, long: false, lots: 1_000, at: 500_000, leverage: 20 }, 522_596, 522_597, 524_685],
    [
      "linear long, tier 2",
      { ...linear, long: true, lots: 10_000, at: 600_000, leverage: 50 },
      591_060,
      591_059,
      588_354,
    ],
    ["inverse long", { ...inverse, long: true, lots: 600, at: 500_000, leverage: 10 }, 456_637, 456_636, 454_819],
    ["inverse short", { ...inverse, long: false, lots: 600, at: 500_000, leverage: 10 }, 552_999, 553_000, 555_222],
  ] as const)("%s", (_, requested, healthy, deadly, bankruptcy) => {
    const { stage, maker } = begin(requested.inverse);
    const market = requested.inverse ? stage.inverse : stage.linear;
    const alice = stage.trader(requested.funds, { inverse: requested.inverse });
    stage.mark(market, requested.at);
    stage.sure({ kind: "setMarginMode", account: alice, market, isolated: true });
    stage.sure({ kind: "setLeverage", account: alice, market, long: requested.leverage });
    open(stage, maker, alice, { market, long: requested.long, lots: requested.lots, ticks: requested.at });
    expect(die(stage, market, healthy, deadly)).toEqual([[], [alice], bankruptcy]);
  });
});

describe("[FUT-2] positions that share a margin", () => {
  const hedger = (stage: PerpStage, funds: number, market: number, inverse: boolean): number => {
    const account = stage.trader(funds, { inverse });
    stage.sure({ kind: "setPositionMode", account, hedge: true });
    stage.sure({ kind: "setLeverage", account, market, long: 100, short: 100 });
    return account;
  };

  test("a linear hedge on 3 000: long 2 at 50 000, short 1 at 52 000", () => {
    const { stage, maker } = begin(false);
    const alice = hedger(stage, usdt(3_000 + 60 + 31.2), stage.linear, false);
    open(stage, maker, alice, { market: stage.linear, long: true, lots: 2_000, ticks: 500_000 });
    open(stage, maker, alice, { market: stage.linear, long: false, lots: 1_000, ticks: 520_000 });
    expect(stage.balance(alice).available).toBe(usdt(3_000));
    expect(die(stage, stage.linear, 456_297, 456_296).slice(0, 2)).toEqual([[], [alice]]);
  });

  test("an inverse hedge on 0.05: long 60 000 USD at 50 000, short 20 000 USD at 52 000", () => {
    const { stage, maker } = begin(true);
    const alice = hedger(stage, btc(0.05) + 72_000 + 23_077, stage.inverse, true);
    open(stage, maker, alice, { market: stage.inverse, long: true, lots: 600, ticks: 500_000 });
    open(stage, maker, alice, { market: stage.inverse, long: false, lots: 200, ticks: 520_000 });
    expect(stage.balance(alice, stage.btc).available).toBe(btc(0.05));
    expect(die(stage, stage.inverse, 466_475, 466_474).slice(0, 2)).toEqual([[], [alice]]);
  });

  test("a linear long on 3 000 beside a loss of 500 that needs 230", () => {
    const { stage, maker } = begin(false);
    const listed = stage.sure({
      kind: "listMarket",
      marketKind: "linear",
      base: stage.btc,
      quote: stage.usdt,
      symbol: "BTCUSDT2",
      tickMantissa: 1,
      tickDecimals: 1,
      stepUnits: 100_000,
      slippageBps: 200,
      feeGroup: 1,
    });
    const { market } = present(eventsOf(listed, "marketListed")[0], "TEST", "market");
    stage.sure(tiersCommand(market, tiersA(6)));
    stage.mark(market, 500_000);
    // A short of 1 at 49 500 with the mark at 50 000 loses 500 and needs 0.46 % of 50 000.
    const alice = stage.trader(usdt(3_000 + 30 + 29.7));
    for (const one of [market, stage.linear])
      stage.sure({ kind: "setLeverage", account: alice, market: one, long: 100 });
    open(stage, maker, alice, { market, long: false, lots: 1_000, ticks: 495_000 });
    open(stage, maker, alice, { market: stage.linear, long: true, lots: 1_000, ticks: 500_000 });
    expect(stage.balance(alice).available).toBe(usdt(3_000));
    expect(die(stage, stage.linear, 479_506, 479_505).slice(0, 2)).toEqual([[], [alice]]);
  });
});

test("[FUT-2] an inverse short of 1× has no price at which it dies", () => {
  const { stage, maker } = begin(true);
  const alice = stage.trader(btc(1.3), { inverse: true });
  stage.sure({ kind: "setMarginMode", account: alice, market: stage.inverse, isolated: true });
  stage.sure({ kind: "setLeverage", account: alice, market: stage.inverse, long: 1 });
  open(stage, maker, alice, { market: stage.inverse, long: false, lots: 600, ticks: 500_000 });
  expect(die(stage, stage.inverse, 5_000_000, 0x3fffffff).slice(0, 2)).toEqual([[], []]);
});
