// What is shown before an act is what the core's own arithmetic gives: the worked examples of the rules, to the last digit.
import { exactMarginRatio, isLiquidatable } from "@clockwork/kit/margin";
import { describe, expect, test } from "vitest";
import { type ContractRules, readContract, writePrice, writeUnits } from "./contract.ts";
import {
  type Account,
  closeLots,
  entryOf,
  type Held,
  liquidationOf,
  previewClose,
  previewOrder,
  previewReverse,
  previewSettings,
  reducibleOf,
} from "./preview.ts";

const LADDER = [
  { tier: 1, maxNotional: "250000", maxLeverage: 125, maintenanceRate: "0.004", deduction: "0" },
  { tier: 2, maxNotional: "1000000", maxLeverage: 100, maintenanceRate: "0.005", deduction: "250" },
];
const RULES: ContractRules = {
  pairCode: "BTC_USDT",
  kind: "linear",
  base: "BTC",
  quote: "USDT",
  settle: "USDT",
  settleScale: 6,
  tickSize: "0.1",
  stepSize: "0.001",
  priceDecimals: 1,
  quantityDecimals: 3,
  liquidationRate: "0.0006",
  baseScale: 8,
  quoteScale: 6,
};
const INVERSE: ContractRules = {
  ...RULES,
  pairCode: "BTC_USD",
  kind: "inverse",
  quote: "USD",
  settle: "BTC",
  settleScale: 8,
  stepSize: "100",
  quantityDecimals: 0,
  quoteScale: 2,
};
const COIN_LADDER = [{ tier: 1, maxNotional: "5", maxLeverage: 125, maintenanceRate: "0.004", deduction: "0" }];

function known(rules: ContractRules, ladder = LADDER) {
  const contract = readContract(rules, ladder);
  if (contract === undefined) throw new Error("the contract did not read");
  return contract;
}

const linear = known(RULES);
const open = (lots: bigint, ticks: bigint, leverage: number, held?: Held, side: "buy" | "sell" = "buy") =>
  previewOrder(linear, held, {
    side,
    lots,
    ticks,
    leverage,
    reduceOnly: false,
    positionSide: "both",
    feeRate: "0.0006",
  });

describe("linear", () => {
  test("[FUT-1] a long of 1 BTC at 50,000 with 20× isolated is liquidated at 47,719.5 as in the rules' example", () => {
    const { after, margin } = open(1_000n, 500_000n, 20);
    expect(margin).toBe(2_500_000_000n);
    const price = liquidationOf(linear, after as Held, "isolated", undefined, 500_000n);
    expect(price === undefined || price === null ? price : writePrice(linear, price)).toBe("47719.5");
  });

  test("[FUT-1] adding to a position averages its entry and moves its liquidation price", () => {
    const first = open(500n, 634_182n, 20).after as Held;
    const { after } = open(250n, 641_000n, 20, first);
    // (0.5 × 63,418.2 + 0.25 × 64,100) ÷ 0.75
    expect(writePrice(linear, entryOf(linear, after as Held))).toBe("63645.4");
    const price = liquidationOf(linear, after as Held, "isolated", undefined, 641_276n);
    expect(price === undefined || price === null ? price : writePrice(linear, price)).toBe("60742.6");
  });

  test("[FUT-1] one-way: a sell first closes, only what is left of it opens the other side", () => {
    const long = open(500n, 634_182n, 20).after as Held;
    const part = open(200n, 641_311n, 20, long, "sell");
    expect(part).toMatchObject({ closedLots: 200n, openedLots: 0n, margin: 0n });
    expect(part.after?.lots).toBe(300n);
    const flip = open(700n, 641_311n, 20, long, "sell");
    expect(flip).toMatchObject({ closedLots: 500n, openedLots: 200n });
    expect(flip.after).toMatchObject({ side: -1n, lots: 200n });
    // (64,131.1 − 63,418.2) × 0.5
    expect(writeUnits(linear, flip.realized)).toBe("356.45");
  });

  test("[FUT-1] reduce-only never opens, and in hedge mode a closing order does not either", () => {
    const long = open(100n, 640_000n, 10).after as Held;
    const choice = { side: "sell", lots: 300n, ticks: 640_000n, leverage: 10, feeRate: "0" } as const;
    expect(previewOrder(linear, long, { ...choice, reduceOnly: true, positionSide: "both" })).toMatchObject({
      closedLots: 100n,
      openedLots: 0n,
      after: undefined,
    });
    expect(previewOrder(linear, long, { ...choice, reduceOnly: false, positionSide: "long" }).openedLots).toBe(0n);
  });

  test("[FUT-1] closing returns margin, profit and fee; the halves of a close add up to the whole", () => {
    const long = open(500n, 634_182n, 20).after as Held;
    const whole = previewClose(linear, long, 500n, 641_311n, "0.0006");
    expect(writeUnits(linear, whole.realized)).toBe("356.45");
    expect(writeUnits(linear, whole.fee, "ceil")).toBe("19.24");
    expect(whole.back).toBe(long.margin + whole.realized - whole.fee);
    expect(whole.left).toBeUndefined();
    const half = closeLots(long, 250n) as Held;
    expect([half.lots, half.cost, half.margin]).toEqual([250n, long.cost / 2n, long.margin / 2n]);
  });

  test("[FUT-1] a reversal closes all and opens as much on the other side", () => {
    const long = open(500n, 634_182n, 20).after as Held;
    const { after, close } = previewReverse(linear, long, 641_311n, 20, "0.0006");
    expect(after).toMatchObject({ side: -1n, lots: 500n });
    expect(writeUnits(linear, after.margin, "ceil")).toBe("1603.28");
    expect(close.left).toBeUndefined();
  });

  test("[FUT-1] a cross position is carried by the account: nothing is shown while another ladder is missing", () => {
    const held = open(1_000n, 500_000n, 20).after as Held;
    const account = { cash: 10_000_000_000n, available: 0n, others: undefined, beside: [] };
    expect(liquidationOf(linear, held, "cross", account, 500_000n)).toBeUndefined();
    const alone = liquidationOf(linear, held, "cross", { ...account, others: [] }, 500_000n);
    // (10,000 − 50,000) ÷ (0.0046 − 1)
    expect(alone === undefined || alone === null ? alone : writePrice(linear, alone)).toBe("40184.8");
  });
});

