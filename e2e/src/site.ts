// A running site and a browser for journeys: starts the served process on a free port with a throwaway data folder, and
// watches a page for anything that must not happen: console warnings, errors, policy violations.
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type BrowserContext, type Cookie, chromium, type Locator, type Page } from "playwright-core";
import { leavePages, takePage } from "./kept-pages.ts";

export const ROOT_FOLDER = resolve(import.meta.dirname, "../..");

export interface Site {
  readonly origin: string;
  /** What it has printed so far; nothing of a site that ran already. */
  readonly reply: () => string;
  /** Ends it by force; nothing listens there until it is started again. */
  readonly kill: () => Promise<void>;
  /** Ends it by force and starts it again on the same port and folder; the port is to be a `freePort`. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Its operator sets up an authenticator once, so one file of each site enters as it (`enterOperator`): support on the quiet one, rewards on the living one. */
export interface JoinedSite extends Pick<Site, "origin"> {
  readonly reply: () => string | Promise<string>;
}

const PARENT_WATCH = join(ROOT_FOLDER, "tools/src/parent-watch.mjs");
const START_TIMEOUT_MS = 240_000;
/** Four times the default of the browser's driver: a machine may be busy with other tests. */
export const WAIT_MS = 120_000;

/**
 * A site that journeys of a run share, quiet, with a living market or asking for the puzzle: they stop nothing, set nothing
 * for others and bring accounts of their own. `CW_E2E_ORIGIN` points them at one that already runs (without a captcha).
 */
export async function joinSite(kind: "quiet" | "living" | "guarded" = "quiet"): Promise<JoinedSite> {
  const given = process.env.CW_E2E_ORIGIN;
  if (given !== undefined) return { origin: given, reply: () => "" };
  const read = async (path: string): Promise<string> => {
    const response = await fetch(`${process.env.CW_E2E_SHARED}/${path}`);
    if (!response.ok) throw new Error(await response.text());
    return response.text();
  };
  return { origin: await read(kind), reply: () => read(`${kind}/reply`) };
}

/** A living market, for journeys that do not use its past: a month of it would take six seconds to generate. */
export const LIVING_MARKET = { CW_MARKET: "on", CW_MARKET_HISTORY_DAYS: "1" } as const;

/** A separate site, for journeys that need other settings, end it, or change what every visitor sees. */
export async function startSite(
  settings: Readonly<Record<string, string>> = {},
  root: string = ROOT_FOLDER,
): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "clockwork-e2e-"));
  const built = join(root, "apps/server/build/main.js");
  const entry =
    process.env.CW_E2E_BUILT === "1" && existsSync(built) ? built : join(root, "apps/server/src/process/main.ts");
  const received: string[] = [];
  const start = (port: string): ChildProcess => {
    const started = spawn(process.execPath, ["--import", PARENT_WATCH, entry], {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: "production",
        PORT: port,
        HOST: "127.0.0.1",
        CW_DATA: folder,
        CW_LOG_LEVEL: "error",
        // Journeys about a living market or chains request them.
        CW_MARKET: "off",
        // So do those about the chains.
        CW_CHAIN: "off",
        CW_RATE_WEIGHT_PER_MINUTE: "0",
        // All browsers of a run come from one address.
        CW_SOCKET_OPENS_PER_MINUTE: "0",
        CW_SOCKETS_PER_ADDRESS: "1000",
        // Browsers keep every core busy; a sign-in or a page would wait for all of them.
        CW_PASSWORD_PRIORITY: "normal",
        CW_PAGE_PRIORITY: "normal",
        ...settings,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    started.stdout?.on("data", (chunk: Buffer) => received.push(chunk.toString()));
    // An aborted run leaves nothing behind; otherwise the parent watch ends it.
    process.once("exit", () => started.kill("SIGKILL"));
    return started;
  };
  let child = start("0");
  const origin = await readOrigin(child);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    await ended;
  };
  return {
    origin,
    reply: () => received.join(""),
    kill: () => end("SIGKILL"),
    restart: async () => {
      await end("SIGKILL");
      child = start(new URL(origin).port);
      await readOrigin(child);
    },
    stop: async () => {
      await end("SIGTERM");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A free port below the ephemeral range: it is not assigned before it is used, or between two starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const isFree = await new Promise<boolean>((done) => {
      const probe = createServer().once("error", () => done(false));
      probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
    });
    if (isFree) return port;
  }
}

function readOrigin(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let reply = "";
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      fail(new Error(`the site did not start:\n${reply}`));
    }, START_TIMEOUT_MS);
    const hear = (chunk: Buffer) => {
      reply += chunk.toString();
      const port = /http:\/\/[^\s:]+:(\d+)/.exec(reply)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      done(`http://127.0.0.1:${port}`);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", (code) => {
      clearTimeout(late);
      fail(new Error(`the site ended with ${code} before it served:\n${reply}`));
    });
  });
}

