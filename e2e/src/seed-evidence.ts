// What one visitor and one user leave behind in a real browser, gathered once: calls with their headers and bodies,
// socket frames, cookies, storage, and what pages answered. The statements of the specification are looked up in it.
import type { Browser, BrowserContext, Cookie, Page } from "playwright-core";
import { mintAccount, PASSWORD, readCode } from "./auth-steps.ts";
import { listPaths } from "./routes-list.ts";
import { openSocket } from "./seed-socket.ts";
import { newPage, visit, WAIT_MS, waitAwake } from "./site.ts";

export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Frame {
  readonly sent: boolean;
  /** Which of the page's sockets, counted from 0, and when. */
  readonly socket: number;
  readonly timeMs: number;
  readonly message: Readonly<Record<string, unknown>>;
}

/** One person's browser after what they did. */
export interface Visit {
  readonly calls: readonly SeenCall[];
  readonly frames: readonly Frame[];
  readonly cookies: readonly Cookie[];
  readonly storage: Readonly<Record<string, string>>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly code: unknown;
  readonly data: unknown;
}

export interface Evidence {
  readonly origin: string;
  /** Calls of the API with the user's session, by path. */
  readonly api: ReadonlyMap<string, ApiAnswer>;
  /** What a program at the socket is sent for the app's topics, by type. */
  readonly topics: ReadonlyMap<string, unknown>;
  /** The first page for whoever chose dark. */
  readonly darkHtml: string;
  /** What fields made of what was typed into them. */
  readonly typed: Readonly<Record<string, string>>;
  /** The fingerprint of a browser whose audio never ends. */
  readonly hung: string;
  /** How often a read was asked for that failed once, and a change that failed. */
  readonly tries: { readonly read: number; readonly change: number };
  /** Bare paths of the sitemap and beyond. */
  readonly pages: readonly string[];
  readonly answers: ReadonlyMap<string, { readonly status: number; readonly html: string; readonly location: string }>;
  readonly visitor: Visit;
  readonly terminal: {
    readonly theme: string;
    readonly surface: string;
    readonly header: string;
    readonly footers: number;
  };
  readonly home: {
    readonly header: string;
    readonly themeColor: string;
    readonly awake: string;
    readonly background: string;
    readonly baseLayer: string;
    /** Languages and currencies as the page offers them. */
    readonly offered: string;
  };
  readonly user: Visit;
  readonly left: Visit;
  /** The same at the futures terminal. */
  readonly contracts: Visit;
}

/** What the specification's products are asked for; each answers somebody who is signed in. */
const API_PATHS = [
  ...["global-config", "exchange-rate", "countries", "footer-list", "domain-list", "social-media", "hot-search"].map(
    (name) => `/api/v1/common/${name}`,
  ),
  ...["banners", "notices", "popups", "recommendations", "web-config"].map((name) => `/api/v1/home/${name}`),
  ...["letters", "letters/unread-count", "devices", "security/overview", "api-keys/list", "vip", "kyc/base-info"].map(
    (name) => `/api/v2/users/${name}`,
  ),
  ...["pairs", "quotations", "balance", "fills", "fee", "orders?state=open"].map((name) => `/api/v1/spot/${name}`),
  ...["instruments", "accounts", "positions", "fills", "bills", "user-level-fee", "orders?state=open"].map(
    (name) => `/futuresapi/v1/futuresc/${name}`,
  ),
  ...["instruments", "assets", "positions", "fills", "bills", "user-level-fee", "open-orders"].map(
    (name) => `/futuresapi/v1/perpcm/${name}`,
  ),
  ...["leaders", "follows", "config"].flatMap((name) => [`/api/follow/v1/${name}`, `/api/spot-follow/${name}`]),
  ...["list", "ranking", "protocol"].flatMap((name) => [`/api/v1/spot/strategy/${name}`, `/api/v1/sps/${name}`]),
  "/api/financial/v1/products",
  "/api/financial/v1/holdings",
  "/api/spot-coupon/v1/coupons",
  "/api/open/seckill/projects",
  "/api/v2/otc/index",
  "/api/v2/otc/ads/page",
  "/api/v2/otc/orders/list",
  ...["wallet/bills", "wallet/coins", "wallet/networks", "deposit/list", "withdraw/list", "profit/analysis"]
    .map((name) => `/asset/v1/api/${name}`)
    .map((path) => `/api${path}`),
  "/api/v1/welfare/tasks",
  "/api/v1/welfare/coupons",
  "/api/v1/activity/spring",
  "/api/v1/college/courses",
  "/api/v1/announcements/list",
  "/api/v1/news/list",
  "/api/v1/common/almighty-gold/state",
];

