import { crc32 as zlibCrc32 } from "node:zlib";
import { expect, test } from "vitest";
import { depthChecksum } from "./depth-checksum.ts";

const BIDS = [
  ["100.1", "0.50000"],
  ["100.0", "2.00000"],
];
const ASKS = [["100.2", "1.25000"]];

test("[NET-6] the checksum is CRC32 of the levels' text, bid and ask in turn", () => {
  const text = "100.1:0.50000:100.2:1.25000:100.0:2.00000";
  expect(depthChecksum(BIDS, ASKS)).toBe(zlibCrc32(text));
  expect(depthChecksum(BIDS, [])).toBe(zlibCrc32("100.1:0.50000:100.0:2.00000"));
  expect(depthChecksum([], [])).toBe(0);
});

test("[NET-6] levels beyond the 25th do not count, a changed one before does", () => {
  const many = Array.from({ length: 40 }, (_, index) => [String(1000 - index), "1"]);
  expect(depthChecksum(many, [])).toBe(depthChecksum(many.slice(0, 25), []));
  expect(depthChecksum(many.with(24, ["976", "2"]), [])).not.toBe(depthChecksum(many, []));
});
