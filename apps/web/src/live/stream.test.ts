import { expect, test } from "vitest";
import { readNumbered } from "./stream.ts";

const readNumber = (data: unknown) => (typeof data === "number" ? data : undefined);

test("[NET-6] an update covers its own number, or the span from its first number on", () => {
  const read = readNumbered(readNumber, readNumber);
  expect(read({ event: "data", sequence: 7, data: 1 })).toEqual({ kind: "delta", first: 7, last: 7, delta: 1 });
  expect(read({ event: "data", firstSequence: 3, sequence: 7, data: 1 })).toEqual({
    kind: "delta",
    first: 3,
    last: 7,
    delta: 1,
  });
  expect(read({ event: "data", sequence: 7, data: "1" })).toEqual({ kind: "none" });
});
