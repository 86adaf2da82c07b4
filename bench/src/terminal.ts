// The terminal under load: frames, long tasks and the main thread's work in Chromium while a book changes a hundred times
// and fifty trades happen each second. Prints a table, or JSON with --json.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type CDPSession, chromium, type Page } from "playwright-core";
import { startLoudSite } from "./terminal-feed.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RATES = { depthPerSecond: 100, tradesPerSecond: 50 };
const SETTLE_MS = 4_000;
const MEASURE_MS = 15_000;
const FRAME_MS = 1_000 / 60;
/** 59 leaves room for the one frame that a second of a real clock may lose. */
const LIMITS = { framesPerSecond: 59, longTasks: 0 };

const VIEWS = [
  ["1440 × 900", { viewport: { width: 1440, height: 900 } }],
  ["390 × 844", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }],
] as const;

async function startSite(): Promise<{ readonly origin: string; readonly stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-terminal-"));
  const child = spawn(process.execPath, ["apps/server/src/main.ts"], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: "0",
      HOST: "127.0.0.1",
      CW_DATA: folder,
      CW_LOG_LEVEL: "error",
      // The site's own market stays quiet: it would take the processor time that is measured.
      CW_MARKET: "off",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const origin = await new Promise<string>((done, fail) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const port = /http:\/\/[^\s:]+:(\d+)/.exec(said)?.[1];
      if (port !== undefined) done(`http://127.0.0.1:${port}`);
    });
    child.once("exit", (code) => fail(new Error(`the site ended with ${code}:\n${said}`)));
  });
  return {
    origin,
    stop: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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
}

async function measure(page: Page, sent: { depth: number; trades: number }): Promise<Numbers> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
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
  };
}

function isWithin(numbers: Numbers): boolean {
  return numbers.framesPerSecond >= LIMITS.framesPerSecond && numbers.longTasks <= LIMITS.longTasks;
}

async function main(): Promise<void> {
  const site = await startSite();
  const loud = await startLoudSite(site.origin, RATES);
  const browser = await chromium.launch({
    executablePath: process.env.CW_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
  const rows: { readonly view: string; readonly numbers: Numbers; readonly passed: boolean }[] = [];
  try {
    for (const [view, options] of VIEWS) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      await page.goto(`${loud.origin}/spot/BTC_USDT`, { waitUntil: "load" });
      await page.locator('[data-chart="shown"]').waitFor();
      await page.waitForTimeout(SETTLE_MS);
      const numbers = await measure(page, loud.sent);
      rows.push({ view, numbers, passed: isWithin(numbers) });
      await context.close();
    }
  } finally {
    await browser.close();
    loud.stop();
    await site.stop();
  }
  const passed = rows.every((row) => row.passed);
  if (process.argv.includes("--json")) {
    process.stdout.write(`${JSON.stringify({ name: "terminal", rows, limits: LIMITS, passed })}\n`);
  } else {
    process.stdout.write("screen       frames/s  p99 ms  late  long tasks  main thread  book/s  trades/s\n");
    for (const { view, numbers, passed: good } of rows) {
      const cells = [
        view.padEnd(11),
        numbers.framesPerSecond.toFixed(1).padStart(10),
        numbers.frameP99Ms.toFixed(1).padStart(8),
        String(numbers.lateFrames).padStart(6),
        String(numbers.longTasks).padStart(12),
        `${numbers.mainThreadPercent.toFixed(0)} %`.padStart(13),
        numbers.bookChangesPerSecond.toFixed(0).padStart(8),
        numbers.tradesPerSecond.toFixed(0).padStart(10),
      ];
      process.stdout.write(`${cells.join("")}  ${good ? "passed" : "FAILED"}\n`);
    }
  }
  process.exitCode = passed ? 0 : 1;
}

await main();
