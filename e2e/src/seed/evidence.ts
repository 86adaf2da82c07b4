// What one visitor and one user leave in a real browser, collected once: calls with their headers and bodies, socket
// frames, cookies, storage, and the pages' responses. The statements of the specification are looked up in it.
import type { Browser, Page } from "playwright-core";
import { listPaths } from "../routes-list.ts";
import { newPage, visit, waitAwake } from "../site.ts";
import { type Typed, walkFields } from "./fields.ts";
import { type FrameEvidence, walkFrame } from "./frame.ts";
import { type LiveEvidence, walkLive } from "./live.ts";
import { type PageAnswer, requestPages } from "./pages.ts";
import { type PlaceEvidence, walkPlaces } from "./places.ts";
import { listenTicker } from "./socket.ts";
import { signUp, takeVisit, type Visit, waitUntil, watchWire } from "./wire.ts";
import { type WrapperEvidence, walkWrappers } from "./wrappers.ts";

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
  /** The first page for a visitor who chose dark. */
  readonly darkHtml: string;
  /** What fields made of what was typed into them. */
  readonly typed: Typed;
  readonly price: string;
  readonly amount: string;
  /** The fingerprint of a browser whose audio never ends. */
  readonly hung: string;
  /** How often a read that failed once was requested, and a change that failed. */
  readonly tries: { readonly read: number; readonly change: number };
  /** Bare paths of the sitemap and beyond. */
  readonly pages: readonly string[];
  readonly answers: ReadonlyMap<string, PageAnswer>;
  readonly live: LiveEvidence;
  readonly frame: FrameEvidence;
  readonly places: PlaceEvidence;
  readonly wrappers: WrapperEvidence;
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

/** Calls to the specification's products; each answers a signed-in user. */
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
  "/api/v2/users/language-menu",
  "/api/v2/users/membership/user-perfenerce/get",
  "/api/v1/common/modules",
];

async function headerColour(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.querySelector("header") ?? document.body).backgroundColor);
}

