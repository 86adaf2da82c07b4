// How soon an open page receives its position: users trade perpetuals of the built process over HTTP at a fixed rate
// while each has a socket open, and an order's change is timed from its response, which comes with the commit, to the
// socket. The same orders without any socket are the baseline. Run by npm run bench -- futures [orders a second]
// [seconds].
import { setTimeout as sleep } from "node:timers/promises";
import type { WebSocket } from "ws";
import { Connection } from "./gateway/client.ts";
import { type ContractTrader, nextContractRequest, openContracts, refreshContract } from "./gateway/contracts.ts";
import { openOwnSocket, refreshPrice, signUp } from "./gateway/traders.ts";
import { startSite } from "./served-site.ts";

const USERS = 16;
const [perSecond, seconds] = [Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 20)];
const CONNECTIONS = 64;
const BAR_MS = 50;
/** The last change of a filling order comes within this, or it is reported as missing. */
const TIMEOUT_MS = 5_000;

interface Waiting {
  readonly sequence: number;
  readonly answeredMs: number;
}

/** One trader's socket: the newest number of each private channel, and responses whose change has not arrived yet. */
class Ear {
  readonly tookMs: number[] = [];
  #received = 0;
  #waiting: Waiting[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (bytes: Buffer) => {
      const nowMs = performance.now();
      const { channel, sequence } = JSON.parse(bytes.toString()) as { channel?: string; sequence?: number };
      if (channel === "positions" && sequence !== undefined) this.#receive(sequence, nowMs);
    });
  }

  static async open(port: number, headers: Readonly<Record<string, string>>): Promise<Ear> {
    const socket = await openOwnSocket(port, headers);
    const ear = new Ear(socket);
    const first = new Promise((done) => socket.once("message", done));
    for (const channel of ["positions", "position-marks", "account", "orders", "fills"]) {
      socket.send(JSON.stringify({ event: "sub", channel, biz: "futures" }));
    }
    await first;
    return ear;
  }

  #receive(sequence: number, nowMs: number): void {
    this.#received = Math.max(this.#received, sequence);
    const seen = this.#waiting.filter((one) => one.sequence <= sequence);
    this.#waiting = this.#waiting.filter((one) => one.sequence > sequence);
    for (const { answeredMs } of seen) this.tookMs.push(nowMs - answeredMs);
  }

  /** The change of a response that came after its message was published at once. */
  expect(sequence: number, answeredMs: number): void {
    if (this.#received >= sequence) this.tookMs.push(0);
    else this.#waiting.push({ sequence, answeredMs });
  }

  get missing(): number {
    return this.#waiting.length;
  }

  close(): void {
    this.#socket.terminate();
  }
}

interface Paced {
  readonly ackMs: number[];
  filled: number;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** At a fixed rate; a request that waits for a free connection counts from when it was due. */
async function rate(port: number, traders: readonly ContractTrader[], ears: readonly Ear[]): Promise<Paced> {
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));
  const all = [...free];
  const paced: Paced = { ackMs: [], filled: 0 };
  const running: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueMs = startedMs + (index * 1_000) / perSecond;
    while (performance.now() < dueMs) await sleep(dueMs - performance.now() > 1.5 ? 1 : 0);
    while (free.length === 0) await sleep(0);
    const connection = free.shift() as Connection;
    const who = index % traders.length;
    running.push(
      new Promise((done, fail) => {
        connection.onLost = fail;
        connection.ask(nextContractRequest(traders[who] as ContractTrader), ({ status, body }) => {
          const nowMs = performance.now();
          paced.ackMs.push(nowMs - dueMs);
          const [, sequence] = /"sequence":(\d+)/.exec(body()) ?? [];
          // Only what filled moved a position.
          if (status === 200 && sequence !== undefined && /"status":"(?:PARTIALLY_)?FILLED"/.test(body())) {
            paced.filled += 1;
            ears[who]?.expect(Number(sequence), nowMs);
          }
          free.push(connection);
          done();
        });
      }),
    );
  }
  await Promise.all(running);
  for (const connection of all) connection.close();
  return paced;
}

const print = (name: string, values: readonly number[]): void => {
  const figures = [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1));
  process.stdout.write(`${name.padEnd(46)} p50 ${figures[0]}  p99 ${figures[1]}  worst ${figures[2]} ms\n`);
};

async function main(): Promise<void> {
  const settings = { CW_MARKET: "on", CW_CAPTCHA: "off", CW_RATE_WEIGHT_PER_MINUTE: "0", CW_CHAIN: "off" };
  const site = await startSite("futures", { ...settings, CW_SOCKETS_PER_ADDRESS: "1000" });
  const port = Number(new URL(site.origin).port);
  try {
    await sleep(3_000);
    let traders: ContractTrader[] = [];
    for (let index = 0; index < USERS; index += 1) {
      const trader = await signUp(port, index);
      await refreshPrice(port, trader);
      traders.push(await openContracts(port, trader, index));
    }
    const refresh = async () => {
      traders = await Promise.all(traders.map((trader) => refreshContract(port, trader)));
    };
    await refresh();
    await rate(port, traders, []);
    await refresh();
    const alone = await rate(port, traders, []);
    await refresh();
    const ears = await Promise.all(traders.map(({ headers }) => Ear.open(port, headers)));
    const paced = await rate(port, traders, ears);
    const endMs = performance.now() + TIMEOUT_MS;
    while (performance.now() < endMs && ears.some(({ missing }) => missing > 0)) await sleep(20);
    const answer = ears.flatMap(({ tookMs }) => tookMs);
    const missing = ears.reduce((sum, ear) => sum + ear.missing, 0);
    for (const ear of ears) ear.close();
    print(`an order's answer at ${perSecond}/s, no socket`, alone.ackMs);
    print(`an order's answer at ${perSecond}/s, sockets open`, paced.ackMs);
    print(`from the answer to the position on the socket`, answer);
    const isWhole = missing === 0 && answer.length === paced.filled && answer.length > 0;
    const isQuick = quantile(answer, 0.99) <= BAR_MS;
    process.stdout.write(
      `${paced.filled} fills, ${answer.length} told, ${missing} missing; p99 must be ${BAR_MS} ms: ${isWhole && isQuick ? "passed" : "FAILED"}\n`,
    );
    process.exitCode = isWhole && isQuick ? 0 : 1;
  } finally {
    await site.stop();
  }
}

await main();
