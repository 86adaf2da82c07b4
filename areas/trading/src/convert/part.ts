// Connects convert with the order books, the ledger and the database. Contains no rules.
import { type Part, runs } from "@clockwork/host/part";
import { keepResuming } from "@clockwork/host/resume-loop";
import type { PartContext } from "../context.ts";
import { convertNeeds } from "./needs.ts";
import { convertRoutes } from "./routes.ts";
import { ConvertService } from "./service.ts";
import { convertStore } from "./store.ts";

const RESUME_MS = 5_000;

export function convertPart(context: PartContext): Part {
  const { clock, log } = context;
  const store = convertStore(context.database.kysely);
  const service = new ConvertService({ store, needs: convertNeeds(context, store) });
  return {
    routes: convertRoutes(service),
    ...runs(() =>
      keepResuming({
        clock,
        everyMs: RESUME_MS,
        resume: () => service.resume(),
        onFailure: (error) => log.warn("convert.resume.failed", { error }),
      }),
    ),
  };
}
