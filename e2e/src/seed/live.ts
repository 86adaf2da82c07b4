// One page's connection under a clock that the walk moves: the effects of silence, of a closed and of a failing socket,
// the calls in between, and that an answer to a ping reaches no listener.
import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { newPage, visit } from "../site.ts";
import { PAUSE_AHEAD_MS, signUp, waitUntil, watchWire } from "./wire.ts";

export interface LiveEvidence {
  /** How long the page bore silence before it opened another connection, by its own clock. */
  readonly silenceMs: number;
  /** The page's report while its sockets closed at once, and while they could not be created. */
  readonly closed: string;
  readonly failed: string;
  /** Calls in two minutes without a connection: those requested each minute, and each half minute. */
  readonly eachMinute: number;
  readonly eachHalf: number;
  /** The rate on the page after one came as an answer to a ping, and after it came as data. */
  readonly afterPong: string;
  readonly afterData: string;
  /** Whether the open page shows the announced system-out. */
  readonly systemOut: boolean;
  /** The total on the wallet's page before and after the Hbt switch is turned on. */
  readonly totals: readonly [open: string, withheld: string];
}

interface Line {
  readonly opened: number;
  mode: "through" | "deaf" | "shut";
  /** Only the walk publishes rates: the server's own would come in between. */
  ownRates: boolean;
  /** Pings that wait for their answer. */
  unanswered: number;
  print: (text: string) => void;
}

/** Every connection of the page, controlled by the walk. */
async function routeSockets(page: Page): Promise<Line> {
  const line: Line & { opened: number } = {
    opened: 0,
    mode: "through",
    ownRates: false,
    unanswered: 0,
    print: () => undefined,
  };
  await page.routeWebSocket(/\/ws$/, (socket: WebSocketRoute) => {
    line.opened += 1;
    if (line.mode === "shut") {
      void socket.close({ code: 1013, reason: "later" });
      return;
    }
    const server = socket.connectToServer();
    line.print = (text) => socket.send(text);
    line.unanswered = 0;
    socket.onMessage((message) => {
      if (String(message).includes('"ping"')) line.unanswered += 1;
      server.send(message);
    });
    server.onMessage((message) => {
      if (String(message).includes('"pong"')) line.unanswered -= 1;
      const isRate = String(message).includes('"type":"rate"');
      if (line.mode === "through" && !(line.ownRates && isRate)) socket.send(message);
    });
  });
  return line;
}

const nowOf = (page: Page): Promise<number> => page.evaluate(() => Date.now());

/** Advances the page's own time step by step; its calls are answered in between, in real time. */
async function pass(page: Page, ms: number, stepMs: number, isEnough: () => boolean = () => false): Promise<void> {
  let requested = 0;
  const [begin, end] = [() => requested++, () => requested--];
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  for (let left = ms; left > 0 && !isEnough(); left -= stepMs) {
    await page.clock.runFor(Math.min(stepMs, left));
    for (let tries = 0; tries === 0 || (requested > 0 && tries < 200); tries++) await page.waitForTimeout(25);
  }
  page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
}

const says = async (page: Page): Promise<string> =>
  (await page.locator("[data-connection]").getAttribute("data-connection")) ?? "";

/** The first page after a rate came as an answer to a ping, and after another came as data. */
async function publishRates(page: Page, line: Line): Promise<readonly [afterPong: string, afterData: string]> {
  await page.getByRole("button", { name: /language and currency/ }).click();
  const note = page.locator('[data-rate="EUR"]');
  await note.waitFor();
  const say = (event: string, rate: string) => {
    const data = { base: "USD", rates: { EUR: rate }, asOf: "2026-01-01T00:00:00.000Z", source: "x", simulated: false };
    line.print(JSON.stringify({ event, channel: "common", type: "rate", data }));
  };
  const shown: string[] = [];
  const look = async (isThere: (text: string) => boolean, before: () => void = () => undefined) =>
    waitUntil(page, async () => {
      before();
      shown.push(await note.innerText());
      return isThere(shown.at(-1) ?? "");
    });
  line.ownRates = true;
  // A word before the page listens counts for nothing.
  await look(
    (text) => text.includes("0.4321"),
    () => say("data", "0.4321"),
  );
  // Messages come in order: had the first of these been handed on, the page would have shown it before the second.
  say("pong", "0.1111");
  await page.waitForTimeout(500);
  shown.push(await note.innerText());
  const afterPong = shown.at(-1) ?? "";
  say("data", "0.5678");
  await look((text) => text.includes("0.5678"));
  return [afterPong, shown.at(-1) ?? ""];
}

