// What one visitor and one user leave behind in a real browser, gathered once: calls with their headers and bodies,
// socket frames, cookies, storage, and what pages answered. The statements of the specification are looked up in it.
import type { Browser, BrowserContext, Cookie, Page } from "playwright-core";
import { mintAccount, PASSWORD, readCode } from "./auth-steps.ts";
import { listPaths } from "./routes-list.ts";
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
  readonly message: Readonly<Record<string, unknown>>;
}

/** One person's browser after what they did. */
export interface Visit {
  readonly calls: readonly SeenCall[];
  readonly frames: readonly Frame[];
  readonly cookies: readonly Cookie[];
  readonly storage: Readonly<Record<string, string>>;
}

export interface Evidence {
  readonly origin: string;
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
  readonly home: { readonly header: string; readonly themeColor: string; readonly awake: string };
  readonly user: Visit;
  readonly left: Visit;
}

function watchWire(page: Page): { readonly calls: SeenCall[]; readonly frames: Frame[] } {
  const calls: SeenCall[] = [];
  const frames: Frame[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!/^\/(api|futuresapi|dev)\//.test(url.pathname)) return;
    const { pathname: path, searchParams: query } = url;
    calls.push({ method: request.method(), path, query, headers: request.headers(), body: request.postData() ?? "" });
  });
  page.on("websocket", (socket) => {
    const keep = (sent: boolean) => (frame: { payload: string | Buffer }) => {
      const message = JSON.parse(String(frame.payload)) as Frame["message"];
      frames.push({ sent, message });
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
  const sees = (event: string) => wire.frames.some(({ message }) => message.event === event);
  await waitUntil(page, async () => sees("pong"));
  const home = {
    header: await headerColour(page),
    themeColor: (await page.locator('meta[name="theme-color"]').getAttribute("content")) ?? "",
    awake: (await page.locator("html").getAttribute("data-awake")) ?? "",
  };
  const visitor = await take(context, page, wire);
  await context.addCookies([{ name: "theme", value: "light", url: origin }]);
  await visit(page, `${origin}/spot/BTC_USDT`);
  const terminal = {
    theme: (await page.locator("html").getAttribute("data-theme")) ?? "",
    surface: (await page.locator("body").getAttribute("data-surface")) ?? "",
    header: await headerColour(page),
    footers: await page.locator("footer").count(),
  };
  await context.close();
  return { visitor, home, terminal };
}

async function walkUser(browser: Browser, origin: string) {
  const { context, page } = await newPage(browser, { viewport: { width: 700, height: 900 } });
  await signUp(context, origin);
  const wire = watchWire(page);
  await visit(page, `${origin}/letters?utm_source=letter`);
  const asked = (part: string) => wire.calls.some(({ path }) => path.includes(part));
  await waitUntil(page, async () => asked("user-perfenerce/get") && asked("activity/statistics"));
  const menu = page.getByRole("button", { name: "Open the menu" });
  await waitAwake(menu);
  await menu.click();
  await page.getByRole("dialog").locator('label:has(input[value="EUR"])').click();
  await waitUntil(page, async () => asked("changePriceType"));
  const user = await take(context, page, wire);
  await page.getByRole("button", { name: "Close the menu" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  const left = await take(context, page, wire);
  await context.close();
  return { user, left };
}

export async function gather(browser: Browser, origin: string, paths: readonly string[]): Promise<Evidence> {
  const pages = await listPaths(origin);
  const answers = await askPages(origin, paths);
  const walked = await walkVisitor(browser, origin);
  return { origin, pages, answers, ...walked, ...(await walkUser(browser, origin)) };
}