describe("settings and margin", () => {
  const long = open(1_000n, 500_000n, 20).after as Held;
  const short = open(400n, 520_000n, 20, undefined, "sell").after as Held;
  const wallet: Account = { cash: 6_000_000_000n, available: 1_000_000_000n, others: [], beside: [] };

  test("[FUT-1] both sides of a cross hedge are liquidated at one price, where their common margin is used up", () => {
    const price = liquidationOf(linear, long, "cross", { ...wallet, beside: [short] }, 500_000n);
    if (price === undefined || price === null) throw new Error("no price");
    const at = { contract: linear, markTicks: price.over / price.under };
    const near = exactMarginRatio(wallet.cash, [
      { ...long, ...at },
      { ...short, ...at },
    ]);
    // The whole tick below it: the ratio has just reached one.
    expect(near === undefined ? near : Number((near.over * 10_000n) / near.under)).toBeGreaterThanOrEqual(10_000);
    expect(near === undefined ? near : Number((near.over * 10_000n) / near.under)).toBeLessThan(10_010);
    expect(liquidationOf(linear, short, "cross", { ...wallet, beside: [long] }, 500_000n)).toEqual(price);
    expect(liquidationOf(linear, long, "cross", wallet, 500_000n)).not.toEqual(price);
  });

  test("[FUT-1] an isolated position that becomes cross brings its margin into the wallet", () => {
    const now = { mode: "isolated", leverage: 20 } as const;
    const { liquidation } = previewSettings(linear, long, now, { ...now, mode: "cross" }, wallet, 500_000n);
    const joined = { ...wallet, cash: wallet.cash + long.margin };
    expect(liquidation).toEqual(liquidationOf(linear, long, "cross", joined, 500_000n));
    expect(liquidation).not.toEqual(liquidationOf(linear, long, "cross", wallet, 500_000n));
  });

  test("[FUT-1] an isolated margin follows the leverage: added margin is released unless needed for safety", () => {
    const added = { ...long, margin: long.margin + 700_000_000n };
    const now = { mode: "isolated", leverage: 20 } as const;
    const up = previewSettings(linear, added, now, { ...now, leverage: 25 }, wallet, 500_000n);
    expect(up).toMatchObject({ initialBefore: 2_500_000_000n, initialAfter: 2_000_000_000n, freed: 1_200_000_000n });
    const down = previewSettings(linear, added, now, { ...now, leverage: 10 }, wallet, 500_000n);
    expect(down.freed).toBe(-1_800_000_000n);
    // At 48,000 the position has lost 2,000: the margin of 25 times would be liquidated at once, so it remains.
    const deep = previewSettings(linear, added, now, { ...now, leverage: 25 }, wallet, 480_000n);
    expect(deep.freed).toBe(0n);
  });

  test("[FUT-2] what may be taken out is the largest amount the rules permit, to the unit", () => {
    const added = { ...long, margin: long.margin + 3_000_000_000n };
    const away = (markTicks: bigint) => markTicks - markTicks / 200n;
    const isSafe = (margin: bigint, markTicks: bigint) =>
      !isLiquidatable(margin, [{ ...added, contract: linear, markTicks: away(markTicks) }]);
    // In profit the initial margin remains; in loss what keeps the liquidation half a percent from the mark.
    expect(reducibleOf(linear, added, 20, 520_000n)).toBe(3_000_000_000n);
    const most = reducibleOf(linear, added, 20, 470_000n);
    expect(most).toBeGreaterThan(0n);
    expect(most).toBeLessThan(3_000_000_000n);
    expect(isSafe(added.margin - most, 470_000n)).toBe(true);
    expect(isSafe(added.margin - most - 1n, 470_000n)).toBe(false);
  });
});

describe("inverse", () => {
  const inverse = known(INVERSE, COIN_LADDER);
  test("[DLV-1] a fully backed 1× short has no liquidation price", () => {
    const { after } = previewOrder(inverse, undefined, {
      side: "sell",
      lots: 10n,
      ticks: 500_000n,
      leverage: 1,
      reduceOnly: false,
      positionSide: "both",
      feeRate: "0.0006",
    });
    expect(liquidationOf(inverse, after as Held, "isolated", undefined, 500_000n)).toBeNull();
    // 1,000 USD at 50,000 is 0.02 BTC.
    expect(after?.margin).toBe(2_000_000n);
    expect(writePrice(inverse, entryOf(inverse, after as Held))).toBe("50000.0");
  });
});
