// The spot terminal in a real browser with the simulated market: whole without a script, alive with one, operable by
// keyboard, and honest about a lost connection.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { enter } from "./auth-steps.ts";
import { followSystem, inspectPage } from "./axe-find.ts";
import { countPixels, findLine } from "./chart-pixels.ts";
import { dragLine, type Heights, readScale } from "./chart-steps.ts";
import { joinSite, measureOverflow, newPage, openBrowser, type Site, visit } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite("living"), openBrowser()]);
  // The first seconds of a new exchange have no trade and no history yet.
  for (const path of ["trades?pairCode=BTC_USDT", "candles?pairCode=BTC_USDT&interval=15m&limit=50"]) {
    while ((await readData(path)).length < 10) await new Promise((done) => setTimeout(done, 250));
  }
});
afterAll(async () => {
  await browser?.close();
});

async function readData(path: string): Promise<readonly unknown[]> {
  const answer = await fetch(`${site.origin}/api/v1/spot/${path}`);
  return ((await answer.json()) as { data: readonly unknown[] }).data;
}

const rowsOf = (page: Page, side: "bids" | "asks") => page.locator(`[data-book="${side}"] [data-row]`);

/** Everything the book shows, as one text. */
function readBook(page: Page): Promise<string> {
  return page.locator(".book-body").innerText();
}

test("[SPOT-1] [SPOT-4] the page is whole without a script: prices, both sides, trades and candles", async () => {
  const { context, page } = await newPage(browser, { javaScriptEnabled: false });
  const answer = await page.goto(`${site.origin}/spot/BTC_USDT`);
  expect(answer?.status()).toBe(200);
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(await page.locator("footer").count()).toBe(0);
  expect(await page.locator('[data-fact="last"]').innerText()).toMatch(/^\d[\d,]*\.\d$/);
  for (const side of ["bids", "asks"] as const) {
    expect(await rowsOf(page, side).first().innerText()).toMatch(/\d[\d,.]*\s+\d[\d,.]*\s+\d[\d,.]*/);
  }
  expect(await page.locator(".tape-row").count()).toBeGreaterThan(5);
  expect(await page.locator(".chart-still path").count()).toBe(4);
  await context.close();
});

