import { CONNECTION_EVENT, type ConnectionEvent } from "@clockwork/kit/constants";
import { type SocketTopic, topicKey } from "@clockwork/kit/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSocketPool, LiveSocket } from "./socket.ts";
import { ManualClock } from "./test-clock.ts";
import { FakeNetwork } from "./test-wire.ts";

const DEPTH: SocketTopic = { channel: "depth", biz: "spot", pairCode: "BTC_USDT" };
const TICKER: SocketTopic = { channel: "ticker", biz: "spot", type: "all" };
const USER: SocketTopic = { channel: "user" };
const ignore = () => {};

function start(random = 1) {
  const clock = new ManualClock();
  const network = new FakeNetwork();
  const socket = new LiveSocket({ url: "ws://test", clock, random: () => random, open: network.open });
  const events: string[] = [];
  for (const event of Object.values(CONNECTION_EVENT)) socket.on(event, () => events.push(event));
  return { clock, network, socket, events };
}

function startOpen() {
  const parts = start();
  parts.socket.start();
  parts.network.last.open();
  return parts;
}

describe("heartbeat", () => {
  test("[NET-5] a ping is sent every 2000 ms from the opening on", () => {
    const { clock, network } = startOpen();
    clock.advance(1_999);
    expect(network.last.events()).toEqual([]);
    clock.advance(1);
    expect(network.last.sent).toEqual([{ event: "ping" }]);
    network.last.say({ event: "pong" });
    clock.advance(2_000);
    expect(network.last.events()).toEqual(["ping", "ping"]);
  });

  test("[NET-5] silence of exactly 10 s is borne, more than 10 s makes a new connection", () => {
    const { clock, network, socket, events } = startOpen();
    clock.advance(11_999);
    expect(network.connections).toHaveLength(1);
    expect(socket.phase).toBe("open");
    clock.advance(1);
    expect(socket.phase).toBe("waiting");
    expect(network.last.closed).toBe(true);
    expect(events).toContain("connectClose");
    clock.advance(500);
    expect(network.connections).toHaveLength(2);
  });

  test("[NET-5] answered pings keep one connection for a day", () => {
    const { clock, network } = startOpen();
    for (let beat = 0; beat < 43_200; beat += 1) {
      clock.advance(2_000);
      network.last.say({ event: "pong" });
    }
    expect(network.connections).toHaveLength(1);
    expect(network.last.sent).toHaveLength(43_200);
  });

  test("[NET-5] a pong within the threshold starts the count anew", () => {
    const { clock, network } = startOpen();
    for (let round = 0; round < 20; round += 1) {
      clock.advance(9_000);
      network.last.say({ event: "pong" });
    }
    expect(network.connections).toHaveLength(1);
  });

  test("[NET-5] a timer that slept for a minute is no silence, an unanswered ping after it is", () => {
    let nowMs = 0;
    let beat: () => void = ignore;
    const network = new FakeNetwork();
    const clock = {
      now: () => nowMs,
      after: (_delayMs: number, run: () => void) => {
        beat = run;
        return ignore;
      },
    };
    const socket = new LiveSocket({ url: "ws://test", clock, random: () => 0, open: network.open });
    socket.start();
    network.last.open();
    for (let minute = 1; minute <= 5; minute += 1) {
      nowMs = minute * 60_000;
      beat();
      network.last.say({ event: "pong" });
    }
    expect(socket.phase).toBe("open");
    nowMs += 60_000;
    beat();
    expect(socket.phase).toBe("open");
    nowMs += 60_000;
    beat();
    expect(socket.phase).toBe("waiting");
  });

  test("[NET-5] pong messages reach nobody, and tell the latency", () => {
    const { clock, network, socket } = startOpen();
    const heard: unknown[] = [];
    socket.subscribe({ topic: DEPTH, onMessage: (message) => heard.push(message) });
    clock.advance(2_000);
    expect(socket.latencyMs).toBeUndefined();
    clock.advance(35);
    network.last.say({ event: "pong", ...DEPTH });
    expect(heard).toEqual([]);
    expect(socket.latencyMs).toBe(35);
  });
});

