// Lines on a chart, dragged by the mouse while the chart keeps moving.
import type { Locator, Page } from "playwright-core";
// biome-ignore lint/correctness/noUndeclaredDependencies: the repository's root declares its test runner
import { expect } from "vitest";

/** The screen position of a price on the chart, and the prices at the two heights it was computed from. */
interface Scale {
  readonly x: number;
  readonly high: number;
  readonly low: number;
  readonly placeOf: (price: number) => number;
}

/** Shares of the chart's height at which its prices are read: clear of the lines to be dragged. */
export type Heights = readonly [top: number, foot: number];

/** The chart gives the price at a double click: two of them determine the position of any other. */
export async function readScale(page: Page, field: Locator, [top, foot]: Heights): Promise<Scale> {
  const box = await page.locator(".chart-canvas").boundingBox();
  if (box === null) throw new Error("the chart has no place");
  // Where lines are free: crowded labels are side by side before them.
  const x = box.x + box.width * 0.8;
  const priceAt = async (y: number) => {
    await field.fill("");
    await page.mouse.dblclick(x, y);
    await expect.poll(() => field.inputValue()).not.toBe("");
    return Number((await field.inputValue()).replaceAll(",", ""));
  };
  const [topY, footY] = [box.y + box.height * top, box.y + box.height * foot];
  const [high, low] = [await priceAt(topY), await priceAt(footY)];
  return { x, high, low, placeOf: (price: number) => footY - ((price - low) / (high - low)) * (footY - topY) };
}

const ASKED_MS = 5_000;

/** Drags the line from one price to another and answers the confirmation; the chart keeps moving during it. */
export async function dragLine(page: Page, field: Locator, heights: Heights, from: number, to: number): Promise<void> {
  const question = page.getByRole("dialog", { name: "Change order" });
  await expect
    .poll(async () => {
      const { x, placeOf } = await readScale(page, field, heights);
      await page.mouse.move(x, placeOf(from));
      await page.mouse.down();
      await page.mouse.move(x, (placeOf(from) + placeOf(to)) / 2, { steps: 4 });
      await page.mouse.move(x, placeOf(to), { steps: 4 });
      await page.mouse.up();
      // A click next to an open confirmation would close it: it is awaited before the next try.
      return question.waitFor({ timeout: ASKED_MS }).then(
        () => true,
        () => false,
      );
    })
    .toBe(true);
  await question.getByRole("button", { name: "Change order" }).click();
  await page.getByText("Order changed").last().waitFor();
}
