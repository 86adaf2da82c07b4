import { expect, test } from "vitest";
import type { Connection } from "./connection.ts";
import { connectionLimit } from "./connection-limit.ts";

/** As much of a connection as is counted. */
function connect(address: string, streams: number, userIds: readonly number[] = []) {
  const closers: (() => void)[] = [];
  const connection = {
    address,
    userIds: new Set(userIds),
    streams: new Map(Array.from({ length: streams }, (_, number) => [`s${number}`, () => undefined])),
    onClose: (close: () => void) => void closers.push(close),
  } as unknown as Connection;
  return { connection, close: () => closers.forEach((one) => void one()) };
}

test("[USR-2] of a user's connections the fullest counts: of the caller's address or of their keys", () => {
  const crowd = connectionLimit();
  const [here, elsewhere, outsider] = [
    connect("203.0.113.7", 38),
    connect("198.51.100.9", 40, [5]),
    connect("192.0.2.1", 900, [6]),
  ];
  for (const { connection } of [here, elsewhere, outsider]) crowd.add(connection);
  expect(crowd.read(5, "203.0.113.7")).toEqual({ streams: { used: 40, max: 1_024 }, connections: 2 });
  elsewhere.close();
  expect(crowd.read(5, "203.0.113.7")).toEqual({ streams: { used: 38, max: 1_024 }, connections: 1 });
  expect(crowd.read(5, "2001:db8::1")).toEqual({ streams: { used: 0, max: 1_024 }, connections: 0 });
});