describe("subscriptions", () => {
  test("[NET-5] on every opening all subscriptions are sent again, logins first", () => {
    const { clock, network, socket, events } = start();
    socket.subscribe({ topic: DEPTH, onMessage: ignore });
    socket.subscribe({ topic: USER, kind: "login", argument: () => ({ token: "t" }), onMessage: ignore });
    socket.start();
    expect(network.last.sent).toEqual([]);
    network.last.open();
    const expected = [
      { event: "login", ...USER, data: { token: "t" } },
      { event: "sub", ...DEPTH },
    ];
    expect(network.last.sent).toEqual(expected);
    network.last.drop();
    clock.advance(500);
    network.last.open();
    expect(network.connections).toHaveLength(2);
    expect(network.last.sent).toEqual(expected);
    expect(events.filter((event) => event === "connectOk")).toHaveLength(2);
  });

  test("[NET-5] subscribers of one topic share one subscription; the last to go ends it", () => {
    const { network, socket } = startOpen();
    const heard: string[] = [];
    const first = socket.subscribe({ topic: DEPTH, onMessage: () => heard.push("first") });
    const second = socket.subscribe({ topic: { ...DEPTH }, onMessage: () => heard.push("second") });
    network.last.say({ event: "data", ...DEPTH, data: 1 });
    expect(heard).toEqual(["first", "second"]);
    first();
    first();
    expect(network.last.events()).toEqual(["sub"]);
    network.last.say({ event: "data", ...DEPTH, data: 2 });
    expect(heard).toEqual(["first", "second", "second"]);
    second();
    expect(network.last.sent).toEqual([
      { event: "sub", ...DEPTH },
      { event: "unsub", ...DEPTH },
    ]);
    expect(socket.subscriptionCount).toBe(0);
  });

  test("[NET-5] a message reaches its own topic and wider ones, never another", () => {
    const { network, socket } = startOpen();
    const heard: string[] = [];
    socket.subscribe({ topic: { channel: "depth" }, onMessage: () => heard.push("all depth") });
    socket.subscribe({ topic: DEPTH, onMessage: () => heard.push("BTC depth") });
    socket.subscribe({ topic: { ...DEPTH, pairCode: "ETH_USDT" }, onMessage: () => heard.push("ETH depth") });
    network.last.say({ event: "data", ...DEPTH, base: "BTC", data: 1 });
    expect(heard.sort()).toEqual(["BTC depth", "all depth"]);
  });

  test("[NET-5] unsubscribe-all sends unsub, or logout for login streams, and forgets them", () => {
    const { clock, network, socket } = startOpen();
    socket.subscribe({ topic: DEPTH, onMessage: ignore });
    socket.subscribe({ topic: USER, kind: "login", onMessage: ignore });
    network.last.sent.length = 0;
    socket.unsubscribeAll();
    expect(network.last.sent).toEqual([
      { event: "unsub", ...DEPTH },
      { event: "logout", ...USER },
    ]);
    network.last.drop();
    clock.advance(30_000);
    network.last.open();
    expect(network.last.sent).toEqual([]);
  });

  test("[NET-5] a refused subscription is told by subfail and stays wanted", () => {
    const { clock, network, socket, events } = startOpen();
    const refusals: unknown[] = [];
    socket.subscribe({ topic: DEPTH, onMessage: ignore, onRefused: (message) => refusals.push(message.data) });
    network.last.say({ event: "subfail", ...DEPTH, data: { code: "RATE_LIMITED", message: "slow down" } });
    expect(refusals).toEqual([{ code: "RATE_LIMITED", message: "slow down" }]);
    expect(events).toContain("subfail");
    network.last.drop();
    clock.advance(30_000);
    network.last.open();
    expect(network.last.events()).toContain("sub");
  });

  test("[NET-5] private streams refused before the login was decided are asked for again after it", () => {
    const { network, socket } = startOpen();
    const refused: string[] = [];
    socket.subscribe({ topic: USER, kind: "login", onMessage: ignore, onRefused: () => refused.push("login") });
    socket.subscribe({ topic: { channel: "orders" }, onMessage: ignore, onRefused: () => refused.push("orders") });
    socket.subscribe({ topic: DEPTH, onMessage: ignore });
    network.last.say({ event: "subfail", channel: "orders", data: { code: "UNAUTHENTICATED" } });
    network.last.sent.length = 0;
    network.last.say({ event: "login", data: { account: "7" } });
    network.last.say({ event: "login", data: { account: "7" } });
    expect(network.last.sent).toEqual([{ event: "sub", channel: "orders" }]);
    network.last.say({ event: "error", data: { code: "UNAUTHENTICATED" } });
    network.last.say({ event: "error", data: { code: "RATE_LIMITED" } });
    expect(refused).toEqual(["orders", "login"]);
  });

  test("[NET-5] more than ten subscriptions are sent again in batches, each of them once", () => {
    const { clock, network, socket } = start();
    const wanted = Array.from({ length: 250 }, (_, index) => ({ channel: "depth", pairCode: `P${index}` }));
    for (const topic of wanted) socket.subscribe({ topic, argument: () => ({ sequence: 4 }), onMessage: ignore });
    socket.start();
    network.last.open();
    expect(network.last.sent.map(({ data }) => (data as unknown[]).length)).toEqual([100, 100, 50]);
    expect(network.last.sent.flatMap(({ data }) => data)).toEqual(
      wanted.map((topic) => ({ ...topic, data: { sequence: 4 } })),
    );
    expect(clock.timerCount).toBe(1);
  });

  test("[NET-5] whatever order people come, go and connections break in, the server hears of exactly what is wanted", () => {
    const topics = [DEPTH, TICKER, USER, { channel: "trades" }];
    const step = fc.record({
      kind: fc.constantFrom("subscribe", "release", "drop", "online", "wait"),
      pick: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, network, socket } = startOpen();
        const releases: (() => void)[] = [];
        const wanted: string[] = [];
        for (const { kind, pick } of steps) {
          const topic = topics[pick % topics.length] ?? DEPTH;
          if (kind === "subscribe") {
            const key = topicKey(topic);
            const release = socket.subscribe({ topic, onMessage: ignore });
            wanted.push(key);
            releases.push(() => {
              release();
              wanted.splice(wanted.indexOf(key), 1);
            });
          } else if (kind === "release") releases.splice(pick % (releases.length + 1), 1)[0]?.();
          else if (kind === "drop") network.last.drop();
          else if (kind === "online") socket.reconnect();
          else if (socket.phase === "connecting") network.last.open();
          else clock.advance(1_000);
        }
        for (let round = 0; socket.phase !== "open" && round < 99; round += 1) {
          clock.advance(1_000);
          if (socket.phase === "connecting") network.last.open();
        }
        const heard: string[] = [];
        for (const message of network.last.sent) {
          if (message.event === "sub") heard.push(topicKey(message));
          if (message.event === "unsub") heard.splice(heard.indexOf(topicKey(message)), 1);
        }
        expect(heard.sort()).toEqual([...new Set(wanted)].sort());
      }),
      { numRuns: 300 },
    );
  });
});

