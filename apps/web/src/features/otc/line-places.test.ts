import { expect, test } from "vitest";
import { placeOnLine } from "./line-places.ts";

test("[OTC-1] prices are placed on a line from the least to the most, and in its middle when they are equal", () => {
  expect(placeOnLine(["3.70", "3.60", "3.65"])).toEqual({
    least: "3.60",
    most: "3.70",
    places: [100, 0, expect.closeTo(50, 6)],
  });
  expect(placeOnLine(["3.6", "3.6"]).places).toEqual([50, 50]);
});
