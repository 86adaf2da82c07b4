import { type SocketTopic, topicKey } from "@clockwork/kit/wire";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startOpenSocket, startSocket } from "./test-socket.ts";

const DEPTH: SocketTopic = { channel: "depth", biz: "spot", pairCode: "BTC_USDT" };
const TICKER: SocketTopic = { channel: "ticker", biz: "spot", type: "all" };
const USER: SocketTopic = { channel: "user" };
const ignore = () => {};

describe("subscriptions", () => {
  test("[NET-5] on every opening all subscriptions are sent again, logins first", () => {
    const { clock, network, socket, events } = startSocket();
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
    const { network, socket } = startOpenSocket();
    const received: string[] = [];
    const first = socket.subscribe({ topic: DEPTH, onMessage: () => received.push("first") });
    const second = socket.subscribe({ topic: { ...DEPTH }, onMessage: () => received.push("second") });
    network.last.say({ event: "data", ...DEPTH, data: 1 });
    expect(received).toEqual(["first", "second"]);
    first();
    first();
    expect(network.last.events()).toEqual(["sub"]);
    network.last.say({ event: "data", ...DEPTH, data: 2 });
    expect(received).toEqual(["first", "second", "second"]);
    second();
    expect(network.last.sent).toEqual([
      { event: "sub", ...DEPTH },
      { event: "unsub", ...DEPTH },
    ]);
    expect(socket.subscriptionCount).toBe(0);
  });

  test("[NET-5] a message reaches its own topic and wider ones, never another", () => {
    const { network, socket } = startOpenSocket();
    const received: string[] = [];
    socket.subscribe({ topic: { channel: "depth" }, onMessage: () => received.push("all depth") });
    socket.subscribe({ topic: DEPTH, onMessage: () => received.push("BTC depth") });
    socket.subscribe({ topic: { ...DEPTH, pairCode: "ETH_USDT" }, onMessage: () => received.push("ETH depth") });
    network.last.say({ event: "data", ...DEPTH, base: "BTC", data: 1 });
    expect(received.sort()).toEqual(["BTC depth", "all depth"]);
  });

  test("[NET-5] unsubscribe-all sends unsub, or logout for login streams, and clears them", () => {
    const { clock, network, socket } = startOpenSocket();
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

  test("[NET-5] a refused subscription is reported by subfail and remains requested", () => {
    const { clock, network, socket, events } = startOpenSocket();
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

  test("[NET-5] private streams refused before the login was decided are requested again after it", () => {
    const { network, socket } = startOpenSocket();
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
    // The exchange could not identify the token's owner.
    network.last.say({ event: "error", data: { code: "UNAVAILABLE" } });
    expect(refused).toEqual(["orders", "login", "login"]);
  });

  test("[NET-5] a connection is kept signed in with the token of the moment, and signed out again", () => {
    const { clock, network, socket } = startOpenSocket();
    let token = "one";
    let refused = 0;
    const release = socket.login(
      () => token,
      () => {
        refused += 1;
      },
    );
    token = "two";
    network.last.drop();
    clock.advance(500);
    network.last.open();
    network.last.say({ event: "error", data: { code: "UNAUTHENTICATED" } });
    release();
    expect(network.connections.map(({ sent }) => sent)).toEqual([
      [{ event: "login", data: { token: "one" } }],
      [{ event: "login", data: { token: "two" } }, { event: "logout" }],
    ]);
    expect(refused).toBe(1);
  });

  test("[NET-5] more than ten subscriptions are sent again in batches, each of them once", () => {
    const { clock, network, socket } = startSocket();
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

  test("[NET-5] in any order of joins, leaves and reconnections, the server receives the current subscriptions", () => {
    const topics = [DEPTH, TICKER, USER, { channel: "trades" }];
    const step = fc.record({
      kind: fc.constantFrom("subscribe", "release", "drop", "online", "wait"),
      pick: fc.nat(20),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, network, socket } = startOpenSocket();
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
        const received: string[] = [];
        for (const message of network.last.sent) {
          if (message.event === "sub") received.push(topicKey(message));
          if (message.event === "unsub") received.splice(received.indexOf(topicKey(message)), 1);
        }
        expect(received.sort()).toEqual([...new Set(wanted)].sort());
      }),
      { numRuns: 300 },
    );
  });
});
