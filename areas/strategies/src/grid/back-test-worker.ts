// A thread that runs one back-test, of a grid or of a basket, and ends: reports its progress, then the result. Must
// never read or write the database.
import { parentPort, workerData } from "node:worker_threads";
import {
  type BackTestCandle,
  type BackTestResult,
  type BackTestTask,
  backTestSlices,
} from "@clockwork/kit/grid/back-test";
import {
  type BasketPrices,
  type BasketTestResult,
  type BasketTestTask,
  basketTestSlices,
} from "@clockwork/kit/grid/basket-test";

/** Rows of concatenated numbers: of a candle time, open, high, low, close; of a basket time and each coin's close. */
export type BackTestWork =
  | { readonly kind: "grid"; readonly task: BackTestTask; readonly rows: Float64Array }
  | { readonly kind: "basket"; readonly task: BasketTestTask; readonly rows: Float64Array };

export type BackTestMessage =
  | { readonly progress: number }
  | { readonly result: BackTestResult | BasketTestResult | undefined };

const CANDLE_COLUMNS = 5;

function listRows(rows: Float64Array, columns: number): number[][] {
  return Array.from({ length: rows.length / columns }, (_, i) => [...rows.subarray(i * columns, (i + 1) * columns)]);
}

function slicesOf(work: BackTestWork): Generator<number, BackTestResult | BasketTestResult | undefined> {
  if (work.kind === "basket") {
    const rows = listRows(work.rows, work.task.coins.length + 1);
    const prices = rows.map(([timeMs, ...ticks]): BasketPrices => ({ timeMs: timeMs as number, ticks }));
    return basketTestSlices(work.task, prices);
  }
  const candles = listRows(work.rows, CANDLE_COLUMNS).map(
    ([timeMs, open, high, low, close]) => ({ timeMs, open, high, low, close }) as BackTestCandle,
  );
  return backTestSlices(work.task, candles);
}

function run(work: BackTestWork, post: (message: BackTestMessage) => void): void {
  const slices = slicesOf(work);
  for (let next = slices.next(); ; next = slices.next()) {
    if (next.done === true) {
      post({ result: next.value });
      return;
    }
    post({ progress: next.value });
  }
}

run(workerData as BackTestWork, (message) => parentPort?.postMessage(message));
