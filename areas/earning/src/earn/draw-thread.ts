// Computes draws on a thread of their own, which ends with them: a million tickets take seconds, and trading continues.
// Small draws run in place.
import { Worker } from "node:worker_threads";
import { countTickets, shuffleTickets, ticketRoot } from "@clockwork/kit/earn/draw";
import type { LaunchNeeds } from "../launchpad/needs.ts";
import type { DrawWork } from "./draw-worker.ts";

const TICKETS_AT_ONCE = 2_000;

function compute<Value>(work: DrawWork): Promise<Value> {
  const thread = new Worker(new URL("./draw-worker.ts", import.meta.url), { name: "draw", workerData: work });
  return new Promise((done, fail) => {
    thread.once("message", done).once("error", fail);
    thread.once("exit", (code) => fail(new Error(`a draw's thread ended with ${code}`)));
  });
}

export const drawNeeds: Pick<LaunchNeeds, "rootOf" | "orderOf"> = {
  rootOf: async (ranges) =>
    countTickets(ranges) <= TICKETS_AT_ONCE ? ticketRoot(ranges) : compute<string>({ kind: "root", ranges }),
  orderOf: async (seed, tickets) =>
    tickets <= TICKETS_AT_ONCE ? shuffleTickets(seed, tickets) : compute<Uint32Array>({ kind: "order", seed, tickets }),
};
