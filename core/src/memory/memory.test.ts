// The tables under everything, beside plain maps and lists: what is kept, in which order, and how far it has grown.
import { allOf } from "@clockwork/kit/all-of";
import { createRandom } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import { mix, PairIndex } from "./pair-index.ts";
import { Records } from "./records.ts";
import { Table } from "./table.ts";
import { ENTRY_FINGERPRINT, ENTRY_SEQUENCE, ENTRY_VALUE, TEXT_WORDS, TextIndex } from "./text-index.ts";

describe("tables", () => {
  it("have room for a power of two of records, whatever was asked", () => {
    expect(() => new Table("odd", 3, 8)).toThrow("TABLE-1");
    const rooms = [1, 2, 3, 4, 5, 8, 9, 16, 17].map((capacity) => new Table("room", 6, capacity).i32.length / 6);
    expect(rooms).toEqual([2, 2, 4, 4, 8, 8, 16, 16, 32]);
    const table = new Table("mask", 4, 8);
    expect([table.f64.length, table.mask, table.usedWords]).toEqual([16, 28, 4]);
    expect(table.i32.buffer.byteLength - table.i32.byteOffset).toBe(32 * 4);
  });

  it("give records from the end, then those that came back, the last first, as they were left", () => {
    const table = new Table("records", 2, 2);
    let grown = 0;
    table.onGrow = () => {
      grown++;
      expect(table.f64.buffer).toBe(table.i32.buffer);
    };
    expect([table.take(), table.take(), table.take(), table.take()]).toEqual([1, 2, 3, 4]);
    expect([grown, table.i32.length, table.f64.length, table.count]).toEqual([2, 16, 8, 5]);
    for (let record = 1; record < 5; record++) table.i32.fill(record, record * 2, record * 2 + 2);
    table.give(2);
    table.give(4);
    expect(() => table.give(0)).toThrow("TABLE-4");
    expect(() => table.give(5)).toThrow("TABLE-4");
    expect([table.take(), table.take(), table.take()]).toEqual([4, 2, 5]);
    expect([table.i32[4 * 2 + 1], table.i32[2 * 2 + 1], table.i32[5 * 2]]).toEqual([4, 2, 0]);
    expect(table.i32.buffer.byteLength - table.i32.byteOffset).toBe(16 * 4);
    table.grow(8);
    expect(table.i32.length).toBe(16);
  });

  it("hold what is loaded and nothing of what was there before", () => {
    const table = new Table("loaded", 2, 4);
    for (let i = 0; i < 3; i++) table.i32.fill(9, table.take() * 2, 8);
    let published = 0;
    table.onGrow = () => published++;
    table.load(Int32Array.of(1, 2, 3, 4), 2, 1);
    expect([...table.i32]).toEqual([1, 2, 3, 4, 0, 0, 0, 0]);
    expect([table.count, table.freeHead, published]).toEqual([2, 1, 1]);
    const many = Int32Array.from({ length: 22 }, (_, i) => i);
    table.load(many, 11, 0);
    expect([...table.i32.subarray(0, 24)]).toEqual([...many, 0, 0]);
    expect([table.i32.length, table.count]).toEqual([32, 11]);
    expect(published).toBeGreaterThanOrEqual(2);
  });
});

describe("records", () => {
  it("keep words and doubles apart, add to them, and begin with zeros", () => {
    const records = new Records("things", 8);
    const [first, second] = [records.take(), records.take()];
    for (const record of [first, second]) {
      records.setWord(record, 1, record * 10);
      records.setDouble(record, 3, record + 0.5);
      records.add(record, 3, 2);
    }
    expect([first, second].map((record) => [records.word(record, 1), records.double(record, 3)])).toEqual([
      [10, 3.5],
      [20, 4.5],
    ]);
    records.table.give(second);
    expect(records.take()).toBe(second);
    expect([records.word(second, 1), records.double(second, 3)]).toEqual([0, 0]);
    expect([records.word(first, 1), records.double(first, 3)]).toEqual([10, 3.5]);
    records.setWord(second, 1, 20);
    records.table.give(first);
    expect(records.take()).toBe(first);
    expect([records.word(first, 1), records.double(first, 3), records.word(second, 1)]).toEqual([0, 0, 20]);
    expect(allOf(records.table.i32.subarray(first * 8, second * 8), (word) => word === 0)).toBe(true);
  });
});

