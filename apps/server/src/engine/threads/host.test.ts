// Checks the sequencer alone, without threads: what is stamped, what reaches the journal, and above all when events
// may be seen.
import { encodeCommand } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import { expect, test } from "vitest";
import { JournalFeed } from "../journal/journal-feed.ts";
import { FeedList } from "../journal/journal-fixture.ts";
import { allocateBuffers, EngineMemory } from "../memory/memory.ts";
import { RingReader, RingWriter } from "../memory/ring.ts";
import { CHUNK_HEADER_BYTES } from "./event-chunk.ts";
import { Host } from "./host.ts";
import { BREAKING_ACCOUNT, TIMER_ACCOUNT, testFactory } from "./test-machine.ts";

function makeHost(sequence = 0, clock = () => 1_000) {
  const sizes = { commandBytes: 1 << 16, eventBytes: 1 << 16 };
  const memory = new EngineMemory(allocateBuffers(sizes));
  const machine = Object.assign(testFactory.createMachine(), { sequence });
  memory.setDurable(sequence);
  const host = new Host({ memory, machine, clock, onTurn: () => true });
  const commands = new RingWriter(memory.commandRing);
  const events = new RingReader(memory.eventRing);
  const journal = new JournalFeed(memory, sequence + 1);
  /** False when the ring is full. */
  const submit = (command: Command): boolean => {
    const bytes = new Uint8Array(256);
    const length = encodeCommand(command, bytes);
    const at = commands.reserve(length);
    if (at < 0) return false;
    commands.bytes.set(bytes.subarray(0, length), at);
    commands.commit(length);
    commands.publish();
    return true;
  };
  /** Sequences of all events that can be seen now. */
  const seen = (): number[] => {
    const found: number[] = [];
    for (let at = events.peek(); at >= 0; at = events.peek()) {
      const total = events.i32[at >> 2] ?? 0;
      for (let from = at + CHUNK_HEADER_BYTES; from < at + total; from += 64)
        found.push(events.f64[(from >> 3) + 1] ?? 0);
      events.advance(total);
    }
    events.release();
    return found;
  };
  /** Sequence, time and account of all commands that the journal was given. */
  const journaled = (): number[][] => {
    const list = new FeedList();
    journal.pack(list);
    return list.found;
  };
  return { memory, host, submit, seen, journaled };
}

const cancel = (account: number): Command => ({ kind: "cancelOrder", account, orderId: 7 });

test("[ENGINE-13] no event is seen before the durable cursor has passed its command", () => {
  const { memory, host, submit, seen, journaled } = makeHost();
  for (const account of [20, 21]) {
    submit(cancel(account));
    host.step();
  }
  expect(host.machine.sequence).toBe(2);
  expect(seen()).toEqual([]);
  expect(journaled()).toEqual([
    [1, 1_000, 20],
    [2, 1_000, 21],
  ]);
  memory.setDurable(1);
  host.step();
  expect(seen()).toEqual([1]);
  host.step();
  expect(seen()).toEqual([]);
  memory.setDurable(2);
  host.step();
  expect(seen()).toEqual([2]);
});

test("[ENGINE-13] commands taken together are released together, when the last of them is durable", () => {
  const { memory, host, submit, seen } = makeHost();
  for (const account of [20, 21, 22]) submit(cancel(account));
  host.step();
  memory.setDurable(2);
  host.step();
  expect(seen()).toEqual([]);
  memory.setDurable(3);
  host.step();
  expect(seen()).toEqual([1, 2, 3]);
});

test("[ENGINE-13] the cursor continues beyond 32 bits", () => {
  const start = 2 ** 32 - 2;
  const { memory, host, submit, seen } = makeHost(start);
  for (let index = 1; index <= 4; index++) {
    submit(cancel(20));
    host.step();
    expect(seen()).toEqual([]);
    memory.setDurable(start + index);
    host.step();
    expect(seen()).toEqual([start + index]);
    expect(host.durableSequence).toBe(start + index);
  }
});

test("[ENGINE-5] a command that breaks a rule reaches neither the journal nor any reader", () => {
  const { memory, host, submit, seen, journaled } = makeHost();
  for (const account of [20, BREAKING_ACCOUNT, 21]) submit(cancel(account));
  host.step();
  expect(host.halted).toMatchObject({ rule: "TOY-1", sequence: 1 });
  expect(journaled()).toEqual([[1, 1_000, 20]]);
  memory.setDurable(1);
  host.releaseDurable();
  expect(seen()).toEqual([1]);
});

test("[ENGINE-8] time never goes back and a due timer comes before the commands that wait", () => {
  let nowMs = 5_000;
  const { host, submit, journaled } = makeHost(0, () => nowMs);
  submit(cancel(TIMER_ACCOUNT));
  host.step();
  nowMs = 4_000;
  submit(cancel(21));
  host.step();
  nowMs = 5_030;
  submit(cancel(22));
  host.step();
  expect(journaled()).toEqual([
    [1, 5_000, TIMER_ACCOUNT],
    [2, 5_000, 21],
    [3, 5_030, 0],
    [4, 5_030, 22],
  ]);
});

test("[ENGINE-6] while the journal is behind, commands keep their room and no more are taken; none is lost", () => {
  const { memory, host, submit, seen, journaled } = makeHost();
  const accepted: number[] = [];
  const work = (account: number): void => {
    while (submit(cancel(account))) accepted.push(account);
    while (host.step() > 0) {
      memory.setDurable(host.sequence);
      host.releaseDurable();
      seen();
    }
  };
  // 32 bytes each: the commands' ring of 64 KiB takes 2 048, applied or not, until the journal has read them.
  work(20);
  expect(host.sequence).toBe(2_048);
  work(21);
  expect(accepted.length).toBe(2_048);
  const first = journaled();
  work(22);
  const second = journaled();
  expect(host.halted).toBeUndefined();
  expect([...first, ...second].map(([, , account]) => account)).toEqual(accepted);
  expect(second.at(-1)?.[0]).toBe(4_096);
});

test("[ENGINE-8] ticks and commands reach the journal in the order they were applied, however late it looks", () => {
  let nowMs = 1_000;
  const { host, submit, journaled } = makeHost(0, () => nowMs);
  for (let turn = 0; turn < 50; turn++, nowMs += 40) {
    submit(cancel(turn % 3 === 0 ? TIMER_ACCOUNT : 21));
    host.step();
  }
  const found = journaled();
  expect(found.map(([sequence]) => sequence)).toEqual(Array.from({ length: host.sequence }, (_, index) => index + 1));
  expect(found.filter(([, , account]) => account === 0).length).toBeGreaterThan(5);
  expect(found.map(([, time]) => time ?? 0)).toEqual(found.map(([, time]) => time ?? 0).sort((a, b) => a - b));
});

test("[ENGINE-15] a sequence that is missing stops the journal instead of being skipped", () => {
  const { memory, host, submit } = makeHost();
  submit(cancel(20));
  host.step();
  const feed = new JournalFeed(memory, 2);
  expect(() => feed.pack(new FeedList())).toThrow("command 2 is missing before 1");
});
