// Connects market data with the core, the database and the sockets, and lists the catalogue. Holds no rule of its own.
import { marketRoutes } from "@clockwork/domains/markets/routes";
import { marketService } from "@clockwork/domains/markets/service";
import type { RouteSpec } from "@clockwork/kit/route";
import type { PriceSource } from "@clockwork/sim/market/prices";
import type { FastifyInstance } from "fastify";
import type { Engine } from "../engine/engine.ts";
import type { Log } from "../log.ts";
import type { Channel } from "../socket/channel.ts";
import type { Hub } from "../socket/hub.ts";
import { CATALOGUE_PARTITIONS } from "./catalogue.ts";
import { MarketChannels } from "./channels.ts";
import type { MarketData } from "./data.ts";
import { listCatalogue } from "./listing.ts";
import { mountPairPictures } from "./pair-picture.ts";
import type { PairBook } from "./pairs.ts";
import { openPriceDoor } from "./price-door.ts";
import { clearSimulation, startSimulation } from "./simulation.ts";

/** off: nothing is listed, as tests of other things want it. listed: the catalogue with books for customers alone.
 *  simulated: the same, kept alive by simulated traders. */
export type MarketMode = "off" | "listed" | "simulated";

export interface MarketParts {
  readonly mode: MarketMode;
  readonly data: MarketData;
  readonly engine: Partial<Pick<Engine, "submit" | "submitBatch" | "subscribe" | "readRoster">>;
  readonly log: Log;
  readonly clock: () => number;
  readonly hub: () => Hub | undefined;
  readonly seed: number;
  readonly speed: number;
  /** Empty when nobody may hand in prices. */
  readonly priceToken: string;
}

export interface Market {
  readonly pairs: PairBook;
  /** What a market's price is by the trades of the last minutes, in ticks; 0 before the first. */
  readIndexTicks(market: number, timeMs: number): number;
  readonly routes: readonly RouteSpec[];
  readonly channels: readonly Channel[];
  /** Pictures of pairs, at the root. */
  mountFiles(app: FastifyInstance): void;
  /** Begins storing and, where wanted, simulating; the answer ends it. */
  start(): () => Promise<void>;
}

export async function composeMarket(parts: MarketParts): Promise<Market> {
  const { mode, data, log, clock } = parts;
  const { submit, readRoster } = parts.engine;
  const { pairs, projector, series, store } = data;
  if (submit !== undefined && readRoster !== undefined) {
    const commands = mode === "off" ? 0 : await listCatalogue({ submit, readRoster });
    if (commands > 0) log.info("market.listed", { commands });
    await data.connect(readRoster);
  }
  const needs = {
    listPairs: () => pairs.pairs,
    findPair: pairs.findPair.bind(pairs),
    worthUnits: pairs.worthUnits.bind(pairs),
    partitions: CATALOGUE_PARTITIONS,
  };
  const service = marketService({ needs, projector, series, store });
  const channels = new MarketChannels({ data, service, hub: parts.hub, clock });
  const door = openPriceDoor(parts.priceToken);
  return {
    pairs,
    readIndexTicks: (market, timeMs) => projector.tapes.get(market)?.readAverage(timeMs) ?? pairs.lastTicks(market),
    routes: [...marketRoutes(service), ...(door?.routes ?? [])],
    mountFiles: (app) => mountPairPictures(app, { service, clock }),
    channels: channels.channels,
    start() {
      data.start();
      const stop = simulate(parts, door?.source);
      return async () => {
        await stop();
        channels.close();
      };
    },
  };
}

function simulate(parts: MarketParts, source: PriceSource | undefined): () => Promise<void> {
  const { mode, data, log, clock, seed, speed } = parts;
  const { submit, submitBatch, subscribe } = parts.engine;
  if (submit === undefined || submitBatch === undefined || subscribe === undefined) return async () => undefined;
  const engine = { submit, submitBatch, subscribe };
  if (mode === "simulated") {
    const outside = source === undefined ? {} : { source };
    return startSimulation({ engine, data, log, clock, seed, speed, ...outside });
  }
  const clearing = clearSimulation({ engine, data }).catch((error: unknown) =>
    log.warn("market.clear.failed", { error }),
  );
  return () => clearing;
}
