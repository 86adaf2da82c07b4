// The result of a long catch-up is returned completely.
import { SECOND_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { MarketProjector, TRADES_STORED } from "./projector.ts";

test("[MARKET-9] a catch-up over more candles than a call can have arguments loses none of them", () => {
  const pairs = [{ market: 1, kind: "spot", tick_lot_units: 1, listed_at_ms: 0 }] as const;
  const projector = new MarketProjector(0, { pairs, funds: [] }, () => undefined);
  const count = 200_000;
  for (let number = 1; number <= count; number++) {
    const trade = { market: 1, number, price: 100, lots: 1, is_sell: false, time_ms: number * SECOND_MS };
    projector.states.get(1)?.addTrade(trade);
  }
  const { bars, trades } = projector.takeChanges("journal");
  expect(bars.filter(({ spanMs }) => spanMs === SECOND_MS)).toHaveLength(count);
  // Older ones would be deleted from the tables at once.
  expect(trades.length).toBeGreaterThanOrEqual(TRADES_STORED);
  expect(trades.length).toBeLessThanOrEqual(2 * TRADES_STORED);
  expect(trades.at(-1)?.number).toBe(count);
  expect(projector.takeChanges("journal")).toMatchObject({ bars: [], trades: [] });
});
