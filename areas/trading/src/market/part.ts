// Connects market data with the core, the database and the sockets, and lists the catalogue. Contains no rules.

import { join } from "node:path";
import type { BaseContext } from "@clockwork/host/part";
import { NotReady } from "@clockwork/host/part";
import type { PriceSource } from "@clockwork/sim/market/prices";
import { ContractService } from "../markets/contract-service.ts";
import { contractRoutes, marketRoutes } from "../markets/routes.ts";
import { MarketService } from "../markets/service.ts";
import { CATALOGUE_PARTITIONS } from "./catalogue.ts";
import { MarketChannels } from "./channels.ts";
import { ContractChannels } from "./contract-channels.ts";
import { type MarketData, openMarketData } from "./data.ts";
import { fundReserves } from "./genesis.ts";
import { listCatalogue } from "./listing.ts";
import type { Market } from "./offer.ts";
import { mountPairPictures } from "./pair-picture.ts";
import { openPriceIntake } from "./price-intake.ts";
import { clearSimulation, startSimulation } from "./simulation.ts";

export async function marketPart(context: BaseContext): Promise<Market> {
  const { config, log, clock, live, marketMode } = context;
  const isSimulated = marketMode === "simulated";
  const data = await openMarketData({
    kysely: context.database.kysely,
    log,
    clock,
    isSimulated,
    folder: join(config.folder, "trades"),
  });
  const { pairs, projector, series, store, history } = data;
  const needs = {
    listPairs: () => pairs.pairs,
    findPair: pairs.findPair.bind(pairs),
    listContracts: pairs.listContracts.bind(pairs),
    findListed: pairs.findListed.bind(pairs),
    worthUnits: pairs.worthUnits.bind(pairs),
    partitions: CATALOGUE_PARTITIONS,
  };
  const service = new MarketService({ needs, projector, series, store });
  const contracts = new ContractService({ needs, projector, series, store });
  const channels = new MarketChannels({ data, service, contracts, live, clock: clock.now });
  const prices = new ContractChannels({ data, contracts, live, clock });
  const door = openPriceIntake(config.marketPriceToken);
  let stop: () => Promise<void> = async () => undefined;
  return {
    pairs,
    data,
    service,
    contracts,
    history,
    routes: [
      ...marketRoutes(service, history),
      ...contractRoutes({ contracts, history, findAsset: pairs.findAsset.bind(pairs) }),
      ...(door?.routes ?? []),
    ],
    channels: [...channels.channels, ...prices.channels],
    // Follows the engine's events from the first on.
    followers: [data],
    readiness: [
      {
        name: "market",
        check: async () => {
          if (data.failure !== undefined) throw new NotReady(`${data.failure}: restart`);
        },
      },
    ],
    mount: (app) => mountPairPictures(app, { service, clock: clock.now }),
    async start() {
      if (context.engine.isThere) await connect(context, data);
      data.start();
      stop = simulate(context, data, door?.source);
    },
    async close() {
      await stop();
      channels.close();
      prices.close();
    },
  };
}

async function connect({ engine, log, marketMode, isTestMoney }: BaseContext, data: MarketData): Promise<void> {
  const commands = marketMode === "off" ? 0 : await listCatalogue(engine);
  if (commands > 0) log.info("market.listed", { commands });
  if (isTestMoney) await fundReserves(engine);
  await data.connect(engine.readListing);
}

function simulate(context: BaseContext, data: MarketData, source: PriceSource | undefined): () => Promise<void> {
  const { config, engine, log, clock, marketMode, isVisited } = context;
  if (!engine.isThere) return async () => undefined;
  if (marketMode === "simulated") {
    const outside = source === undefined ? {} : { source };
    const rate = { seed: config.marketSeed, speed: config.marketSpeed, historyDays: config.marketHistoryDays };
    return startSimulation({ engine, data, log, clock, isVisited, ...rate, ...outside });
  }
  const clearing = clearSimulation({ engine, data }).catch((error: unknown) =>
    log.warn("market.clear.failed", { error }),
  );
  return () => clearing;
}
