// Checks that a machine which writes its events directly into the ring delivers to main exactly what one with its own
// log does: through every wrap of the ring, and where one command's events outgrow their part of it.

import { createMachine } from "@clockwork/core/machine/machine";
import { encodeCommand } from "@clockwork/core/protocol/codec";
import type { Command } from "@clockwork/core/protocol/command";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { JournalFeed } from "../journal/journal-feed.ts";
import { FeedList } from "../journal/journal-fixture.ts";
import { allocateBuffers, EngineMemory } from "../memory/memory.ts";
import { RingReader, RingWriter } from "../memory/ring.ts";
import { CHUNK_HEADER_BYTES, FLAG_CONTINUES } from "./event-chunk.ts";
import { Host } from "./host.ts";

const MAKERS = 4;
const FIRST = 16;

/** A small market: makers rest many orders, now and then one order sweeps them all. */
function* drawCommands(count: number): Generator<Command> {
  const random = createRandom(11);
  yield { kind: "listAsset", scale: 8, symbol: "BTC" };
  yield { kind: "listAsset", scale: 6, symbol: "USDT" };
  yield {
    kind: "listMarket",
    base: 1,
    quote: 2,
    tickMantissa: 1,
    tickDecimals: 1,
    stepUnits: 1_000,
    symbol: "BTC/USDT",
  };
  for (let i = 0; i < MAKERS; i++) {
    const account = FIRST + i;
    yield { kind: "createAccount", user: i + 1, book: "spot" };
    for (const asset of [1, 2])
      yield { kind: "mint", account, asset, business: "deposit", units: 1e13, reference: `${account}.${asset}` };
  }
  for (let i = 0; i < count; i++) {
    const sweep = i % 97 === 96;
    const order = { kind: "placeOrder", market: 1, account: FIRST + random.below(MAKERS - 1) } as const;
    if (sweep) yield { ...order, account: FIRST + MAKERS - 1, side: "buy", price: 1_090, quantity: 5_000 };
    else yield { ...order, side: "sell", price: 1_000 + random.below(90), quantity: 1 + random.below(9) };
  }
}

/** Runs all commands through a host and returns the bytes of all events main sees, chunks joined. */
function play(direct: boolean): { bytes: Buffer; chunks: number; continued: number; hash: string } {
  const buffers = allocateBuffers({ commandBytes: 1 << 16, eventBytes: 1 << 16 });
  const memory = new EngineMemory(buffers);
  const machine = createMachine({ fastPathsAfter: 0, ...(direct ? { eventBuffer: buffers.events } : {}) });
  const events = new RingReader(memory.eventRing);
  const commands = new RingWriter(memory.commandRing);
  const journal = new JournalFeed(memory, 1);
  const pieces: Uint8Array[] = [];
  let continued = 0;
  const commit = (): void => {
    const list = new FeedList();
    journal.pack(list);
    for (const [sequence] of list.found) memory.setDurable(sequence);
  };
  const read = (): void => {
    for (let at = events.peek(); at >= 0; at = events.peek()) {
      const total = events.i32[at >> 2] ?? 0;
      if (((events.i32[(at >> 2) + 1] ?? 0) & FLAG_CONTINUES) !== 0) continued++;
      pieces.push(events.bytes.slice(at + CHUNK_HEADER_BYTES, at + total));
      events.advance(total);
    }
    events.release();
  };
  const host = new Host({
    memory,
    machine,
    clock: () => 1_000,
    onTurn: () => true,
    onEventsFull: () => {
      commit();
      host.releaseDurable();
      read();
    },
  });
  const bytes = new Uint8Array(512);
  for (const command of drawCommands(2_000)) {
    const length = encodeCommand(command, bytes);
    commands.bytes.set(bytes.subarray(0, length), commands.reserve(length));
    commands.commit(length);
    commands.publish();
    host.step();
    expect(host.halted).toBeUndefined();
    commit();
    host.releaseDurable();
    read();
  }
  return { bytes: Buffer.concat(pieces), chunks: pieces.length, continued, hash: machine.stateHash() };
}

test("[ENGINE-14] events written into the ring by the machine are those it would have logged", () => {
  const [direct, copied] = [play(true), play(false)];
  expect(direct.hash).toBe(copied.hash);
  expect(direct.bytes.length).toBeGreaterThan(10 << 16);
  expect(direct.bytes.equals(copied.bytes)).toBe(true);
  // Some commands had more events than their part of the ring holds.
  expect(direct.continued).toBeGreaterThan(0);
});
