import { expect, test } from "vitest";
import { groupedPrice } from "./grouped-price.ts";

test("[GRID-1] prices keep the decimals of their market, however small they are", () => {
  expect(["96463.8", "0.19846", "1200", "2690.51"].map(groupedPrice)).toEqual([
    "96,463.8",
    "0.19846",
    "1,200",
    "2,690.51",
  ]);
});
