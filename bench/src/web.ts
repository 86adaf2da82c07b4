// Lab numbers of pages in Chromium: largest paint, layout shift, blocking time and JavaScript, with a processor four
// times slower and a fast 4G line. Median of several loads with an empty cache. Prints a table, or JSON with --json.
import { gzipSync } from "node:zlib";
import type { Browser, Page, Response } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { type Site, startSite } from "./served-site.ts";

const LOADS = 5;
const CPU_SLOWDOWN = 4;
/** Fast 4G as Lighthouse defines it: 9 Mbit/s down, 0.75 up, 60 ms round trip before the server's own time. */
const LINE = {
  offline: false,
  latency: 60,
  downloadThroughput: (9_000 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const SETTLE_MS = 1_500;

interface Numbers {
  readonly lcpMs: number;
  readonly cls: number;
  readonly blockingMs: number;
  readonly scriptKb: number;
}

const PUBLIC: Numbers = { lcpMs: 1_800, cls: 0.02, blockingMs: 150, scriptKb: 260 };
const LIMITS: Readonly<Record<string, Numbers>> = {
  "/": { ...PUBLIC, scriptKb: 190 },
  "/docs": { ...PUBLIC, scriptKb: 400 },
  "/risk-disclosure": PUBLIC,
  "/exchange-trading-rules": PUBLIC,
  "/complaints": PUBLIC,
  "/help": PUBLIC,
  "/help/articles/trailing-stop": PUBLIC,
  "/news": PUBLIC,
  "/college": PUBLIC,
  "/tomato-futures-reverse": PUBLIC,
};

/** With --path=/help,/news only these: a check of one page need not wait for all. */
function chosenLimits(): readonly (readonly [string, Numbers])[] {
  const requested = process.argv
    .find((text) => text.startsWith("--path="))
    ?.slice("--path=".length)
    .split(",");
  return Object.entries(LIMITS).filter(([path]) => requested === undefined || requested.includes(path));
}

/** `CW_BENCH_ORIGIN` points at a site that already runs. */
function openSite(): Promise<Site> {
  const given = process.env.CW_BENCH_ORIGIN;
  return given === undefined ? startSite("web") : Promise.resolve({ origin: given, stop: async () => undefined });
}

/** Runs in the page before anything else: keeps what the browser reports. */
const OBSERVE = `
  globalThis.lab = { lcp: 0, cls: 0, blocking: 0 };
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) lab.lcp = entry.startTime; }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) lab.cls += entry.value; }).observe({ type: "layout-shift", buffered: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) lab.blocking += Math.max(0, entry.duration - 50); }).observe({ type: "longtask", buffered: true });
`;

async function loadOnce(browser: Browser, url: string): Promise<Numbers> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  });
  const page: Page = await context.newPage();
  await page.addInitScript(OBSERVE);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", LINE);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
  const scripts: Response[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "script") scripts.push(response);
  });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForTimeout(SETTLE_MS);
  const lab = await page.evaluate(
    () => (globalThis as unknown as { lab: { lcp: number; cls: number; blocking: number } }).lab,
  );
  // In the budgets' unit: compressed by gzip, everything that went over the line. Read after the clock, so that reading
  // costs the page nothing.
  const bodies = await Promise.all([...scripts].map((response) => response.body()));
  const scriptBytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
  await context.close();
  return { lcpMs: lab.lcp, cls: lab.cls, blockingMs: lab.blocking, scriptKb: scriptBytes / 1000 };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function measure(browser: Browser, url: string): Promise<Numbers> {
  await loadOnce(browser, url);
  const loads: Numbers[] = [];
  for (let load = 0; load < LOADS; load++) loads.push(await loadOnce(browser, url));
  const pick = (name: keyof Numbers) => median(loads.map((numbers) => numbers[name]));
  return { lcpMs: pick("lcpMs"), cls: pick("cls"), blockingMs: pick("blockingMs"), scriptKb: pick("scriptKb") };
}

const NAMES: Readonly<Record<keyof Numbers, string>> = {
  lcpMs: "LCP",
  cls: "CLS",
  blockingMs: "blocking",
  scriptKb: "JavaScript",
};

/** What is over its limit, by name: a page may paint in time and still block too long. */
function findOver(numbers: Numbers, limits: Numbers): readonly string[] {
  return (Object.keys(limits) as (keyof Numbers)[])
    .filter((name) => numbers[name] > limits[name])
    .map((name) => `${NAMES[name]} over ${limits[name]}`);
}

async function main(): Promise<void> {
  const site = await openSite();
  const browser = await openBrowser();
  try {
    const rows: { readonly path: string; readonly numbers: Numbers; readonly over: readonly string[] }[] = [];
    for (const [path, limits] of chosenLimits()) {
      const numbers = await measure(browser, site.origin + path);
      rows.push({ path, numbers, over: findOver(numbers, limits) });
    }
    const passed = rows.every(({ over }) => over.length === 0);
    if (process.argv.includes("--json"))
      process.stdout.write(`${JSON.stringify({ name: "web", rows, limits: LIMITS, passed })}\n`);
    else {
      process.stdout.write("page                              LCP ms     CLS   blocking ms   JavaScript kB\n");
      for (const { path, numbers, over } of rows) {
        const cells = [
          path.padEnd(32),
          numbers.lcpMs.toFixed(0).padStart(8),
          numbers.cls.toFixed(3).padStart(8),
          numbers.blockingMs.toFixed(0).padStart(14),
          numbers.scriptKb.toFixed(1).padStart(16),
        ];
        process.stdout.write(`${cells.join("")}  ${over.length === 0 ? "passed" : `FAILED: ${over.join(", ")}`}\n`);
      }
    }
    process.exitCode = passed ? 0 : 1;
  } finally {
    await browser.close();
    await site.stop();
  }
}

await main();
