// What the server sends to every page, in a real browser: price currency and rates, the served footer, the product's
// addresses and its partners, and the statistics of signed-in users.

import { generateKeyPairSync, sign } from "node:crypto";
import { createServer, type Server } from "node:http";
import { allOf } from "@clockwork/kit/all-of";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { enter, mintAccount } from "./auth-steps.ts";
import { listPaths } from "./routes-list.ts";
import { freePort, joinSite, newPage, openBrowser, type Site, startSite, visit, waitCookie } from "./site.ts";

let site: Pick<Site, "origin">;
let browser: Browser;
beforeAll(async () => {
  [site, browser] = await Promise.all([joinSite(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
});

async function chooseCurrency(page: Page, currency: string): Promise<void> {
  await page.getByRole("button", { name: /language and currency/ }).click();
  await page.getByRole("dialog").locator(`label:has(input[value="${currency}"])`).click();
}

async function readData<Data>(url: string): Promise<Data> {
  const { data } = (await (await fetch(url)).json()) as { data: Data };
  return data;
}

interface Rates {
  readonly rates: Readonly<Record<string, string>>;
}

describe("price currency", () => {
  test("[SITE-7] a visitor's choice is painted, saved by the server and served again, with its rate marked as simulated", async () => {
    const { context, page, watch } = await newPage(browser);
    await visit(page, site.origin);
    await page.waitForLoadState("networkidle");
    const saved = page.waitForResponse((response) => response.url().includes("/index/changePriceType?priceType=JPY"));
    await chooseCurrency(page, "JPY");
    expect((await saved).status()).toBe(200);
    const note = page.locator('[data-rate="JPY"]');
    // The rate may move between the two reads.
    const compare = async () => {
      const { rates } = await readData<Rates>(`${site.origin}/api/v1/common/exchange-rate`);
      return (await note.innerText()).replace(String(Number(rates.JPY)), "the rate");
    };
    await expect.poll(compare).toBe("1 US dollar is ¥the rate · simulated, not a market rate");
    const cookie = await waitCookie(context, ({ name }) => name === "cw_currency");
    expect(cookie).toMatchObject({ value: "JPY", path: "/", sameSite: "Lax" });
    await page.reload({ waitUntil: "load" });
    expect(await page.locator("footer").innerText()).toContain("· JPY ·");
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[SITE-7] a rate published over the socket repaints what is on the screen", async () => {
    const { context, page, watch } = await newPage(browser);
    let tell: (text: string) => void = () => undefined;
    let requested: () => void = () => undefined;
    const subscribed = new Promise<void>((done) => {
      requested = done;
    });
    await page.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer();
      tell = (text) => socket.send(text);
      socket.onMessage((message) => {
        server.send(message);
        if (String(message).includes('"rate"')) requested();
      });
    });
    await visit(page, site.origin);
    await subscribed;
    await chooseCurrency(page, "EUR");
    const note = page.locator('[data-rate="EUR"]');
    await note.waitFor();
    const data = {
      base: "USD",
      rates: { EUR: "0.4321" },
      asOf: "2026-01-01T00:00:00.000Z",
      source: "x",
      simulated: false,
    };
    tell(JSON.stringify({ event: "data", channel: "common", type: "rate", data }));
    await page.getByText("1 US dollar is €0.4321", { exact: true }).waitFor();
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[SITE-7] signed in, the choice follows the account into another browser", async () => {
    const account = mintAccount();
    const first = await newPage(browser);
    await enter(first.page, site.origin, account);
    await visit(first.page, site.origin);
    await first.page.waitForLoadState("networkidle");
    const saved = first.page.waitForResponse((response) => response.url().includes("/index/changePriceType"));
    await chooseCurrency(first.page, "TRY");
    expect((await saved).status()).toBe(200);
    // The account alone: the browser's own cookie is gone.
    await first.context.clearCookies({ name: "cw_currency" });
    await visit(first.page, site.origin);
    expect(await first.page.locator("footer").innerText()).toContain("· TRY ·");
    expect(first.watch.troubles).toEqual([]);
    await first.context.close();
  });
});

test("[USR-7] the footer shows the served list, and of it only pages that exist", async () => {
  const { columns } = await readData<{ columns: { title: string; links: { title: string; to: string }[] }[] }>(
    `${site.origin}/api/v1/common/footer-list`,
  );
  const pages = new Set(await listPaths(site.origin));
  const { context, page } = await newPage(browser);
  await visit(page, site.origin);
  const shown = await page
    .locator("footer nav a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  const served = columns.flatMap(({ links }) => links.map(({ to }) => to));
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.filter((to) => !served.includes(to ?? ""))).toEqual([]);
  expect(served.filter((to) => pages.has(to) && !shown.includes(to))).toEqual([]);
  for (const to of shown) expect((await fetch(site.origin + to)).status, String(to)).toBe(200);
  await context.close();
});

/** A list of addresses as cloud storage publishes it: elsewhere, signed, readable from the pages' origins. */
async function publishList(origins: readonly string[]): Promise<{ readonly server: Server; readonly key: string }> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const domains = origins.map((origin) => ({
    api: `${origin}/api`,
    futuresApi: `${origin}/futuresapi`,
    socket: `${origin.replace("http", "ws")}/ws`,
    futuresSocket: `${origin.replace("http", "ws")}/ws`,
  }));
  const list = JSON.stringify({ domains });
  const body = JSON.stringify({ list, signature: sign(null, Buffer.from(list), privateKey).toString("base64") });
  const server = createServer((_, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { server, key: publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64") };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("addresses", () => {
  let near: Site;
  let far: Site;
  let published: Server;
  let bank: Server;
  beforeAll(async () => {
    const rates = { CNY: 7.5, KRW: 1000, TWD: 30, VND: 25_000, TRY: 40, RUB: 80, UAH: 40, EUR: "0.5", JPY: 100 };
    bank = createServer((_, response) => response.end(JSON.stringify({ base: "USD", rates })));
    await new Promise<void>((done) => bank.listen(0, "127.0.0.1", done));
    const port = await freePort();
    const nearOrigin = `http://127.0.0.1:${port}`;
    far = await startSite({ CW_FAST_ORIGINS: nearOrigin, CW_RATES_URL: `http://127.0.0.1:${portOf(bank)}/` });
    const { server, key } = await publishList([nearOrigin, far.origin]);
    published = server;
    near = await startSite({
      PORT: String(port),
      CW_FAST_ORIGINS: far.origin,
      CW_DOMAIN_LIST_URL: `http://127.0.0.1:${portOf(server)}/list.json`,
      CW_DOMAIN_LIST_KEY: key,
    });
  });
  afterAll(async () => {
    await near?.stop();
    await far?.stop();
    published?.close();
    bank?.close();
  });

  test("[SITE-7] rates of an outside source are served and shown without the simulated mark", async () => {
    await expect
      .poll(() => readData<Rates>(`${far.origin}/api/v1/common/exchange-rate`))
      .toMatchObject({ simulated: false, rates: { EUR: "0.5", USD: "1" } });
    const { context, page, watch } = await newPage(browser);
    await context.addCookies([{ name: "cw_currency", value: "EUR", url: far.origin }]);
    await visit(page, far.origin);
    await page.getByRole("button", { name: /language and currency/ }).click();
    await expect.poll(() => page.locator('[data-rate="EUR"]').innerText()).toBe("1 US dollar is €0.5");
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[NET-7] a page races the served addresses without a policy violation", async () => {
    const { context, page, watch } = await newPage(browser);
    const raced: string[] = [];
    page.on("response", (response) => raced.push(response.url()));
    await visit(page, far.origin);
    await expect.poll(() => raced.some((url) => url.endsWith("/api/v1/common/ping"))).toBe(true);
    await page.locator('[data-live="true"]').waitFor();
    await expect.poll(() => raced).toContain(`${far.origin}/domain-list.json`);
    expect(watch.troubles).toEqual([]);
    await context.close();
  });

  test("[NET-7] when the page's own API does not answer, the next address is used for calls and the socket", async () => {
    const { context, page } = await newPage(browser);
    await page.route(`${near.origin}/api/**`, (route) => route.abort());
    const sockets: string[] = [];
    page.on("websocket", (socket) => sockets.push(socket.url()));
    await visit(page, near.origin);
    await expect
      .poll(() => sockets.some((url) => url.startsWith(far.origin.replace("http", "ws"))), { timeout: 120_000 })
      .toBe(true);
    const saved = page.waitForResponse((response) => response.url().includes("/index/changePriceType"));
    await chooseCurrency(page, "KRW");
    expect((await saved).url().startsWith(`${far.origin}/api/`)).toBe(true);
    expect((await saved).status()).toBe(200);
    await context.close();
  });

  test("[NET-7] the site dies under an open page: by the published list the other origin carries socket and calls", async () => {
    const { context, page } = await newPage(browser);
    // The server's own list is unavailable here: the one published elsewhere must be enough.
    await page.route("**/domain-list.json", (route) => route.abort());
    const listed = page.waitForResponse(`http://127.0.0.1:${portOf(published)}/list.json`);
    // The page starts at its own address, however fast the other is.
    await page.route(`${far.origin}/api/v1/common/ping`, (route) => route.abort());
    // Part of a failure's message: what the page tried, and when.
    const startedMs = Date.now();
    const tried: string[] = [];
    const note = (what: string) => tried.push(`${Date.now() - startedMs} ${what}`);
    page.on("requestfailed", (request) => note(`failed ${request.url()} ${request.failure()?.errorText ?? ""}`));
    page.on("response", (response) => note(`${response.status()} ${response.url()}`));
    page.on("websocket", (socket) => note(`socket ${socket.url()}`));
    page.on("console", (message) => note(message.text()));
    const sockets: string[] = [];
    page.on("websocket", (socket) => sockets.push(socket.url()));
    await visit(page, near.origin);
    expect((await listed).status()).toBe(200);
    await page.locator('[data-live="true"]').waitFor();
    expect(allOf(sockets, (url) => url.startsWith(near.origin.replace("http", "ws")))).toBe(true);
    // Its parts come from the site that will be gone.
    await page.getByRole("button", { name: /language and currency/ }).click();
    await page.getByRole("dialog").locator('label:has(input[value="JPY"])').waitFor();
    await page.waitForLoadState("networkidle");
    await page.unroute(`${far.origin}/api/v1/common/ping`);
    note("killed");
    await near.kill();
    const moved = () => sockets.some((url) => url.startsWith(far.origin.replace("http", "ws")));
    const tell = async (error: unknown) => {
      note(`${page.url()} says ${(await page.locator("body").innerText()).slice(0, 500)}`);
      throw new Error(tried.slice(-60).join("\n"), { cause: error });
    };
    await expect.poll(moved, { timeout: 180_000 }).toBe(true).catch(tell);
    await page.locator('[data-live="true"]').waitFor({ timeout: 90_000 }).catch(tell);
    const saved = page.waitForResponse((response) => response.url().includes("/index/changePriceType"));
    await page.getByRole("dialog").locator('label:has(input[value="JPY"])').click();
    const answer = await saved;
    expect([answer.url().startsWith(`${far.origin}/api/`), answer.status()]).toEqual([true, 200]);
    expect(answer.headers()["access-control-allow-origin"]).toBe(near.origin);
    await context.close();
  });
});

describe("statistics", () => {
  test("[NET-8] visits of a signed-in user are reported with page, device and campaign; a visitor's are not", async () => {
    const { context, page, watch } = await newPage(browser);
    const requested: URL[] = [];
    const statuses = new Set<number>();
    page.on("response", (response) => {
      const url = new URL(response.url());
      if (url.pathname !== "/api/open/activity/statistics") return;
      requested.push(url);
      statuses.add(response.status());
    });
    await visit(page, `${site.origin}/docs?utm_source=letter&utm_campaign=spring`);
    await page.waitForLoadState("networkidle");
    expect(requested).toEqual([]);
    // The campaign is kept after hydration.
    await expect.poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toContain("spring");
    await enter(page, site.origin, mintAccount());
    await visit(page, `${site.origin}/docs/color`);
    const find = (type: string) => requested.find(({ searchParams }) => searchParams.get("type") === type);
    await expect.poll(() => find("docs-color")).toBeDefined();
    expect(Object.fromEntries(find("docs-color")?.searchParams ?? [])).toEqual({
      event: "page_view",
      type: "docs-color",
      request_source: "PC",
      utm_source: "letter",
      utm_campaign: "spring",
    });
    expect([...statuses]).toEqual([200]);
    expect(watch.troubles).toEqual([]);
    await context.close();
  });
});
