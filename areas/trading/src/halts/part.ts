// Connects halting and opening markets with the core, the listing and proposals. Contains no rules.

import type { Part } from "@clockwork/host/part";
import type { PartContext } from "../context.ts";
import type { HaltNeeds } from "./needs.ts";
import { haltRoutes } from "./routes.ts";
import { HaltService } from "./service.ts";
import { haltStore } from "./store.ts";

export function haltsPart({ database, engine, market, accounts, audit }: PartContext): Part {
  const { pairs } = market;
  const needs: HaltNeeds = {
    listMarkets: () => [
      ...pairs.pairs.map((pair) => ({ biz: "spot" as const, ...describe(pair) })),
      ...(["futures", "delivery"] as const).flatMap((biz) =>
        pairs.listContracts(biz).map((pair) => ({ biz, ...describe(pair) })),
      ),
    ],
    setStatus: async (of, status) => (await engine.submit({ kind: "setMarketStatus", market: of, status })).done,
    nameOf: accounts.nameOf,
  };
  const halts = new HaltService({ store: haltStore(database.kysely), needs });
  const proposeOpen = accounts.proposals.register(halts.openKind());
  return { routes: haltRoutes({ halts, audit, proposeOpen }) };
}

function describe({ pairCode, market, status }: { pairCode: string; market: number; status: string }) {
  return { pairCode, market, status };
}
