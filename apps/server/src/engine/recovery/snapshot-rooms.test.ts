import { expect, test } from "vitest";
import { SnapshotRooms } from "./snapshot-rooms.ts";

test("[SNAPSHOT-5] room is used again by the same table, larger where the table grew, and never by two at once", () => {
  const rooms = new SnapshotRooms();
  const copy = (sizes: readonly number[]) => {
    rooms.begin();
    return sizes.map((bytes) => rooms.take(bytes));
  };
  const first = copy([8, 1_600, 24]);
  const second = copy([8, 1_608, 24]);
  expect(second.map((room, at) => room === first[at])).toEqual([true, false, true]);
  // A quarter more, in whole eights.
  expect(second[1]?.byteLength).toBe(2_016);
  expect(new Set(second).size).toBe(3);
  // What was made larger serves the growth to come; one table more gets its own.
  const third = copy([8, 1_800, 16, 40]);
  expect(third.map((room, at) => room === second[at])).toEqual([true, true, true, false]);
  expect(third[3]?.byteLength).toBe(40);
});
