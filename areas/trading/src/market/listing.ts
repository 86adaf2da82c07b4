// Lists the catalogues of coins, spot pairs and perpetual contracts through the core's own commands, only what is
// missing: a restart lists nothing, a new entry is added at the next start. Must never change an existing market.
// Contracts remain in PRE until they have prices.

import type { ListedMarket, Listing } from "@clockwork/core/inspect/listing";
import type { Command } from "@clockwork/core/protocol/command";
import { type ListMarket, listMarketCommand, tiersCommand } from "@clockwork/core/protocol/listing-command";
import type { EngineHandle } from "@clockwork/host/engine";
import {
  CATALOGUE_CONTRACTS,
  type CatalogueContract,
  CONTRACT_MAKER_RATE,
  CONTRACT_QUOTE,
  CONTRACT_SLIPPAGE_BPS,
  CONTRACT_TAKER_RATE,
  contractInstrument,
  contractSymbol,
  contractTiers,
  DEMO_COIN,
  demoSymbol,
} from "@clockwork/kit/contract-catalogue";
import { type Instrument, readInstrument, readPriceTicks } from "@clockwork/kit/instrument";
import { CATALOGUE_ASSETS, CATALOGUE_PAIRS, type CatalogueAsset, type CataloguePair } from "./catalogue.ts";

/** The fee before any volume, in 1e-8: 0.1 %. */
const LEVEL_0_RATE = 100_000;
const FEE_GROUP = 0;
/** Perpetuals have fees of their own. */
export const CONTRACT_FEE_GROUP = 1;

