import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Feed } from "./feed.ts";
import type { FeedDefinition, Snapshot } from "./feed-definition.ts";
import { LiveSocket } from "./socket.ts";
import { readLatest, readNumbered } from "./stream.ts";
import { ManualClock, settle } from "./test-clock.ts";
import { FakeNetwork } from "./test-wire.ts";

const TOPIC = { channel: "depth", pairCode: "BTC_USDT" };
const readNumber = (data: unknown) => (typeof data === "number" ? data : undefined);

/** The state is the last number applied; applying anything but the next number is a fault of the feed. */
const NUMBERS: FeedDefinition<number, number> = {
  topic: TOPIC,
  initial: 0,
  read: readNumbered(readNumber, readNumber),
  apply: (state, delta) => {
    if (delta !== state + 1) throw new Error(`applied ${delta} to ${state}`);
    return delta;
  },
};

function start(changes: Partial<FeedDefinition<number, number>> = {}, lingerMs = 0) {
  const clock = new ManualClock();
  const network = new FakeNetwork();
  network.answersPings = true;
  const socket = new LiveSocket({ url: "ws://test", clock, random: () => 1, open: network.open });
  const polls: boolean[] = [];
  const feed = new Feed<number, number>(
    { ...NUMBERS, ...changes },
    { socket, clock, lingerMs, reportPoll: (answered) => polls.push(answered) },
  );
  const snapshot = (sequence: number) =>
    network.last.say({ event: "data", ...TOPIC, sequence, snapshot: true, data: sequence });
  const delta = (sequence: number) => network.last.say({ event: "data", ...TOPIC, sequence, data: sequence });
  return { clock, network, socket, feed, polls, snapshot, delta };
}

function startLive(changes: Partial<FeedDefinition<number, number>> = {}) {
  const parts = start(changes);
  const release = parts.feed.hold();
  parts.network.last.open();
  parts.snapshot(10);
  return { ...parts, release };
}

