// Moving, hiding and resizing panels, and the text a layout is kept as.
import { expect, test } from "vitest";
import {
  DEFAULT_LAYOUT,
  decodeLayout,
  encodeLayout,
  type Layout,
  placePanels,
  resizeSide,
  resizeStack,
  SHARE_MIN,
  SIDE_MAX_PX,
} from "./layout-model.ts";
import { findPanel, hidePanel, movePanel, showPanel, stepPanel } from "./layout-moves.ts";

const draw = (layout: Layout) =>
  layout.columns.map((stack) => stack.map(({ panel, share }) => `${panel}:${share}`).join(" ")).join(" | ");

test("[SPOT-4] a panel moves to another column and the shares add up again", () => {
  const moved = movePanel(DEFAULT_LAYOUT, "orders", 0, 1);
  expect(draw(moved)).toBe("book:667 orders:333 | chart:1000 | form:1000");
  expect(draw(movePanel(moved, "form", 1, 0))).toBe("book:667 orders:333 | form:333 chart:667 | ");
});

test("[SPOT-4] arrows step a panel and stop at the edges", () => {
  expect(draw(stepPanel(DEFAULT_LAYOUT, "orders", "up"))).toBe("book:1000 | orders:342 chart:658 | form:1000");
  expect(stepPanel(DEFAULT_LAYOUT, "chart", "up")).toBe(DEFAULT_LAYOUT);
  expect(stepPanel(DEFAULT_LAYOUT, "form", "right")).toBe(DEFAULT_LAYOUT);
  expect(findPanel(stepPanel(DEFAULT_LAYOUT, "book", "right"), "book")).toEqual({ column: 1, index: 0 });
});

test("[SPOT-4] a hidden panel leaves its room to the others and comes back home", () => {
  const hidden = hidePanel(DEFAULT_LAYOUT, "orders");
  expect(draw(hidden)).toBe("book:1000 | chart:1000 | form:1000");
  expect(placePanels(hidden).has("orders")).toBe(false);
  expect(findPanel(showPanel(hidden, "orders"), "orders")).toEqual({ column: 1, index: 1 });
  expect(showPanel(DEFAULT_LAYOUT, "orders")).toBe(DEFAULT_LAYOUT);
});

test("[SPOT-4] borders move within bounds", () => {
  expect(resizeSide(DEFAULT_LAYOUT, "left", 9_999).leftPx).toBe(SIDE_MAX_PX);
  expect(draw(resizeStack(DEFAULT_LAYOUT, 1, 0, 400))).toBe("book:1000 | chart:400 orders:600 | form:1000");
  expect(resizeStack(DEFAULT_LAYOUT, 1, 0, 1_000).columns[1][1]?.share).toBe(SHARE_MIN);
  expect(resizeStack(DEFAULT_LAYOUT, 0, 0, 300)).toEqual(DEFAULT_LAYOUT);
});

test("[SPOT-4] a layout survives its text, and broken text is the first layout", () => {
  const own = { ...resizeSide(movePanel(DEFAULT_LAYOUT, "form", 0, 0), "right", 333), trades: "split" } as const;
  expect(decodeLayout(encodeLayout(own))).toEqual(own);
  expect(encodeLayout(DEFAULT_LAYOUT)).toBe("b1000.c658-o342.f1000~0~0~a");
  for (const broken of [undefined, "", "..", "x1.y2.z3~0~0~a", "b1000.c658", "b0.c0.f0"])
    expect(decodeLayout(broken), String(broken)).toEqual(DEFAULT_LAYOUT);
  expect(draw(decodeLayout("b500-b500.c1000.f9000~1~x~q"))).toBe("book:1000 | chart:1000 | ");
});
