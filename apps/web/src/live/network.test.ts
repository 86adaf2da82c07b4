// The live client against a real server through a proxy that cuts, delays, drops and swaps.
import { allOf } from "@clockwork/kit/all-of";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "./clock.ts";
import { Feed } from "./feed.ts";
import type { FeedDefinition } from "./feed-definition.ts";
import { createRequestClient } from "./request.ts";
import { LiveSocket } from "./socket.ts";
import { readNumbered } from "./stream.ts";
import { TestExchange } from "./test-exchange.ts";
import { anonymousHeaders } from "./test-headers.ts";
import { FaultyProxy } from "./test-proxy.ts";
import { openWebSocket } from "./transport.ts";

const STREAMS = 20;
const readNumber = (data: unknown) => (typeof data === "number" ? data : undefined);

let exchange: TestExchange;
let proxy: FaultyProxy;
let socket: LiveSocket;
let randomState = 1;

/** Seeded, so that a failing run can be run again. */
function random(): number {
  randomState = (Math.imul(randomState, 1_664_525) + 1_013_904_223) >>> 0;
  return randomState / 2 ** 32;
}

beforeEach(async () => {
  randomState = 1;
  exchange = await TestExchange.start();
  proxy = await FaultyProxy.start(exchange.port);
  socket = new LiveSocket({
    url: `ws://127.0.0.1:${proxy.port}/ws`,
    clock: systemClock,
    random,
    open: openWebSocket,
    heartbeatMs: 20,
    thresholdMs: 200,
    connectTimeoutMs: 500,
    backoffFirstMs: 1,
    backoffMaxMs: 8,
  });
});

afterEach(async () => {
  socket.stop();
  await proxy.close();
  await exchange.close();
});

interface Watched {
  readonly feed: Feed<number, number>;
  readonly pairCode: string;
  readonly faults: string[];
}

/** Feeds that write down every delta that did not follow on what they had. */
function watch(count: number, kind: (index: number) => "resume" | "http" | "plain"): Watched[] {
  const request = createRequestClient({
    fetch,
    headers: anonymousHeaders,
    bases: { spot: () => `http://127.0.0.1:${exchange.port}`, futures: () => "" },
    clock: systemClock,
    random: (bytes) => crypto.getRandomValues(bytes),
  });
  return Array.from({ length: count }, (_, index) => {
    const pairCode = `P${index}_USDT`;
    const faults: string[] = [];
    const definition: FeedDefinition<number, number> = {
      topic: { channel: "depth", pairCode },
      initial: 0,
      read: readNumbered(readNumber, readNumber),
      apply: (state, delta) => {
        if (delta !== state + 1) faults.push(`${delta} after ${state}`);
        return delta;
      },
      resumable: kind(index) === "resume",
      healMs: 100,
      pollMs: 50,
      ...(kind(index) === "http"
        ? {
            fetch: async (signal) => {
              const query = { pairCode };
              const answer = await request.get<{ sequence: number; state: number }>("/depth", query, { signal });
              return answer.ok ? answer.data : undefined;
            },
          }
        : {}),
    };
    exchange.stream({ channel: "depth", pairCode });
    const feed = new Feed(definition, { socket, clock: systemClock, graceMs: 30 });
    feed.hold();
    return { feed, pairCode, faults };
  });
}

function publishRandom(times: number): void {
  const streams = [...exchange.streams.values()];
  for (let index = 0; index < times; index += 1) {
    const stream = streams[Math.floor(random() * streams.length)];
    if (stream !== undefined) exchange.publish(stream);
  }
}

const sleep = (delayMs: number) => new Promise<void>((resolve) => setTimeout(resolve, delayMs));

/** Waits for the condition while the server continues to publish; a bound, not a measure. */
async function until(condition: () => boolean, publishing = 0): Promise<void> {
  for (let turn = 0; turn < 5_000 && !condition(); turn += 1) {
    if (publishing > 0) publishRandom(publishing);
    await sleep(2);
  }
  expect(condition()).toBe(true);
}

/** One last update each, so that a feed that missed something must show it. */
async function expectWhole(watched: readonly Watched[]): Promise<void> {
  await until(() => socket.phase === "open");
  for (const stream of exchange.streams.values()) exchange.publish(stream);
  const truth = (pairCode: string) => exchange.stream({ channel: "depth", pairCode }).sequence;
  const whole = ({ feed, pairCode }: Watched) => feed.get().status === "live" && feed.get().value === truth(pairCode);
  await until(() => allOf(watched, whole));
  for (const { feed, pairCode, faults } of watched) {
    expect(faults, pairCode).toEqual([]);
    expect(feed.get(), pairCode).toMatchObject({ status: "live", value: truth(pairCode) });
  }
}

