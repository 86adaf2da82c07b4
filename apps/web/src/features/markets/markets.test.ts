// The markets page without its screen: rows, sorting, sums, addresses, the treemap.
import type { Pair, Quotation } from "@clockwork/trading/markets/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildRows,
  changeOf,
  exportRow,
  type MarketsData,
  mainQuote,
  matchesQuery,
  showChange,
  showPrice,
  showVolume,
  sortRows,
  summarize,
} from "./market-rows.ts";
import { nextSort, readView, writeView } from "./market-view.ts";
import { arrangeTiles, findNeighbour } from "./treemap.ts";

function pair(base: string, changes: Partial<Pair> = {}): Pair {
  return {
    pairCode: `${base}_USDT`,
    base,
    quote: "USDT",
    baseName: `${base} coin`,
    status: "TRADING",
    priceDecimals: 2,
    quantityDecimals: 4,
    baseScale: 8,
    quoteScale: 6,
    tickSize: "0.01",
    stepSize: "0.0001",
    minQuantity: "0.0001",
    maxQuantity: "1000",
    maxMarketQuantity: "100",
    minNotional: "5",
    band: { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" },
    openOrdersMax: 200,
    makerRate: "0.001",
    takerRate: "0.001",
    partitions: [],
    listedAtMs: 0,
    isSimulated: true,
    ...changes,
  };
}

function quotation(base: string, changePercent: string, turnover: string): Quotation {
  return {
    pairCode: `${base}_USDT`,
    last: "1234.50",
    open: "1",
    high: "2",
    low: "1",
    bid: null,
    ask: null,
    changePercent,
    bandPrice: null,
    volume: "1",
    turnover,
    timeMs: 0,
  };
}

const DATA: MarketsData = {
  pairs: [pair("BTC"), pair("ETH"), pair("SOL"), pair("NEW")],
  quotations: [
    quotation("BTC", "1.84", "1280000000.5"),
    quotation("ETH", "-0.42", "742900000"),
    quotation("SOL", "0.00", "9.5"),
  ],
  sparklines: [{ pairCode: "BTC_USDT", points: ["1", "2"] }],
  weeks: [
    { pairCode: "BTC_USDT", points: ["1000.00", "2"] },
    { pairCode: "ETH_USDT", points: ["1500.0", "2"] },
    { pairCode: "SOL_USDT", points: ["2"] },
  ],
  partitions: [],
  favourites: null,
};
const codes = (rows: readonly { pair: Pair }[]) => rows.map((row) => row.pair.base);

describe("rows", () => {
  test("[SPOT-3] live quotations take the place of served ones and lengthen the curve", () => {
    const rows = buildRows(DATA, [{ ...quotation("BTC", "2.00", "1"), last: "3" }]);
    expect(rows[0]?.quotation?.changePercent).toBe("2.00");
    expect(rows[0]?.curve).toEqual([1, 2, 3]);
    expect(rows[3]?.quotation).toBeUndefined();
  });

  test("[SPOT-4] sorting is by value, not by text, and what has no price goes last both ways", () => {
    const rows = buildRows(DATA, []);
    expect(codes(sortRows(rows, { by: "turnover", isDown: true }))).toEqual(["BTC", "ETH", "SOL", "NEW"]);
    expect(codes(sortRows(rows, { by: "change", isDown: false }))).toEqual(["ETH", "SOL", "BTC", "NEW"]);
    expect(codes(sortRows(rows, { by: "pair", isDown: true }))).toEqual(["SOL", "NEW", "ETH", "BTC"]);
  });

  test("[SPOT-3] seven days count from their first price, cut after two decimals; a younger pair has none", () => {
    const rows = buildRows(DATA, []);
    // 1 234.50 of 1 000.00 and of 1 500.0
    expect(rows.map((row) => showChange(row.weekChange))).toEqual(["+23.45%", "−17.70%", "–", "–"]);
    expect(codes(sortRows(rows, { by: "week", isDown: false }))).toEqual(["ETH", "BTC", "NEW", "SOL"]);
  });

  test("[SPOT-4] a query finds codes, names and both ways of writing a pair", () => {
    for (const query of ["btc", "BTC/US", "btcusdt", "coin btc", "btc_usdt"]) {
      expect(matchesQuery(pair("BTC"), query), query).toBe(true);
    }
    expect(matchesQuery(pair("BTC"), "eth")).toBe(false);
  });

  test("[SPOT-3] sums are exact, and turnover in another coin is converted before it is summed or compared", () => {
    const cross = pair("ETH", { pairCode: "ETH_BTC", quote: "BTC" });
    const quoted = { ...quotation("ETH", "0.00", "2"), pairCode: "ETH_BTC" };
    const rows = buildRows({ ...DATA, pairs: [...DATA.pairs, cross], quotations: [...DATA.quotations, quoted] }, []);
    const summary = summarize(rows);
    // 1 280 000 000.5 + 742 900 000 + 9.5 + 2 × 1 234.50
    expect(summary.turnover).toEqual({ units: 202290247900n, scale: 2 });
    expect(summary).toMatchObject({ rising: 1, falling: 1 });
    expect(summary.strongest?.pair.base).toBe("BTC");
    expect(codes(sortRows(rows, { by: "turnover", isDown: true }))).toEqual(["BTC", "ETH", "ETH", "SOL", "NEW"]);
    expect(mainQuote(DATA.pairs)).toBe("USDT");
  });

  test("[SPOT-4] figures are written with their sign, grouped, and short", () => {
    const shown = (percent: string) =>
      buildRows({ ...DATA, quotations: [quotation("BTC", percent, "1")] }, [])
        .slice(0, 1)
        .map((row) => showChange(changeOf(row, "day")));
    expect([...shown("1.84"), ...shown("-0.42"), ...shown("0.00")]).toEqual(["+1.84%", "−0.42%", "0.00%"]);
    expect(showChange(undefined)).toBe("–");
    expect(showPrice("64120.0")).toBe("64,120.0");
    expect(showVolume({ units: 12800000005n, scale: 1 }, "en_US")).toBe("1.28B");
    expect(showVolume({ units: 12800000005n, scale: 1 }, "zh_TW")).toBe("12.80亿");
    expect(buildRows(DATA, []).slice(0, 1).flatMap(exportRow)).toEqual(expect.arrayContaining(["yes", "23.45"]));
  });
});

describe("addresses", () => {
  test("[SPOT-4] a view is encoded in its address and the default one in none", () => {
    expect(writeView(readView(new URLSearchParams()))).toBe("");
    const text = "?tab=favourites&group=defi&q=bt&view=heat&size=equal&colour=week&sort=last&page=2";
    expect(writeView(readView(new URLSearchParams(text)))).toBe(text);
    expect(readView(new URLSearchParams("tab=x&view=y&sort=-nothing&page=-3&q= a "))).toMatchObject({
      tab: "spot",
      shape: "table",
      page: 1,
      query: "a",
      sort: { by: "turnover", isDown: true },
    });
  });

  test("[SPOT-4] numbers sort down first, names up first, and a second press turns round", () => {
    expect(nextSort({ by: "last", isDown: true }, "change")).toEqual({ by: "change", isDown: true });
    expect(nextSort({ by: "change", isDown: true }, "change")).toEqual({ by: "change", isDown: false });
    expect(nextSort({ by: "change", isDown: true }, "pair")).toEqual({ by: "pair", isDown: false });
  });
});

describe("the treemap", () => {
  test("[SPOT-4] tiles fill the box, never overlap and have the areas of their weights", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(
        weights,
        fc.integer({ min: 200, max: 2_000 }),
        fc.integer({ min: 200, max: 1_000 }),
        (list, width, height) => {
          const tiles = arrangeTiles(list, width, height);
          const total = list.reduce((sum, weight) => sum + weight, 0);
          expect(tiles).toHaveLength(list.length);
          for (const tile of tiles) {
            expect(tile.width * tile.height).toBeCloseTo(((list[tile.index] ?? 0) / total) * width * height, 3);
            expect(tile.x >= -1e-6 && tile.x + tile.width <= width + 1e-6).toBe(true);
            expect(tile.y >= -1e-6 && tile.y + tile.height <= height + 1e-6).toBe(true);
          }
          for (const [at, a] of tiles.entries()) {
            for (const b of tiles.slice(at + 1)) {
              const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
              const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
              expect(across > 1e-6 && down > 1e-6).toBe(false);
            }
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  test("[SPOT-4] nothing to show is no tile; weights of nothing are left out", () => {
    expect(arrangeTiles([], 10, 10)).toEqual([]);
    expect(arrangeTiles([0, 0], 10, 10)).toEqual([]);
    expect(arrangeTiles([0, 3], 10, 10)).toHaveLength(1);
  });

  test("[SPOT-4] arrows move to the neighbour in their direction", () => {
    const tiles = arrangeTiles([4, 1, 1, 1, 1], 400, 200);
    const first = tiles[0];
    if (first === undefined) throw new Error("no tile");
    const right = findNeighbour(tiles, first, "right");
    expect(right?.x).toBeGreaterThan(first.x);
    expect(findNeighbour(tiles, first, "left")).toBeUndefined();
  });
});