const BAND = { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" } as const;
const COINS: readonly CatalogueAsset[] = [...CATALOGUE_ASSETS, CONTRACT_QUOTE, DEMO_COIN];

type Lister = Pick<EngineHandle, "submit" | "readListing">;

/** Returns the number of commands; none when everything existed. */
export async function listCatalogue(engine: Lister): Promise<number> {
  let count = 0;
  for (const missing of [missingAssets, missingSpot, missingContracts, missingTiers, missingDemo]) {
    const listing = await engine.readListing();
    if (listing === undefined) return count;
    const commands = missing(listing);
    for (const command of commands) await list(engine, command);
    count += commands.length;
  }
  return count;
}

async function list(engine: Pick<EngineHandle, "submit">, command: Command): Promise<void> {
  const ack = await engine.submit(command);
  if (ack.done || ack.code === "ASSET_EXISTS" || ack.code === "MARKET_EXISTS") return;
  throw new Error(`the catalogue could not be listed: ${command.kind} was refused with ${ack.code}`);
}

function missingAssets(listing: Listing): Command[] {
  const known = new Set(listing.assets.map(({ symbol }) => symbol));
  return COINS.filter(({ symbol }) => !known.has(symbol)).map(({ symbol, scale }) => ({
    kind: "listAsset",
    symbol,
    scale,
  }));
}

function missingSpot(listing: Listing): Command[] {
  const isFirst = !listing.markets.some(({ marketKind }) => marketKind === "spot");
  const fees = { kind: "setFeeGroup", feeGroup: FEE_GROUP, makerRate: LEVEL_0_RATE, takerRate: LEVEL_0_RATE } as const;
  const markets = missing(listing, CATALOGUE_PAIRS, "spot", toMarket);
  return isFirst && markets.length > 0 ? [fees, ...markets] : markets;
}

function missingContracts(listing: Listing): Command[] {
  const isFirst = !listing.markets.some(({ contract }) => contract !== undefined);
  const rates = { makerRate: CONTRACT_MAKER_RATE, takerRate: CONTRACT_TAKER_RATE };
  const markets = [
    ...missing(listing, CATALOGUE_CONTRACTS.filter(isKind("linear")), "linear", toContract),
    ...missing(listing, CATALOGUE_CONTRACTS.filter(isKind("inverse")), "inverse", toContract),
  ];
  const fees = { kind: "setFeeGroup", feeGroup: CONTRACT_FEE_GROUP, ...rates } as const;
  return isFirst && markets.length > 0 ? [fees, ...markets] : markets;
}

const isKind = (kind: string) => (entry: CatalogueContract) => entry.kind === kind;

/** Entries without a market of their kind. */
function missing<Entry extends { readonly base: string; readonly quote: string }>(
  listing: Listing,
  entries: readonly Entry[],
  kind: ListedMarket["marketKind"],
  toCommand: (entry: Entry, base: number, quote: number) => ListMarket,
): ListMarket[] {
  const ids = new Map(listing.assets.map(({ symbol, asset }) => [symbol, asset]));
  const taken = new Set(
    listing.markets.filter(({ marketKind }) => marketKind === kind).map(({ base, quote }) => `${base}/${quote}`),
  );
  return entries.flatMap((entry) => {
    const base = ids.get(entry.base);
    const quote = ids.get(entry.quote);
    if (base === undefined || quote === undefined || taken.has(`${base}/${quote}`)) return [];
    return [toCommand(entry, base, quote)];
  });
}

/** A start that ended between listing a contract and giving it its ladder is made good. */
function missingTiers(listing: Listing): Command[] {
  const symbols = new Map(CATALOGUE_CONTRACTS.map((entry) => [contractSymbol(entry), entry]));
  return listing.markets.flatMap(({ market, symbol, contract }) => {
    const entry = symbols.get(symbol);
    if (entry === undefined || contract === undefined || contract.tiers.length > 0) return [];
    const settle = findCoin(entry.kind === "inverse" ? entry.base : entry.quote);
    return [tiersCommand(market, contractTiers(entry, settle))];
  });
}

/** A demo market for every linear contract: its terms on play money. */
function missingDemo(listing: Listing): Command[] {
  const play = listing.assets.find(({ symbol }) => symbol === DEMO_COIN.symbol)?.asset;
  const mirrored = new Set(listing.markets.map(({ contract }) => contract?.mirror ?? 0));
  if (play === undefined) return [];
  return CATALOGUE_CONTRACTS.filter(isKind("linear")).flatMap((entry) => {
    const real = listing.markets.find(({ symbol }) => symbol === contractSymbol(entry));
    if (real === undefined || mirrored.has(real.market)) return [];
    const { contractClass, fundingHours, interestRate } = entry;
    return [
      listMarketCommand(contractInstrument(entry, findCoin(entry.base), DEMO_COIN), {
        symbol: demoSymbol(entry),
        status: real.status,
        feeGroup: CONTRACT_FEE_GROUP,
        base: real.base,
        quote: play,
        contractClass,
        fundingHours,
        interestRate,
        liquidationRate: CONTRACT_TAKER_RATE,
        slippageBps: CONTRACT_SLIPPAGE_BPS,
        mirror: real.market,
      }),
    ];
  });
}

export function toMarket(pair: CataloguePair, base: number, quote: number): ListMarket {
  const instrument = pairInstrument(pair);
  return listMarketCommand(instrument, {
    symbol: `${pair.base}/${pair.quote}`,
    status: "TRADING",
    feeGroup: FEE_GROUP,
    base,
    quote,
    anchorTicks: readPriceTicks(instrument, pair.firstPrice) ?? 0,
  });
}

function toContract(entry: CatalogueContract, base: number, quote: number): ListMarket {
  const { contractClass, fundingHours, interestRate } = entry;
  return listMarketCommand(contractInstrument(entry, findCoin(entry.base), findCoin(entry.quote)), {
    symbol: contractSymbol(entry),
    status: "PRE",
    feeGroup: CONTRACT_FEE_GROUP,
    base,
    quote,
    contractClass,
    fundingHours,
    interestRate,
    liquidationRate: CONTRACT_TAKER_RATE,
    slippageBps: CONTRACT_SLIPPAGE_BPS,
  });
}

/** A pair of the catalogue as the kit describes it. */
export function pairInstrument(pair: CataloguePair): Instrument {
  const read = readInstrument({
    kind: "spot",
    base: findCoin(pair.base),
    quote: findCoin(pair.quote),
    tickSize: pair.tick,
    stepSize: pair.step,
    minQuantity: pair.step,
    maxQuantity: pair.maxQuantity,
    maxMarketQuantity: pair.maxMarketQuantity,
    minNotional: pair.minNotional,
    band: BAND,
  });
  if (!read.done) throw new Error(`${pair.base}/${pair.quote} cannot be listed: ${read.code}`);
  return read.value;
}

function findCoin(symbol: string): CatalogueAsset {
  const found = COINS.find((asset) => asset.symbol === symbol);
  if (found === undefined) throw new Error(`${symbol} is not in the catalogue`);
  return found;
}
