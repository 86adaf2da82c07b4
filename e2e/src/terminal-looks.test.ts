// The terminal of somebody who trades, at every width and at both pixel ratios: what it draws is as fine as the screen, fits
// it, says every order's side once, and covers nothing.
import { mkdirSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintAccount, PASSWORD, readCode } from "./auth-steps.ts";
import { followSystem } from "./axe-find.ts";
import { joinSite, newPage, openBrowser, type Site, visit } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
let state: Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Where pictures are kept for whoever wants to look at them. */
const FOLDER = process.env.CW_LOOK_FOLDER;

beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
  const context = await browser.newContext();
  const headers = { origin: site.origin, "content-type": "application/json" };
  const post = async (path: string, data: object) => {
    const answer = await context.request.post(`${site.origin}${path}`, { data, headers });
    if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as { data: never };
  };
  const account = mintAccount();
  await post("/api/v2/users/sign-up/code", { account });
  const code = await readCode(site.origin, account, "sign-up");
  await post("/api/v2/users/sign-up", { account, code, password: PASSWORD, country: "GB" });
  await post("/dev/faucet", { asset: "USDT", amount: "10000" });
  const readLast = async () => {
    const answer = await fetch(`${site.origin}/api/v1/spot/quotations?pairCode=BTC_USDT`);
    const { data } = (await answer.json()) as { data: { last: string }[] };
    return Number(data[0]?.last);
  };
  let last = await readLast();
  while (!(last > 0)) {
    await new Promise((done) => setTimeout(done, 200));
    last = await readLast();
  }
  for (const share of [0.999, 0.9985, 0.998, 0.99]) {
    const price = (Math.floor(last * share * 10) / 10).toFixed(1);
    await post("/api/v1/spot/orders", { pairCode: "BTC_USDT", side: "buy", type: "limit", price, quantity: "0.001" });
  }
  state = await context.storageState();
  await context.close();
  if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
});
afterAll(async () => {
  await browser?.close();
});

/** Runs in the page: what a person would stumble over. */
function findFaults(ratio: number): readonly string[] {
  const faults: string[] = [];
  const canvas = document.querySelector<HTMLCanvasElement>(".chart-canvas canvas");
  if (canvas === null || Math.abs(canvas.width - canvas.clientWidth * ratio) > ratio)
    faults.push("the chart is not fine");
  if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than the screen");
  const pair = document.querySelector(".t-pair");
  if (pair === null || pair.scrollWidth > pair.clientWidth + 1) faults.push("the pair's name is cut");
  const isSeen = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    return element.checkVisibility() && box.bottom > 0 && box.top < innerHeight && box.width > 0;
  };
  const sticky = [...document.querySelectorAll(".t-sticky button")].filter(isSeen);
  const submits = [...document.querySelectorAll("[data-order-form] [type=submit]")].filter(isSeen);
  if (sticky.length > 0 && submits.length > 0) faults.push("two buttons to buy");
  const bar = document.querySelector(".t-sticky");
  if (bar !== null && innerHeight < 480 && getComputedStyle(bar).position === "fixed")
    faults.push("buttons over the form");
  return faults;
}

/** How many pixels of a picture are plainly of each side's colour; decoded on a page of nobody's. */
async function countSides(page: Page, picture: Buffer): Promise<{ up: number; down: number; width: number }> {
  const blank = await page.context().newPage();
  const counted = await blank.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const pen = canvas.getContext("2d");
    pen?.drawImage(bitmap, 0, 0);
    const pixels = pen?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? [];
    const counts = { up: 0, down: 0, width: bitmap.width };
    for (let at = 0; at < pixels.length; at += 4) {
      const [red = 0, green = 0] = [pixels[at], pixels[at + 1]];
      if (green > red + 12) counts.up += 1;
      if (red > green + 6) counts.down += 1;
    }
    return counts;
  }, picture.toString("base64"));
  await blank.close();
  return counted;
}

