// Checks the checksum against published vectors and a bit-by-bit twin.
import { expect, test } from "vitest";
import { crc32c } from "./crc32c.ts";

function slowCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

test("[JOURNAL-1] crc32c agrees with the published vectors", () => {
  expect(crc32c(new TextEncoder().encode("123456789"))).toBe(0xe3069283);
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
  expect(crc32c(Uint8Array.from({ length: 32 }, (_, index) => index))).toBe(0x46dd794e);
});

test("[JOURNAL-1] crc32c agrees with the bit-by-bit twin at every length and start, and can be continued", () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => (index * 131 + (index >> 3)) & 255);
  for (let length = 0; length < 260; length++) {
    const start = length % 17;
    const expected = slowCrc32c(bytes.subarray(start, start + length));
    expect(crc32c(bytes, start, start + length)).toBe(expected);
    const middle = start + (length >> 1);
    expect(crc32c(bytes, middle, start + length, crc32c(bytes, start, middle))).toBe(expected);
  }
});
