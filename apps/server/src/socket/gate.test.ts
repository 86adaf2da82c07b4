import { randomBytes } from "node:crypto";
import { type Channel, SOCKET_MESSAGES } from "@clockwork/host/channel";
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { SystemStatus } from "../http/system.ts";
import { authenticateBy } from "./protocol.ts";
import { type Client, maskedFrame, openClient, openRaw, type ServedSockets, serveSockets } from "./socket-fixture.ts";
import { statusChannel } from "./status.ts";

let running: ServedSockets | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function serve(...args: Parameters<typeof serveSockets>): Promise<ServedSockets> {
  running = await serveSockets(...args);
  return running;
}

const STATUS: SystemStatus = {
  version: "1",
  startedAt: "2026-01-01T00:00:00.000Z",
  core: { state: "running", sequence: 7, durableSequence: 7 },
};

const PLAIN: Channel = { channel: "plain", kind: "latest", serves: () => true, snapshot: () => ({ data: "first" }) };
const OWN: Channel = {
  channel: "own",
  kind: "latest",
  isPrivate: true,
  serves: () => true,
  snapshot: (_, account) => ({ data: { account } }),
};

async function counter(served: ServedSockets, name: string): Promise<number> {
  const text = await served.metrics.registry.metrics();
  return Number(new RegExp(`^${name.replace(/[{}"]/g, "\\$&")} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

describe("conversation", () => {
  test("[NET-5] ping is answered with pong, sub with data in the message's shape, unsub with silence", async () => {
    const { url, sockets } = await serve({ channels: [PLAIN] });
    const client = await openClient(url);
    client.send({ event: "ping" });
    client.send({ event: "sub", channel: "plain", biz: "spot", type: "t", pairCode: "BTC_USDT", base: "BTC" });
    const first = await client.until(({ event }) => event === "data");
    expect(client.messages[0]).toEqual({ event: "pong" });
    const topic = { channel: "plain", biz: "spot", type: "t", pairCode: "BTC_USDT", base: "BTC" };
    expect(first).toEqual({ event: "data", ...topic, data: "first" });
    sockets.hub.publish(topic, { n: 1 });
    expect(await client.until(({ data }) => data !== undefined && data !== "first")).toEqual({
      event: "data",
      ...topic,
      data: { n: 1 },
    });
    client.send({ event: "unsub", ...topic });
    await client.settle();
    sockets.hub.publish(topic, { n: 2 });
    await client.settle();
    expect(client.messages.filter(({ event }) => event === "data")).toHaveLength(2);
    expect(sockets.hub.topics).toBe(0);
  });

  test("[NET-5] absent, null and empty parts name the same stream; many streams fit one message", async () => {
    const { url, sockets } = await serve({ channels: [PLAIN] });
    const client = await openClient(url);
    client.send({ event: "sub", channel: "plain", type: "a", biz: "", base: null });
    client.send({ event: "sub", channel: "plain", type: "a" });
    client.send({
      event: "sub",
      data: [{ channel: "plain", type: "b" }, { channel: "plain", type: "c" }, { channel: 5 }, null],
    });
    await client.settle();
    expect(sockets.hub.subscriptions).toBe(3);
    expect(client.messages.filter(({ event }) => event === "subfail")).toHaveLength(2);
  });

  const odd: [string, unknown, string, string][] = [
    ["half a JSON", "{", "error", "MALFORMED_MESSAGE"],
    ["a list", "[]", "error", "MALFORMED_MESSAGE"],
    ["null", "null", "error", "MALFORMED_MESSAGE"],
    ["no event", { channel: "plain" }, "error", "MALFORMED_MESSAGE"],
    ["a number as channel", { event: "sub", channel: 5 }, "error", "MALFORMED_MESSAGE"],
    ["an unknown event", { event: "constructor" }, "error", "UNKNOWN_EVENT"],
    ["no channel", { event: "sub" }, "subfail", "UNKNOWN_CHANNEL"],
    ["an unknown channel", { event: "sub", channel: "__proto__" }, "subfail", "UNKNOWN_CHANNEL"],
    ["a long name", { event: "sub", channel: "plain", type: "x".repeat(65) }, "subfail", "UNKNOWN_CHANNEL"],
    ["a separator in a name", { event: "sub", channel: "plain", type: "a|b" }, "subfail", "UNKNOWN_CHANNEL"],
    ["a private stream without login", { event: "sub", channel: "own" }, "subfail", "UNAUTHENTICATED"],
    ["a login without token", { event: "login" }, "error", "UNAUTHENTICATED"],
    ["a login with a wrong token", { event: "login", data: { token: "x" } }, "error", "UNAUTHENTICATED"],
    [
      "too many at once",
      { event: "sub", data: Array.from({ length: 201 }, () => ({ channel: "plain" })) },
      "error",
      "MALFORMED_MESSAGE",
    ],
  ];
  test.each(odd)("[NET-5] %s is refused by name and the connection lives on", async (_, message, event, code) => {
    const { url } = await serve({ channels: [PLAIN, OWN] });
    const client = await openClient(url);
    client.send(message);
    const refused = await client.until((one) => one.event === event);
    expect(refused.data).toEqual({ code, message: SOCKET_MESSAGES[code as keyof typeof SOCKET_MESSAGES] });
    await client.settle();
  });

  test("[NET-6] system status comes at once, then regularly while read, and costs nothing without readers", async () => {
    let requested = 0;
    const status = () => {
      requested += 1;
      return STATUS;
    };
    const { url, sockets } = await serve({ channels: [statusChannel(status, () => sockets.hub, 20)] });
    const client = await openClient(url);
    expect(requested).toBe(0);
    client.send({ event: "sub", channel: "system", type: "status" });
    await client.until(() => client.messages.length >= 4);
    expect(client.messages[0]).toEqual({ event: "data", channel: "system", type: "status", data: STATUS });
    client.send({ event: "unsub", channel: "system", type: "status" });
    await client.settle();
    const before = requested;
    await new Promise((done) => setTimeout(done, 80));
    expect(requested).toBe(before);
    client.send({ event: "sub", channel: "system", type: "other" });
    expect((await client.until(({ event }) => event === "subfail")).channel).toBe("system");
  });

  test("[NET-6] private streams show each reader their own, end with logout and with the session", async () => {
    let nowMs = 0;
    const authenticate = async (token: string) =>
      token.startsWith("good-") ? { account: token.slice(5), endsMs: token === "good-brief" ? 50 : 1e9 } : null;
    const { url, sockets } = await serve({
      channels: [OWN],
      authenticate,
      clock: () => nowMs,
      timings: { tickMs: 10, silentMs: 1e9 },
    });
    const enter = async (token: string): Promise<Client> => {
      const client = await openClient(url);
      client.send({ event: "login", channel: "own", data: { token } });
      await client.until(({ event }) => event === "data");
      return client;
    };
    const [ann, bob, brief] = [await enter("good-ann"), await enter("good-bob"), await enter("good-brief")];
    sockets.hub.publish({ channel: "own" }, "for ann", { account: "ann" });
    sockets.hub.publish({ channel: "own" }, "for nobody");
    await ann.until(({ data }) => data === "for ann");
    await bob.settle();
    expect(bob.messages.filter(({ event }) => event === "data").map(({ data }) => data)).toEqual([{ account: "bob" }]);
    ann.send({ event: "logout" });
    await ann.settle();
    sockets.hub.publish({ channel: "own" }, "late", { account: "ann" });
    await ann.settle();
    expect(ann.messages.some(({ data }) => data === "late")).toBe(false);
    nowMs = 60;
    expect((await brief.until(({ event }) => event === "error")).data).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(sockets.hub.subscriptions).toBe(1);
  });

  test("[NET-6] a socket may authenticate in several ways: tried in order up to the first success", async () => {
    const requested: string[] = [];
    const way = (name: string) => ({
      name,
      authenticate: async (token: string) => {
        requested.push(name);
        return token.startsWith(`${name}-`) ? { account: token } : null;
      },
    });
    const { url } = await serve({ channels: [OWN], authenticate: authenticateBy([way("cookie"), way("key")]) });
    const client = await openClient(url);
    const enter = (token: string) => client.send({ event: "login", data: { token } });
    enter("key-ann");
    expect((await client.until(({ event }) => event === "login")).data).toEqual({ account: "key-ann" });
    enter("cookie-bob");
    await client.until(({ data }) => (data as { account?: string } | null)?.account === "cookie-bob");
    enter("stranger");
    expect((await client.until(({ event }) => event === "error")).data).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(requested).toEqual(["cookie", "key", "cookie", "cookie", "key"]);
  });

  test("[NET-6] a login that cannot be decided now is refused, is not counted as wrong, and may repeat", async () => {
    let isDown = true;
    const authenticate = async (token: string) => {
      if (isDown) throw new Error("no database");
      return { account: token };
    };
    const { url } = await serve({ channels: [OWN], authenticate });
    const client = await openClient(url);
    for (let attempt = 0; attempt < 10; attempt += 1) client.send({ event: "login", data: { token: "ann" } });
    await expect.poll(() => client.messages.length).toBe(10);
    expect(client.messages[9]).toMatchObject({ event: "error", data: { code: "UNAVAILABLE" } });
    expect(client.messages[9]).not.toHaveProperty("channel");
    isDown = false;
    client.send({ event: "login", data: { token: "ann" } });
    expect((await client.until(({ event }) => event === "login")).data).toEqual({ account: "ann" });
  });
});

describe("limits", () => {
  test("[NET-6] subscriptions are bounded per connection", async () => {
    const { url, sockets } = await serve({ channels: [PLAIN] }, { CW_SOCKET_SUBSCRIPTIONS: "3" });
    const client = await openClient(url);
    for (const type of ["a", "b", "c", "d"]) client.send({ event: "sub", channel: "plain", type });
    const refused = await client.until(({ event }) => event === "subfail");
    expect(refused).toMatchObject({ type: "d", data: { code: "TOO_MANY_SUBSCRIPTIONS" } });
    client.send({ event: "unsub", channel: "plain", type: "a" });
    client.send({ event: "sub", channel: "plain", type: "d" });
    await client.until(({ event, type }) => event === "data" && type === "d");
    expect(sockets.hub.subscriptions).toBe(3);
    client.close();
    await client.closed;
    await expect.poll(() => sockets.hub.subscriptions).toBe(0);
  });

  test("[NET-6] control messages beyond five a second are refused after a burst, and a flood is cut off", async () => {
    let nowMs = 0;
    const served = await serve({ channels: [PLAIN], clock: () => nowMs });
    const client = await openClient(served.url);
    for (let count = 0; count < 51; count += 1) client.send({ event: "ping" });
    expect((await client.until(({ event }) => event === "error")).data).toMatchObject({ code: "RATE_LIMITED" });
    expect(client.messages.filter(({ event }) => event === "pong")).toHaveLength(50);
    nowMs = 1000;
    for (let count = 0; count < 6; count += 1) client.send({ event: "ping" });
    await client.until(() => client.messages.filter(({ event }) => event === "error").length === 2);
    expect(client.messages.filter(({ event }) => event === "pong")).toHaveLength(55);
    for (let count = 0; count < 60; count += 1) client.send({ event: "ping" });
    expect(await client.closed).toEqual({ code: 1008, reason: "flood" });
    await expect.poll(() => counter(served, 'cw_sockets_closed_total{reason="flood"}')).toBe(1);
  });

  test("[NET-6] connections are bounded per address and in all; a left one makes room", async () => {
    const { url, sockets } = await serve({}, { CW_SOCKETS_PER_ADDRESS: "2" });
    const first = await openClient(url);
    await openClient(url);
    await expect(openClient(url)).rejects.toThrow("429");
    await expect(openClient(url, { headers: { "x-forwarded-for": "9.9.9.9" } })).rejects.toThrow("429");
    first.close();
    await expect.poll(() => sockets.open).toBe(1);
    await openClient(url);
    await running?.close();
    const small = await serve({}, { CW_SOCKETS_MAX: "1" });
    await openClient(small.url);
    await expect(openClient(small.url)).rejects.toThrow("503");
  });

  test("[NET-6] an address that opens and leaves in haste is held back for the minute", async () => {
    let nowMs = 0;
    const { url } = await serve({ clock: () => nowMs }, { CW_SOCKET_OPENS_PER_MINUTE: "3" });
    for (let count = 0; count < 3; count += 1) (await openClient(url)).close();
    await expect(openClient(url)).rejects.toThrow("429");
    nowMs = 60_000;
    await openClient(url);
  });

  test("[NET-5] foreign origins, other addresses and large or binary messages are refused", async () => {
    const { url, served } = await serve({ channels: [PLAIN] });
    await expect(openClient(url, { origin: "https://evil.example" })).rejects.toThrow("403");
    await expect(openClient(url, { headers: { "sec-fetch-site": "cross-site" } })).rejects.toThrow("403");
    await expect(openClient(url, { headers: { host: "rebound.example" } })).rejects.toThrow("421");
    await expect(openClient(url.replace("/ws", "/other"))).rejects.toThrow("404");
    await openClient(url, { origin: served.url });
    const large = await openClient(url);
    large.send("x".repeat(40_000));
    expect((await large.closed).code).toBe(1009);
    const binary = await openClient(url);
    binary.socket.send(Buffer.from([1, 2, 3]));
    expect((await binary.closed).code).toBe(1003);
    const guesser = await openClient(url);
    for (let attempt = 0; attempt < 5; attempt += 1)
      guesser.send({ event: "login", data: { token: `guess${attempt}` } });
    expect(await guesser.closed).toEqual({ code: 1008, reason: "login" });
  });

  test("[NET-5] a silent peer is cut, one that answers pings remains", async () => {
    let nowMs = 0;
    const { url, served, sockets } = await serve({
      clock: () => nowMs,
      timings: { tickMs: 5, pingMs: 10, silentMs: 100 },
    });
    const alive = await openClient(url);
    const pinged = new Promise<void>((done) => alive.socket.once("ping", () => done()));
    const dead = await openRaw(served.port);
    expect(sockets.open).toBe(2);
    nowMs = 50;
    await pinged;
    await alive.settle();
    nowMs = 120;
    await new Promise((done) => dead.once("close", done));
    await alive.settle();
    expect(sockets.open).toBe(1);
  });

  test("[NET-5] at shutdown every reader is closed with code 1001, and no new one is accepted", async () => {
    const { url, sockets, served } = await serve();
    const clients = await Promise.all([openClient(url), openClient(url)]);
    served.app.drain.begin();
    await expect(openClient(url)).rejects.toThrow("503");
    await sockets.close();
    for (const client of clients) expect(await client.closed).toEqual({ code: 1001, reason: "shutdown" });
    expect(sockets.open).toBe(0);
  });
});

describe("fuzz", () => {
  test("[NET-5] no bytes after the handshake bring the server down or leave anything behind", async () => {
    const { served, sockets, url } = await serve({ channels: [PLAIN, OWN] });
    const frame = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 300, unit: "binary" }).map(maskedFrame),
      fc
        .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.uint8Array({ maxLength: 20 }))
        .map(([a, b, rest]) => Buffer.from([a, b, ...rest])),
      fc.constant(Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
      fc.json().map((text) => maskedFrame(text.slice(0, 5000))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 6 }), async (frames) => {
        const socket = await openRaw(served.port);
        for (const bytes of frames) socket.write(bytes);
        await new Promise<void>((done) => socket.end(() => done()));
        socket.destroy();
      }),
      { numRuns: 150 },
    );
    await expect.poll(() => sockets.open).toBe(0);
    expect([sockets.hub.subscriptions, sockets.hub.topics]).toEqual([0, 0]);
    const client = await openClient(url);
    await client.settle();
  });

  test("[NET-5] no well-formed message, however odd its content, ends a connection or goes unanswered", async () => {
    const { url } = await serve({ channels: [PLAIN, OWN] }, { CW_SOCKET_MESSAGES_PER_SECOND: "10000" });
    const client = await openClient(url);
    const event = fc.constantFrom("sub", "unsub", "ping", "logout", "toString", "__proto__");
    const part = fc.oneof(fc.constantFrom("plain", "own", "system", "", "__proto__"), fc.anything());
    await fc.assert(
      fc.asyncProperty(
        fc.record(
          { event, channel: part, biz: part, type: part, pairCode: part, base: part, data: fc.jsonValue() },
          { requiredKeys: ["event"] },
        ),
        async (message) => {
          let text: string;
          try {
            text = JSON.stringify(message);
          } catch {
            return;
          }
          client.send(text.slice(0, 30_000));
          await client.settle();
        },
      ),
      { numRuns: 300 },
    );
    client.send(randomBytes(8).toString("hex"));
    await client.settle();
  });
});
