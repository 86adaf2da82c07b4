// The stored candles of a market for back-tests: whole minutes or hours, oldest first. Reads only.

import { readCandles } from "@clockwork/kit/candles/bar-series";
import type { BackTestCandle } from "@clockwork/kit/grid/back-test";
import { HOUR_MS } from "@clockwork/kit/time";
import type { PartContext } from "../part.ts";

export async function readStored(
  { market: { data } }: Pick<PartContext, "market">,
  of: number,
  spanMs: number,
  fromMs: number,
  toMs: number,
): Promise<readonly BackTestCandle[]> {
  const state = data.projector.states.get(of);
  if (state === undefined) return [];
  const interval = spanMs === HOUR_MS ? "1h" : "1m";
  const first = fromMs - (fromMs % spanMs) + spanMs;
  const range = { fromMs: first, toMs: toMs - (toMs % spanMs) };
  return readCandles(state.series, data.series.of(of, "last"), interval, "UTC0", range);
}
