import type { Channel, Snapshot } from "@clockwork/host/channel";
import { afterEach, describe, expect, test } from "vitest";
import { textFrame } from "./frame.ts";
import { maskedFrame, openClient, openRaw, type ServedSockets, serveSockets } from "./socket-fixture.ts";

let running: ServedSockets | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function serve(...args: Parameters<typeof serveSockets>): Promise<ServedSockets> {
  running = await serveSockets(...args);
  return running;
}

/** A number line: the state is the sum of all deltas, so a lost or doubled one shows. */
class Sums implements Channel {
  readonly channel = "sums";
  readonly kind = "sequenced";
  readonly retainMs = 1000;
  sequence = 0;
  total = 0;
  snapshots = 0;
  hold: Promise<void> | undefined;

  serves(): boolean {
    return true;
  }

  async snapshot(): Promise<Snapshot> {
    this.snapshots += 1;
    const state = { data: { total: this.total }, sequence: this.sequence };
    await this.hold;
    return state;
  }

  step(served: ServedSockets, padding = ""): void {
    this.sequence += 1;
    this.total += this.sequence;
    served.sockets.hub.publish({ channel: "sums" }, { add: this.sequence, padding }, { sequence: this.sequence });
  }
}

interface SumMessage {
  readonly event: string;
  readonly sequence?: number;
  readonly snapshot?: boolean;
  readonly resumed?: boolean;
  readonly data?: { total?: number; add?: number } | null;
}

/** Follows the stream as a careful client would, and insists that every delta follows what it has. */
function follow(messages: readonly SumMessage[], start?: { sequence: number; total: number }) {
  let sequence = start?.sequence;
  let total = start?.total ?? 0;
  for (const message of messages) {
    if (message.event !== "data" || message.resumed === true) continue;
    if (message.snapshot === true) {
      sequence = message.sequence;
      total = message.data?.total ?? Number.NaN;
    } else {
      expect(message.sequence).toBe((sequence ?? Number.NaN) + 1);
      sequence = message.sequence;
      total += message.data?.add ?? Number.NaN;
    }
  }
  return { sequence, total };
}

describe("frames", () => {
  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 70_000])("[NET-6] a text of %i bytes arrives whole", async (size) => {
    const text = JSON.stringify("é".repeat(Math.floor(size / 2)) + "x".repeat(size % 2));
    const channel: Channel = { channel: "c", kind: "latest", serves: () => true, snapshot: () => ({ data: text }) };
    const { url } = await serve({ channels: [channel] });
    const client = await openClient(url);
    client.send({ event: "sub", channel: "c" });
    expect((await client.until(({ event }) => event === "data")).data).toBe(text);
    expect(textFrame(text).length).toBeGreaterThan(Buffer.byteLength(text));
  });
});