describe("through a bad network", () => {
  test("[NET-5] 1 000 forced disconnects: no subscription lost, no duplicate, no gap unnoticed", {
    timeout: 300_000,
  }, async () => {
    const kinds = ["resume", "http", "plain"] as const;
    const watched = watch(STREAMS, (index) => kinds[index % 3] ?? "plain");
    let openings = 0;
    socket.on("connectOk", () => {
      openings += 1;
    });
    for (let cut = 1; cut <= 1_000; cut += 1) {
      await until(() => socket.phase === "open", 3);
      const before = openings;
      // Some cuts come right at the opening, some into the resubscription, some into a running stream.
      const turns = Math.floor(random() * 4);
      for (let turn = 0; turn < turns; turn += 1) {
        publishRandom(5);
        await new Promise<void>((resolve) => setImmediate(resolve));
      }
      proxy.cutAll();
      publishRandom(5);
      await until(() => openings > before, 3);
    }
    await expectWhole(watched);
    expect(openings).toBeGreaterThan(1_000);
    const [reader] = exchange.readers;
    expect([...(reader?.streams.keys() ?? [])].sort()).toEqual([...exchange.streams.keys()].sort());
    expect(exchange.duplicateSubscriptions).toBe(0);
    expect(exchange.resumed).toBeGreaterThan(0);
    expect(exchange.snapshots).toBeGreaterThan(0);
  });

  test("[NET-6] chunks dropped and swapped on the wire corrupt nothing that is shown", async () => {
    const watched = watch(STREAMS, (index) => (index % 2 === 0 ? "resume" : "http"));
    await until(() => allOf(watched, ({ feed }) => feed.get().status === "live"));
    const run = async () => {
      for (let turn = 0; turn < 200; turn += 1) {
        publishRandom(10);
        await sleep(1);
      }
    };
    // First whole frames are lost and swapped: the connection remains and the numbers show it.
    proxy.faults.dropEvery = 17;
    proxy.faults.swapEvery = 13;
    await run();
    await until(() => watched.some(({ feed }) => feed.counts.gaps > 0), 10);
    // Then parts of frames: the connection is beyond repair and must be left.
    const accepted = proxy.accepted;
    proxy.faults.pieceBytes = 37;
    await run();
    await until(() => proxy.accepted > accepted, 10);
    Object.assign(proxy.faults, { dropEvery: 0, swapEvery: 0, pieceBytes: 0 });
    const faulty = proxy.accepted;
    proxy.cutAll();
    await until(() => proxy.accepted > faulty);
    await expectWhole(watched);
  });

  test("[NET-6] updates the server numbered but never sent are noticed and healed", async () => {
    const kinds = ["resume", "http", "plain"] as const;
    const watched = watch(STREAMS, (index) => kinds[index % 3] ?? "plain");
    await until(() => allOf(watched, ({ feed }) => feed.get().status === "live"));
    exchange.clearAll = 7;
    for (let turn = 0; turn < 200; turn += 1) {
      publishRandom(10);
      await sleep(1);
    }
    exchange.clearAll = 0;
    await expectWhole(watched);
    expect(watched.reduce((sum, { feed }) => sum + feed.counts.gaps, 0)).toBeGreaterThan(0);
  });

  test("[NET-5] a slow network loses nothing, a server that stops answering is left", async () => {
    proxy.faults.delayMs = 30;
    const watched = watch(4, () => "plain");
    await until(() => allOf(watched, ({ feed }) => feed.get().status === "live"), 1);
    exchange.answersPings = false;
    const before = proxy.accepted;
    await until(() => proxy.accepted > before, 1);
    exchange.answersPings = true;
    await expectWhole(watched);
  });

  test("[NET-5] while connections are refused the pages poll, and go live again after", async () => {
    const watched = watch(3, () => "http");
    await until(() => allOf(watched, ({ feed }) => feed.get().status === "live"));
    proxy.faults.refuse = true;
    proxy.cutAll();
    await until(() => allOf(watched, ({ feed }) => feed.get().status === "polling"), 1);
    const shown = watched.map(({ feed }) => feed.get().value);
    await until(() => allOf(watched, ({ feed }, index) => feed.get().value > (shown[index] ?? 0)), 1);
    proxy.faults.refuse = false;
    await expectWhole(watched);
  });
});
