// Connects halting and opening markets with the core, the listing and proposals. Contains no rules.

import type { Part } from "@clockwork/host/part";
import type { PartContext } from "../context.ts";
import { haltRoutes } from "./routes.ts";
import { HaltService } from "./service.ts";
import { haltStore } from "./store.ts";

export function haltsPart({ database, engine, market, accounts, audit }: PartContext): Part {
  const needs = { pairs: market.pairs, submit: engine.submit, nameOf: accounts.nameOf };
  const halts = new HaltService({ store: haltStore(database.kysely), needs });
  const proposeOpen = accounts.proposals.register(halts.openKind());
  return { routes: haltRoutes({ halts, audit, proposeOpen }) };
}
