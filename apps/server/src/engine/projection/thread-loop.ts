// Owns the life of the projection's thread: folds events into rows and writes them by its own connection, so that
// neither delays the thread that serves requests. Must only write what it is sent: each request grants a write slot.
import { parentPort, workerData } from "node:worker_threads";
import type { EventBatch } from "@clockwork/host/engine";
import type { ProjectorSet } from "@clockwork/host/projector";
import { giveWay } from "@clockwork/host/time/give-way";
import { DatabaseFault } from "../../storage/fault.ts";
import { openAside } from "../../storage/sqlite-aside.ts";
import type { ThreadSetup } from "../../storage/sqlite-messages.ts";
import type { ProjectionReply, ProjectionRequest } from "./messages.ts";
import { projectionStore } from "./store.ts";
import { localWriter } from "./writer.ts";

const NICE = 10;

function splitBatches({ batches, bytes }: ProjectionRequest): EventBatch[] {
  let at = 0;
  return batches.map(({ bytes: length, ...batch }) => {
    at += length;
    return { ...batch, bytes: bytes.subarray(at - length, at) };
  });
}

/** Serves the parent thread until it sends close. */
export function runProjectionThread(projectors: ProjectorSet): void {
  const port = parentPort;
  if (port === null) throw new Error("the projection's thread is a worker thread only");
  const publish = (reply: ProjectionReply): void => port.postMessage(reply);
  const fail = (error: unknown): void => {
    const known = error instanceof Error ? error : new Error(String(error));
    const fault = known instanceof DatabaseFault ? { fault: known.kind } : {};
    publish({ kind: "failed", name: known.name, message: known.message, ...fault });
  };
  giveWay(NICE);
  const { kysely, run } = openAside(workerData as ThreadSetup);
  const store = projectionStore(kysely, run);
  const writer = localWriter(store, projectors);
  port.on("message", (request: ProjectionRequest | "close") => {
    if (request === "close") {
      void kysely.destroy().then(() => port.close());
      return;
    }
    const { journal, from } = request;
    writer.write({ journal, from, batches: splitBatches(request) }).then(
      (cursor) => publish({ kind: "written", cursor }),
      (error: unknown) => fail(error),
    );
  });
  publish({ kind: "ready" });
}
