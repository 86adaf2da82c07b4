import type { ConnectionEvent } from "@clockwork/kit/constants";
import type { SocketTopic } from "@clockwork/kit/wire";
import { describe, expect, test } from "vitest";
import { createSocketPool, LiveSocket } from "./socket.ts";
import { ManualClock } from "./test-clock.ts";
import { startOpenSocket, startSocket } from "./test-socket.ts";
import { FakeNetwork } from "./test-wire.ts";

const DEPTH: SocketTopic = { channel: "depth", biz: "spot", pairCode: "BTC_USDT" };
const ignore = () => {};

describe("heartbeat", () => {
  test("[NET-5] a ping is sent every 2000 ms from the opening on", () => {
    const { clock, network } = startOpenSocket();
    clock.advance(1_999);
    expect(network.last.events()).toEqual([]);
    clock.advance(1);
    expect(network.last.sent).toEqual([{ event: "ping" }]);
    network.last.say({ event: "pong" });
    clock.advance(2_000);
    expect(network.last.events()).toEqual(["ping", "ping"]);
  });

  test("[NET-5] silence of exactly 10 s is borne, more than 10 s makes a new connection", () => {
    const { clock, network, socket, events } = startOpenSocket();
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
    const { clock, network } = startOpenSocket();
    for (let beat = 0; beat < 43_200; beat += 1) {
      clock.advance(2_000);
      network.last.say({ event: "pong" });
    }
    expect(network.connections).toHaveLength(1);
    expect(network.last.sent).toHaveLength(43_200);
  });

  test("[NET-5] a pong within the threshold starts the count anew", () => {
    const { clock, network } = startOpenSocket();
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

  test("[NET-5] pong messages reach no listener, and give the latency", () => {
    const { clock, network, socket } = startOpenSocket();
    const received: unknown[] = [];
    socket.subscribe({ topic: DEPTH, onMessage: (message) => received.push(message) });
    clock.advance(2_000);
    expect(socket.latencyMs).toBeUndefined();
    clock.advance(35);
    network.last.say({ event: "pong", ...DEPTH });
    expect(received).toEqual([]);
    expect(socket.latencyMs).toBe(35);
  });
});

describe("reconnection", () => {
  test("[NET-5] coming online makes a new connection at once, even over one that looks open", () => {
    const { network, socket } = startOpenSocket();
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

  test("[NET-5] close and error are reported", () => {
    const { network, events } = startOpenSocket();
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
      const { clock, network, socket } = startSocket(random);
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

    const { clock, network, socket } = startSocket();
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
    const { clock, network, socket } = startSocket();
    socket.start();
    clock.advance(9_999);
    expect(network.last.closed).toBe(false);
    clock.advance(1);
    expect(network.last.closed).toBe(true);
    clock.advance(500);
    expect(network.connections).toHaveLength(2);
  });

  test("[NET-5] connectHttp comes at most every 30 s and connectHttp_1m every 60 s, for as long as it is down", () => {
    const { clock, network, socket } = startSocket();
    const at: Record<string, number[]> = { connectHttp: [], connectHttp_1m: [] };
    const startedMs = clock.now();
    for (const event of ["connectHttp", "connectHttp_1m"] as ConnectionEvent[]) {
      socket.on(event, () => at[event]?.push((clock.now() - startedMs) / 1_000));
    }
    socket.start();
    network.last.drop();
    for (let second = 0; second < 125; second += 1) {
      clock.advance(1_000);
      if (socket.phase === "connecting") network.last.drop();
    }
    expect(at).toEqual({ connectHttp: [0, 30, 60, 90, 120], connectHttp_1m: [0, 60, 120] });
  });

  test("[NET-5] a flapping connection requests HTTP no more often than the throttles allow", () => {
    const { clock, network, socket, events } = startSocket();
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

  test("[NET-5] while open no HTTP fallback is requested", () => {
    const { clock, network, events } = startOpenSocket();
    for (let beat = 0; beat < 100; beat += 1) {
      clock.advance(2_000);
      network.last.say({ event: "pong" });
    }
    expect(events).toEqual(["connectOk"]);
  });

  test("[NET-5] after stop nothing runs on, and a start takes the subscriptions up again", () => {
    const { clock, network, socket } = startOpenSocket();
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
