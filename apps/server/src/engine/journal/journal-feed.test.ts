// Checks the journal's feed: commands and the core's ticks from two rings, merged by sequence, none lost, none twice,
// none before its turn, whatever the rings hold when they are read.
import { allOf } from "@clockwork/kit/all-of";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { RingWriter } from "../memory/ring.ts";
import { FrameReader, FrameWriter } from "./frame.ts";
import { JournalFeed, makeFeedMemory } from "./journal-feed.ts";
import { FeedList } from "./journal-fixture.ts";

const RING_BYTES = 1 << 12;

function makeRings(next = 1) {
  const memory = makeFeedMemory(RING_BYTES);
  const [commands, ticks] = [new RingWriter(memory.journalRing), new RingWriter(memory.tickRing)];
  return { commands, ticks, feed: new JournalFeed(memory, next) };
}

/** A command of the given length with its account and sequence; false when the ring is full. */
function put(ring: RingWriter, sequence: number, account: number, length = 32): boolean {
  const at = ring.reserve(length);
  if (at < 0) return false;
  ring.i32[at >> 2] = length | (7 << 16);
  ring.i32[(at >> 2) + 1] = account;
  ring.f64[(at >> 3) + 1] = sequence;
  ring.f64[(at >> 3) + 2] = 1_000 + sequence;
  ring.f64.fill(sequence, (at >> 3) + 3, (at + length) >> 3);
  ring.commit(length);
  ring.publish();
  return true;
}

test("[JOURNAL-2] commands and ticks are given out in the order the core applied them", () => {
  const { commands, ticks, feed } = makeRings();
  expect(feed.isEmpty()).toBe(true);
  for (const sequence of [1, 2, 5]) put(commands, sequence, 20);
  expect(feed.isEmpty()).toBe(false);
  for (const sequence of [3, 4, 6]) put(ticks, sequence, 0);
  const list = new FeedList();
  feed.pack(list);
  expect(list.found).toEqual([
    [1, 1_001, 20],
    [2, 1_002, 20],
    [3, 1_003, 0],
    [4, 1_004, 0],
    [5, 1_005, 20],
    [6, 1_006, 0],
  ]);
  expect(feed.isEmpty()).toBe(true);
  // A tick alone is no empty feed.
  put(ticks, 7, 0);
  expect(feed.isEmpty()).toBe(false);
  feed.pack(list);
  expect(list.found.at(-1)).toEqual([7, 1_007, 0]);
});

test("[JOURNAL-2] any mixture through rings that turn over many times comes out whole, once and in order, and room is free again", () => {
  const random = createRandom(9);
  const { commands, ticks, feed } = makeRings(100);
  const list = new FeedList();
  let next = 100;
  for (let round = 0; round < 400; round++) {
    for (let left = random.below(20); left > 0; left--) {
      const ring = random.below(3) === 0 ? ticks : commands;
      if (!put(ring, next, next * 3, 32 + 8 * random.below(8))) break;
      next++;
    }
    if (random.below(3) > 0) feed.pack(list);
  }
  feed.pack(list);
  expect(list.found.map(([sequence]) => sequence)).toEqual(Array.from({ length: next - 100 }, (_, at) => 100 + at));
  expect(
    allOf(list.found, ([sequence, timeMs, account]) => timeMs === 1_000 + sequence && account === sequence * 3),
  ).toBe(true);
  expect(next).toBeGreaterThan(1_500);
});

test("[JOURNAL-2] what a full batch leaves waits for the next, from the very command", () => {
  const { commands, ticks, feed } = makeRings();
  for (let sequence = 1; sequence <= 40; sequence++) put(sequence % 4 === 0 ? ticks : commands, sequence, sequence);
  const writer = new FrameWriter(150);
  const [reader, found] = [new FrameReader(), [] as number[]];
  let batches = 0;
  while (!feed.isEmpty()) {
    writer.reset();
    feed.pack(writer);
    const { firstSequence, count, timeMs, length } = writer;
    reader.open({ firstSequence, count, timeMs, frames: writer.bytes.slice(0, length) });
    while (reader.next() > 0) found.push(reader.f64[1] as number);
    batches++;
  }
  expect(batches).toBeGreaterThan(2);
  expect(found).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  // Ticks alone wait as well, and the feed is not empty.
  const late = makeRings();
  for (const sequence of [1, 2, 3]) put(late.ticks, sequence, 0);
  for (const sequence of [1, 2, 3]) {
    expect(late.feed.isEmpty()).toBe(false);
    const one = new FrameWriter(54);
    late.feed.pack(one);
    expect([one.count, one.firstSequence]).toEqual([1, sequence]);
  }
  expect(late.feed.isEmpty()).toBe(true);
});

test("[JOURNAL-2] a command that waits while none has the next sequence stops the journal, unless a tick has it", () => {
  const broken = makeRings();
  put(broken.commands, 1, 5);
  put(broken.commands, 3, 5);
  expect(() => broken.feed.pack(new FeedList())).toThrow("command 2 is missing before 3");
  // The batch is full: the next command and the next tick wait rightly.
  const full = new FrameWriter(54);
  const waiting = makeRings();
  for (const sequence of [1, 2, 3]) put(waiting.commands, sequence, 5);
  waiting.feed.pack(full);
  expect(full.count).toBe(1);
  const behind = makeRings();
  put(behind.commands, 1, 5);
  put(behind.commands, 3, 5);
  put(behind.ticks, 2, 0);
  const one = new FrameWriter(54);
  behind.feed.pack(one);
  expect(one.count).toBe(1);
  // A tick from the wrong end, with no command behind it, is only not its turn yet.
  const early = makeRings();
  put(early.ticks, 2, 0);
  const list = new FeedList();
  early.feed.pack(list);
  expect(list.found).toEqual([]);
  put(early.commands, 1, 5);
  early.feed.pack(list);
  expect(list.found.map(([sequence]) => sequence)).toEqual([1, 2]);
});