describe("pairs", () => {
  it("are found as a map finds them, through every growth, which comes when half is used", () => {
    const random = createRandom(3);
    const [index, roomy] = [new PairIndex("pairs"), new PairIndex("pairs", 4_096)];
    const reference = new Map<string, number>();
    while (reference.size < 1_500) {
      const [a, b] = [random.between(1, 60), random.between(1, 60)];
      expect(index.find(a, b)).toBe(reference.get(`${a} ${b}`) ?? 0);
      if (reference.has(`${a} ${b}`)) continue;
      reference.set(`${a} ${b}`, reference.size + 1);
      for (const one of [index, roomy]) one.insert(a, b, reference.size);
      let size = 256;
      while (reference.size * 2 > size) size *= 2;
      expect([index.table.count, index.table.i32[3]]).toEqual([size, reference.size]);
      expect(isClean(index)).toBe(true);
    }
    for (const [pair, value] of reference) {
      const [a, b] = pair.split(" ").map(Number) as [number, number];
      expect([index.find(a, b), roomy.find(a, b)]).toEqual([value, value]);
    }
    // How much room was made beforehand is no part of the state.
    const words = ({ table }: PairIndex): number[] => [...table.i32.subarray(0, table.usedWords)];
    expect(words(index)).toEqual(words(roomy));
    expect([...roomy.table.i32.subarray(roomy.table.usedWords)].every((word) => word === 0)).toBe(true);
  });

  it("stand where their mix says, or behind what stands there", () => {
    const index = new PairIndex("places");
    index.insert(7, 9, 5);
    const at = mix(7, 9) & 255;
    expect([...index.table.i32.subarray(at * 4, at * 4 + 3)]).toEqual([7, 9, 5]);
    expect([mix(1, 2) & 0xffff, mix(2, 1) & 0xffff, mix(0, 0)]).toEqual([mixed(1, 2), mixed(2, 1), 0]);
  });
});

/** Whether nothing stands in places without a value, but for the count in the first. */
function isClean({ table: { i32, usedWords } }: PairIndex): boolean {
  for (let at = 0; at < usedWords; at += 4) {
    if (i32[at + 2] === 0 && (i32[at] !== 0 || i32[at + 1] !== 0 || (at > 0 && i32[at + 3] !== 0))) return false;
  }
  return true;
}

/** The places of pairs are part of the state: the same steps, written once more. */
function mixed(a: number, b: number): number {
  const low = (value: bigint): bigint => value & 0xffff_ffffn;
  let value = low(BigInt(a) * 0x9e37_79b1n) ^ low(BigInt(b) * 0x85eb_ca6bn);
  value ^= value >> 15n;
  value = low(value * 0x2c1b_3c6dn);
  return Number((value ^ (value >> 12n)) & 0xffffn);
}

const words = (text: number): Int32Array => {
  const found = new Int32Array(TEXT_WORDS + 3);
  // Behind three words that are not of the text; two texts may differ in any one word.
  found.fill(77, 0, 3);
  found[3 + (text % TEXT_WORDS)] = text;
  return found;
};