describe("numbered streams", () => {
  test("[NET-6] a snapshot and the deltas that follow it make the state", () => {
    const { feed, delta } = startLive();
    delta(11);
    delta(12);
    expect(feed.get()).toMatchObject({ value: 12, status: "live", empty: false });
    expect(feed.counts).toMatchObject({ applied: 3, gaps: 0, duplicates: 0 });
  });

  test("[NET-6] deltas that came before their snapshot wait for it", () => {
    const { feed, network, snapshot, delta } = start();
    feed.hold();
    network.last.open();
    delta(9);
    delta(10);
    delta(11);
    expect(feed.get()).toMatchObject({ value: 0, status: "syncing", empty: true });
    snapshot(10);
    expect(feed.get()).toMatchObject({ value: 11, status: "live" });
  });

  test("[NET-6] what was seen before is dropped", () => {
    const { feed, delta, snapshot } = startLive();
    delta(11);
    delta(11);
    delta(10);
    snapshot(11);
    expect(feed.get().value).toBe(11);
    expect(feed.counts.duplicates).toBe(3);
  });

  test("[NET-6] a snapshot with smaller numbers is accepted: the server restarted", () => {
    const { feed, delta, snapshot } = startLive();
    snapshot(2);
    delta(3);
    expect(feed.get()).toMatchObject({ value: 3, status: "live" });
  });

  test("[NET-6] a resumption with nothing missing is confirmed, one that does not fit is a gap", () => {
    const { clock, feed, network, delta } = startLive({ resumable: true });
    const reopen = (sequence: number) => {
      network.last.drop();
      clock.advance(500);
      network.last.open();
      network.last.say({ event: "data", ...TOPIC, sequence, resumed: true, data: null });
    };
    reopen(10);
    expect(feed.get()).toMatchObject({ value: 10, status: "live" });
    delta(11);
    reopen(11);
    expect(feed.counts.gaps).toBe(0);
    reopen(14);
    expect(feed.get().status).toBe("stale");
    expect(feed.counts.gaps).toBe(1);
  });

  test("[NET-6] a gap is detected at once and filled by a fresh subscription", () => {
    const { feed, network, delta, snapshot } = startLive();
    network.last.sent.length = 0;
    delta(12);
    expect(feed.get()).toMatchObject({ value: 10, status: "stale" });
    expect(network.last.events()).toEqual(["unsub", "sub"]);
    delta(13);
    expect(network.last.events()).toHaveLength(2);
    snapshot(13);
    delta(14);
    expect(feed.get()).toMatchObject({ value: 14, status: "live" });
    expect(feed.counts.gaps).toBe(1);
  });

  test("[NET-6] a gap is healed over HTTP first where the stream has such an address", async () => {
    const requested: number[] = [];
    const { feed, network, delta } = startLive({
      fetch: async () => {
        requested.push(1);
        return { sequence: 12, state: 12 };
      },
    });
    network.last.sent.length = 0;
    delta(13);
    await settle();
    expect(requested).toEqual([1]);
    expect(network.last.events()).toEqual([]);
    expect(feed.get()).toMatchObject({ value: 13, status: "live" });
  });

  test("[NET-6] an HTTP answer older than what is shown is not shown", async () => {
    const { feed, delta } = startLive({ fetch: async () => ({ sequence: 9, state: 9 }) });
    delta(15);
    await settle();
    expect(feed.get()).toMatchObject({ value: 10, status: "stale" });
    expect(feed.sequence).toBe(10);
  });

  test("[NET-6] a gap in a resumable stream is healed by a whole snapshot, not by resuming into the same gap", () => {
    const { network, delta } = startLive({ resumable: true });
    network.last.sent.length = 0;
    delta(13);
    expect(network.last.sent).toEqual([
      { event: "unsub", ...TOPIC },
      { event: "sub", ...TOPIC },
    ]);
  });

  test("[NET-6] what was seen before does not confirm a resumption", () => {
    const { clock, feed, network, delta } = startLive({ resumable: true });
    network.last.drop();
    clock.advance(500);
    network.last.open();
    delta(10);
    expect(feed.get().status).toBe("syncing");
  });

  test("[NET-6] a snapshot too old to close the gap is not the end of it", async () => {
    const answers: Snapshot<number>[] = [{ sequence: 11, state: 11 }];
    const { clock, feed, network, delta, snapshot } = startLive({ fetch: async () => answers.shift() });
    network.last.sent.length = 0;
    delta(15);
    await settle();
    expect(feed.get()).toMatchObject({ value: 11, status: "stale" });
    await clock.advanceAsync(6_000);
    expect(network.last.events().filter((event) => event !== "ping")).toEqual(["unsub", "sub"]);
    snapshot(20);
    expect(feed.get()).toMatchObject({ value: 20, status: "live" });
  });

  test("[NET-6] a delta that was only late closes the gap itself", () => {
    const { feed, delta } = startLive({ fetch: () => new Promise(() => {}) });
    delta(12);
    delta(13);
    delta(11);
    expect(feed.get()).toMatchObject({ value: 13, status: "live" });
  });

  test("[NET-6] no snapshot after subscribing counts as a gap too", () => {
    const { clock, feed, network, snapshot } = start();
    feed.hold();
    network.last.open();
    clock.advance(2_999);
    expect(network.last.events()).not.toContain("unsub");
    clock.advance(1);
    expect(network.last.events()).toContain("unsub");
    snapshot(3);
    expect(feed.get()).toMatchObject({ value: 3, status: "live" });
  });

  test("[NET-6] a state whose checksum differs is discarded and fetched anew", () => {
    const { feed, network, delta, snapshot } = startLive({ verify: (state) => state !== 12 });
    delta(11);
    network.last.sent.length = 0;
    delta(12);
    expect(feed.get()).toMatchObject({ value: 11, status: "stale" });
    expect(network.last.events()).toEqual(["unsub", "sub"]);
    delta(13);
    expect(feed.get().value).toBe(11);
    snapshot(13);
    expect(feed.get()).toMatchObject({ value: 13, status: "live" });
  });

  test("[NET-6] after a reconnection a resumable stream sends its sequence and resumes from there", () => {
    const { clock, feed, network, delta } = startLive({ resumable: true });
    delta(11);
    network.last.drop();
    expect(feed.get()).toMatchObject({ value: 11, status: "syncing" });
    clock.advance(500);
    network.last.open();
    expect(network.last.sent).toEqual([{ event: "sub", ...TOPIC, data: { sequence: 11 } }]);
    delta(12);
    expect(feed.get()).toMatchObject({ value: 12, status: "live" });
    expect(feed.counts.gaps).toBe(0);
  });

  test("[NET-6] after a reconnection any other stream trusts only a new snapshot, even one with smaller numbers", () => {
    const { clock, feed, network, delta, snapshot } = startLive();
    network.last.drop();
    clock.advance(500);
    network.last.open();
    expect(network.last.sent).toEqual([{ event: "sub", ...TOPIC }]);
    delta(3);
    expect(feed.get()).toMatchObject({ value: 10, status: "syncing" });
    snapshot(2);
    expect(feed.get()).toMatchObject({ value: 3, status: "live" });
  });

  test("[NET-6] a refused stream reports it and retries, with growing delays", () => {
    const { clock, feed, network, snapshot } = start();
    feed.hold();
    network.last.open();
    network.last.say({ event: "subfail", ...TOPIC, data: { code: "UNAVAILABLE" } });
    expect(feed.get().status).toBe("refused");
    clock.advance(6_000);
    expect(network.last.events().filter((event) => event === "sub")).toHaveLength(2);
    snapshot(1);
    expect(feed.get().status).toBe("live");
  });

  test("[NET-6] with any loss, duplicate or swap on the way, the state ends right and no step is ever skipped", async () => {
    const fault = fc.constantFrom("send", "send", "send", "lose", "double", "swap", "drop", "garble");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fault, { maxLength: 80 }),
        fc.boolean(),
        fc.boolean(),
        async (faults, resumable, http) => {
          let truth = 10;
          const { clock, feed, network, snapshot, delta } = startLive({
            resumable,
            ...(http ? { fetch: async () => ({ sequence: truth, state: truth }) } : {}),
          });
          let late: number | undefined;
          const serve = (connection = network.last) => {
            for (const message of connection.sent.splice(0)) {
              const from = (message.data as { sequence: number } | undefined)?.sequence;
              if (message.event !== "sub") continue;
              if (from === undefined || from === truth) snapshot(truth);
              else for (let number = from + 1; number <= truth; number += 1) delta(number);
            }
          };
          const reopen = () => {
            clock.advance(1_000);
            network.last.open();
          };
          for (const kind of faults) {
            truth += 1;
            if (kind === "swap") {
              if (late !== undefined) delta(late);
              late = truth;
            } else if (kind === "drop") {
              late = undefined;
              network.last.drop();
              reopen();
            } else if (kind === "garble") network.last.handlers.onText('{"event":"data","channel":');
            else if (kind !== "lose") {
              delta(truth);
              if (kind === "double") delta(truth);
              if (late !== undefined) delta(late);
              late = undefined;
            }
            serve();
            await settle();
          }
          truth += 1;
          delta(truth);
          for (let round = 0; round < 8 && feed.get().status !== "live"; round += 1) {
            network.last.say({ event: "pong" });
            serve();
            await clock.advanceAsync(4_000, 500);
          }
          expect(feed.get()).toMatchObject({ value: truth, status: "live" });
          expect(feed.sequence).toBe(truth);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("while the socket is down", () => {
  test("[NET-5] a stream is polled over HTTP, reports it, and stops when the socket is back", async () => {
    let served = 10;
    const { clock, feed, network, polls, snapshot } = startLive({
      pollMs: 5_000,
      fetch: async () => {
        served += 1;
        return { sequence: served, state: served };
      },
    });
    network.last.drop();
    await clock.advanceAsync(1_499);
    expect(feed.get()).toMatchObject({ value: 10, status: "syncing" });
    await clock.advanceAsync(1);
    expect(feed.get()).toMatchObject({ value: 11, status: "polling" });
    await clock.advanceAsync(10_000, 500);
    expect(feed.counts.polls).toBe(3);
    expect(polls).toEqual([true, true, true]);
    network.last.open();
    snapshot(20);
    await clock.advanceAsync(60_000, 1_000);
    expect(feed.counts.polls).toBe(3);
    expect(feed.get().value).toBe(20);
  });

  test("[NET-5] failing polls make it stale, and time never runs backwards", async () => {
    const answers: (Snapshot<number> | undefined)[] = [
      { sequence: 30, state: 30 },
      { sequence: 25, state: 25 },
      undefined,
    ];
    const { clock, feed, network, polls } = startLive({ pollMs: 1_000, fetch: async () => answers.shift() });
    network.last.drop();
    await clock.advanceAsync(1_500);
    await clock.advanceAsync(1_000);
    expect(feed.get()).toMatchObject({ value: 30, status: "polling" });
    await clock.advanceAsync(1_000);
    expect(feed.get()).toMatchObject({ value: 30, status: "stale" });
    expect(polls).toEqual([true, true, false]);
  });

  test("[NET-5] a stream without an HTTP address is stale after the grace", async () => {
    const { clock, feed, network } = startLive();
    network.last.drop();
    await clock.advanceAsync(1_500, 100);
    expect(feed.get()).toMatchObject({ value: 10, status: "stale" });
  });
});

describe("holders", () => {
  test("[NET-5] the first holder opens the stream, the last closes it, a quick return keeps it", () => {
    const { clock, feed, network, snapshot } = start({}, 2_000);
    const first = feed.hold();
    network.last.open();
    snapshot(1);
    const second = feed.hold();
    first();
    first();
    second();
    clock.advance(1_999);
    const third = feed.hold();
    clock.advance(10_000);
    expect(network.last.events().filter((event) => event !== "ping")).toEqual(["sub"]);
    third();
    clock.advance(2_000);
    expect(network.last.events().filter((event) => event !== "ping")).toEqual(["sub", "unsub"]);
    expect(feed.get()).toMatchObject({ status: "idle", value: 1 });
  });

  test("[NET-6] a stream of latest values shows the newest and passes over what it cannot read", () => {
    const { feed, network } = start({ read: readLatest(readNumber) });
    feed.hold();
    network.last.open();
    network.last.say({ event: "data", ...TOPIC, data: 5 });
    network.last.say({ event: "data", ...TOPIC, data: "five" });
    network.last.say({ event: "data", ...TOPIC, data: 4 });
    expect(feed.get()).toMatchObject({ value: 4, status: "live" });
  });

  test("[NET-6] a quiet stream is live at once and silence on it is no gap", () => {
    const { clock, feed, network } = start({ quiet: true, read: readLatest(readNumber) });
    feed.hold();
    network.last.open();
    expect(feed.get().status).toBe("live");
    clock.advance(9_000);
    expect(network.last.events()).not.toContain("unsub");
  });
});
