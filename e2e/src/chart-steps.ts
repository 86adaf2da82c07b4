// Lines on a chart, taken by the mouse while the chart goes on moving.
import type { Locator, Page } from "playwright-core";
// biome-ignore lint/correctness/noUndeclaredDependencies: the repository's root declares its test runner
import { expect } from "vitest";

/** Where on the screen a price of the chart lies, and the prices at the two heights it was reckoned from. */
interface Scale {
  readonly x: number;
  readonly high: number;
  readonly low: number;
  readonly placeOf: (price: number) => number;
}

/** Shares of the chart's height at which its prices are asked for: away from the lines that are to be taken. */
export type Heights = readonly [top: number, foot: number];

/** The chart tells prices by where one presses twice: two of them say where any other lies. */
export async function readScale(page: Page, field: Locator, [top, foot]: Heights): Promise<Scale> {
  const box = await page.locator(".chart-canvas").boundingBox();
  if (box === null) throw new Error("the chart has no place");
  // Where lines are lines: labels that crowd stand side by side before them.
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

/** Takes the line at one price to another and answers the question that follows; the chart goes on moving meanwhile. */
export async function dragLine(page: Page, field: Locator, heights: Heights, from: number, to: number): Promise<void> {
  const question = page.getByRole("dialog", { name: "Amend order" });
  await expect
    .poll(async () => {
      const { x, placeOf } = await readScale(page, field, heights);
      await page.mouse.move(x, placeOf(from));
      await page.mouse.down();
      await page.mouse.move(x, (placeOf(from) + placeOf(to)) / 2, { steps: 4 });
      await page.mouse.move(x, placeOf(to), { steps: 4 });
      await page.mouse.up();
      // What is pressed beside an open question would end it: it is waited for before the next try.
      return question.waitFor({ timeout: ASKED_MS }).then(
        () => true,
        () => false,
      );
    })
    .toBe(true);
  await question.getByRole("button", { name: "Amend order" }).click();
  await page.getByText("Order amended").last().waitFor();
}
