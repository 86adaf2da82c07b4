import { describe, expect, test } from "vitest";
import { ALONE, keepInside, placeLabels } from "./order-slots.ts";

const LABEL_PX = 23;
const columns = (heights: readonly number[], columnsMax = 4) =>
  placeLabels(heights, columnsMax, LABEL_PX).map(({ column }) => column);

describe("labels of own orders on the chart", () => {
  test("[SPOT-4] a label near the edge of its pane is whole, one beyond it goes", () => {
    expect([-1, 0, 5, 100, 195, 200, 201].map((y) => keepInside(y, 200, 20))).toEqual([-1, 10, 10, 100, 190, 190, 201]);
  });

  test("[SPOT-4] labels far apart all sit at the edge, with their whole text", () => {
    expect(placeLabels([10, 60, 200], 4, LABEL_PX)).toEqual([ALONE, ALONE, ALONE]);
  });

  test("[SPOT-4] labels at one price are placed side by side, and a ladder reuses a free column at once", () => {
    expect(columns([50, 50, 50])).toEqual([0, 1, 2]);
    expect(columns([0, 12, 24, 36, 48])).toEqual([0, 1, 0, 1, 0]);
    const tags = placeLabels([50, 50, 60, 80], 4, LABEL_PX).map(({ isTagged }) => isTagged);
    expect(tags).toEqual([true, false, false, true]);
  });

  test("[SPOT-4] what finds no room is counted once, and leafing brings every label to the front", () => {
    const heights = [50, 50, 50, 50, 50];
    const first = placeLabels(heights, 2, LABEL_PX);
    expect(first.map(({ isFolded }) => isFolded)).toEqual([false, false, true, true, true]);
    expect(first.map(({ foldedCount }) => foldedCount)).toEqual([0, 0, 3, 0, 0]);
    const seen = new Set<number>();
    for (const turn of [0, 2, 4]) {
      const slots = placeLabels(heights, 2, LABEL_PX, () => turn);
      for (const [index, { isFolded }] of slots.entries()) if (!isFolded) seen.add(index);
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4]);
  });
});
