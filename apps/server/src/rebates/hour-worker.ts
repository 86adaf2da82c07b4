// A process that works hours of rebates out and writes them, and ends with them: a day has hundreds of thousands, and people
// trade meanwhile. Must only write when it is told to: that request stands for a turn.
import { type HourPayers, HourService, type HourWork } from "@clockwork/growth/invite/hour-service";
import { inviteStore } from "@clockwork/growth/invite/store";
import { openAside } from "../storage/sqlite-aside.ts";
import type { ThreadSetup } from "../storage/sqlite-messages.ts";

export type HourRequest =
  | { readonly kind: "list"; readonly hour: number }
  | { readonly kind: "reckon"; readonly work: HourWork }
  | { readonly kind: "write" };
export type HourReply =
  | { readonly kind: "listed"; readonly payers: HourPayers }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly message: string };

function serve(setup: ThreadSetup): void {
  // Paid by the ledger as soon as it is written: what is planned must be there after a power cut.
  const { kysely } = openAside(setup, "durable");
  const hours = new HourService(inviteStore(kysely), async () => undefined);
  const answer = async (request: HourRequest): Promise<HourReply> => {
    if (request.kind === "list") return { kind: "listed", payers: await hours.listPayers(request.hour) };
    if (request.kind === "reckon") await hours.compute(request.work);
    if (request.kind === "write") await hours.write();
    return { kind: "done" };
  };
  process.on("message", (request: HourRequest) => {
    answer(request).then(
      (reply) => process.send?.(reply),
      (error: unknown) => process.send?.({ kind: "failed", message: String(error) } satisfies HourReply),
    );
  });
  // Told to end, or whoever began it is gone.
  process.on("disconnect", () => void kysely.destroy().finally(() => process.exit(0)));
}

serve(JSON.parse(process.argv[2] ?? "{}") as ThreadSetup);
