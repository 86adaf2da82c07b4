import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyCode, enterDigits, isComplete, pressKey, readCode, toBoxes } from "./code-input.ts";
import { csvFileName, guardFormula, writeCsv } from "./csv.ts";
import {
  areaPath,
  axisValues,
  findExtent,
  nearestIndex,
  placeSeries,
  ringSlice,
  shareTurns,
  stepPath,
} from "./curve.ts";
import { clampOffset, endsSheet } from "./dialog-place.ts";
import { edgeScrollPx, findShiftPx, findTarget, keepInside, moveItem } from "./drag-order.ts";
import { matchesHotkey, readHotkey } from "./hotkey.ts";
import { listPages } from "./page-list.ts";
import { countZeroBits, isProof, solveWork } from "./proof-of-work.ts";
import { sha256 } from "./sha256.ts";
import { nextStop, snapToStop } from "./slider-stops.ts";
import { filterRows, nextDirection, sortRows } from "./sort-rows.ts";
import { beginTouch, endTouch, followTouch, isHeld } from "./touch-gesture.ts";
import { findRange, scrollToRow } from "./virtual-rows.ts";

describe("CSV", () => {
  it("[SITE-20] a cell that a spreadsheet would run becomes text, a number remains a number", () => {
    for (const cell of ["=1+1", "+cmd|' /C calc'!A0", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "-"]) {
      expect(guardFormula(cell)).toBe(`'${cell}`);
    }
    for (const cell of ["-12.5", "+1.84%", "1,000.5", "-1,000", "BTC/USDT", "−0.42%"])
      expect(guardFormula(cell)).toBe(cell);
  });

  it("quotes commas, quotes and breaks, and ends lines as in RFC 4180", () => {
    expect(
      writeCsv(
        ["a", "b"],
        [
          ["1,000", 'say "hi"'],
          [" x", "two\nlines"],
        ],
      ),
    ).toBe('\uFEFFa,b\r\n"1,000","say ""hi"""\r\n" x","two\nlines"\r\n');
    expect(csvFileName("Open orders / März", "2026-11-15")).toBe("open-orders-ma-rz-2026-11-15.csv");
    expect(csvFileName("../../", "1")).toBe("table-1.csv");
  });
});

describe("virtual rows", () => {
  it("the rows and the space around them always add up to the whole list", () => {
    fc.assert(
      fc.property(
        fc.record({
          count: fc.nat(5000),
          rowPx: fc.integer({ min: 1, max: 80 }),
          viewPx: fc.nat(2000),
          scrollPx: fc.integer({ min: -500, max: 500_000 }),
        }),
        (view) => {
          const range = findRange(view);
          expect(range.beforePx + range.afterPx + (range.end - range.start) * view.rowPx).toBe(view.count * view.rowPx);
          expect(range.end - range.start).toBeLessThanOrEqual(Math.ceil(view.viewPx / view.rowPx) + 14);
        },
      ),
    );
  });

  it("scrolls only as far as needed", () => {
    const view = { count: 100, rowPx: 20, viewPx: 100, scrollPx: 200 };
    expect(scrollToRow(view, 12)).toBe(200);
    expect(scrollToRow(view, 5)).toBe(100);
    expect(scrollToRow(view, 15)).toBe(220);
  });
});

describe("sorting and filtering", () => {
  const rows = [{ v: "10" }, { v: "9.5" }, { v: "" }, { v: "-3" }, { v: "10.0" }];
  it("sorts decimal text by value, exactly, with gaps last both ways", () => {
    expect(sortRows(rows, (row) => row.v, "ascending").map((row) => row.v)).toEqual(["-3", "9.5", "10", "10.0", ""]);
    expect(sortRows(rows, (row) => row.v, "descending").map((row) => row.v)).toEqual(["10", "10.0", "9.5", "-3", ""]);
    expect(rows[0]?.v).toBe("10");
  });
  it("cycles: numbers fall first, text rises first, the third press lets go", () => {
    expect(nextDirection(undefined, true)).toBe("descending");
    expect(nextDirection("descending", true)).toBe("ascending");
    expect(nextDirection("ascending", true)).toBeUndefined();
    expect(nextDirection("ascending", false)).toBe("descending");
  });
  it("finds every word in any column, ignoring case and accents", () => {
    const people = [
      { a: "Müller", b: "Spot" },
      { a: "Muller", b: "Futures" },
    ];
    expect(filterRows(people, [(row) => row.a, (row) => row.b], "muller SPOT")).toEqual([people[0]]);
    expect(filterRows(people, [(row) => row.a], "  ")).toBe(people);
  });
});