function watchWire(page: Page): { readonly calls: SeenCall[]; readonly frames: Frame[] } {
  const calls: SeenCall[] = [];
  const frames: Frame[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!/^\/(api|futuresapi|dev)\//.test(url.pathname)) return;
    const { pathname: path, searchParams: query } = url;
    calls.push({ method: request.method(), path, query, headers: request.headers(), body: request.postData() ?? "" });
  });
  let sockets = 0;
  page.on("websocket", (socket) => {
    const number = sockets++;
    const keep = (sent: boolean) => (frame: { payload: string | Buffer }) => {
      const message = JSON.parse(String(frame.payload)) as Frame["message"];
      frames.push({ sent, message, socket: number, timeMs: Date.now() });
    };
    socket.on("framesent", keep(true));
    socket.on("framereceived", keep(false));
  });
  return { calls, frames };
}

async function take(context: BrowserContext, page: Page, wire: ReturnType<typeof watchWire>): Promise<Visit> {
  const storage = await page.evaluate(() => ({ ...localStorage }) as Record<string, string>);
  return { calls: [...wire.calls], frames: [...wire.frames], cookies: await context.cookies(), storage };
}

async function headerColour(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.querySelector("header") ?? document.body).backgroundColor);
}

async function askPages(origin: string, paths: readonly string[]): Promise<Evidence["answers"]> {
  const answers = new Map<string, { status: number; html: string; location: string }>();
  for (const path of paths) {
    const response = await fetch(origin + path, { redirect: "manual", headers: { accept: "text/html" } });
    const location = response.headers.get("location") ?? "";
    answers.set(path, { status: response.status, html: await response.text(), location });
  }
  return answers;
}

/** A new account by calls alone: the screens of it are walked elsewhere. */
async function signUp(context: BrowserContext, origin: string): Promise<void> {
  const account = mintAccount();
  const headers = { origin, "content-type": "application/json" };
  await context.request.post(`${origin}/api/v2/users/sign-up/code`, { data: { account }, headers });
  const code = await readCode(origin, account, "sign-up");
  const data = { account, code, password: PASSWORD, country: "GB" };
  const answer = await context.request.post(`${origin}/api/v2/users/sign-up`, { data, headers });
  if (!answer.ok()) throw new Error(`no account: ${await answer.text()}`);
}

/** Goes on after a minute all the same: the statement that misses it says so. */
async function waitUntil(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + WAIT_MS; Date.now() < endMs && !(await isThere()); ) await page.waitForTimeout(100);
}

async function walkVisitor(browser: Browser, origin: string) {
  const { context, page } = await newPage(browser);
  const wire = watchWire(page);
  await visit(page, origin);
  await page.waitForFunction(() => localStorage.getItem("availableLanguage") !== null);
  // The first touch is when the dear parts of the fingerprint are collected.
  const hasRecord = () => page.evaluate(() => localStorage.getItem("cw_fingerprint") !== null);
  // A touch before the page listens counts for nothing.
  await waitUntil(page, async () => {
    await page.mouse.click(2, 2);
    return hasRecord();
  });
  const countPings = () => wire.frames.filter(({ sent, message }) => sent && message.event === "ping").length;
  await waitUntil(page, async () => wire.frames.some(({ message }) => message.event === "pong") && countPings() > 2);
  // Back from nowhere: a new connection, with what was subscribed to.
  await context.setOffline(true);
  await context.setOffline(false);
  await waitUntil(page, async () => wire.frames.some(({ socket, message }) => socket > 0 && message.event === "sub"));
  const home = await describeHome(page);
  const visitor = await take(context, page, wire);
  await context.addCookies([{ name: "theme", value: "light", url: origin }]);
  await visit(page, `${origin}/spot/BTC_USDT`);
  const price = page.getByRole("form", { name: "Order form" }).getByLabel("Price");
  await waitAwake(price);
  await price.fill("30000.199999");
  await price.blur();
  const typedPrice = await price.inputValue();
  const terminal = {
    theme: (await page.locator("html").getAttribute("data-theme")) ?? "",
    surface: (await page.locator("body").getAttribute("data-surface")) ?? "",
    header: await headerColour(page),
    footers: await page.locator("footer").count(),
  };
  const typed = { price: typedPrice, ...(await typeAccounts(page, origin)) };
  await context.close();
  return { visitor, home, terminal, typed };
}

