// The record behind a shark fin of a coin without a contract: medians, which a trade on a thin book does not move.
import { expect, test } from "vitest";
import { mediansOf } from "./index-record.ts";

const closes = (...prices: readonly number[]) => prices.map((close) => ({ close }));

test("[EARN-2] five minutes of own trades touch no barrier and move no price; half an hour does", () => {
  const before = closes(...Array<number>(10).fill(100));
  const short = mediansOf(before, closes(100, 118, 118, 118, 118, 118, 100, 100));
  expect(new Set(short.flatMap(({ close, high, low }) => [close, high, low]))).toEqual(new Set([100]));
  const long = mediansOf(before, closes(...Array<number>(30).fill(118)));
  expect([long[4]?.close, long[5]?.close, long.at(-1)]).toEqual([100, 118, { close: 118, high: 118, low: 118 }]);
  // A shorter span counts where the record starts.
  expect(mediansOf([], closes(100, 120)).map(({ close }) => close)).toEqual([100, 100]);
});
