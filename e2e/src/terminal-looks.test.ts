// The terminal of a trading user, at every width and at both pixel ratios: what it draws is as fine as the screen, fits
// it, shows every order's side once, and covers nothing.
import { mkdirSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintAccount, PASSWORD, readCode } from "./auth-steps.ts";
import { findViolations, followSystem } from "./axe-find.ts";
import { API, call, form, orders, answer as result } from "./futures-steps.ts";
import { joinSite, newPage, openBrowser, type Site, visit } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
let state: Awaited<ReturnType<BrowserContext["storageState"]>>;

/** Where pictures are kept for inspection. */
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

/** Runs in the page: what a user would notice as a fault. */
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

/** How many pixels of a picture are plainly of each side's colour; decoded on a blank page. */
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

/** Runs in the page: labels of the depth picture that overlap or leave it. */
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

/** Where pixels are finer only what is drawn by them differs: the widest and the narrowest show it. */
const sizesAt = (ratio: number, sizes = SIZES) =>
  ratio === 1 ? sizes : sizes.filter(({ width }) => width === 1440 || width === 390);

/** One visit for all sizes and both themes; that a page loaded at a size fits it is the terminals' own journeys'. */
async function lookAtSizes(page: Page, sizes: typeof SIZES, ratio: number, name: string): Promise<void> {
  for (const viewport of sizes) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
      await expect.poll(() => page.evaluate(findFaults, ratio)).toEqual([]);
      if (FOLDER !== undefined)
        await page.screenshot({ path: `${FOLDER}/${name}${viewport.width}-${ratio}-${colorScheme}.png` });
    }
  }
}