async function describeHome(page: Page): Promise<Evidence["home"]> {
  const style = await page.evaluate(() => {
    const { backgroundColor } = getComputedStyle(document.documentElement);
    return { background: backgroundColor, baseLayer: getComputedStyle(document.body).getPropertyValue("--z-base") };
  });
  await page.getByRole("button", { name: /language and currency/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator('label:has(input[value="TRY"])').waitFor();
  return {
    ...style,
    offered: await dialog.innerText(),
    header: await headerColour(page),
    themeColor: (await page.locator('meta[name="theme-color"]').getAttribute("content")) ?? "",
    awake: (await page.locator("html").getAttribute("data-awake")) ?? "",
  };
}

/** What log-in makes of accounts: where it leads, or that it says no. */
async function typeAccounts(page: Page, origin: string): Promise<Record<string, string>> {
  const typed: Record<string, string> = {};
  for (const [name, text] of Object.entries({
    badMail: "nobody@nowhere",
    mail: "  somebody@journey.example ",
    shortPhone: "12345",
    phone: "123456",
  })) {
    await visit(page, `${origin}/login-cw`);
    const field = page.getByLabel("Email or phone");
    await waitAwake(field);
    await field.fill(text);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    const isOn = () => new URL(page.url()).search.includes("step=password");
    const isRefused = async () => !isOn() && (await field.getAttribute("aria-invalid")) === "true";
    await waitUntil(page, async () => isOn() || (await isRefused()));
    typed[name] = isOn() ? "taken" : (await isRefused()) ? "refused" : "nothing";
  }
  return typed;
}

/** The audio part of a fingerprint never comes. */
async function hangAudio(browser: Browser, origin: string): Promise<string> {
  const { context, page } = await newPage(browser);
  await page.addInitScript(() => {
    OfflineAudioContext.prototype.startRendering = () => new Promise(() => undefined);
  });
  await visit(page, `${origin}/docs`);
  const read = () => page.evaluate(() => localStorage.getItem("cw_fingerprint") ?? "");
  await waitUntil(page, async () => {
    await page.mouse.click(2, 2);
    return (await read()) !== "";
  });
  const record = await read();
  await context.close();
  return record;
}

async function walkUser(browser: Browser, origin: string) {
  const { context, page } = await newPage(browser, { viewport: { width: 700, height: 900 } });
  await signUp(context, origin);
  const api = await askApi(context, origin);
  const wire = watchWire(page);
  // One read fails once and one change fails always: the first is tried again, the second is not.
  let reads = 0;
  await page.route("**/user-perfenerce/get", (route) =>
    reads++ === 0 ? route.fulfill({ status: 503, body: "" }) : route.continue(),
  );
  await visit(page, `${origin}/letters?utm_source=letter`);
  const asked = (part: string) => wire.calls.some(({ path }) => path.includes(part));
  await waitUntil(page, async () => reads > 1 && asked("activity/statistics"));
  const menu = page.getByRole("button", { name: "Open the menu" });
  await waitAwake(menu);
  await menu.click();
  let changes = 0;
  await page.route("**/user-perfenerce/update", (route) => {
    changes += 1;
    return route.fulfill({ status: 503, body: "" });
  });
  await page.getByRole("dialog").locator('label:has(input[value="EUR"])').click();
  await waitUntil(page, async () => asked("changePriceType") && changes > 0);
  const user = await take(context, page, wire);
  const tries = { read: reads, change: changes };
  await page.getByRole("button", { name: "Close the menu" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  const left = await take(context, page, wire);
  await context.close();
  return { api, user, left, tries };
}

/** The futures terminal of somebody signed in: its calls, and what its amount makes of too many digits. */
async function walkFutures(
  browser: Browser,
  origin: string,
): Promise<{ readonly contracts: Visit; readonly amount: string }> {
  const { context, page } = await newPage(browser);
  await signUp(context, origin);
  const wire = watchWire(page);
  await visit(page, `${origin}/futures/BTC_USDT`);
  await waitUntil(page, async () => wire.calls.some(({ path }) => path.endsWith("/user-level-fee")));
  const amount = page.getByRole("form", { name: "Order form" }).getByLabel("Size", { exact: true });
  await waitAwake(amount);
  await amount.fill("1.23456789");
  await amount.blur();
  const kept = await amount.inputValue();
  const contracts = await take(context, page, wire);
  await context.close();
  return { contracts, amount: kept };
}

async function askApi(context: BrowserContext, origin: string): Promise<Evidence["api"]> {
  const api = new Map<string, ApiAnswer>();
  for (const path of API_PATHS) {
    const answer = await context.request.get(origin + path);
    const body = (await answer.json().catch(() => ({}))) as { code?: unknown; data?: unknown };
    api.set(path, { status: answer.status(), code: body.code, data: body.data });
  }
  return api;
}

export async function gather(browser: Browser, origin: string, paths: readonly string[]): Promise<Evidence> {
  const pages = await listPaths(origin);
  const answers = await askPages(origin, paths);
  const dark = await fetch(origin, { headers: { accept: "text/html", cookie: "theme=dark" } });
  const { typed, ...walked } = await walkVisitor(browser, origin);
  const user = await walkUser(browser, origin);
  const { contracts, amount } = await walkFutures(browser, origin);
  return {
    origin,
    pages,
    answers,
    darkHtml: await dark.text(),
    hung: await hangAudio(browser, origin),
    topics: await openSocket(origin, ["all", "rise", "index"]),
    ...walked,
    ...user,
    contracts,
    typed: { ...typed, amount },
  };
}