test("[SPOT-1] an unknown pair is no page, and the bare address goes to the pair last used", async () => {
  for (const path of ["/spot/NOPE_USDT", "/spot/btc"]) {
    expect((await fetch(site.origin + path)).status, path).toBe(404);
  }
  // Segments after the pair are ignored.
  expect((await fetch(`${site.origin}/spot/BTC_USDT/more`)).url).toBe(`${site.origin}/spot/BTC_USDT`);
  const bare = (cookie: string) => fetch(`${site.origin}/spot`, { redirect: "manual", headers: { cookie } });
  expect((await bare("cw_spot_pair=ETH_USDT")).headers.get("location")).toBe("/spot/ETH_USDT");
  expect((await bare("cw_spot_pair=NOPE_USDT")).headers.get("location")).toBe("/spot/BTC_USDT");
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/en_US/spot/SOL_USDT`);
  await visit(page, `${site.origin}/en_US/spot`);
  expect(new URL(page.url()).pathname).toBe("/en_US/spot/SOL_USDT");
  await context.close();
});

test("[SPOT-4] the book lives, a pressed level reaches the form, and nothing warns", async () => {
  const { context, page, watch } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-chart="shown"]').waitFor();
  const before = await readBook(page);
  await expect.poll(() => readBook(page)).not.toBe(before);
  const level = rowsOf(page, "asks").nth(2);
  const price = (await level.locator('[data-cell="price"]').innerText()).replaceAll(",", "");
  await level.click();
  // The book moves between reading and pressing; the level pressed is close to the one read.
  const distance = async () => {
    const typed = (await page.locator("[data-order-form] input").first().inputValue()).replaceAll(",", "");
    return Math.abs(Number(typed) / Number(price) - 1);
  };
  await expect.poll(distance).toBeLessThan(0.001);
  expect(watch.troubles).toEqual([]);
  await context.close();
});

test("[SPOT-4] the book is read and taken by keyboard", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-connection="live"]').waitFor();
  await page.locator('[data-book="bids"]').focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.locator('[data-book="bids"] [aria-selected="true"]').waitFor();
  await page.locator(".book-tip").waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  await expect.poll(() => page.evaluate(() => (document.activeElement as HTMLElement).dataset.book)).toBe("asks");
  await page.keyboard.press("Escape");
  await page.locator(".book-tip").waitFor({ state: "hidden" });
  await context.close();
});

test("[SPOT-4] another pair is chosen by keyboard alone, and the focus is unchanged", async () => {
  const { context, page, watch } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-connection="live"]').waitFor();
  // Every frame from now on: which pair the page names, and the price next to it.
  await page.evaluate(() => {
    const seen = new Set<string>();
    const look = () => {
      const price = document.querySelector('[data-fact="last"]')?.textContent?.replaceAll(",", "");
      seen.add(`${document.querySelector("h1")?.textContent} ${price}`);
      requestAnimationFrame(look);
    };
    look();
    Object.assign(globalThis, { seen });
  });
  await page.keyboard.press("p");
  const drawer = page.getByRole("dialog", { name: "Pairs" });
  await drawer.getByRole("combobox").waitFor();
  await page.keyboard.type("ethusdt");
  await drawer.getByRole("option", { name: /ETH/ }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/spot/ETH_USDT");
  await page.getByRole("button", { name: /now ETH\/USDT/ }).waitFor();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? ""))
    .toContain("ETH/USDT");
  const seen = await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen]);
  const prices = seen.filter((text) => text.includes("ETH/USDT")).map((text) => Number(text.split(" ").at(-1)));
  expect(prices.length).toBeGreaterThan(0);
  // Never for a frame the price of the pair before, which is twenty times as much.
  expect(prices.filter((price) => !(price < 20_000))).toEqual([]);
  expect(watch.troubles).toEqual([]);
  await context.close();
});

test("[SPOT-4] a layout made by keyboard is there again after a reload, painted by the server", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  const border = page.getByRole("separator", { name: "Width of the left column" });
  await border.focus();
  for (let count = 0; count < 5; count += 1) await page.keyboard.press("ArrowRight");
  const width = async () => (await page.locator('[data-panel="book"]').boundingBox())?.width;
  await expect.poll(width).toBe(312);
  await page.getByRole("button", { name: "Layout" }).click();
  await page.getByRole("dialog", { name: "Layout" }).getByRole("checkbox", { name: "Orders" }).uncheck();
  await page.locator('[data-panel="orders"]').waitFor({ state: "detached" });
  // What a script stores as a cookie is on its way for a moment.
  const served = async () => {
    const html = await (await context.request.get(page.url())).text();
    return [html.includes("--left:312px"), html.includes('data-panel="orders"')];
  };
  await expect.poll(served).toEqual([true, false]);
  await page.reload();
  await expect.poll(width).toBe(312);
  await page.getByRole("button", { name: "Layout" }).click();
  await page.getByRole("button", { name: "Reset layout" }).click();
  await expect.poll(width).toBe(272);
  await context.close();
});

test("[SITE-6] [SITE-19] the chart takes the up and down colours, and trades and clock the time zone", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-chart="shown"]').waitFor();
  // Candles come in more than one drawing; counted once they are stable.
  let before = { green: 0, red: 0 };
  const standsStill = async () => {
    const last = before;
    before = await countPixels(page);
    return last.green > 0 && Math.abs(before.green / last.green - 1) < 0.02;
  };
  await expect.poll(standsStill, { interval: 1_000 }).toBe(true);
  await page.evaluate(() => {
    document.documentElement.dataset.updown = "red-up";
  });
  // Every candle but the one being made changes its colour, so the counts change places.
  await expect.poll(async () => Math.abs((await countPixels(page)).red / before.green - 1)).toBeLessThan(0.1);
  await page.getByRole("tab", { name: "Trades" }).click();
  const hourOf = async () => Number((await page.locator(".tape-row span:last-child").first().innerText()).slice(0, 2));
  // The newest trade is of this moment; an hour may end in between.
  const ahead = async () => ((await hourOf()) - new Date().getUTCHours() + 24) % 24;
  await expect.poll(ahead).toBe(0);
  await page.getByRole("button", { name: /Time zone/ }).click();
  await page.getByRole("menuitemradio", { name: "UTC+8", exact: true }).click();
  await expect.poll(ahead).toBe(8);
  await context.close();
});

test("[NET-5] [SPOT-4] a lost connection dims the numbers and is reported; they come back by themselves", async () => {
  const { context, page } = await newPage(browser);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-connection="live"]').waitFor();
  // Parts that are still on their way would fail to load, which is another rule's business (SITE-12).
  await page.locator('[data-chart="shown"]').waitFor();
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await page.getByText("Prices may be behind").waitFor();
  await expect.poll(() => page.locator(".terminal").getAttribute("data-stale")).not.toBeNull();
  await context.setOffline(false);
  await page.getByText("Prices may be behind").waitFor({ state: "detached" });
  const before = await readBook(page);
  await expect.poll(() => readBook(page)).not.toBe(before);
  await context.close();
});

/** Runs in the page: which of these lines are wider or higher than their place. */
function findCut(names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const line = document.querySelector(name);
    return line === null || line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight;
  });
}

test("[SITE-20] [SITE-16] axe finds nothing on the terminal and it fits the screen, light and dark", async () => {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 1100, height: 800 },
    { width: 390, height: 844 },
  ]) {
    const { context, page, watch } = await newPage(browser, { viewport });
    await followSystem(page, site.origin);
    await visit(page, `${site.origin}/spot/BTC_USDT`);
    await page.locator('[data-chart="shown"]').waitFor();
    const seen = await inspectPage(page, { [viewport.width]: viewport });
    expect(seen).toEqual({ troubles: [], isRepainted: true });
    expect(await measureOverflow(page)).toBe(0);
    await expect.poll(() => page.evaluate(findCut, [".chart-toolbar", ".book-columns", ".book-middle"])).toEqual([]);
    expect(watch.troubles).toEqual([]);
    await context.close();
  }
});

/** A call with the session of the page's user. */
function call<Data>(page: Page, path: string, body?: object): Promise<Data> {
  return page.evaluate(
    async ([path, body]) => {
      const response = await fetch(path as string, {
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      return ((await response.json()) as { data: never }).data;
    },
    [path, body] as const,
  );
}

const form = (page: Page) => page.getByRole("form", { name: "Order form" });

async function enterWithFunds(): Promise<{ page: Page; box: { x: number; y: number; width: number; height: number } }> {
  const { page } = await newPage(browser, { reducedMotion: "reduce" });
  await enter(page, site.origin);
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await call(page, "/dev/faucet", { asset: "USDT", amount: "10000" });
  await page.locator('[data-chart="shown"]').waitFor();
  const box = await page.locator(".chart-canvas").boundingBox();
  if (box === null) throw new Error("the chart has no place");
  return { page, box };
}

test("[SPOT-4] a price picked on the chart becomes an order, and dragging its line amends the order", async () => {
  const { page, box } = await enterWithFunds();
  // Near the lower edge of the prices, well below the market, so that the order rests.
  const [x, low] = [box.x + box.width * 0.3, box.y + box.height * 0.69];
  const field = form(page).getByLabel("Price");
  await field.fill("");
  await page.mouse.dblclick(x, low);
  await expect.poll(() => field.inputValue()).not.toBe("");
  const picked = Number((await field.inputValue()).replaceAll(",", ""));
  await form(page).getByLabel("Amount", { exact: true }).fill("0.01");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Confirm buy" }).waitFor();
  await page.keyboard.press("Enter");
  const price = async () => {
    const { orders } = await call<{ orders: { price: string }[] }>(page, "/api/v1/spot/orders?state=open");
    return Number(orders[0]?.price);
  };
  await expect.poll(price).toBe(picked);
  await page.getByRole("button", { name: "Cancel BTC/USDT order" }).waitFor();
  // Up by a few lines' height, still below the market.
  const heights: Heights = [0.54, 0.62];
  const scale = await readScale(page, field, heights);
  await dragLine(page, field, heights, picked, picked + (scale.high - scale.low) * 0.4);
  await expect.poll(price).toBeGreaterThan(picked);
  await page.context().close();
});

test("[SPOT-4] drawings, a study's parameters and a compared pair are there again after a reload", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce" });
  const open = async () => {
    await visit(page, `${site.origin}/spot/BTC_USDT`);
    await page.locator('[data-chart="shown"]').waitFor();
  };
  await open();
  const box = await page.locator(".chart-canvas").boundingBox();
  if (box === null) throw new Error("the chart has no place");
  const press = (x: number, y: number) => page.mouse.click(box.x + box.width * x, box.y + box.height * y);
  const kept = () => page.evaluate(() => localStorage.getItem("cw_terminal:guest:spot:drawings:BTC_USDT") ?? "");
  await page.getByRole("button", { name: "Lines", exact: true }).click();
  await page.getByRole("menuitemradio", { name: "Trend line" }).click();
  // The menu covers the chart until it is gone.
  await page.getByRole("menu").waitFor({ state: "detached" });
  await press(0.3, 0.3);
  // Sooner, the chart would take both for one double press; counted by the page, which may be late.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 700))));
  await press(0.5, 0.4);
  await expect.poll(kept).toContain("segment");
  const parameters = page.getByLabel("Parameters of MA", { exact: true });
  await page.getByRole("button", { name: "Indicators" }).first().click();
  await parameters.fill("9, 21, 55");
  await parameters.press("Enter");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.evaluate(findLine)).toBeLessThan(0.5);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("menuitemradio", { name: "ETH/USDT" }).click();
  await expect.poll(() => page.evaluate(findLine)).toBeGreaterThan(0.8);
  await open();
  await expect.poll(() => page.evaluate(findLine)).toBeGreaterThan(0.8);
  expect(await kept()).toContain("segment");
  await page.getByRole("button", { name: "Indicators" }).first().click();
  await expect.poll(() => parameters.inputValue()).toBe("9, 21, 55");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Remove all drawings" }).click();
  await expect.poll(kept).toBe("");
  await context.close();
});

test("[SPOT-4] the chart is drawn as fine as the screen is", async () => {
  const { context, page } = await newPage(browser, { reducedMotion: "reduce", deviceScaleFactor: 2 });
  await visit(page, `${site.origin}/spot/BTC_USDT`);
  await page.locator('[data-chart="shown"]').waitFor();
  const coarse = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLCanvasElement>(".chart-canvas canvas")].filter(
          (canvas) => canvas.clientWidth > 0 && canvas.width < canvas.clientWidth * 2 - 1,
        ).length,
    );
  await expect.poll(() => page.locator(".chart-canvas canvas").count()).toBeGreaterThan(3);
  // The observer that reported plain pixels does so in the frames after the first.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
  );
  await expect.poll(coarse).toBe(0);
  await context.close();
});

test("[SPOT-4] [SPOT-5] one-click trading skips confirmations, sides have keys, volume frees a coupon", async () => {
  const { page } = await enterWithFunds();
  await form(page).getByRole("button", { name: "Order settings" }).click();
  await page.getByRole("switch", { name: "One-click trading" }).press("Space");
  await page.keyboard.press("Escape");
  await form(page).getByText("One-click trading is on").waitFor();
  await page.locator("body").click({ position: { x: 2, y: 2 } });
  const isSelling = () => form(page).getByRole("radio", { name: "Sell" }).getAttribute("aria-checked");
  await page.keyboard.press("s");
  await expect.poll(isSelling).toBe("true");
  await page.keyboard.press("b");
  await expect.poll(isSelling).toBe("false");
  await form(page).getByRole("button", { name: "Market", exact: true }).click();
  await form(page).getByLabel("Spend", { exact: true }).fill("2500");
  await page.keyboard.press("Enter");
  await page.getByText("Buy order filled").first().waitFor();
  // The dialog requests once, and the volume is counted after the fill was published.
  const isFree = async () =>
    (await call<{ state: string }[]>(page, "/api/spot-coupon/v1/coupons")).some(({ state }) => state === "READY");
  await expect.poll(isFree).toBe(true);
  const orders = page.getByRole("region", { name: "Your orders" });
  await orders.getByRole("tab", { name: "Assets" }).click();
  await orders.getByRole("button", { name: "Coupons" }).click();
  const coupons = page.getByRole("dialog", { name: "Your coupons" });
  const convert = coupons.getByRole("button", { name: "Convert to BTC" });
  await convert.click();
  await page.getByText("Verify your identity first: a reward is given once to a person.").first().waitFor();
  await call(page, "/dev/identity", { level: 1 });
  await convert.click();
  await coupons.getByText(/Converted to 0\.000\d+ BTC at/).waitFor();
  await page.context().close();
});
