// Connects market data with the core, the database and the sockets, and lists the catalogue. Holds no rule of its own.
import { marketRoutes } from "@clockwork/domains/markets/routes";
import { marketService } from "@clockwork/domains/markets/service";
import type { RouteSpec } from "@clockwork/kit/route";
import type { Engine } from "../engine/engine.ts";
import type { Log } from "../log.ts";
import { listCatalogue } from "./listing.ts";
import { createPairs, type PairBook } from "./pairs.ts";

/** off: nothing is listed, as tests of other things want it. listed: the catalogue with books for customers alone.
 *  simulated: the same, kept alive by simulated traders. */
export type MarketMode = "off" | "listed" | "simulated";

export interface MarketParts {
  readonly mode: MarketMode;
  readonly engine: Partial<Pick<Engine, "submit" | "submitBatch" | "subscribe" | "readRoster">>;
  readonly log: Log;
  readonly clock: () => number;
}

export interface Market {
  readonly pairs: PairBook;
  readonly routes: readonly RouteSpec[];
}

export async function composeMarket(parts: MarketParts): Promise<Market> {
  const { mode, log, clock } = parts;
  const { submit, readRoster } = parts.engine;
  const pairs = createPairs(mode === "simulated");
  if (submit !== undefined && readRoster !== undefined) {
    const commands = mode === "off" ? 0 : await listCatalogue({ submit, readRoster });
    if (commands > 0) log.info("market.listed", { commands });
    const roster = await readRoster();
    if (roster !== undefined) pairs.refresh(roster, () => clock());
  }
  const service = marketService({
    needs: { listPairs: () => pairs.pairs, findPair: (pairCode) => pairs.findPair(pairCode) },
  });
  return { pairs, routes: marketRoutes(service) };
}