/** Runs in the page: words of the depth picture that lie over each other or outside of it. */
function findOverlaps(): readonly string[] {
  const panel = document.querySelector('svg[aria-label^="Depth of"]')?.closest('[role="tabpanel"]');
  if (panel === null || panel === undefined) return ["there is no picture"];
  const frame = panel.getBoundingClientRect();
  const words = [...panel.querySelectorAll("span, text")].filter(
    (element) =>
      element.children.length === 0 && element.checkVisibility() && (element.textContent ?? "").trim() !== "",
  );
  const boxes = words.map((element) => ({ text: element.textContent ?? "", box: element.getBoundingClientRect() }));
  const faults = boxes
    .filter(({ box }) => box.right > frame.right + 1 || box.left < frame.left - 1)
    .map(({ text }) => `${text} is cut`);
  boxes.forEach(({ text, box }, at) => {
    for (const other of boxes.slice(at + 1)) {
      const isOver = box.left < other.box.right - 1 && other.box.left < box.right - 1;
      if (isOver && box.top < other.box.bottom - 1 && other.box.top < box.bottom - 1)
        faults.push(`${text} lies over ${other.text}`);
    }
  });
  return faults;
}

const SIZES = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  // A laptop at twice its size.
  { width: 720, height: 450 },
];

for (const ratio of [1, 2]) {
  test(`[SPOT-4] [SITE-16] the terminal with orders stands clean at ratio ${ratio}, light and dark`, async () => {
    for (const viewport of SIZES) {
      const { context, page } = await newPage(browser, { viewport, deviceScaleFactor: ratio, storageState: state });
      await followSystem(page, site.origin);
      await visit(page, `${site.origin}/spot/BTC_USDT`);
      await page.locator('[data-chart="shown"]').waitFor();
      if (viewport.width >= 1024)
        await page
          .getByRole("tab", { name: /Open orders|Open/ })
          .first()
          .waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
        await expect.poll(() => page.evaluate(findFaults, ratio)).toEqual([]);
        if (FOLDER !== undefined)
          await page.screenshot({ path: `${FOLDER}/${viewport.width}-${ratio}-${colorScheme}.png`, fullPage: false });
      }
      await context.close();
    }
  });
}

for (const ratio of [1, 2]) {
  test(`[SPOT-4] the depth chart shows both sides as fine as the screen at ratio ${ratio}, and no word over another`, async () => {
    const { context, page } = await newPage(browser, { deviceScaleFactor: ratio, storageState: state });
    await visit(page, `${site.origin}/spot/BTC_USDT`);
    await page.getByRole("tab", { name: "Depth", exact: true }).click();
    const picture = page.getByRole("img", { name: /^Depth of/ });
    await picture.waitFor();
    const box = await picture.boundingBox();
    const look = async () => {
      const { up, down, width } = await countSides(page, await picture.screenshot());
      return { isFine: Math.abs(width - (box?.width ?? 0) * ratio) <= 2 * ratio, hasBoth: up > 500 && down > 500 };
    };
    await expect.poll(look).toEqual({ isFine: true, hasBoth: true });
    await expect.poll(() => page.evaluate(findOverlaps)).toEqual([]);
    if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/depth-${ratio}.png` });
    await context.close();
  });

  test(`[FUT-3] the futures terminal stands clean at ratio ${ratio}, light and dark`, async () => {
    for (const viewport of SIZES.slice(0, 3)) {
      const { context, page } = await newPage(browser, { viewport, deviceScaleFactor: ratio, storageState: state });
      await followSystem(page, site.origin);
      await visit(page, `${site.origin}/futures/BTC_USDT`);
      await page.locator('[data-chart="shown"]').waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
        await expect.poll(() => page.evaluate(findFaults, ratio)).toEqual([]);
        if (FOLDER !== undefined)
          await page.screenshot({ path: `${FOLDER}/futures-${viewport.width}-${ratio}-${colorScheme}.png` });
      }
      await context.close();
    }
  });
}
