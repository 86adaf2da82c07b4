// Owns the pages that journeys have left: a page in a new process takes three times as long as in a process that has
// seen the site, so that the next journey is given a cleaned one instead of a new one. A page that cannot be cleaned is
// closed as usual.
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";

type Options = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** Where a page waits: a text of the site itself, so that its process remains and nothing runs in it. */
const RESTING_PLACE = "/robots.txt";
/** A site that is gone delays no journey. */
const LEAVING_MS = 5000;
const KEPT_MAX = 2;
const SIZE = { width: 1440, height: 900 };

/** Set anew for each journey; a page with other options is created for them and ends with them. */
const SETTABLE = new Set(["viewport", "reducedMotion", "colorScheme", "locale"]);
/** No call takes these back. */
const LASTING = {
  page: [
    "addInitScript",
    "addLocatorHandler",
    "exposeBinding",
    "exposeFunction",
    "routeWebSocket",
    "setExtraHTTPHeaders",
  ],
  context: [
    "addInitScript",
    "exposeBinding",
    "exposeFunction",
    "newCDPSession",
    "routeWebSocket",
    "setExtraHTTPHeaders",
  ],
} as const;
const RECEIVED = [
  "close",
  "console",
  "dialog",
  "download",
  "framenavigated",
  "load",
  "pageerror",
  "popup",
  "request",
  "requestfailed",
  "requestfinished",
  "response",
  "websocket",
] as const;

interface Kept {
  readonly context: BrowserContext;
  readonly page: Page;
}

const shelves = new WeakMap<Browser, Map<string, Kept[]>>();

function shelfOf(browser: Browser, locale: string): Kept[] {
  const shelf = shelves.get(browser) ?? new Map<string, Kept[]>();
  shelves.set(browser, shelf);
  const kept = shelf.get(locale) ?? [];
  shelf.set(locale, kept);
  return kept;
}

/** A new page, or one that was left and looks the same to the site. Its context's `close` leaves it. */
export async function takePage(browser: Browser, options: Options): Promise<Kept> {
  const isPlain = Object.keys(options).every((name) => SETTABLE.has(name));
  if (!isPlain) return makePage(browser, options);
  const shelf = shelfOf(browser, options.locale ?? "");
  const { context, page } = shelf.pop() ?? (await makeKept(browser, options, shelf));
  await page.setViewportSize(options.viewport ?? SIZE);
  await page.emulateMedia({
    colorScheme: options.colorScheme ?? "light",
    reducedMotion: options.reducedMotion ?? "no-preference",
  });
  return { context, page };
}

/** Leaves every page that is still open. */
export async function leavePages(browser: Browser): Promise<void> {
  const kept = [...(shelves.get(browser)?.values() ?? [])].flat().map(({ context }) => context);
  await Promise.all(browser.contexts().map((context) => (kept.includes(context) ? undefined : context.close())));
}

async function makePage(browser: Browser, options: Options): Promise<Kept> {
  const context = await browser.newContext({ viewport: SIZE, serviceWorkers: "block", ...options });
  return { context, page: await context.newPage() };
}

async function makeKept(browser: Browser, options: Options, shelf: Kept[]): Promise<Kept> {
  const kept = await makePage(browser, options.locale === undefined ? {} : { locale: options.locale });
  const { context, page } = kept;
  const devtools = await context.newCDPSession(page);
  const close = context.close.bind(context);
  let isLasting = false;
  const watch = (target: object, names: readonly string[]): void => {
    for (const name of names) {
      const call: (...args: unknown[]) => unknown = Reflect.get(target, name).bind(target);
      Reflect.set(target, name, (...args: unknown[]) => {
        isLasting = true;
        return call(...args);
      });
    }
  };
  const origins = new Set<string>();
  const noteOrigin = (frame: Frame): void => {
    const url = frame.url();
    if (url.startsWith("http")) origins.add(new URL(url).origin);
  };
  page.on("framenavigated", noteOrigin);
  watch(page, LASTING.page);
  watch(context, LASTING.context);

  const clean = async (): Promise<boolean> => {
    const [origin] = origins;
    const isAlone = origins.size === 1 && origin !== undefined;
    if (isLasting || !isAlone || page.isClosed() || shelf.length >= KEPT_MAX) return false;
    for (const name of RECEIVED) page.removeAllListeners(name);
    await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())));
    await Promise.all([context.unrouteAll(), page.unrouteAll(), context.setOffline(false), context.clearPermissions()]);
    await page.goto(origin + RESTING_PLACE, { timeout: LEAVING_MS });
    await page.evaluate(() => sessionStorage.clear());
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await context.clearCookies();
    await devtools.send("Page.resetNavigationHistory");
    origins.clear();
    page.on("framenavigated", noteOrigin);
    return true;
  };
  context.close = async (): Promise<void> => {
    const isClean = await clean().catch(() => false);
    if (!isClean) return close();
    shelf.push(kept);
  };
  return kept;
}
