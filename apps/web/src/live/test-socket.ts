// A live socket on a clock and a network controlled by the test, and its events.
import { CONNECTION_EVENT } from "@clockwork/kit/constants";
import { LiveSocket } from "./socket.ts";
import { ManualClock } from "./test-clock.ts";
import { FakeNetwork } from "./test-wire.ts";

export function startSocket(random = 1) {
  const clock = new ManualClock();
  const network = new FakeNetwork();
  const socket = new LiveSocket({ url: "ws://test", clock, random: () => random, open: network.open });
  const events: string[] = [];
  for (const event of Object.values(CONNECTION_EVENT)) socket.on(event, () => events.push(event));
  return { clock, network, socket, events };
}

export function startOpenSocket() {
  const parts = startSocket();
  parts.socket.start();
  parts.network.last.open();
  return parts;
}