describe("sequenced channels", () => {
  test("[NET-6] snapshot first, then every delta in order, for readers who come at any time", async () => {
    const sums = new Sums();
    const served = await serve({ channels: [sums] });
    const clients = [];
    for (let round = 0; round < 5; round += 1) {
      const client = await openClient(served.url);
      client.send({ event: "sub", channel: "sums" });
      await client.until(({ snapshot }) => snapshot === true);
      clients.push(client);
      for (let step = 0; step < 7; step += 1) sums.step(served);
    }
    for (const client of clients) {
      await client.until(({ sequence }) => sequence === sums.sequence);
      expect(follow(client.messages as SumMessage[])).toEqual({ sequence: sums.sequence, total: sums.total });
    }
  });

  test("[NET-6] deltas that happen while a snapshot is being made are not lost, and waiting readers share one", async () => {
    const sums = new Sums();
    const served = await serve({ channels: [sums] });
    for (let step = 0; step < 3; step += 1) sums.step(served);
    let release: () => void = () => undefined;
    sums.hold = new Promise((done) => {
      release = done;
    });
    const clients = await Promise.all([1, 2, 3].map(() => openClient(served.url)));
    for (const client of clients) client.send({ event: "sub", channel: "sums" });
    for (const client of clients) await client.settle();
    for (let step = 0; step < 10; step += 1) sums.step(served);
    release();
    for (const client of clients) {
      await client.until(({ sequence }) => sequence === 13);
      expect(follow(client.messages as SumMessage[])).toEqual({ sequence: 13, total: sums.total });
    }
    expect(sums.snapshots).toBe(1);
  });

  test("[NET-6] a reader resumes from its sequence with the missing deltas, or with a snapshot when they are gone", async () => {
    const sums = new Sums();
    const served = await serve({ channels: [sums], clock: () => 0 });
    const first = await openClient(served.url);
    first.send({ event: "sub", channel: "sums" });
    await first.until(({ snapshot }) => snapshot === true);
    for (let step = 0; step < 5; step += 1) sums.step(served);
    await first.until(({ sequence }) => sequence === 5);
    const had = { sequence: 5, total: sums.total };
    first.close();
    await first.closed;
    for (let step = 0; step < 4; step += 1) sums.step(served);

    const back = await openClient(served.url);
    back.send({ event: "sub", channel: "sums", data: { sequence: 5 } });
    await back.until(({ sequence }) => sequence === 9);
    expect(back.messages.some(({ snapshot }) => snapshot === true)).toBe(false);
    expect(follow(back.messages as SumMessage[], had)).toEqual({ sequence: 9, total: sums.total });

    const level = await openClient(served.url);
    level.send({ event: "sub", channel: "sums", data: { sequence: 9 } });
    expect(await level.until(({ event }) => event === "data")).toMatchObject({ resumed: true, sequence: 9 });

    for (const bogus of [10, 1e9, -1, 1.5, "9", null]) {
      const outsider = await openClient(served.url);
      outsider.send({ event: "sub", channel: "sums", data: { sequence: bogus } });
      await outsider.until(({ sequence }) => sequence === 9);
      expect(outsider.messages[0]).toMatchObject({ snapshot: true });
      expect(follow(outsider.messages as SumMessage[])).toEqual({ sequence: 9, total: sums.total });
    }
    for (let step = 0; step < 1000; step += 1) sums.step(served);
    const late = await openClient(served.url);
    late.send({ event: "sub", channel: "sums", data: { sequence: 5 } });
    expect(await late.until(({ event }) => event === "data")).toMatchObject({ snapshot: true, sequence: 1009 });
  });

  test("[NET-6] a source that skips sends every reader a snapshot; one that repeats is published once", async () => {
    const sums = new Sums();
    const served = await serve({ channels: [sums] });
    const client = await openClient(served.url);
    client.send({ event: "sub", channel: "sums" });
    await client.until(({ snapshot }) => snapshot === true);
    sums.step(served);
    served.sockets.hub.publish({ channel: "sums" }, { add: 99 }, { sequence: 1 });
    sums.sequence = 7;
    sums.step(served);
    await client.until(({ sequence, snapshot }) => snapshot === true && sequence === 8);
    sums.step(served);
    await client.until(({ sequence }) => sequence === 9);
    expect(follow(client.messages as SumMessage[]).total).toBe(sums.total);
  });

  test("[NET-6] an update may cover a span; a reader in it gets it, a reader before it gets a snapshot", async () => {
    const sums = new Sums();
    const served = await serve({ channels: [sums] });
    const client = await openClient(served.url);
    client.send({ event: "sub", channel: "sums" });
    await client.until(({ snapshot }) => snapshot === true);
    const span = (firstSequence: number, sequence: number) => {
      sums.sequence = sequence;
      served.sockets.hub.publish({ channel: "sums" }, { upTo: sequence }, { firstSequence, sequence });
    };
    span(1, 4);
    span(5, 9);
    await client.until(({ sequence }) => sequence === 9);
    const updates = client.messages.filter(({ event, snapshot }) => event === "data" && snapshot !== true);
    expect(updates.map(({ firstSequence, sequence }) => [firstSequence, sequence])).toEqual([
      [1, 4],
      [5, 9],
    ]);
    const midway = await openClient(served.url);
    midway.send({ event: "sub", channel: "sums", data: { sequence: 6 } });
    expect(await midway.until(({ event }) => event === "data")).toMatchObject({ firstSequence: 5, sequence: 9 });
    span(12, 14);
    await client.until(({ sequence, snapshot }) => snapshot === true && sequence === 14);
    const before = await openClient(served.url);
    before.send({ event: "sub", channel: "sums", data: { sequence: 10 } });
    expect(await before.until(({ event }) => event === "data")).toMatchObject({ snapshot: true, sequence: 14 });
  });

  test("[NET-6] where silence means no change, updates are contiguous and readers resume from any number", async () => {
    let position = 100;
    let snapshots = 0;
    const own: Channel = {
      channel: "own",
      kind: "sequenced",
      retainMs: 600_000,
      serves: () => true,
      position: () => position,
      snapshot: () => {
        snapshots += 1;
        return { data: "all", sequence: position };
      },
    };
    const served = await serve({ channels: [own], clock: () => 0 });
    const publish = (sequence: number) => {
      position = sequence;
      served.sockets.hub.publish({ channel: "own" }, `at ${sequence}`, { sequence });
    };
    const client = await openClient(served.url);
    client.send({ event: "sub", channel: "own" });
    expect(await client.until(({ event }) => event === "data")).toMatchObject({ snapshot: true, sequence: 100 });
    position = 130;
    publish(150);
    publish(151);
    position = 190;
    await client.until(({ sequence }) => sequence === 151);
    expect(client.messages.filter(({ event }) => event === "data").slice(1)).toMatchObject([
      { firstSequence: 101, sequence: 150, data: "at 150" },
      { sequence: 151, data: "at 151" },
    ]);
    client.close();
    await client.closed;
    publish(200);

    for (const [from, expected] of [
      [151, { firstSequence: 152, sequence: 200 }],
      [170, { firstSequence: 152, sequence: 200 }],
      [120, { firstSequence: 101, sequence: 150 }],
      [200, { resumed: true, sequence: 200 }],
    ] as const) {
      const back = await openClient(served.url);
      back.send({ event: "sub", channel: "own", data: { sequence: from } });
      expect(await back.until(({ event }) => event === "data")).toMatchObject(expected);
      await back.settle();
      expect(back.messages.some(({ snapshot }) => snapshot === true)).toBe(false);
    }
    expect(snapshots).toBe(1);
    position = 260;
    const quiet = await openClient(served.url);
    quiet.send({ event: "sub", channel: "own", data: { sequence: 255 } });
    expect(await quiet.until(({ event }) => event === "data")).toMatchObject({ resumed: true, sequence: 255 });
    for (const bogus of [99, 261]) {
      const outsider = await openClient(served.url);
      outsider.send({ event: "sub", channel: "own", data: { sequence: bogus } });
      expect(await outsider.until(({ event }) => event === "data")).toMatchObject({ snapshot: true });
    }
  });

  test("[NET-6] a snapshot that fails ends the subscription by name, not the connection", async () => {
    const channel: Channel = {
      channel: "broken",
      kind: "sequenced",
      serves: () => true,
      snapshot: () => Promise.reject(new Error("no")),
    };
    const { url, sockets } = await serve({ channels: [channel] });
    const client = await openClient(url);
    client.send({ event: "sub", channel: "broken" });
    expect((await client.until(({ event }) => event === "subfail")).data).toMatchObject({ code: "UNAVAILABLE" });
    await client.settle();
    expect(sockets.hub.subscriptions).toBe(0);
  });
});

