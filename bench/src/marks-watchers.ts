// The pages that watch positions in the benchmark of marks, in a process of their own at low priority: people look from
// elsewhere, and neither the orders' clock nor the server may wait for them. Told what to open by message; answers how much was
// heard whenever it is asked.
import { setPriority } from "node:os";
import { openOwnSocket } from "./gateway/traders.ts";

export interface Watching {
  readonly port: number;
  readonly sockets: number;
  /** The people, each with the headers of his calls. */
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
