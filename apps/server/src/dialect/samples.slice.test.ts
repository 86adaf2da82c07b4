// The samples users copy from the pages for programs, run unchanged: separate programs against a listening exchange.
// ccxt for Python is not here: its sample runs in Python with a stand-in for the client (python-fixture.ts).
import { spawn } from "node:child_process";
import { join } from "node:path";
import { type SampleWay, sampleOf } from "@clockwork/kit/programs/dialect-samples";
import { type FuturesServer, startFuturesServer } from "@clockwork/trading/futures/futures-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Visitor } from "../process/account-fixture.ts";
import { type Key, makeBook, makeKey } from "./dialect-fixture.ts";
import { makePythonModule, pythonMethods } from "./python-fixture.ts";

/** Where ccxt is found. */
const FOLDER = join(import.meta.dirname, "../..");

let server: FuturesServer;
let visitor: Visitor;
let key: Key;
beforeAll(async () => {
  // Samples sign with the time of the machine.
  server = await startFuturesServer({}, 0);
  const maker = await server.player("1000000", "15");
  expect((await maker.faucet("BTC", "1")).status).toBe(200);
  await makeBook(maker, "futures");
  visitor = await server.player("20000", "1");
  expect((await visitor.faucet("USDT", "5000")).status).toBe(200);
  key = await makeKey(visitor, { permissions: ["read", "spot", "futures"] });
});
afterAll(() => server?.close());

interface Running {
  /** All its output, when it has ended. */
  readonly answer: Promise<string>;
  end(): void;
}

/** Unchanged; `enough` receives all output so far. */
function run(way: SampleWay, enough: (reply: string) => boolean = () => false, pythonFolder = ""): Running {
  const sample = sampleOf(way, server.url);
  const env = { ...process.env, CW_KEY: key.apiKey, CW_SECRET: key.secret, PYTHONPATH: pythonFolder };
  const [program, ...words] =
    way === "python"
      ? ["python3", "-c", sample]
      : way === "rest" || way === "socket"
        ? ["sh", "-c", sample.replace(/^node /, `"${process.execPath}" `)]
        : [process.execPath, "--input-type=module", "-e", sample];
  const child = spawn(program as string, words, { cwd: FOLDER, env, detached: true });
  let reply = "";
  // The shell's own children end with it.
  const end = (): void => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (bytes: Buffer) => {
      reply += bytes.toString();
      if (enough(reply)) end();
    });
  }
  return { answer: new Promise((done) => child.once("close", () => done(reply))), end };
}

test("[BOT-1] the sample of spot places an order, by unmodified ccxt", async () => {
  expect(await run("ccxt", (reply) => reply.includes("open")).answer).toMatch(/^[0-9]+ open/);
  const { data } = await visitor.get("/v1/spot/orders?state=open");
  expect(data.orders).toMatchObject([{ pairCode: "BTC_USDT", side: "buy", quantity: "0.00100" }]);
});

test("[BOT-1] the sample of contracts sets a leverage, trades and reads its position", async () => {
  const answer = await run("contracts", (reply) => reply.includes("marginMode")).answer;
  expect(answer).toContain("symbol: 'BTC/USDT:USDT'");
  expect(answer).toContain("contracts: 0.001");
});

const python = makePythonModule();
afterAll(() => python?.remove());

test.skipIf(python === undefined)("[BOT-1] the sample in Python runs, and leads every address here", async () => {
  const answer = await run("python", undefined, python?.folder).answer;
  expect(answer).toContain("{'free': ");
  const [, addresses = ""] = /addresses (.*)/.exec(answer) ?? [];
  const listed = JSON.stringify(JSON.parse(addresses)).match(/(http|ws)s?:\/\/[^"/]+/g) ?? [];
  const { host } = new URL(server.url);
  expect(new Set(listed)).toEqual(new Set([`http://${host}`, `ws://${host}`]));
  const called = [...sampleOf("python", server.url).matchAll(/exchange\.([a-z_]+)\(/g)].map(([, name]) => name);
  expect(called).toEqual(["fetch_balance"]);
  for (const name of called) expect(pythonMethods()).toContain(name);
});

test("[BOT-1] the sample of a signed call needs a shell, openssl and curl alone", async () => {
  const answer = await run("rest").answer;
  expect(answer).toContain('"accountType":"SPOT"');
  expect(answer).toContain('{"asset":"USDT","free":');
});

test("[BOT-1] the sample of streams receives trades and the book", async () => {
  const hasBoth = (reply: string): boolean => reply.includes("@trade") && reply.includes("@depth");
  const running = run("socket", hasBoth);
  const sell = () =>
    visitor.post("/v1/spot/orders", {
      pairCode: "BTC_USDT",
      type: "limit",
      side: "sell",
      price: "96000",
      quantity: "0.001",
    });
  const buyer = await server.trader({ USDT: "50000" });
  expect((await visitor.faucet("BTC", "1")).status).toBe(200);
  let isOver = false;
  const answer = running.answer.finally(() => {
    isOver = true;
  });
  // Events until it has received one: a client does not report when its line is open.
  while (!isOver) {
    await sell();
    await buyer.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "market", side: "buy", quantity: "0.001" });
    await new Promise((done) => setTimeout(done, 100));
  }
  expect(hasBoth(await answer)).toBe(true);
});
