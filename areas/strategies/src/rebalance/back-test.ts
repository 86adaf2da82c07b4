// Runs a basket's back-test on the thread of back-tests.
import { runOn } from "../grid/back-test.ts";
import type { RebalanceNeeds } from "./needs.ts";

export const runBasketTest: RebalanceNeeds["runBackTest"] = (task, prices) => (onProgress, signal) =>
  runOn(
    { kind: "basket", task, rows: new Float64Array(prices.flatMap(({ timeMs, ticks }) => [timeMs, ...ticks])) },
    onProgress,
    signal,
  );
