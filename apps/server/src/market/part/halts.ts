// Connects stopping and opening markets with the core, the listing and proposals. Holds no rule of its own.
import type { HaltNeeds } from "@clockwork/trading/halts/needs";
import { haltRoutes } from "@clockwork/trading/halts/routes";
import { HaltService } from "@clockwork/trading/halts/service";
import { haltStore } from "@clockwork/trading/halts/store";
import type { Part, PartContext } from "../../part.ts";

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
