import { describe, expect, it } from "vitest";
import { alignUp, concatBytes, equalBytes, fromHex, toHex } from "./bytes.ts";
import { crc32, crc32c, WordHash } from "./hash.ts";
import { createRandom } from "./random.ts";

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe("checksums", () => {
  it("[HASH-1] CRC32 and CRC32C give their published check values", () => {
    expect(crc32(ascii("123456789"))).toBe(0xcbf43926);
    expect(crc32c(ascii("123456789"))).toBe(0xe3069283);
    expect(crc32(new Uint8Array(0))).toBe(0);
  });

  it("[HASH-2] a checksum continued over two pieces equals that of the whole", () => {
    const bytes = ascii("a clock that only goes forward, one tick at a time");
    for (const cut of [0, 1, 7, 8, 9, 30, bytes.length]) {
      expect(crc32c(bytes, cut, bytes.length, crc32c(bytes, 0, cut))).toBe(crc32c(bytes));
    }
  });

  it("[HASH-2] checksums of every length and offset equal those computed bit by bit", () => {
    const random = createRandom(5);
    const bytes = Uint8Array.from({ length: 200 }, () => random.below(256));
    const bitwise = (polynomial: number, part: Uint8Array): number => {
      let value = -1;
      for (const byte of part) {
        value ^= byte;
        for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1;
      }
      return ~value >>> 0;
    };
    for (let from = 0; from < 20; from++) {
      for (let to = from; to <= bytes.length; to++) {
        expect(crc32(bytes.subarray(3), from, to - 3)).toBe(bitwise(0xedb88320, bytes.subarray(from + 3, to)));
        expect(crc32c(bytes, from, to)).toBe(bitwise(0x82f63b78, bytes.subarray(from, to)));
      }
    }
  });

  it("[HASH-3] the word hash depends on every bit, the order and the length", () => {
    const hashOf = (words: number[]): string => {
      const hash = new WordHash();
      hash.update(Int32Array.from(words));
      return hash.hex();
    };
    const seen = new Set<string>();
    for (let bit = 0; bit < 32; bit++) seen.add(hashOf([0, 1 << bit, 0]));
    for (const words of [[0], [0, 0], [1, 0], [0, 1], [0, 0, 0]]) seen.add(hashOf(words));
    expect(seen.size).toBe(32 + 5);
    expect(hashOf([1, 2, 3])).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("bytes", () => {
  it("[BYTES-2] hexadecimal converts both ways and rejects invalid text", () => {
    expect(toHex(fromHex("00ff10"))).toBe("00ff10");
    expect(() => fromHex("0g")).toThrow("BYTES-1");
    expect(equalBytes(concatBytes([fromHex("01"), fromHex("02")]), fromHex("0102"))).toBe(true);
    expect(equalBytes(fromHex("01"), fromHex("02"))).toBe(false);
    expect(alignUp(9, 8)).toBe(16);
  });
});

describe("seeded chance", () => {
  it("[RANDOM-1] the same seed gives the same numbers, another seed others", () => {
    const draw = (seed: number): number[] =>
      Array.from(
        { length: 20 },
        (
          (random) => () =>
            random.next()
        )(createRandom(seed)),
      );
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
  });

  it("[RANDOM-2] draws are inside their bounds and reach both ends", () => {
    const random = createRandom(3);
    const seen = new Set(Array.from({ length: 500 }, () => random.between(-2, 2)));
    expect([...seen].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2]);
    expect(random.chance(0, 5)).toBe(false);
    expect(random.chance(5, 5)).toBe(true);
    expect(random.pick(["only"])).toBe("only");
  });
});
