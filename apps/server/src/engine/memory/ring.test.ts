// Checks the ring: every record arrives once, whole and in order, through wraps of the buffer and of the counters.
import { allOf } from "@clockwork/kit/all-of";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { type RingMemory, RingReader, RingWriter } from "./ring.ts";

function makeRing(bytes: number, start = 0): { memory: RingMemory; writer: RingWriter; reader: RingReader } {
  const words = new Int32Array(new SharedArrayBuffer(64));
  words[0] = start | 0;
  words[1] = start | 0;
  const memory = { words, head: 0, tail: 1, buffer: new SharedArrayBuffer(bytes) };
  return { memory, writer: new RingWriter(memory), reader: new RingReader(memory) };
}

function put(writer: RingWriter, bytes: number, value: number): boolean {
  const at = writer.reserve(bytes);
  if (at < 0) return false;
  writer.i32[at >> 2] = bytes;
  writer.i32.fill(value, (at >> 2) + 1, (at + bytes) >> 2);
  writer.commit(bytes);
  return true;
}

test.each([0, 2 ** 32 - 4096])(
  "[RING-1] records of all sizes arrive once, whole and in order (counters from %i)",
  (start) => {
    const { writer, reader } = makeRing(4096, start);
    const random = createRandom(7);
    let written = 0;
    let read = 0;
    while (read < 20_000) {
      while (random.chance(2, 3)) {
        if (!put(writer, 8 * random.between(1, 64), written + 1)) break;
        written++;
        if (random.chance(1, 2)) writer.publish();
      }
      writer.publish();
      for (let at = reader.peek(); at >= 0 && random.chance(4, 5); at = reader.peek()) {
        const bytes = reader.i32[at >> 2] ?? 0;
        read++;
        expect(allOf(reader.i32.subarray((at >> 2) + 1, (at + bytes) >> 2), (value) => value === read)).toBe(true);
        reader.advance(bytes);
      }
      reader.release();
    }
  },
);

test("[RING-2] a full ring refuses and accepts again when read, and unpublished records are not visible", () => {
  const { writer, reader } = makeRing(1024);
  let count = 0;
  while (put(writer, 64, ++count));
  expect(count).toBe(17);
  expect(reader.peek()).toBe(-1);
  writer.publish();
  expect(reader.peek()).toBe(0);
  reader.advance(64);
  expect(put(writer, 64, 99)).toBe(false);
  reader.release();
  expect(put(writer, 64, 99)).toBe(true);
});

test("[RING-2] a skip at the end of the buffer that was published alone shows no record", () => {
  const { writer, reader } = makeRing(1024);
  for (let index = 0; index < 15; index++) put(writer, 64, 1);
  writer.publish();
  for (let index = 0; index < 15; index++) {
    reader.peek();
    reader.advance(64);
  }
  reader.release();
  expect(writer.reserve(128)).toBe(0);
  writer.publish();
  expect(reader.peek()).toBe(-1);
  writer.i32[0] = 128;
  writer.commit(128);
  writer.publish();
  expect(reader.peek()).toBe(0);
});

test.each([0, 2 ** 32 - 4096])(
  "[RING-3] a near ring remains at its start while its reader keeps up, and is used whole when not (counters from %i)",
  (start) => {
    const { writer, reader } = makeRing(1 << 20, start);
    const random = createRandom(8);
    let [written, read, reach] = [0, 0, 0];
    const write = (): boolean => {
      const bytes = 8 * random.between(1, 2_000);
      const at = writer.reserveNear(bytes);
      if (at < 0) return false;
      reach = Math.max(reach, at + bytes);
      writer.i32[at >> 2] = bytes;
      writer.i32.fill(++written, (at >> 2) + 1, (at + bytes) >> 2);
      writer.commit(bytes);
      writer.publish();
      return true;
    };
    const take = (leave: number): void => {
      for (let at = reader.peek(); at >= 0 && written - read > leave; at = reader.peek()) {
        const bytes = reader.i32[at >> 2] ?? 0;
        read++;
        expect(allOf(reader.i32.subarray((at >> 2) + 1, (at + bytes) >> 2), (value) => value === read)).toBe(true);
        reader.advance(bytes);
      }
      reader.release();
    };
    for (let turn = 0; turn < 2_000; turn++) {
      expect(write()).toBe(true);
      take(random.below(4));
    }
    expect(reach).toBeLessThan(1 << 18);
    // A reader that is always forty records behind, then one that waits until nothing more fits.
    for (let turn = 0; turn < 1_000; turn++) {
      expect(write()).toBe(true);
      take(40);
    }
    expect(reach).toBeGreaterThan(1 << 18);
    for (let turn = 0; turn < 100; turn++) {
      while (write());
      take(random.below(60));
    }
    take(0);
    expect(read).toBe(written);
  },
);
