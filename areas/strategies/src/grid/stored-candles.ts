// The stored candles of a market for back-tests, whole minutes or hours, and settlements of funding, oldest first.
// Reads only.

import { readCandles } from "@clockwork/kit/candles/bar-series";
import type { BackTestCandle } from "@clockwork/kit/grid/back-test";
import type { FundingPoint } from "@clockwork/kit/grid/simulate";
import { HOUR_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";

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

/** Every hour of the longest test. */
const FUNDINGS_MAX = 180 * 24;

/** Empty on spot. */
export async function readFundings(
  { market: { data } }: Pick<PartContext, "market">,
  of: number,
  fromMs: number,
): Promise<readonly FundingPoint[]> {
  const contract = data.projector.states.get(of)?.contract;
  if (contract === undefined) return [];
  const stored = await data.store.readFundings(of, Number.MAX_SAFE_INTEGER, FUNDINGS_MAX);
  const newestMs = stored[0]?.due_ms ?? 0;
  // The newest may not be stored yet.
  const fresh = contract.fundings.filter(({ due_ms }) => due_ms > newestMs);
  return [...stored.toReversed(), ...fresh]
    .filter(({ due_ms }) => due_ms >= fromMs)
    .map(({ due_ms, rate, mark }) => ({ timeMs: due_ms, rate, markTicks: mark }));
}