describe("reconnection", () => {
  test("[NET-5] coming online makes a new connection at once, even over one that looks open", () => {
    const { network, socket } = startOpen();
    const before = network.last;
    socket.reconnect();
    expect(before.closed).toBe(true);
    expect(network.connections).toHaveLength(2);
    before.say({ event: "data", ...DEPTH });
    before.drop();
    expect(socket.phase).toBe("connecting");
    network.last.open();
    expect(socket.phase).toBe("open");
  });

  test("[NET-5] close and error are told", () => {
    const { network, events } = startOpen();
    network.last.handlers.onError();
    network.last.drop();
    expect(events.filter((event) => !event.startsWith("connectHttp"))).toEqual([
      "connectOk",
      "connectError",
      "connectClose",
    ]);
  });

  test("[NET-5] attempts come ever more slowly, with jitter, up to half a minute, and start over after an answer", () => {
    const delays = (random: number) => {
      const { clock, network, socket } = start(random);
      socket.start();
      const found: number[] = [];
      for (let round = 0; round < 9; round += 1) {
        const made = network.connections.length;
        network.last.drop();
        let waitedMs = 0;
        while (network.connections.length === made) {
          clock.advance(50);
          waitedMs += 50;
        }
        found.push(waitedMs);
      }
      return found;
    };
    expect(delays(1)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(delays(0)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);

    const { clock, network, socket } = start();
    socket.start();
    for (let round = 0; round < 5; round += 1) {
      network.last.drop();
      clock.advance(30_000);
    }
    network.last.open();
    network.last.say({ event: "pong" });
    network.last.drop();
    const made = network.connections.length;
    clock.advance(500);
    expect(network.connections).toHaveLength(made + 1);
  });

  test("[NET-5] an attempt that never opens is given up after 10 s", () => {
    const { clock, network, socket } = start();
    socket.start();
    clock.advance(9_999);
    expect(network.last.closed).toBe(false);
    clock.advance(1);
    expect(network.last.closed).toBe(true);
    clock.advance(500);
    expect(network.connections).toHaveLength(2);
  });

  test("[NET-5] connectHttp comes at most every 30 s and connectHttp_1m every 60 s, for as long as it is down", () => {
    const { clock, network, socket } = start();
    const at: Record<string, number[]> = { connectHttp: [], connectHttp_1m: [] };
    const beganMs = clock.now();
    for (const event of ["connectHttp", "connectHttp_1m"] as ConnectionEvent[]) {
      socket.on(event, () => at[event]?.push((clock.now() - beganMs) / 1_000));
    }
    socket.start();
    network.last.drop();
    for (let second = 0; second < 125; second += 1) {
      clock.advance(1_000);
      if (socket.phase === "connecting") network.last.drop();
    }
    expect(at).toEqual({ connectHttp: [0, 30, 60, 90, 120], connectHttp_1m: [0, 60, 120] });
  });

  test("[NET-5] a flapping connection asks for HTTP no more often than the throttles allow", () => {
    const { clock, network, socket, events } = start();
    socket.start();
    for (let second = 0; second < 59; second += 1) {
      network.last.open();
      network.last.say({ event: "pong" });
      network.last.drop();
      clock.advance(1_000);
    }
    expect(events.filter((event) => event === "connectHttp")).toHaveLength(2);
    expect(events.filter((event) => event === "connectHttp_1m")).toHaveLength(1);
  });

  test("[NET-5] while open nobody is told to use HTTP", () => {
    const { clock, network, events } = startOpen();
    for (let beat = 0; beat < 100; beat += 1) {
      clock.advance(2_000);
      network.last.say({ event: "pong" });
    }
    expect(events).toEqual(["connectOk"]);
  });

  test("[NET-5] after stop nothing runs on, and a start takes the subscriptions up again", () => {
    const { clock, network, socket } = startOpen();
    socket.subscribe({ topic: DEPTH, onMessage: ignore });
    socket.stop();
    expect(clock.timerCount).toBe(0);
    clock.advance(3_600_000);
    expect(network.connections).toHaveLength(1);
    socket.start();
    network.last.open();
    expect(network.last.events()).toEqual(["sub"]);
  });

  test("[NET-5] there is one socket per URL", () => {
    const network = new FakeNetwork();
    const pool = createSocketPool({ clock: new ManualClock(), random: () => 0, open: network.open });
    expect(pool("ws://a")).toBe(pool("ws://a"));
    expect(pool("ws://a")).not.toBe(pool("ws://b"));
  });
});