describe("texts", () => {
  it("are found by scope and text, age in the order they came, and are renewed or forgotten from the oldest", () => {
    const random = createRandom(5);
    const index = new TextIndex("texts", 4);
    let most = 0;
    let queue: { scope: number; text: number; record: number; time: number }[] = [];
    for (let turn = 0; turn < 4_000; turn++) {
      const [scope, text, time] = [random.below(5), random.below(150), turn + 1];
      const there = queue.find((one) => one.scope === scope && one.text === text);
      const found = index.find(scope, words(text), 3);
      expect(found).toBe(there?.record ?? 0);
      if (there === undefined) queue.push({ scope, text, time, record: index.insert(scope, words(text), 3, time) });
      else if (random.chance(1, 3)) {
        index.renewOldest(time);
        queue = [...queue.slice(1), { ...(queue[0] as (typeof queue)[number]), time }];
      } else if (random.chance(2, 3)) {
        index.removeOldest();
        queue = queue.slice(1);
      }
      most = Math.max(most, queue.length);
      expect([index.oldest(), index.entries.i32[3]]).toEqual([queue[0]?.record ?? 0, queue.length]);
    }
    expect(queue.length).toBeGreaterThan(100);
    // Whatever was forgotten has made room for another.
    expect(index.entries.count - 1).toBe(most);
    let record = index.oldest();
    for (const one of queue) {
      expect([record, index.scope(record), index.time(record)]).toEqual([one.record, one.scope, one.time]);
      expect([...index.entries.i32.subarray(index.textAt(record), index.textAt(record) + TEXT_WORDS)]).toEqual([
        ...words(one.text).subarray(3),
      ]);
      record = index.newerThan(record);
    }
    expect(record).toBe(0);
    while (index.oldest() !== 0) index.removeOldest();
    expect([index.entries.i32[1], index.entries.i32[2], index.entries.i32[3]]).toEqual([0, 0, 0]);
    expect(allOf(index.buckets.i32.subarray(0, index.buckets.usedWords), (word) => word === 0)).toBe(true);
  });

  it("stand in the chain their scope and text say", () => {
    const index = new TextIndex("chains", 64);
    for (let text = 25; text < 45; text++) {
      const record = index.insert(9, words(text), 3, 1);
      // The chains are part of the state: the same steps, written once more.
      const low = (value: bigint): bigint => value & 0xffff_ffffn;
      let hash = low(9n * 0x9e37_79b1n);
      for (const word of words(text).subarray(3)) {
        hash = low((hash ^ BigInt(word)) * 0x85eb_ca6bn);
        hash ^= hash >> 13n;
      }
      hash ^= hash >> 16n;
      expect((index.entries.i32[record * 24 + 2] as number) >>> 0).toBe(Number(hash));
      expect(index.buckets.i32[Number(hash & 63n)]).toBe(record);
    }
  });

  it("[SNAPSHOT-7] lie where layout 11 has them: links, scope, hash, text, time, and three doubles of their owners", () => {
    const index = new TextIndex("laid out", 16);
    const text = Int32Array.from({ length: TEXT_WORDS }, (_, at) => 100 + at);
    const [first, second] = [1, 2].map((scope) => index.insert(scope, text, 0, 50 + scope)) as [number, number];
    for (const which of [ENTRY_FINGERPRINT, ENTRY_SEQUENCE, ENTRY_VALUE]) index.setDouble(first, which, which + 0.5);
    const { i32, f64 } = index.entries;
    const hash = i32[first * 24 + 2];
    expect([...i32.subarray(first * 24, first * 24 + 14)]).toEqual([0, 1, hash, 1, ...text]);
    expect([...f64.subarray(first * 12 + 7, first * 12 + 11)]).toEqual([51, 8.5, 9.5, 10.5]);
    expect([...i32.subarray(first * 24 + 22, first * 24 + 24)]).toEqual([second, 0]);
    expect([...i32.subarray(1, 4)]).toEqual([first, second, 2]);
    index.removeOldest();
    // Free, it is no longer live and chains to the next free one; the rest is as it was.
    expect([...i32.subarray(first * 24, first * 24 + 14)]).toEqual([0, 1, hash, 0, ...text]);
  });

  it("are told apart where their hashes are the same", () => {
    const step = (text: number): number => {
      const mixed = Math.imul(Math.imul(4, 0x9e3779b1) ^ text, 0x85ebca6b);
      return mixed ^ (mixed >>> 13);
    };
    const [one, other] = [new Int32Array(TEXT_WORDS), new Int32Array(TEXT_WORDS)];
    one.set([11, 0]);
    // The second word takes back what the first one made of it.
    other.set([12, step(11) ^ step(12)]);
    const index = new TextIndex("alike", 16);
    const first = index.insert(4, one, 0, 1);
    expect(index.find(4, other, 0)).toBe(0);
    const second = index.insert(4, other, 0, 2);
    expect(index.entries.i32[first * 24 + 2]).toBe(index.entries.i32[second * 24 + 2]);
    expect([index.find(4, one, 0), index.find(4, other, 0), index.find(5, one, 0)]).toEqual([first, second, 0]);
  });

  it("have as many chains as texts, doubled when there are more, and keep their owners' doubles apart", () => {
    const index = new TextIndex("grown", 16);
    const records: number[] = [];
    for (let text = 1; text <= 40; text++) {
      records.push(index.insert(1, words(text), 3, text));
      let chains = 16;
      while (text > chains) chains *= 2;
      expect(index.buckets.count * 2).toBe(chains);
      for (const which of [8, 9, 10]) index.setDouble(records.at(-1) as number, which, text * which);
    }
    for (const [at, record] of records.entries()) {
      expect([8, 9, 10].map((which) => index.double(record, which) / (at + 1))).toEqual([8, 9, 10]);
      expect(index.time(record)).toBe(at + 1);
      index.setTime(record, -1);
      expect([index.time(record), index.double(record, 8)]).toEqual([-1, (at + 1) * 8]);
    }
    expect([15, 16, 17, 64].map((room) => new TextIndex("room", room).buckets.count * 2)).toEqual([16, 16, 32, 64]);
  });
});
