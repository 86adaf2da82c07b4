// Lists the catalogue through the core's own commands, whatever is missing and nothing twice: a restart lists nothing,
// a new entry is added at the next start. Must never change a market that is already there.

import type { Listing } from "@clockwork/core/inspect/listing";
import type { Command } from "@clockwork/core/protocol/command";
import { parseDecimal } from "@clockwork/kit/decimal";
import { parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import type { Engine } from "../engine/engine.ts";
import { CATALOGUE_ASSETS, CATALOGUE_PAIRS, type CatalogueAsset, type CataloguePair } from "./catalogue.ts";

/** What everybody pays before any volume, in 1e-8: 0.1 %. */
const LEVEL_0_RATE = 100_000;
const FEE_GROUP = 0;

type ListMarket = Extract<Command, { readonly kind: "listMarket" }>;

/** Returns how many commands it took; none when everything was there. */
export async function listCatalogue(engine: Pick<Engine, "submit" | "readListing">): Promise<number> {
  const listing = await engine.readListing();
  if (listing === undefined) return 0;
  const commands = missingAssets(listing);
  for (const command of commands) await list(engine, command);
  const known = commands.length === 0 ? listing : ((await engine.readListing()) ?? listing);
  const markets = missingMarkets(known);
  if (markets.length === 0) return commands.length;
  if (known.markets.length === 0) {
    await list(engine, {
      kind: "setFeeGroup",
      feeGroup: FEE_GROUP,
      makerRate: LEVEL_0_RATE,
      takerRate: LEVEL_0_RATE,
    });
  }
  for (const command of markets) await list(engine, command);
  return commands.length + markets.length;
}

async function list(engine: Pick<Engine, "submit">, command: Command): Promise<void> {
  const ack = await engine.submit(command);
  if (ack.done || ack.code === "ASSET_EXISTS" || ack.code === "MARKET_EXISTS") return;
  throw new Error(`the catalogue could not be listed: ${command.kind} was refused with ${ack.code}`);
}

function missingAssets(listing: Listing): Command[] {
  const known = new Set(listing.assets.map(({ symbol }) => symbol));
  return CATALOGUE_ASSETS.filter(({ symbol }) => !known.has(symbol)).map(({ symbol, scale }) => ({
    kind: "listAsset",
    symbol,
    scale,
  }));
}

function missingMarkets(listing: Listing): ListMarket[] {
  const ids = new Map(listing.assets.map(({ symbol, asset }) => [symbol, asset]));
  const taken = new Set(listing.markets.map(({ base, quote }) => `${base}/${quote}`));
  return CATALOGUE_PAIRS.flatMap((pair) => {
    const base = ids.get(pair.base);
    const quote = ids.get(pair.quote);
    if (base === undefined || quote === undefined || taken.has(`${base}/${quote}`)) return [];
    return [toMarket(pair, base, quote)];
  });
}

export function toMarket(pair: CataloguePair, base: number, quote: number): ListMarket {
  const tick = readText(pair.tick);
  const tickMantissa = toCoreUnits(units(tick.units));
  const lots = (quantity: string): number => countLots(pair, quantity);
  return {
    kind: "listMarket",
    marketKind: "spot",
    status: "TRADING",
    feeGroup: FEE_GROUP,
    base,
    quote,
    tickMantissa,
    tickDecimals: tick.scale,
    stepUnits: coreUnits(pair.step, findAsset(pair.base).scale),
    symbol: `${pair.base}/${pair.quote}`,
    minLots: 1,
    maxLots: lots(pair.maxQuantity),
    maxMarketLots: lots(pair.maxMarketQuantity),
    minNotionalUnits: coreUnits(pair.minNotional, findAsset(pair.quote).scale),
    anchorTicks: countTicks(pair, pair.firstPrice),
  };
}

/** How many ticks a price of this pair is; prices of the catalogue lie on ticks. */
export function countTicks(pair: CataloguePair, price: string): number {
  const tick = readText(pair.tick);
  const value = readText(price);
  const scale = Math.max(tick.scale, value.scale);
  const ticks = (value.units * 10n ** BigInt(scale - value.scale)) / (tick.units * 10n ** BigInt(scale - tick.scale));
  return toCoreUnits(units(ticks));
}

function countLots(pair: CataloguePair, quantity: string): number {
  const { scale } = findAsset(pair.base);
  return coreUnits(quantity, scale) / coreUnits(pair.step, scale);
}

function findAsset(symbol: string): CatalogueAsset {
  const found = CATALOGUE_ASSETS.find((asset) => asset.symbol === symbol);
  if (found === undefined) throw new Error(`${symbol} is not in the catalogue`);
  return found;
}

function coreUnits(text: string, scale: number): number {
  const parsed = parseUnits(text, scale);
  if (!parsed.done) throw new Error(`${text} does not fit ${scale} decimals`);
  return toCoreUnits(parsed.value);
}

function readText(text: string): { readonly units: bigint; readonly scale: number } {
  const parsed = parseDecimal(text);
  if (!parsed.ok) throw new Error(`${text} is no decimal`);
  return parsed.value;
}
