// What a chart shows, counted in the pixels of its canvases.
import type { Page } from "playwright-core";

/** How many pixels of the chart are plainly green, and how many red. */
export function countPixels(page: Page): Promise<{ green: number; red: number }> {
  return page.evaluate(() => {
    const counts = { green: 0, red: 0 };
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>(".chart-canvas canvas")) {
      const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      for (let at = 0; at < pixels.length; at += 4) {
        if (pixels[at + 3] !== 255) continue;
        if (pixels[at] === 0x2e && pixels[at + 1] === 0xbd) counts.green += 1;
        if (pixels[at] === 0xf6 && pixels[at + 1] === 0x46) counts.red += 1;
      }
    }
    return counts;
  });
}

/** Runs in the page: the share of the candles' width with a line of the text's colour below the legend. */
export function findLine(): number {
  const canvas = document.querySelector<HTMLCanvasElement>(".chart-canvas canvas");
  const picture = canvas?.getContext("2d")?.getImageData(0, 64, canvas.width, Math.max(1, canvas.height - 64));
  if (picture === undefined) return 0;
  const columns = new Set<number>();
  for (let at = 0; at < picture.data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = picture.data.subarray(at, at + 4);
    if (red > 200 && green > 200 && blue > 200 && alpha > 120) columns.add((at / 4) % picture.width);
  }
  return columns.size / picture.width;
}