describe("six-box code", () => {
  it("[AUTH-9] takes digits only, spreads a paste, and a whole code fills from the first box", () => {
    const start = { boxes: emptyCode(6), focus: 0 };
    expect(enterDigits(start, "4a").boxes[0]).toBe("4");
    expect(enterDigits({ ...start, focus: 2 }, "12")).toEqual({ boxes: ["", "", "1", "2", "", ""], focus: 4 });
    const pasted = enterDigits({ boxes: toBoxes("99", 6), focus: 2 }, "code: 407 123.");
    expect(readCode(pasted.boxes)).toBe("407123");
    expect(isComplete(pasted.boxes)).toBe(true);
    expect(enterDigits(start, "abc")).toBe(start);
  });
  it("backspace empties the box, then the one before; arrows stop at the ends", () => {
    const state = { boxes: toBoxes("407", 6), focus: 3 };
    expect(pressKey(state, "Backspace")).toEqual({ boxes: toBoxes("40", 6), focus: 2 });
    expect(pressKey({ ...state, focus: 1 }, "Backspace").boxes).toEqual(["4", "", "7", "", "", ""]);
    expect(pressKey({ ...state, focus: 0 }, "ArrowLeft").focus).toBe(0);
    expect(pressKey({ ...state, focus: 5 }, "ArrowRight").focus).toBe(5);
    expect(pressKey(state, "Home").focus).toBe(0);
    expect(pressKey(state, "End").focus).toBe(5);
    expect(pressKey({ ...state, focus: 0 }, "Delete").boxes[0]).toBe("");
  });
});

describe("drag order", () => {
  const spans = [0, 1, 2, 3].map((index) => ({ startPx: index * 48, sizePx: 40 }));
  it("lands where the middle has passed a neighbour's middle", () => {
    expect(findTarget(spans, 0, 47)).toBe(0);
    expect(findTarget(spans, 0, 48)).toBe(1);
    expect(findTarget(spans, 3, -150)).toBe(0);
    expect(findTarget(spans, 1, 999)).toBe(3);
  });
  it("a dragged item remains within its list", () => {
    expect(keepInside(spans, 1, 10)).toBe(10);
    expect(keepInside(spans, 0, -30)).toBe(0);
    expect(keepInside(spans, 3, 30)).toBe(0);
    expect(keepInside(spans, 0, 999)).toBe((spans[3]?.startPx ?? 0) - (spans[0]?.startPx ?? 0));
  });
  it("others make exactly the room that is needed", () => {
    expect([0, 1, 2, 3].map((index) => findShiftPx(spans, 0, 2, index))).toEqual([0, -48, -48, 0]);
    expect([0, 1, 2, 3].map((index) => findShiftPx(spans, 3, 1, index))).toEqual([0, 48, 48, 0]);
  });
  it("moving keeps every item and puts it in the requested place", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(20), fc.nat(20), (items, from, to) => {
        const moved = moveItem(items, from, to);
        expect(moved.toSorted()).toEqual(items.toSorted());
        if (from < items.length) expect(moved[Math.min(to, items.length - 1)]).toBe(items[from]);
      }),
    );
    expect(edgeScrollPx(300, 600)).toBe(0);
    expect(edgeScrollPx(0, 600)).toBe(-12);
    expect(edgeScrollPx(599, 600)).toBeGreaterThan(10);
  });
});

describe("draggable dialog", () => {
  const box = { leftPx: 500, topPx: 200, widthPx: 400, heightPx: 300 };
  const view = { widthPx: 1440, heightPx: 900 };
  it("[SITE-16] never sinks below the 72 px reserve and never leaves the top or the sides", () => {
    expect(clampOffset({ xPx: 0, yPx: 5000 }, box, view, 72)).toEqual({ xPx: 0, yPx: 900 - 72 - 200 });
    expect(clampOffset({ xPx: -5000, yPx: -5000 }, box, view, 72)).toEqual({ xPx: -500, yPx: -200 });
    expect(clampOffset({ xPx: 5000, yPx: 10 }, box, view, 72)).toEqual({ xPx: 540, yPx: 10 });
  });

  it("[SITE-16] a sheet closes when pulled a hand's breadth, or a third of a low one, and otherwise remains", () => {
    expect([95, 96].map((pulledPx) => endsSheet(pulledPx, 600))).toEqual([false, true]);
    expect([39, 40].map((pulledPx) => endsSheet(pulledPx, 120))).toEqual([false, true]);
    expect(endsSheet(0, 600)).toBe(false);
  });
});

describe("touch", () => {
  const limits = { tapTolerancePx: 10, swipeTolerancePx: 30, holdMs: 400, longTapMs: 400, dragFrequencyMs: 100 };
  const at = (xPx: number, yPx: number, timeMs: number) => ({ xPx, yPx, timeMs });
  it("[SITE-16] distinguishes tap, long tap, swipe and nothing by the given tolerances", () => {
    const track = beginTouch(at(0, 0, 0));
    expect(endTouch(track, at(10, 0, 399), limits)).toEqual({ kind: "tap" });
    expect(endTouch(track, at(0, 0, 400), limits)).toEqual({ kind: "long-tap" });
    expect(endTouch(track, at(11, 0, 50), limits)).toEqual({ kind: "none" });
    expect(endTouch(track, at(-30, 5, 50), limits)).toEqual({ kind: "swipe", direction: "left", distancePx: 30 });
    expect(endTouch(track, at(3, 80, 50), limits)).toEqual({ kind: "swipe", direction: "down", distancePx: 80 });
  });
  it("[SITE-16] reports a drag at most every 100 ms and never calls a moved pointer held", () => {
    let track = beginTouch(at(0, 0, 0));
    expect(isHeld(track, 400, limits)).toBe(true);
    const reports: number[] = [];
    for (let timeMs = 10; timeMs <= 350; timeMs += 10) {
      const step = followTouch(track, at(timeMs, 0, timeMs), limits);
      track = step.track;
      if (step.report) reports.push(timeMs);
    }
    expect(reports).toEqual([20, 120, 220, 320]);
    expect(isHeld(track, 900, limits)).toBe(false);
    expect(endTouch(track, at(0, 0, 380), limits)).toEqual({ kind: "none" });
  });
});

