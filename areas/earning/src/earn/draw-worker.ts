// A thread that does the arithmetic of one draw and ends: the root of the tickets or their order. Reads no database.
import { parentPort, workerData } from "node:worker_threads";
import { shuffleTickets, type TicketRange, ticketRoot } from "@clockwork/kit/earn/draw";

export type DrawWork =
  | { readonly kind: "root"; readonly ranges: readonly TicketRange[] }
  | { readonly kind: "order"; readonly seed: string; readonly tickets: number };

function run(work: DrawWork): void {
  if (work.kind === "root") parentPort?.postMessage(ticketRoot(work.ranges));
  else {
    const order = shuffleTickets(work.seed, work.tickets);
    parentPort?.postMessage(order, [order.buffer as ArrayBuffer]);
  }
}

run(workerData as DrawWork);
