// A process that computes hours of rebates, writes them and exits: a day has hundreds of thousands, and trading
// continues during it. Must write only on request: the request grants a write slot.
import { type HourPayers, HourService, type HourWork } from "@clockwork/growth/invite/hour-service";
import { inviteStore } from "@clockwork/growth/invite/store";
import { openAside } from "../storage/sqlite-aside.ts";
import type { ThreadSetup } from "../storage/sqlite-messages.ts";

export type HourRequest =
  | { readonly kind: "list"; readonly hour: number }
  | { readonly kind: "compute"; readonly work: HourWork }
  | { readonly kind: "write" };
export type HourReply =
  | { readonly kind: "listed"; readonly payers: HourPayers }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly message: string };

function serve(setup: ThreadSetup): void {
  // Paid by the ledger as soon as it is written: planned payments must be there after a power cut.
  const { kysely } = openAside(setup, "durable");
  const hours = new HourService(inviteStore(kysely), async () => undefined);
  const answer = async (request: HourRequest): Promise<HourReply> => {
    if (request.kind === "list") return { kind: "listed", payers: await hours.listPayers(request.hour) };
    if (request.kind === "compute") await hours.compute(request.work);
    if (request.kind === "write") await hours.write();
    return { kind: "done" };
  };
  process.on("message", (request: HourRequest) => {
    answer(request).then(
      (reply) => process.send?.(reply),
      (error: unknown) => process.send?.({ kind: "failed", message: String(error) } satisfies HourReply),
    );
  });
  // Asked to end, or the parent is gone.
  process.on("disconnect", () => void kysely.destroy().finally(() => process.exit(0)));
}

serve(JSON.parse(process.argv[2] ?? "{}") as ThreadSetup);
