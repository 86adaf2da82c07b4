// Figures of one column have as many decimals as the longest of their pair.
import { expect, test } from "vitest";
import { mostPlaces } from "./even-places.ts";
import { showNumber } from "./orders-model.ts";

test("[SPOT-4] totals of one pair are written with one precision", () => {
  const rows = [
    { pair: "BTC_USDT", total: "9600" },
    { pair: "BTC_USDT", total: "999.36" },
    { pair: "DOGE_USDT", total: "12.3456" },
    { pair: "DOGE_USDT", total: null },
  ];
  const places = mostPlaces(
    rows,
    ({ pair }) => pair,
    ({ total }) => total,
  );
  expect(rows.map((row) => showNumber(row.total, places(row)))).toEqual(["9,600.00", "999.36", "12.3456", "–"]);
});