describe("hotkeys", () => {
  const press = (key: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...held,
  });
  it("[SITE-20] matches letters with their modifiers and signs however they are typed", () => {
    expect(matchesHotkey(readHotkey("b"), press("B", { shiftKey: true }))).toBe(false);
    expect(matchesHotkey(readHotkey("b"), press("b"))).toBe(true);
    expect(matchesHotkey(readHotkey("?"), press("?", { shiftKey: true }))).toBe(true);
    expect(matchesHotkey(readHotkey("mod+k"), press("k", { metaKey: true }))).toBe(true);
    expect(matchesHotkey(readHotkey("/"), press("/", { ctrlKey: true }))).toBe(false);
  });
});

describe("pager", () => {
  it("shows ends and neighbours and never a gap of one page", () => {
    expect(listPages(1, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (a, b) => {
        const [current, count] = a <= b ? [a, b] : [b, a];
        const pages = listPages(current, count);
        expect(pages).toContain(current);
        expect(pages[0]).toBe(1);
        expect(pages.at(-1)).toBe(count);
        const numbers = pages.filter((page) => typeof page === "number");
        numbers.forEach((page, index) => {
          const next = numbers[index + 1];
          if (next !== undefined) expect(next - page === 1 || next - page > 2).toBe(true);
        });
        expect(new Set(pages).size).toBe(pages.length);
      }),
    );
  });
});

describe("curves", () => {
  it("a flat series runs through the middle and a rising one from corner to corner", () => {
    expect(placeSeries([5, 5], { width: 10, height: 10 })).toEqual([
      { x: 0, y: 5 },
      { x: 10, y: 5 },
    ]);
    expect(placeSeries([0, 1], { width: 10, height: 10, pad: 1 })).toEqual([
      { x: 0, y: 9 },
      { x: 10, y: 1 },
    ]);
    expect(areaPath([], 10)).toBe("");
    expect(
      stepPath([
        { x: 0, y: 1 },
        { x: 5, y: 3 },
      ]),
    ).toBe("M0 1H5V3");
    expect(
      nearestIndex(
        [
          { x: 0, y: 0 },
          { x: 10, y: 0 },
        ],
        6,
      ),
    ).toBe(1);
    expect(findExtent([])).toEqual({ low: 0, high: 0 });
    expect(axisValues({ low: 97_000, high: 117_000 }, 4)).toEqual([100_000, 105_000, 110_000, 115_000]);
  });
  it("shares add up to the whole ring", () => {
    expect(shareTurns([1, 1, 2]).map((share) => share.to)).toEqual([0.25, 0.5, 1]);
    expect(shareTurns([0, 0]).map((share) => share.part)).toEqual([0, 0]);
    expect(ringSlice(10, 5, 0, 0.25)).toBe("M0 -10A10 10 0 0 1 10 0L5 0A5 5 0 0 0 0 -5Z");
  });
});

describe("slider", () => {
  it("settles on a stop only when near", () => {
    expect(snapToStop(24, [0, 25, 50], 1)).toBe(25);
    expect(snapToStop(23, [0, 25, 50], 1)).toBe(23);
    expect(nextStop(30, [0, 25, 50], 1)).toBe(50);
    expect(nextStop(30, [0, 25, 50], -1)).toBe(25);
    expect(nextStop(50, [0, 25, 50], 1)).toBe(50);
  });
});

describe("proof of work", () => {
  it("[AUTH-8] hashes exactly as SHA-256 does", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(Buffer.from(sha256(bytes)).toString("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
      }),
    );
  });
  it("[AUTH-8] the proof found has the required zero bits, and a stop stops it", async () => {
    const challenge = { id: "c1", salt: "salt", zeroBits: 10 };
    const proof = await solveWork(challenge);
    const digest = createHash("sha256").update(`salt:${proof.nonce}`).digest();
    expect(countZeroBits(digest)).toBeGreaterThanOrEqual(10);
    expect(isProof(challenge, proof.nonce)).toBe(true);
    await expect(solveWork({ ...challenge, zeroBits: 24 }, { signal: AbortSignal.abort() })).rejects.toThrow();
    await expect(solveWork({ ...challenge, zeroBits: 60 })).rejects.toThrow("CAPTCHA_TOO_HARD");
  });
});
