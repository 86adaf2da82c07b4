// The preview of a basket against sums computed by hand, and its refusals next to their fields.
import type { Pair } from "@clockwork/trading/markets/contract";
import { describe, expect, it } from "vitest";
import {
  type BasketDraft,
  bodyOf,
  evenOut,
  FIRST_DRAFT,
  isReady,
  placeOf,
  previewBasket,
  readBps,
} from "./basket-model.ts";

const pair = (base: string, tickSize: string, stepSize: string): Pair =>
  ({
    pairCode: `${base}_USDT`,
    base,
    quote: "USDT",
    baseScale: 8,
    quoteScale: 8,
    tickSize,
    stepSize,
    minQuantity: stepSize,
    maxQuantity: "1000",
    maxMarketQuantity: "1000",
    minNotional: "5",
    band: { buyMax: "2", buyMin: "0", sellMin: "0.5", sellMax: "0" },
    makerRate: "0.001",
    takerRate: "0.001",
  }) as unknown as Pair;
const pairs = [pair("BTC", "0.1", "0.00001"), pair("ETH", "0.01", "0.001")];
const prices: Readonly<Record<string, string>> = { BTC_USDT: "100000", ETH_USDT: "4000" };
const preview = (own: Partial<BasketDraft> = {}) =>
  previewBasket({ ...FIRST_DRAFT, ...own }, pairs, (pairCode) => prices[pairCode]);

describe("the preview of a basket", () => {
  it("[GRID-1] buys what the core buys: weights of all but 1 %, whole lots, fees on top", () => {
    const answer = preview({ investment: "10000" });
    // 4 950 USDT each: 0.0495 BTC and 1.237 ETH, as the core's own test has it.
    expect(answer.legs).toEqual([
      { coin: "BTC", price: "100000.0", quantity: "0.04950", value: "4950", fee: "4.95" },
      { coin: "ETH", price: "4000.00", quantity: "1.237", value: "4948", fee: "4.948" },
    ]);
    expect(answer).toMatchObject({ sumBps: 10_000, fees: "9.898", reserve: "100", left: "92.102" });
    expect(isReady(answer)).toBe(true);
  });

  it("[GRID-1] the quote may be one of the coins and is not bought", () => {
    const coins = [
      { coin: "BTC", weight: "60" },
      { coin: "USDT", weight: "40" },
    ];
    expect(preview({ coins }).legs.map(({ coin, value }) => [coin, value])).toEqual([["BTC", "594"]]);
  });

  it.each([
    [{ coins: [{ coin: "BTC", weight: "100" }] }, { coins: "REBALANCE_COUNT_INVALID" }],
    [{ coins: FIRST_DRAFT.coins.map(({ coin }) => ({ coin, weight: "49" })) }, { coins: "REBALANCE_WEIGHTS_INVALID" }],
    [{ coins: FIRST_DRAFT.coins.map(({ coin }) => ({ coin, weight: "x" })) }, { coins: "REBALANCE_WEIGHTS_INVALID" }],
    [{ coins: evenOut([{ coin: "BTC" }, { coin: "SOL" }]) }, { coins: "NO_LIQUIDITY" }],
    [{ threshold: "0.5" }, { rule: "REBALANCE_RULE_INVALID" }],
    [{ threshold: "" }, { rule: "REBALANCE_RULE_INVALID" }],
    [{ threshold: "21" }, { rule: "REBALANCE_RULE_INVALID" }],
    [{ investment: "" }, { investment: "INVALID_AMOUNT" }],
    [{ investment: "10" }, { investment: "REBALANCE_INVESTMENT_TOO_SMALL" }],
  ] as readonly (readonly [Partial<BasketDraft>, object])[])("[GRID-1] %o is refused as %o", (own, refusal) => {
    const answer = preview(own);
    expect(answer).toMatchObject(refusal);
    expect(isReady(answer)).toBe(false);
  });

  it("[GRID-1] is sent as typed, with the parts of the rule that were chosen", () => {
    expect(bodyOf({ ...FIRST_DRAFT, coins: evenOut([{ coin: "BTC" }, { coin: "ETH" }, { coin: "SOL" }]) })).toEqual({
      quote: "USDT",
      coins: [
        { coin: "BTC", weightBps: 3_334 },
        { coin: "ETH", weightBps: 3_333 },
        { coin: "SOL", weightBps: 3_333 },
      ],
      thresholdBps: 500,
      investment: "1000",
    });
    expect(bodyOf({ ...FIRST_DRAFT, by: "both" })).toMatchObject({ thresholdBps: 500, intervalMs: 86_400_000 });
    expect(bodyOf({ ...FIRST_DRAFT, by: "interval" })).not.toHaveProperty("thresholdBps");
    expect(["12.5", "7", "0.01", "1.234", "-1", ""].map(readBps)).toEqual([
      1_250,
      700,
      1,
      undefined,
      undefined,
      undefined,
    ]);
    expect([placeOf("REBALANCE_RULE_INVALID"), placeOf("INSUFFICIENT_BALANCE"), placeOf(500)]).toEqual([
      "rule",
      "investment",
      undefined,
    ]);
  });
});