const BROWSER_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

const SHELL = "/usr/bin/chromium-headless-shell";

/** `CW_CHROMIUM` names the browser; else Debian's shell, which is the same engine in less time, else the whole one. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CW_CHROMIUM ?? (existsSync(SHELL) ? SHELL : "/usr/bin/chromium");
  return chromium.launch({ executablePath, args: BROWSER_FLAGS, headless: true });
}

let shared: Promise<Browser> | undefined;

/** The browser of this process: files that run in it one after another share it, and it ends with the process. */
export async function openBrowser(): Promise<Browser> {
  if (shared !== undefined && (await shared).isConnected()) return shared;
  shared = launchBrowser();
  const browser = await shared;
  browser.close = () => leavePages(browser);
  return browser;
}

/** Collects what a visitor's console would show. Empty is the only good answer. */
export interface Watch {
  readonly troubles: string[];
}

export function watchPage(page: Page): Watch {
  const troubles: string[] = [];
  page.on("console", (message) => {
    // Journeys have no service worker unless they are about it.
    if (message.text().includes("Service Worker registration blocked")) return;
    if (message.type() === "warning" || message.type() === "error")
      troubles.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => troubles.push(`uncaught: ${error.message}`));
  // React reports what it has recovered from in the error's cause, which no event of the page carries.
  void page.addInitScript(() =>
    addEventListener("error", ({ error }) => {
      if (error?.cause instanceof Error) console.error(`caused by ${error.cause.stack}`);
    }),
  );
  return { troubles };
}

/** Opens a page and waits until React has taken it over. */
export async function visit(page: Page, url: string): Promise<number> {
  const response = await page.goto(url, { waitUntil: "load" });
  await page.waitForFunction(() => document.documentElement.dataset.awake === "1");
  return response?.status() ?? 0;
}

/** Ends a session behind the pages' back. On a page of the site, that page's calls would be refused and redirect. */
export async function clearCookies(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/** A cookie as soon as the browser reports it: what a script sets is stored by another process, a moment later. */
export async function waitCookie(context: BrowserContext, isWanted: (cookie: Cookie) => boolean): Promise<Cookie> {
  for (const untilMs = Date.now() + WAIT_MS; Date.now() < untilMs; await sleep(20)) {
    const cookie = (await context.cookies()).find(isWanted);
    if (cookie !== undefined) return cookie;
  }
  throw new Error("the cookie never came");
}

/** Waits until a part of the page answers to clicks: parts that hydrate after the page are plain HTML until then. */
export async function waitAwake(locator: Locator): Promise<void> {
  await locator.waitFor();
  await locator.evaluate(async (element) => {
    const isAwake = () => Object.keys(element).some((key) => key.startsWith("__reactProps"));
    while (!isAwake()) await new Promise((done) => setTimeout(done, 20));
  });
}

/**
 * By how many pixels the page is wider than its screen, once it has settled: parts that measure themselves or hydrate
 * after the page take their place a moment later.
 */
export async function measureOverflow(page: Page): Promise<number> {
  const read = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  for (const untilMs = Date.now() + WAIT_MS; Date.now() < untilMs; await sleep(100)) {
    if ((await read()) <= 0) return 0;
  }
  return read();
}

/** Visits again until it is there: a page that has requested once does not show later rows of the tables. */
export async function visitUntil(page: Page, url: string, sign: Locator): Promise<void> {
  for (const untilMs = Date.now() + 2 * WAIT_MS; ; ) {
    await visit(page, url);
    const isThere = await sign
      .first()
      .waitFor({ timeout: WAIT_MS / 8 })
      .then(
        () => true,
        () => false,
      );
    if (isThere) return;
    if (Date.now() > untilMs) throw new Error(`${url} never showed ${sign}`);
  }
}

/** A page for a journey, watched from its first visit on; closing its context leaves it to the next journey. */
export async function newPage(
  browser: Browser,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ context: BrowserContext; page: Page; watch: Watch }> {
  const { context, page } = await takePage(browser, options);
  context.setDefaultTimeout(WAIT_MS);
  return { context, page, watch: watchPage(page) };
}