for (const ratio of [1, 2]) {
  test(`[SPOT-4] [SITE-16] the terminal with orders is clean at ratio ${ratio}, light and dark`, async () => {
    const { context, page } = await newPage(browser, { deviceScaleFactor: ratio, storageState: state });
    await followSystem(page, site.origin);
    await visit(page, `${site.origin}/spot/BTC_USDT`);
    await page.locator('[data-chart="shown"]').waitFor();
    await page
      .getByRole("tab", { name: /Open orders|Open/ })
      .first()
      .waitFor();
    await lookAtSizes(page, sizesAt(ratio), ratio, "");
    await context.close();
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

  test(`[FUT-3] the futures terminal is clean at ratio ${ratio}, light and dark`, async () => {
    const { context, page } = await newPage(browser, { deviceScaleFactor: ratio, storageState: state });
    await followSystem(page, site.origin);
    await visit(page, `${site.origin}/futures/BTC_USDT`);
    await page.locator('[data-chart="shown"]').waitFor();
    await lookAtSizes(page, sizesAt(ratio, SIZES.slice(0, 3)), ratio, "futures-");
    await context.close();
  });
}

const PHONE = { width: 390, height: 844 };

/** Runs in the page: the position of the open dialog on the screen. */
function measureDialog() {
  const frame = document.querySelector("section:is([role=dialog], [role=alertdialog])")?.parentElement;
  if (frame === null || frame === undefined) return undefined;
  const { left, right, top, bottom } = frame.getBoundingClientRect();
  return { left, right, top, bottom, isMoving: document.getAnimations().length > 0 };
}

/** At the bottom edge from side to side, with some of the page visible above, and no wider than the screen. */
async function expectSheet(page: Page, name: string): Promise<void> {
  const look = async () => {
    const box = await page.evaluate(measureDialog);
    if (box === undefined) return [name, "there is none"];
    return [name, box.left, box.right, box.bottom, box.top > PHONE.height * 0.11];
  };
  await expect.poll(look).toEqual([name, 0, PHONE.width, PHONE.height, true]);
  const overflow = await page.getByRole("dialog").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  expect([name, overflow]).toEqual([name, 0]);
}

/** Takes an open sheet by its head and pulls it down. */
async function pull(page: Page, byPx: number): Promise<void> {
  const box = await page.getByRole("dialog").getByRole("heading").first().boundingBox();
  if (box === null) throw new Error("the dialog has no head");
  await page.mouse.move(box.x + 4, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + 4, box.y + 4 + byPx, { steps: 4 });
  await page.mouse.up();
}

/** Opens a position with its own margin, for tests of its dialogs. */
async function holdPosition(page: Page): Promise<void> {
  const must = async (path: string, body: object) =>
    expect([path, (await call(page, "POST", path, body)).body.code]).toEqual([path, 200]);
  await must("/dev/identity", { level: 1 });
  const moved = { asset: "USDT", amount: "2000", from: "1", to: "3", clientId: "sheets" };
  await must("/api/asset/v1/api/wallet/transfer", moved);
  await must(`${API}/positions/margin-mode`, { pairCode: "BTC_USDT", mode: "isolated" });
  const entry = { pairCode: "BTC_USDT", side: "buy", type: "market", quantity: "0.01" };
  await expect.poll(async () => (await call(page, "POST", `${API}/orders`, entry)).body.code).toBe(200);
  const [position] = await result(page);
  const loss = { triggerPrice: (Number(position?.markPrice) * 0.97).toFixed(1) };
  await must(`${API}/positions/stop`, { positionId: position?.positionId, loss });
}

test("[FUT-3] [SITE-16] on a phone every dialog of the terminals is a sheet from below: held, ended by Esc, swipe and scrim", async () => {
  const { context, page } = await newPage(browser, { viewport: PHONE, storageState: state, hasTouch: true });
  await followSystem(page, site.origin);
  await visit(page, `${site.origin}/futures/data/BTC_USDT`);
  await holdPosition(page);
  await visit(page, `${site.origin}/futures/BTC_USDT`);
  const dialog = page.getByRole("dialog");
  const card = orders(page).getByRole("listitem").filter({ hasText: "BTCUSDT" }).first();
  const openers = {
    leverage: form(page).getByRole("button", { name: "Isolated" }),
    mode: form(page).getByRole("button", { name: /1-way|One-way/ }),
    transfer: form(page).getByRole("button", { name: "Transfer funds to this account" }).first(),
    close: card.getByRole("button", { name: "Close", exact: true }),
    stops: card.getByRole("button", { name: "TP / SL" }),
    margin: card.getByRole("button", { name: "Margin" }),
    reverse: card.getByRole("button", { name: "Reverse" }),
    share: card.getByRole("button", { name: "Share" }),
  };
  const troubles: string[] = [];
  for (const [name, opener] of Object.entries(openers)) {
    await opener.click();
    await dialog.waitFor();
    await expectSheet(page, name);
    // Everything reached by Tab is in it.
    for (let count = 0; count < 30; count++) await page.keyboard.press("Tab");
    expect([name, await dialog.evaluate((one) => one.contains(document.activeElement))]).toEqual([name, true]);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(colorScheme);
      troubles.push(
        ...(await findViolations(page, colorScheme === "dark" ? "colours" : "all")).map(
          (one) => `${name} ${colorScheme} ${one}`,
        ),
      );
      if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/sheet-${name}-${colorScheme}.png` });
    }
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.count()).toBe(0);
  }
  expect(troubles).toEqual([]);
  await openers.leverage.click();
  await pull(page, 30);
  await expectSheet(page, "pulled a little");
  await pull(page, 160);
  await expect.poll(() => dialog.count()).toBe(0);
  await openers.leverage.click();
  await expectSheet(page, "opened again");
  await page.mouse.click(PHONE.width / 2, 20);
  await expect.poll(() => dialog.count()).toBe(0);
  // On a desktop it is a box in the middle, as ever.
  await page.setViewportSize({ width: 1440, height: 900 });
  await openers.leverage.click();
  const box = async () => {
    const at = await page.evaluate(measureDialog);
    return at === undefined ? undefined : [at.right - at.left, at.left + at.right, Math.round(at.top + at.bottom)];
  };
  await expect.poll(box).toEqual([480, 1440, 900]);
  await page.keyboard.press("Escape");
  await page.setViewportSize(PHONE);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await orders(page)
    .getByRole("button", { name: /Cancel all/ })
    .first()
    .click();
  await dialog.or(page.getByRole("alertdialog")).waitFor();
  const sheet = async () => {
    const at = await page.evaluate(measureDialog);
    return [at?.left, at?.right, at?.bottom];
  };
  await expect.poll(sheet).toEqual([0, PHONE.width, PHONE.height]);
  await context.close();
});

test("[FUT-3] on a phone the calculator fills the screen, with results at the foot and a chart on demand", async () => {
  const { context, page } = await newPage(browser, { viewport: PHONE, hasTouch: true });
  await followSystem(page, site.origin);
  await visit(page, `${site.origin}/futures/BTC_USDT`);
  const dialog = page.getByRole("dialog", { name: "Calculator" });
  await page.getByRole("button", { name: "Calculator" }).click();
  await dialog.waitFor();
  const frame = async () => {
    const at = await page.evaluate(measureDialog);
    return [at?.left, at?.top, at?.right, at?.bottom];
  };
  await expect.poll(frame).toEqual([0, 0, PHONE.width, PHONE.height]);
  const results = dialog.locator("dl").filter({ hasText: "Initial margin" });
  const foot = async () => {
    const at = await results.locator("..").boundingBox();
    return at !== null && at.y + at.height === PHONE.height;
  };
  const scroller = results.locator("xpath=ancestor::*[contains(@class, 'overflow-y-auto')]").first();
  const chart = dialog.getByRole("slider", { name: "Liquidation price by leverage" });
  for (const tab of ["PnL", "Target price", "Liquidation", "Funding", "Max open", "Average"]) {
    await dialog.getByRole("button", { name: tab, exact: true }).click();
    for (const end of [0, 10_000]) {
      await scroller.evaluate((element, top) => element.scrollTo(0, top), end);
      expect([tab, end, await foot()]).toEqual([tab, end, true]);
    }
    if (FOLDER !== undefined) await page.screenshot({ path: `${FOLDER}/calculator-${tab}.png` });
  }
  expect(await chart.count()).toBe(0);
  await dialog.getByRole("button", { name: "Show chart" }).click();
  await chart.waitFor();
  expect(await foot()).toBe(true);
  expect(await findViolations(page)).toEqual([]);
  // The price next to the curve is the chosen leverage's own, also where no point of the curve was drawn.
  await dialog.getByRole("textbox", { name: "Leverage" }).fill("61");
  const result = async () =>
    (await chart.getAttribute("aria-valuetext")) === `61×, ${await results.locator("dd").first().textContent()}`;
  await expect.poll(result).toBe(true);
  await context.close();
});

test("[SITE-19] the futures' pages and files show times in the chosen zone, and name it", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/futures/data/BTC_USDT`);
  const history = async () => {
    const { data } = (await call(page, "GET", `${API}/funding-history?pairCode=BTC_USDT&limit=1`)).body;
    return (data as unknown as { timeMs: number }[])[0]?.timeMs ?? 0;
  };
  // The past is made in the background at first start.
  await expect.poll(history).toBeGreaterThan(0);
  const hoursOn = async (hours: number, length: number) =>
    new Date((await history()) + hours * 3_600_000).toISOString().slice(0, length).replace("T", " ");
  for (const [value, zone, hours] of [
    ["0", "UTC", 0],
    ["1", "UTC+8", 8],
  ] as const) {
    await context.addCookies([{ name: "cw_timezone", value, url: site.origin }]);
    await visit(page, `${site.origin}/futures/data/BTC_USDT`);
    const table = page.getByRole("table").filter({ hasText: "Settled" });
    await expect.poll(() => table.locator("th").first().textContent()).toContain(zone);
    const first = table.locator("tbody td").first();
    await expect.poll(async () => (await first.textContent()) === (await hoursOn(hours, 16))).toBe(true);
    await page.getByRole("button", { name: "CSV" }).click();
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Funding" }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await saved.createReadStream()) chunks.push(chunk as Buffer);
    const [head = "", row = ""] = Buffer.concat(chunks).toString().split(/\r?\n/);
    expect(head).toContain(`Settled, ${zone}`);
    expect(row).toContain(await hoursOn(hours, 19));
  }
  // The terminal's own lists too.
  await visit(page, `${site.origin}/futures/BTC_USDT`);
  await page.getByRole("tab", { name: "Funding", exact: true }).click();
  await expect
    .poll(async () => (await page.locator("tbody td").allTextContents()).includes(await hoursOn(8, 16)))
    .toBe(true);
  await context.close();
});
