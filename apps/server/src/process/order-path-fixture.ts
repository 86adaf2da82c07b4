// A program that records one order: it serves an exchange, sets a breakpoint that never stops at the start of each
// given function, sends the order as a page and as a program would, and prints which functions were called, when and on
// which thread. Reads `[["file", "function"], …]` from its first argument. Must never be used by the running server.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import type { DepthDelta } from "@clockwork/trading/markets/contract";
import { place, startTradingServer } from "@clockwork/trading/spot/spot-fixture";
import { makeKey, signQuery } from "../dialect/dialect-fixture.ts";
import { ROOT_FOLDER } from "../root-folder.ts";
import { openClient } from "../socket/socket-fixture.ts";

export interface Passed {
  readonly hop: number;
  readonly thread: string;
  readonly atNs: number;
}

type Place = readonly [file: string, name: string];

interface Inspected {
  readonly thread: string;
  post(method: string, parameters: object): Promise<unknown>;
}

const PLACES = JSON.parse(process.argv[2] ?? "[]") as readonly Place[];
const CALLED = "globalThis.passedHops";

/** The line where a function's body starts: types are stripped in place, so that lines are those of the source. */
function lineOf([file, name]: Place): number {
  const lines = readFileSync(join(ROOT_FOLDER, file), "utf8").split("\n");
  const plain = name.replace(/[#$]/g, "\\$&");
  const head = new RegExp(
    `^\\s*(?:export )?(?:readonly |const )?(?:async )?(?:function\\*? )?${plain}(?:: | = )?(?:async )?[(<](?:.*(?:\\{|=>.*|\\(|,))?$`,
  );
  const first = lines.findIndex((line) => head.test(line));
  if (first < 0) throw new Error(`${file} has no function ${name}`);
  const opened = lines.findIndex((line, at) => at >= first && /(?:\{|=>)$/.test(line));
  const isShort = /=> .+[^{]$/.test(lines[first] ?? "");
  return isShort ? first : opened + 1;
}

/** This thread, and every worker under its title. */
async function inspectThreads(): Promise<readonly Inspected[]> {
  const session = new Session();
  session.connect();
  const threads: Inspected[] = [
    { thread: "main", post: (method, parameters) => session.post(method as never, parameters as never) },
  ];
  const answers = new Map<number, (result: unknown) => void>();
  let requested = 0;
  session.on(
    "NodeWorker.receivedMessageFromWorker" as never,
    ((event: { params: { message: string } }) => {
      const { id, result } = JSON.parse(event.params.message) as { id?: number; result: unknown };
      if (id !== undefined) answers.get(id)?.(result);
    }) as never,
  );
  session.on(
    "NodeWorker.attachedToWorker" as never,
    ((event: { params: { sessionId: string; workerInfo: { url: string } } }) => {
      const { sessionId, workerInfo } = event.params;
      threads.push({
        thread: /([\w-]+)\.ts$/.exec(workerInfo.url)?.[1] ?? workerInfo.url,
        post: (method, params) =>
          new Promise((done) => {
            requested += 1;
            answers.set(requested, done);
            const message = JSON.stringify({ id: requested, method, params });
            void session.post("NodeWorker.sendMessageToWorker" as never, { sessionId, message } as never);
          }),
      });
    }) as never,
  );
  await session.post("NodeWorker.enable" as never, { waitForDebuggerOnStart: false } as never);
  return threads;
}

async function watch(threads: readonly Inspected[]): Promise<void> {
  for (const { post } of threads) {
    void post("Debugger.enable", {});
    for (const [hop, one] of PLACES.entries()) {
      void post("Debugger.setBreakpointByUrl", {
        urlRegex: `${one[0].replaceAll(".", "\\.")}$`,
        lineNumber: lineOf(one),
        condition: `(${CALLED} ??= []).push([${hop}, String(process.hrtime.bigint())]) < 0`,
      });
    }
  }
}

/** Calls since the last read; a waiting thread answers when it resumes. */
async function take(threads: readonly Inspected[]): Promise<Passed[]> {
  const taken = threads.map(async ({ thread, post }) => {
    const expression = `(() => { const all = JSON.stringify(${CALLED} ?? []); ${CALLED} = []; return all; })()`;
    const { result } = (await post("Runtime.evaluate", { expression })) as { result: { value: string } };
    return (JSON.parse(result.value) as [number, string][]).map(([hop, atNs]) => ({ hop, thread, atNs: Number(atNs) }));
  });
  return (await Promise.all(taken)).flat().sort((left, right) => left.atNs - right.atNs);
}

const server = await startTradingServer();
const [maker, trader] = [await server.trader({ BTC: "5" }), await server.trader({ USDT: "80000" })];
const key = await makeKey(trader);
const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
client.send({ event: "login", data: { token: trader.jar.get(SESSION_COOKIE.accessToken) } });
await client.until(({ event }) => event === "login");
for (const channel of ["orders", "fills", "balances"]) client.send({ event: "sub", channel, biz: "spot" });
client.send({ event: "sub", channel: "depth", biz: "spot", pairCode: "BTC_USDT" });
await client.until(({ channel }) => channel === "depth");

const OFFERED = 96_010;
const offer = () => place(maker, { side: "sell", price: String(OFFERED), quantity: "0.01" });
/** Depth that has reached the offer, so that the next depth is of the order itself. */
const shows = ({ channel, data }: { readonly channel?: string; readonly data?: unknown }, price: number): boolean =>
  channel === "depth" &&
  (data as DepthDelta).asks.some(([level, quantity]) => Number(level) === price && Number(quantity) > 0);
/** Buys what is offered and rests with the remainder. */
const order = { side: "buy", price: "96010", quantity: "0.02" };
const byPage = (): Promise<unknown> => place(trader, order);
/** On its own connection, as programs keep one for their orders. */
const byProgram = (): Promise<void> => {
  const values = {
    symbol: "BTCUSDT",
    side: "BUY",
    type: "LIMIT",
    timeInForce: "GTC",
    price: "96010",
    quantity: "0.02",
  };
  const query = signQuery(key.secret, new URLSearchParams({ ...values, timestamp: String(server.nowMs()) }).toString());
  return new Promise((done, fail) => {
    const requested = request(`${server.url}/api/v3/order?${query}`, {
      method: "POST",
      agent: new Agent(),
      headers: { "x-mbx-apikey": key.apiKey, "content-length": "0" },
    });
    requested.on("response", (answer) => {
      answer.resume();
      answer.on("end", () => (answer.statusCode === 200 ? done() : fail(new Error(`answered ${answer.statusCode}`))));
    });
    requested.on("error", fail);
    requested.end();
  });
};

const threads = await inspectThreads();
await new Promise((done) => setTimeout(done, 200));
await watch(threads);
await offer();
await byPage();
await byProgram();
/** Reading history waits until the tables have caught up with the account. */
const awaitTables = (): Promise<unknown> => trader.get("/v1/spot/fills");
const record = async (send: () => Promise<unknown>): Promise<Passed[]> => {
  await trader.post("/v1/spot/orders/clear", { pairCode: "BTC_USDT" });
  const before = client.messages.length;
  await offer();
  await client.until((message) => client.messages.indexOf(message) >= before && shows(message, OFFERED));
  await awaitTables();
  await take(threads);
  const seen = client.messages.length;
  await send();
  await client.until((message) => client.messages.indexOf(message) >= seen && message.channel === "depth");
  await awaitTables();
  return take(threads);
};
const recorded = { page: await record(byPage), program: await record(byProgram) };
process.stdout.write(`${JSON.stringify(recorded)}\n`);
process.exit(0);