async function walkVisitor(browser: Browser, origin: string) {
  const { context, page } = await newPage(browser);
  const wire = watchWire(page);
  await visit(page, origin);
  await page.waitForFunction(() => localStorage.getItem("availableLanguage") !== null);
  // The expensive parts of the fingerprint are collected on the first touch.
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
  const visitor = await takeVisit(context, page, wire);
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
  await context.close();
  return { visitor, home, terminal, price: typedPrice };
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

/** The audio part of a fingerprint never comes, and the browser has more plugins than are counted. */
async function hangAudio(browser: Browser, origin: string): Promise<string> {
  const { context, page } = await newPage(browser);
  await page.addInitScript(() => {
    OfflineAudioContext.prototype.startRendering = () => new Promise(() => undefined);
    const plugins = Array.from({ length: 600 }, (_, at) => ({ name: `plugin ${at}` }));
    Object.defineProperty(navigator, "plugins", { get: () => plugins });
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
  await visit(page, `${origin}/docs`);
  const api = await requestApi(page);
  const wire = watchWire(page);
  // One read fails once and one change fails always: the first is tried again, the second is not.
  let reads = 0;
  await page.route("**/user-perfenerce/get", (route) =>
    reads++ === 0 ? route.fulfill({ status: 503, body: "" }) : route.continue(),
  );
  await visit(page, `${origin}/letters?utm_source=letter`);
  const requested = (part: string) => wire.calls.some(({ path }) => path.includes(part));
  await waitUntil(page, async () => reads > 1 && requested("activity/statistics"));
  // The account menu shows the account's worth and requests it again.
  const avatar = page.getByRole("button", { name: "Account", exact: true });
  await waitAwake(avatar);
  await avatar.click();
  await waitUntil(page, async () => requested("/asset/v1/api/wallet/account"));
  await page.keyboard.press("Escape");
  const menu = page.getByRole("button", { name: "Open the menu" });
  await waitAwake(menu);
  await menu.click();
  let changes = 0;
  await page.route("**/user-perfenerce/update", (route) => {
    changes += 1;
    return route.fulfill({ status: 503, body: "" });
  });
  await page.getByRole("dialog").locator('label:has(input[value="EUR"])').click();
  await waitUntil(page, async () => requested("changePriceType") && changes > 0);
  const user = await takeVisit(context, page, wire);
  const tries = { read: reads, change: changes };
  await page.getByRole("button", { name: "Close the menu" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  const left = await takeVisit(context, page, wire);
  await context.close();
  return { api, user, left, tries };
}

/** The futures terminal of a signed-in user: its calls, and its amount field with too many digits. */
async function walkFutures(
  browser: Browser,
  origin: string,
): Promise<{ readonly contracts: Visit; readonly amount: string }> {
  const { context, page } = await newPage(browser);
  await signUp(context, origin);
  const wire = watchWire(page);
  await visit(page, `${origin}/futures/BTC_USDT`);
  await waitUntil(page, async () => wire.calls.some(({ path }) => path.endsWith("/user-level-fee")));
  const form = page.getByRole("form", { name: "Order form" });
  const amount = form.getByLabel("Size", { exact: true });
  await waitAwake(amount);
  await amount.fill("1.23456789");
  await amount.blur();
  const kept = await amount.inputValue();
  // The way positions are kept, for the whole account: a change, by the futures API's own wrapper.
  await form.locator('button[aria-haspopup="dialog"]', { hasText: "One-way" }).click();
  const mode = page.getByRole("dialog", { name: "Position mode" });
  await mode.locator("label", { hasText: "A long and a short side by side" }).click();
  await mode.getByRole("button", { name: "Switch" }).click();
  await waitUntil(page, async () => wire.calls.some(({ method, path }) => method === "POST" && path.endsWith("/mode")));
  const contracts = await takeVisit(context, page, wire);
  await context.close();
  return { contracts, amount: kept };
}

/** By the browser itself, with its session. */
async function requestApi(page: Page): Promise<Evidence["api"]> {
  const api = await page.evaluate(async (paths) => {
    const answers: [string, { status: number; code: unknown; data: unknown }][] = [];
    for (const path of paths) {
      const answer = await fetch(path);
      const body = (await answer.json().catch(() => ({}))) as { code?: unknown; data?: unknown };
      answers.push([path, { status: answer.status, code: body.code, data: body.data }]);
    }
    return answers;
  }, API_PATHS);
  return new Map(api);
}

async function listenTopics(browser: Browser, origin: string): Promise<Evidence["topics"]> {
  const { context, page } = await newPage(browser);
  await visit(page, `${origin}/docs`);
  const topics = await listenTicker(page, ["all", "rise", "index"]);
  await context.close();
  return topics;
}

type Stage = (browser: Browser, origin: string, paths: readonly string[]) => Promise<Partial<Evidence>>;

/** One after the other, each two walks side by side: most of a walk is waiting, and a small machine has two cores. */
export const STAGES: readonly Stage[] = [
  async (browser, origin, paths) => {
    const [pages, walked] = await Promise.all([gatherPages(browser, origin, paths), walkVisitor(browser, origin)]);
    return { origin, ...pages, ...walked };
  },
  async (browser, origin) => {
    const [user, contracts] = await Promise.all([walkUser(browser, origin), walkFutures(browser, origin)]);
    return { ...user, ...contracts };
  },
  async (browser, origin) => {
    const [typed, live] = await Promise.all([walkFields(browser, origin), walkLive(browser, origin)]);
    return { typed, live };
  },
  async (browser, origin) => {
    const [frame, wrappers] = await Promise.all([walkFrame(browser, origin), walkWrappers(browser, origin)]);
    return { frame, wrappers };
  },
  async (browser, origin) => {
    const [places, hung] = await Promise.all([walkPlaces(browser, origin), hangAudio(browser, origin)]);
    return { places, hung, topics: await listenTopics(browser, origin) };
  },
];

async function gatherPages(
  browser: Browser,
  origin: string,
  paths: readonly string[],
): Promise<Pick<Evidence, "pages" | "answers" | "darkHtml">> {
  const answers = await requestPages(browser, origin, paths);
  const dark = await requestPages(browser, origin, ["/"], { theme: "dark" });
  return { pages: await listPaths(origin), answers, darkHtml: dark.get("/")?.html ?? "" };
}
