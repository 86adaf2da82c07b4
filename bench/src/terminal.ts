// Terminals under load: frames, long tasks and the main thread's work in Chromium while a book changes a hundred times and
// fifty trades happen each second; on a contract twenty own positions change too. Prints a table, or JSON with
// --json; `spot` or `futures` measures one of the two.
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { callJson } from "./gateway/traders.ts";
import { type Site, startSite } from "./served-site.ts";
import { startLoudSite } from "./terminal/feed.ts";

const RATES = { depthPerSecond: 100, tradesPerSecond: 50, positionsPerSecond: 20 };
const TERMINALS = ["spot", "futures"] as const;
type Terminal = (typeof TERMINALS)[number];
const SETTLE_MS = 4_000;
const MEASURE_MS = 15_000;
const EMPTY_MS = 5_000;
const FRAME_MS = 1_000 / 60;
/** 59 leaves room for the one frame that a second of a real clock may lose. */
const LIMITS = { framesPerSecond: 59, longTasks: 0 };

const VIEWS = [
  ["1440 × 900", { viewport: { width: 1440, height: 900 } }],
  ["390 × 844", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }],
] as const;

/** Runs in the page: every frame's time and every task longer than 50 ms, from now on. */
const OBSERVE = `
  globalThis.lab = { frames: [], tasks: [] };
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) lab.tasks.push(entry.duration); }).observe({ type: "longtask" });
  const tick = (now) => { lab.frames.push(now); requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
`;

async function readWork(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

interface Numbers {
  readonly framesPerSecond: number;
  readonly frameP99Ms: number;
  readonly lateFrames: number;
  readonly longTasks: number;
  readonly mainThreadPercent: number;
  readonly bookChangesPerSecond: number;
  readonly tradesPerSecond: number;
  readonly positionsPerSecond: number;
}

async function measure(page: Page, sent: { depth: number; trades: number; positions: number }): Promise<Numbers> {
  const session = await page.context().newCDPSession(page);
  // The main thread's processor time: what it waited for a core is the machine's.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.evaluate(OBSERVE);
  const before = { work: await readWork(session), ...sent };
  await page.waitForTimeout(MEASURE_MS);
  const work = (await readWork(session)) - before.work;
  const lab = await page.evaluate(() => (globalThis as unknown as { lab: { frames: number[]; tasks: number[] } }).lab);
  const gaps = lab.frames.slice(1).map((now, index) => now - (lab.frames[index] ?? now));
  const spanMs = (lab.frames.at(-1) ?? 0) - (lab.frames[0] ?? 0);
  const sorted = gaps.toSorted((left, right) => left - right);
  return {
    framesPerSecond: (gaps.length * 1_000) / spanMs,
    frameP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    lateFrames: gaps.filter((gap) => gap > FRAME_MS * 1.5).length,
    longTasks: lab.tasks.length,
    mainThreadPercent: (work * 100_000) / MEASURE_MS,
    bookChangesPerSecond: ((sent.depth - before.depth) * 1_000) / MEASURE_MS,
    tradesPerSecond: ((sent.trades - before.trades) * 1_000) / MEASURE_MS,
    positionsPerSecond: ((sent.positions - before.positions) * 1_000) / MEASURE_MS,
  };
}

/** What this browser on this machine can do at all: frames of an empty page. */
async function measureEmpty(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  await page.evaluate(OBSERVE);
  await page.waitForTimeout(EMPTY_MS);
  const frames = await page.evaluate(() => (globalThis as unknown as { lab: { frames: number[] } }).lab.frames);
  await page.close();
  return ((frames.length - 1) * 1_000) / ((frames.at(-1) ?? 0) - (frames[0] ?? 0));
}

function isWithin(numbers: Numbers): boolean {
  return numbers.framesPerSecond >= LIMITS.framesPerSecond && numbers.longTasks <= LIMITS.longTasks;
}

/** Positions are shown to their owner alone: a user signs up, and the page has their cookies. */
async function signIn(site: Site, context: BrowserContext, index: number): Promise<void> {
  const port = Number(new URL(site.origin).port);
  const account = `terminal-${index}@example.com`;
  await callJson(port, "/api/v2/users/sign-up/code", { account });
  const outbox = await fetch(`${site.origin}/dev/outbox.json?to=${account}`);
  const [newest] = (await outbox.json()) as { code: string }[];
  const requested = { account, code: newest?.code, password: "correct-horse-1" };
  const { cookies } = await callJson(port, "/api/v2/users/sign-up", requested);
  await context.addCookies(
    cookies.map((text) => {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      return { name, value, domain: "127.0.0.1", path: "/" };
    }),
  );
}

interface Row {
  readonly terminal: Terminal;
  readonly view: string;
  readonly numbers: Numbers;
  readonly passed: boolean;
}

async function measureTerminal(site: Site, browser: Browser, terminal: Terminal): Promise<Row[]> {
  const loud = await startLoudSite(site.origin, terminal, RATES);
  const rows: Row[] = [];
  try {
    for (const [index, [view, options]] of VIEWS.entries()) {
      const context = await browser.newContext(options);
      if (terminal === "futures") await signIn(site, context, index);
      const page = await context.newPage();
      await page.goto(`${loud.origin}/${terminal}/BTC_USDT`, { waitUntil: "load" });
      await page.locator('[data-chart="shown"]').waitFor();
      if (terminal === "futures") await page.getByText("SOLUSDT").first().waitFor();
      await page.waitForTimeout(SETTLE_MS);
      const numbers = await measure(page, loud.sent);
      rows.push({ terminal, view, numbers, passed: isWithin(numbers) });
      await context.close();
    }
  } finally {
    loud.stop();
  }
  return rows;
}

function writeRow({ terminal, view, numbers, passed }: Row): string {
  const cells = [
    terminal.padEnd(8),
    view.padEnd(11),
    numbers.framesPerSecond.toFixed(1).padStart(10),
    numbers.frameP99Ms.toFixed(1).padStart(8),
    String(numbers.lateFrames).padStart(6),
    String(numbers.longTasks).padStart(12),
    `${numbers.mainThreadPercent.toFixed(0)} %`.padStart(13),
    numbers.bookChangesPerSecond.toFixed(0).padStart(8),
    numbers.tradesPerSecond.toFixed(0).padStart(10),
    numbers.positionsPerSecond.toFixed(0).padStart(12),
  ];
  return `${cells.join("")}  ${passed ? "passed" : "FAILED"}\n`;
}

async function main(): Promise<void> {
  const requested = TERMINALS.filter((terminal) => process.argv.includes(terminal));
  const site = await startSite("terminal", { CW_CAPTCHA: "off" });
  const browser = await openBrowser();
  const rows: Row[] = [];
  let emptyPerSecond = 0;
  try {
    emptyPerSecond = await measureEmpty(browser);
    for (const terminal of requested.length === 0 ? TERMINALS : requested) {
      rows.push(...(await measureTerminal(site, browser, terminal)));
    }
  } finally {
    await browser.close();
    await site.stop();
  }
  const passed = rows.every((row) => row.passed);
  if (process.argv.includes("--json")) {
    process.stdout.write(`${JSON.stringify({ name: "terminal", emptyPerSecond, rows, limits: LIMITS, passed })}\n`);
  } else {
    process.stdout.write(`an empty page in the same browser: ${emptyPerSecond.toFixed(1)} frames/s\n`);
    process.stdout.write(
      "product screen       frames/s  p99 ms  late  long tasks  main thread  book/s  trades/s  positions/s\n",
    );
    for (const row of rows) process.stdout.write(writeRow(row));
  }
  process.exitCode = passed ? 0 : 1;
}

await main();
