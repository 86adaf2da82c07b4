// Checks the packed form itself: the very bytes of an example, which releases must read for good, any content of any length,
// and each way in which frames can be wrong. Real commands are in frame.test.ts.

import { COMMAND_HEADER_BYTES, COMMAND_LENGTH_MAX } from "@clockwork/core/protocol/command";
import { allOf } from "@clockwork/kit/all-of";
import { createRandom, type Random } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { FrameReader, FrameWriter, frameBytesMax } from "./frame.ts";
import { faultOf } from "./journal-fixture.ts";

interface Raw {
  readonly kind: number;
  readonly account: number;
  readonly timeMs: number;
  /** Halves of its words, low before high. */
  readonly halves: readonly number[];
}

const FIRST = 2 ** 34 + 5;

/** Commands on end in one memory, stamped from `FIRST` on. */
function stamped(commands: readonly Raw[]): Uint8Array {
  const bytes = new Uint8Array(
    commands.reduce((sum, { halves }) => sum + COMMAND_HEADER_BYTES + halves.length * 4, 0) + 8,
  );
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [index, { kind, account, timeMs, halves }] of commands.entries()) {
    const length = COMMAND_HEADER_BYTES + halves.length * 4;
    view.setUint16(at, length, true);
    view.setUint8(at + 2, kind);
    view.setInt32(at + 4, account, true);
    view.setFloat64(at + 8, FIRST + index, true);
    view.setFloat64(at + 16, timeMs, true);
    for (const [half, value] of halves.entries()) view.setInt32(at + 24 + half * 4, value, true);
    at += length;
  }
  return bytes;
}

function pack(bytes: Uint8Array, bytesMax = 1 << 20, writer = new FrameWriter(bytesMax)) {
  const end = writer.pack(new Int32Array(bytes.buffer), new Float64Array(bytes.buffer), 0, bytes.length - 8, FIRST);
  const { firstSequence, count, timeMs, length } = writer;
  return { end, batch: { firstSequence, count, timeMs, frames: writer.bytes.slice(0, length) } };
}

/** All of a batch as a replay takes it, from byte 16 of uncleared memory, a few commands at a time. */
function unpack(batch: Parameters<FrameReader["open"]>[0], room = COMMAND_LENGTH_MAX + 200): Buffer {
  const reader = new FrameReader(new ArrayBuffer(16 + room));
  reader.bytes.fill(0xaa);
  const parts: Buffer[] = [];
  reader.open(batch);
  while (reader.hasMore(Number.MAX_SAFE_INTEGER)) {
    const end = reader.fill(16, 16 + room, Number.MAX_SAFE_INTEGER);
    parts.push(Buffer.from(reader.bytes.slice(16, end)));
  }
  expect(reader.fill(16, 16 + room, Number.MAX_SAFE_INTEGER)).toBe(16);
  return Buffer.concat(parts);
}

const half = (random: Random): number => {
  const bits = random.next() | 0;
  const kept = 8 * random.below(5);
  return [0, kept === 32 ? bits : bits & (2 ** kept - 1), kept === 32 ? bits : bits << kept, bits][
    random.below(4)
  ] as number;
};

function anything(random: Random, words: number, timeMs: number): Raw {
  const halves = Array.from({ length: words * 2 }, () => half(random));
  return { kind: random.below(256), account: half(random), timeMs, halves };
}

test("[FRAME-1] an example packs to the very bytes it always had", () => {
  const bytes = stamped([
    { kind: 3, account: 17, timeMs: 1_000, halves: [0, 0, 5, 0x3ff00000, -1, 0x12345678] },
    { kind: 200, account: -2, timeMs: 1_000, halves: [0x1234, 0x560000, 0x789abc00, 0xff] },
    { kind: 0, account: 0, timeMs: 1_000 + 300, halves: [] },
    { kind: 1, account: 0x10000, timeMs: 1_300 + 2 ** 35, halves: [0x800000, 1 << 31] },
  ]);
  const { batch, end } = pack(bytes);
  expect(end).toBe(bytes.length - 8);
  expect(batch).toMatchObject({ firstSequence: FIRST, count: 4, timeMs: 1_000 });
  expect(Buffer.from(batch.frames).toString("hex")).toBe(
    "03030111006105f03f44ffffffff7856341202c804feffffff623412560017bc9a78ff000010ac02010116010080808080800156800080",
  );
  expect(unpack(batch)).toEqual(Buffer.from(bytes.subarray(0, -8)));
  // Each way in which a half is kept, the eight of them in order.
  const halves = [0, 0x12, 0x1234, 0x123456, 0x12345678, 0x12000000, 0x12340000, 0x12345600];
  const each = pack(stamped([{ kind: 1, account: 0x123456, timeMs: 5, halves }])).batch;
  expect(Buffer.from(each.frames).toString("hex")).toBe("0401035634121012323412563412547856341212763412563412");
});