describe("slow readers", () => {
  const BUFFER = 131_072;
  const PADDING = "x".repeat(2000);

  test("[NET-6] a reader that stops reading costs a bounded buffer, then gets the newest value when it reads again", async () => {
    const latest: Channel = { channel: "price", kind: "latest", serves: () => true };
    const served = await serve({ channels: [latest] }, { CW_SOCKET_BUFFER_BYTES: String(BUFFER) });
    const slow = await openRaw(served.served.port);
    slow.pause();
    slow.write(maskedFrame('{"event":"sub","channel":"price"}'));
    await expect.poll(() => served.sockets.hub.subscriptions).toBe(1);
    const quick = await openClient(served.url);
    quick.send({ event: "sub", channel: "price" });
    await quick.settle();
    const updates = 40_000;
    for (let value = 1; value <= updates; value += 1) {
      served.sockets.hub.publish({ channel: "price" }, { value, padding: PADDING });
      if (value % 50 === 0) await new Promise((done) => setImmediate(done));
      if (value % 1000 === 0) expect(served.sockets.unsentBytesMax).toBeLessThanOrEqual(BUFFER + 4096);
    }
    await quick.until(({ data }) => (data as { value?: number })?.value === updates);
    let text = "";
    slow.on("data", (part) => {
      text = (text + part.toString("latin1")).slice(-5000);
    });
    slow.resume();
    await expect.poll(() => text.includes(`"value":${updates},`), { timeout: 5000 }).toBe(true);
    expect(await served.metrics.registry.metrics()).toMatch(/cw_socket_conflated_total\{kind="latest"\} [1-9]/);
    slow.destroy();
  });

  test("[NET-6] a slow reader of a sequenced channel is brought level without a gap", async () => {
    const sums = new Sums();
    const served = await serve({ channels: [sums] }, { CW_SOCKET_BUFFER_BYTES: String(BUFFER) });
    const client = await openClient(served.url);
    client.send({ event: "sub", channel: "sums" });
    await client.until(({ snapshot }) => snapshot === true);
    client.socket.pause();
    for (let step = 0; step < 20_000; step += 1) {
      sums.step(served, PADDING);
      if (step % 50 === 0) await new Promise((done) => setImmediate(done));
      if (step % 1000 === 0) expect(served.sockets.unsentBytesMax).toBeLessThanOrEqual(BUFFER + 4096);
    }
    client.socket.resume();
    await client.until(({ sequence }) => sequence === sums.sequence);
    expect(follow(client.messages as SumMessage[])).toEqual({ sequence: sums.sequence, total: sums.total });
    expect(client.messages.length).toBeLessThan(20_000);
    expect(client.messages.filter(({ snapshot }) => snapshot === true).length).toBeGreaterThan(1);
  });

  test("[NET-6] a reader that never reads again is cut off and leaves nothing behind", async () => {
    let nowMs = 0;
    const latest: Channel = { channel: "price", kind: "latest", serves: () => true };
    const served = await serve(
      { channels: [latest], clock: () => nowMs, timings: { tickMs: 5, stalledMs: 1000, silentMs: 1e9 } },
      { CW_SOCKET_BUFFER_BYTES: String(BUFFER) },
    );
    const slow = await openRaw(served.served.port);
    slow.pause();
    slow.write(maskedFrame('{"event":"sub","channel":"price"}'));
    await expect.poll(() => served.sockets.hub.subscriptions).toBe(1);
    for (let value = 1; value <= 20_000; value += 1) {
      served.sockets.hub.publish({ channel: "price" }, { value, padding: PADDING });
      if (value % 50 === 0) await new Promise((done) => setImmediate(done));
    }
    nowMs = 1001;
    await expect.poll(() => served.sockets.open).toBe(0);
    expect([served.sockets.hub.subscriptions, served.sockets.hub.topics]).toEqual([0, 0]);
    slow.destroy();
  });
});