async function publishHbt(page: Page, line: Line, origin: string): Promise<LiveEvidence["totals"]> {
  await visit(page, `${origin}/wallet`);
  const total = page.locator("[data-total]");
  // Nothing is shown before the worth is loaded, and the rate to show it in comes a moment later.
  await waitUntil(page, async () => /^0\.00/.test(await total.innerText()));
  const open = await total.innerText();
  // A word before the page listens counts for nothing.
  await waitUntil(page, async () => {
    line.print(JSON.stringify({ event: "data", channel: "common", type: "config", data: { hbtSwitch: "1" } }));
    return (await total.innerText()).startsWith("–");
  });
  return [open, await total.innerText()];
}

/** Sockets cannot even be created, from the moment the walk sets. */
async function breakSockets(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const state = { isBroken: false };
    Object.assign(globalThis, { sockets: state });
    globalThis.WebSocket = new Proxy(globalThis.WebSocket, {
      construct(target, given) {
        if (state.isBroken) throw new DOMException("no way there", "SecurityError");
        return Reflect.construct(target, given) as object;
      },
    });
  });
  return () =>
    page.evaluate(() => {
      (globalThis as unknown as { sockets: { isBroken: boolean } }).sockets.isBroken = true;
    });
}

export async function walkLive(browser: Browser, origin: string): Promise<LiveEvidence> {
  const { context, page } = await newPage(browser);
  await context.addCookies([{ name: "cw_currency", value: "EUR", url: origin }]);
  const line = await routeSockets(page);
  const breakAll = await breakSockets(page);
  await visit(page, origin);
  await page.locator('[data-live="true"]').waitFor();
  const [afterPong, afterData] = await publishRates(page, line);
  line.print(JSON.stringify({ event: "data", channel: "common", type: "config", data: { systemOut: "1" } }));
  const banner = page.getByText("The exchange is being looked after.");
  await banner.waitFor();
  const systemOut = (await banner.count()) > 0;

  await signUp(context, origin);
  const totals = await publishHbt(page, line, origin);
  const wire = watchWire(page);
  await page.clock.install();
  await visit(page, `${origin}/spot/BTC_USDT`);
  await page.locator('[data-connection="live"]').waitFor();
  await page.waitForLoadState("networkidle");
  await page.clock.pauseAt((await nowOf(page)) + PAUSE_AHEAD_MS);
  await pass(page, 4_000, 1_000);
  // By its own clock the page received a message now, however long it took in real time. From here on nothing answers.
  await waitUntil(page, async () => line.unanswered <= 0);
  line.mode = "deaf";
  const [startedMs, opened] = [await nowOf(page), line.opened];
  await pass(page, 20_000, 1_000, () => line.opened > opened);
  const silenceMs = (await nowOf(page)) - startedMs;
  line.mode = "shut";
  await pass(page, 15_000, 2_500);
  const closed = await says(page);
  await breakAll();
  await pass(page, 45_000, 2_500);
  const from = wire.calls.length;
  await pass(page, 130_000, 2_500);
  const failed = await says(page);
  const requested = (path: string) => wire.calls.slice(from).filter((call) => call.path === path).length;
  const calls = { eachMinute: requested("/api/v1/common/exchange-rate"), eachHalf: requested("/api/v1/spot/fee") };
  await context.close();
  return { silenceMs, closed, failed, afterPong, afterData, systemOut, totals, ...calls };
}
