import { expect, test } from "vitest";
import { createConnection } from "./connection.ts";
import { LiveSocket } from "./socket.ts";
import { ManualClock } from "./test-clock.ts";
import { FakeNetwork } from "./test-wire.ts";

test("[NET-5] the connection reports live, polling, stale and offline", () => {
  const clock = new ManualClock();
  const network = new FakeNetwork();
  const socket = new LiveSocket({ url: "ws://test", clock, random: () => 1, open: network.open });
  let isOnline = true;
  let publish = () => {};
  const connection = createConnection({
    socket,
    clock,
    online: {
      isOnline: () => isOnline,
      subscribe: (listener) => {
        publish = listener;
        return () => {};
      },
    },
  });
  const seen: string[] = [];
  connection.subscribe(() => seen.push(connection.get().status));
  expect(connection.get().settled).toBe(false);
  socket.start();
  network.last.open();
  network.last.drop();
  clock.advance(1_499);
  expect(seen).toEqual(["live"]);
  clock.advance(1);
  connection.reportPoll(true);
  connection.reportPoll(false);
  isOnline = false;
  publish();
  isOnline = true;
  publish();
  network.last.open();
  expect(seen).toEqual(["live", "stale", "polling", "stale", "offline", "stale", "live"]);
  const made = network.connections.length;
  publish();
  expect(network.connections).toHaveLength(made + 1);
});