test("[FRAME-1] any content of any length comes back byte for byte, wherever its frames are placed", () => {
  const random = createRandom(21);
  const longest = (COMMAND_LENGTH_MAX - COMMAND_HEADER_BYTES) / 8;
  for (let round = 0; round < 60; round++) {
    let timeMs = random.below(3) === 0 ? 0 : 1_762_000_000_000;
    const commands = Array.from({ length: random.between(1, 12) }, () => {
      timeMs += [0, 0, 1, 127, 128, 16_383, 16_384, 2 ** 21, 2 ** 40][random.below(9)] as number;
      const words = [0, 1, 2, 9, 30, 254, 255, 256, longest][random.below(9)] as number;
      return anything(random, words, timeMs);
    });
    const bytes = stamped(commands);
    const { batch } = pack(bytes);
    expect(batch.count).toBe(commands.length);
    const raw = Buffer.from(bytes.subarray(0, -8));
    expect(Buffer.compare(unpack(batch), raw)).toBe(0);
    // Between other bytes, where reading ahead of the end reaches them.
    const wide = new Uint8Array(batch.frames.length + 40).fill(0xff);
    wide.set(batch.frames, 13);
    expect(Buffer.compare(unpack({ ...batch, frames: wide.subarray(13, 13 + batch.frames.length) }), raw)).toBe(0);
  }
});

test("[FRAME-2] no command takes more than its declared bound, and one that may not fit is left for the next batch", () => {
  expect([24, 32, 40, 2_064].map(frameBytesMax)).toEqual([44, 53, 62, 2_339]);
  const full = { kind: 255, account: -1, halves: [-1, -1] };
  const bytes = stamped([
    { ...full, timeMs: 1 },
    { ...full, timeMs: 1 + 2 ** 49 },
  ]);
  const first = pack(stamped([{ ...full, timeMs: 1 }])).batch.frames.length;
  expect(first).toBe(3 + 4 + 9);
  const both = pack(bytes).batch;
  expect(both.frames.length - first).toBe(3 + 4 + 8 + 9);
  expect(pack(bytes, 52)).toMatchObject({ end: 0, batch: { count: 0 } });
  expect(pack(bytes, 53)).toMatchObject({ end: 32, batch: { count: 1 } });
  expect(pack(bytes, first + 52)).toMatchObject({ end: 32, batch: { count: 1 } });
  expect(pack(bytes, first + 53)).toMatchObject({ end: 64, batch: { count: 2 } });
});

test("[FRAME-2] packing appends, ends at a zero word and at a sequence that is not next, and can restart", () => {
  const raw = (timeMs: number): Raw => ({ kind: 1, account: 20, timeMs, halves: [1, 2] });
  const bytes = stamped([raw(7), raw(8), raw(9)]);
  const [i32, f64] = [new Int32Array(bytes.buffer), new Float64Array(bytes.buffer)];
  const writer = new FrameWriter(1_000);
  expect(writer.pack(i32, f64, 0, 32, FIRST)).toBe(32);
  expect(writer.pack(i32, f64, 32, bytes.length, FIRST + 1)).toBe(96);
  expect([writer.count, writer.firstSequence, writer.timeMs]).toEqual([3, FIRST, 7]);
  const whole = pack(bytes).batch;
  expect(Buffer.from(writer.bytes.slice(0, writer.length))).toEqual(Buffer.from(whole.frames));
  expect(writer.pack(i32, f64, 32, 96, FIRST + 9)).toBe(32);
  // A zero word ends them, whatever follows it.
  const turned = stamped([raw(7), raw(8)]);
  turned.fill(0, 32, 36);
  expect(pack(turned)).toMatchObject({ end: 32, batch: { count: 1 } });
  expect(writer.count).toBe(3);
  writer.reset();
  expect([writer.length, writer.count]).toEqual([0, 0]);
  expect(writer.pack(i32, f64, 64, 96, FIRST + 2)).toBe(96);
  expect([writer.count, writer.firstSequence, writer.timeMs]).toEqual([1, FIRST + 2, 9]);
});

