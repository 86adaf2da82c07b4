// The pages that watch positions in the benchmark of marks, in their own process at low priority: users are on other
// machines, and neither the orders' clock nor the server may wait for them. Opens what it is sent by message; returns
// how much was received on request.
import { setPriority } from "node:os";
import { openOwnSocket } from "./gateway/traders.ts";

export interface Watching {
  readonly port: number;
  readonly sockets: number;
  /** The users, each with the headers of their calls. */
  readonly people: readonly Readonly<Record<string, string>>[];
}

let received = 0;

async function open({ port, sockets, people }: Watching): Promise<void> {
  for (let index = 0; index < sockets; index += 1) {
    const socket = await openOwnSocket(port, people[index % people.length] ?? {});
    socket.on("message", () => {
      received += 1;
    });
    for (const channel of ["positions", "position-marks", "account"])
      socket.send(JSON.stringify({ event: "sub", channel, biz: "futures" }));
    socket.send(JSON.stringify({ event: "sub", channel: "ticker", biz: "futures", pairCode: "BTC_USDT" }));
  }
}

setPriority(10);
process.on("message", (message: Watching | "heard") => {
  if (message === "heard") process.send?.(received);
  else void open(message).then(() => process.send?.(received));
});
