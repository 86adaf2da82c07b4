// Checks that packing and unpacking return the exact bytes, for commands of every kind and shape.

import { encodeBatch, encodeCommand, stampCommand } from "@clockwork/core/protocol/codec";
import { COMMAND_LENGTH_MAX, type Command } from "@clockwork/core/protocol/command";
import { allOf } from "@clockwork/kit/all-of";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EngineFault } from "../memory/fault.ts";
import { FrameReader, FrameWriter, frameBytesMax } from "./frame.ts";

const ROOM = 1 << 16;

function packed(commands: readonly ((bytes: Uint8Array, at: number) => number)[], times: readonly number[]) {
  const bytes = new Uint8Array(ROOM);
  const view = new DataView(bytes.buffer);
  const writer = new FrameWriter(ROOM);
  const raw: Buffer[] = [];
  let at = 0;
  for (const [index, encode] of commands.entries()) {
    const length = encode(bytes, at);
    stampCommand(view, at, 500 + index, times[index] ?? 0);
    const before = writer.length;
    const end = writer.pack(new Int32Array(bytes.buffer), new Float64Array(bytes.buffer), at, ROOM, 500 + index);
    expect(end).toBe(at + length);
    expect(writer.length - before).toBeLessThanOrEqual(frameBytesMax(length));
    raw.push(Buffer.from(bytes.slice(at, at + length)));
    at += length;
  }
  const { firstSequence, count, timeMs, length } = writer;
  return { raw, rawBytes: at, batch: { firstSequence, count, timeMs, frames: writer.bytes.slice(0, length) } };
}

function unpacked(batch: { firstSequence: number; count: number; timeMs: number; frames: Uint8Array }): Buffer[] {
  const reader = new FrameReader();
  const found: Buffer[] = [];
  reader.open(batch);
  for (let length = reader.next(); length > 0; length = reader.next()) {
    found.push(Buffer.from(reader.bytes.slice(0, length)));
    // Beyond its length a command must read as zero.
    expect(allOf(reader.bytes.subarray(length), (byte) => byte === 0)).toBe(true);
  }
  expect(filledOf(batch)).toEqual(found);
  return found;
}

/** The same commands as a replay takes them, many on end, each with its sequence. */
function filledOf(batch: Parameters<FrameReader["open"]>[0]): Buffer[] {
  const from = 64;
  const reader = new FrameReader(new SharedArrayBuffer(from + COMMAND_LENGTH_MAX * 2));
  const found: Buffer[] = [];
  reader.open(batch);
  for (;;) {
    const end = reader.fill(from, reader.bytes.length, Number.MAX_SAFE_INTEGER);
    if (end === from) return found;
    for (let at = from; at < end; ) {
      const length = (reader.i32[at >> 2] as number) & 0xffff;
      expect(reader.f64[(at >> 3) + 1]).toBe(batch.firstSequence + found.length);
      found.push(Buffer.from(reader.bytes.slice(at, at + length)));
      at += length;
    }
  }
}

const encoder = (command: Command) => (bytes: Uint8Array, at: number) => encodeCommand(command, bytes, at);
const limit: Command = { kind: "placeOrder", account: 17, market: 0, price: 650_001, quantity: 1234, side: "sell" };

test("[FRAME-1] stamped commands come back byte for byte, nested batches included", () => {
  const orders: Command[] = [limit, { ...limit, account: -1, price: -5, clientOrderId: "a-client/order.id:1" }];
  const commands = [
    encoder({ kind: "tick" }),
    encoder(limit),
    (bytes: Uint8Array, at: number) => encodeBatch(99_000_000, orders, bytes, at),
    encoder({ kind: "cancelOrder", account: 17, orderId: 2 ** 52 + 77 }),
    encoder({
      kind: "mint",
      account: 16,
      asset: 2,
      business: "deposit",
      units: 2 ** 53 - 1,
      reference: "r".repeat(36),
    }),
  ];
  const { raw, batch } = packed(
    commands,
    [0, 1_762_000_000_000, 1_762_000_000_000, 1_762_000_000_001, 1_762_000_099_000],
  );
  expect(batch.firstSequence).toBe(500);
  expect(unpacked(batch)).toEqual(raw);
});

test("[FRAME-1] any order comes back byte for byte", () => {
  const order = fc.record({
    kind: fc.constant("placeOrder" as const),
    account: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    market: fc.nat(1000),
    price: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    quantity: fc.maxSafeInteger(),
    side: fc.constantFrom("buy" as const, "sell" as const),
    clientOrderId: fc.string({ maxLength: 36, unit: "grapheme-ascii" }),
  });
  const steps = fc.array(fc.tuple(order, fc.constantFrom(0, 0, 0, 1, 5, 127, 128, 2 ** 33)), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, (list) => {
      let time = 1_762_000_000_000;
      const times = list.map(([, elapsed]) => {
        time += elapsed;
        return time;
      });
      const { raw, batch } = packed(
        list.map(([command]) => encoder(command)),
        times,
      );
      expect(unpacked(batch)).toEqual(raw);
    }),
    { numRuns: 200 },
  );
});

test("[FRAME-1] a replay may start and end in the middle of a batch", () => {
  const { raw, batch } = packed(
    Array.from({ length: 50 }, (_, index) => encoder({ ...limit, quantity: index + 1 })),
    Array.from({ length: 50 }, (_, index) => 1e12 + index),
  );
  const reader = new FrameReader();
  reader.open(batch);
  reader.skip(509, 0);
  const end = reader.fill(0, reader.bytes.length, 529);
  expect(reader.sequence).toBe(529);
  expect(reader.hasMore(529)).toBe(false);
  expect(reader.hasMore(530)).toBe(true);
  expect(Buffer.from(reader.bytes.slice(0, end))).toEqual(Buffer.concat(raw.slice(10, 30)));
});

test("[FRAME-2] a common order takes less than half of its bytes", () => {
  const { batch, rawBytes } = packed(
    Array.from({ length: 100 }, () => encoder(limit)),
    Array(100).fill(1e12),
  );
  expect(batch.frames.length * 2).toBeLessThan(rawBytes);
});

test("[FRAME-3] frames that do not fit their count are refused", () => {
  const { batch } = packed([encoder(limit), encoder(limit)], [5, 6]);
  expect(() => unpacked({ ...batch, frames: batch.frames.subarray(0, batch.frames.length - 1) })).toThrow(EngineFault);
  expect(() => unpacked({ ...batch, count: 3 })).toThrow(EngineFault);
  expect(() => unpacked({ ...batch, count: 1 })).toThrow(EngineFault);
});
