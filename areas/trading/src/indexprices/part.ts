// Connects pushed index prices with the settings, the listing and the core. Contains no rules; absent without sources.
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "../context.ts";
import { indexPriceRoutes } from "./routes.ts";
import { readSources } from "./rules.ts";
import { IndexPriceService } from "./service.ts";

export function indexPricesPart({ config, engine, market: { pairs } }: PartContext): Part {
  if (config.indexSources.length === 0) return {};
  const service = new IndexPriceService({
    sources: readSources(config.indexSources),
    submit: engine.submit,
    listContracts: () => [...pairs.listContracts("futures"), ...pairs.listContracts("delivery")],
  });
  return { routes: indexPriceRoutes(service) };
}