test("[FRAME-1] a replay takes no more than its buffer holds, and no more than requested", () => {
  const commands = Array.from(
    { length: 6 },
    (_, at): Raw => ({ kind: 1, account: 20, timeMs: 50 + at, halves: [at, 0] }),
  );
  const bytes = stamped(commands);
  const { batch } = pack(bytes);
  const reader = new FrameReader(new ArrayBuffer(COMMAND_LENGTH_MAX + 4_096));
  const open = (): void => reader.open(batch);
  open();
  expect(reader.hasMore(FIRST - 1)).toBe(false);
  expect(reader.hasMore(FIRST)).toBe(true);
  // The room for one of the greatest length to the byte, for none, and for two.
  expect(reader.fill(64, 64 + COMMAND_LENGTH_MAX, Number.MAX_SAFE_INTEGER)).toBe(96);
  expect(reader.fill(64, 63 + COMMAND_LENGTH_MAX, Number.MAX_SAFE_INTEGER)).toBe(64);
  expect(reader.fill(64, 96 + COMMAND_LENGTH_MAX, Number.MAX_SAFE_INTEGER)).toBe(128);
  expect(reader.sequence).toBe(FIRST + 2);
  expect(reader.fill(0, reader.bytes.length, FIRST + 3)).toBe(32);
  expect(reader.fill(0, reader.bytes.length, FIRST + 3)).toBe(0);
  reader.skip(FIRST + 4, 256);
  expect(reader.sequence).toBe(FIRST + 4);
  expect(reader.next()).toBe(32);
  expect(Buffer.from(reader.bytes.slice(0, 32))).toEqual(Buffer.from(bytes.subarray(160, 192)));
  expect(reader.hasMore(Number.MAX_SAFE_INTEGER)).toBe(false);
  expect(reader.next()).toBe(0);
  // Zeros after a command that is read one at a time, whatever the memory held before.
  open();
  reader.fill(0, reader.bytes.length, FIRST + 3);
  expect(reader.next()).toBe(32);
  expect(allOf(reader.bytes.subarray(32), (byte, at) => byte === 0 || at >= 256)).toBe(true);
});

test("[FRAME-3] each way in which frames are wrong is refused with a text that names it and the sequence", () => {
  const commands = Array.from(
    { length: 3 },
    (_, at): Raw => ({ kind: 1, account: 20, timeMs: 50 + at, halves: [-1, -1] }),
  );
  const { batch } = pack(stamped(commands));
  const refusal = (frames: Uint8Array, count = 3): string => faultOf(() => unpack({ ...batch, count, frames })).message;
  const at = (index: number): string => `JOURNAL_DAMAGED: sequence ${FIRST + index}: `;
  expect(refusal(batch.frames, 4)).toBe(`${at(2)}a command is missing`);
  expect(refusal(batch.frames, 2)).toBe(`${at(1)}bytes are left over after the last command`);
  const length = batch.frames.length;
  // Time moved in the last two: 3 + 1 bytes of head and account, 1 of time, 9 of the word.
  for (let cut = 1; cut < 14; cut++) {
    const what = cut === 10 || cut === 11 ? "a time" : "a command";
    expect(refusal(batch.frames.slice(0, length - cut))).toBe(`${at(2)}${what} runs over the end of its batch`);
  }
  // With bytes behind them that would be a word of two whole halves.
  const around = new Uint8Array(length + 20).fill(0x44);
  around.set(batch.frames.subarray(0, length - 9));
  expect(refusal(around.subarray(0, length - 9))).toBe(`${at(2)}a command runs over the end of its batch`);
  const wide = pack(stamped([{ kind: 1, account: 20, timeMs: 50, halves: Array(400).fill(0) }])).batch.frames;
  for (const kept of [4, 10, 100])
    expect(refusal(wide.slice(0, kept), 1)).toBe(`${at(0)}a command runs over the end of its batch`);
  expect(refusal(batch.frames.slice(0, length - 14))).toBe(`${at(1)}a command is missing`);
  const words = (COMMAND_LENGTH_MAX - COMMAND_HEADER_BYTES) / 8 + 1;
  const long = Uint8Array.of(255, words & 255, words >> 8, 1, 0);
  expect(refusal(long, 1)).toBe(`${at(0)}a command of ${COMMAND_LENGTH_MAX + 8} bytes`);
  const endless = Uint8Array.of(0, 1, 16, ...Array(8).fill(0x80), 1);
  expect(refusal(endless, 1)).toBe(`${at(0)}a time runs over the end of its batch`);
  const largest = Uint8Array.of(0, 1, 16, ...Array(7).fill(0x80), 1);
  expect(unpack({ ...batch, count: 1, frames: largest }).readDoubleLE(16)).toBe(50 + 2 ** 49);
});
