// A thread that works hours of rebates out and writes them, and ends with them: a day has hundreds of thousands, and people
// trade meanwhile. Must only write when it is told to: that request stands for a turn.
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { type HourPayers, HourService, type HourWork } from "@clockwork/domains/invite/hour-service";
import { inviteStore } from "@clockwork/domains/invite/store";
import { openAside } from "../storage/sqlite-aside.ts";
import type { ThreadSetup } from "../storage/sqlite-messages.ts";

export type HourRequest =
  | { readonly kind: "list"; readonly hour: number }
  | { readonly kind: "reckon"; readonly work: HourWork }
  | { readonly kind: "write" }
  | { readonly kind: "close" };
export type HourReply =
  | { readonly kind: "listed"; readonly payers: HourPayers }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly message: string };

const NICE = 19;

/** Rebates may be late, answers may not. */
function giveWay(): void {
  try {
    // On Linux 0 names the calling thread; elsewhere it would be the whole process.
    if (process.platform === "linux") setPriority(0, NICE);
  } catch {
    // Forbidden here: then they share.
  }
}

function serve(): void {
  const port = parentPort;
  if (port === null) throw new Error("hours are worked out on a worker thread only");
  giveWay();
  // Paid by the ledger as soon as it is written: what is planned must be there after a power cut.
  const { kysely } = openAside(workerData as ThreadSetup, "durable");
  const hours = new HourService(inviteStore(kysely), async () => undefined);
  const answer = async (request: HourRequest): Promise<HourReply> => {
    if (request.kind === "list") return { kind: "listed", payers: await hours.listPayers(request.hour) };
    if (request.kind === "reckon") await hours.reckon(request.work);
    if (request.kind === "write") await hours.write();
    return { kind: "done" };
  };
  port.on("message", (request: HourRequest) => {
    if (request.kind === "close") {
      void kysely.destroy().then(() => port.close());
      return;
    }
    answer(request).then(
      (reply) => port.postMessage(reply),
      (error: unknown) => port.postMessage({ kind: "failed", message: String(error) } satisfies HourReply),
    );
  });
}

serve();
