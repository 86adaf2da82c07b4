// Owns reading what is listed: assets, markets with their rules and the books' visible levels. Changes nothing.

import { AS_SCALE, AS_SYMBOL, ASSET_WORDS } from "../ledger/ledger.ts";
import { coreOf } from "../machine/machine.ts";
import {
  atMarket,
  M_ANCHOR,
  M_BASE,
  M_BUY_MAX_BPS,
  M_BUY_MIN_BPS,
  M_CONDITIONAL_MAX,
  M_FEE_GROUP,
  M_KIND,
  M_LIST_MAX,
  M_QUOTE,
  M_RESTING_MAX,
  M_SELL_MAX_BPS,
  M_SELL_MIN_BPS,
  M_STATUS,
  M_SYMBOL,
  MF_MAX_LOTS,
  MF_MAX_MARKET_LOTS,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_STEP_UNITS,
  MF_TICK_LOT_UNITS,
} from "../market/markets.ts";
import type { Machine } from "../protocol/contract.ts";
import { MARKET_KINDS, MARKET_STATUSES, type MarketStatus } from "../protocol/names.ts";
import { type ListedContract, readContract } from "./contracts.ts";
import { type Depth, readDepth } from "./depth.ts";

export interface ListedAsset {
  readonly asset: number;
  readonly symbol: string;
  readonly scale: number;
  /** Its value as assetValued publishes it; USDT has none of its own. */
  readonly valueUp: number;
  readonly valueDown: number;
}

export interface ListedMarket {
  readonly market: number;
  readonly marketKind: (typeof MARKET_KINDS)[number];
  readonly status: MarketStatus;
  readonly base: number;
  readonly quote: number;
  readonly stepUnits: number;
  readonly tickLotUnits: number;
  readonly minLots: number;
  readonly maxLots: number;
  readonly maxMarketLots: number;
  readonly minNotionalUnits: number;
  readonly buyMaxBps: number;
  readonly buyMinBps: number;
  readonly sellMinBps: number;
  readonly sellMaxBps: number;
  /** What the band hung on when an order last looked; 0 while there is none. */
  readonly anchorTicks: number;
  readonly restingMax: number;
  readonly conditionalMax: number;
  readonly listMax: number;
  /** What an account without rates of its own pays, in 1e-8. */
  readonly makerRate: number;
  readonly takerRate: number;
  readonly depth: Depth;
  /** Unique over all kinds. */
  readonly symbol: string;
  /** Of perpetuals alone. */
  readonly contract: ListedContract | undefined;
}

export interface Listing {
  /** The last command the listing contains. */
  readonly sequence: number;
  readonly assets: readonly ListedAsset[];
  readonly markets: readonly ListedMarket[];
}

export function readAssets(machine: Machine): ListedAsset[] {
  const { ledger, values } = coreOf(machine);
  const assets: ListedAsset[] = [];
  for (let asset = 1; asset < ledger.assets.count; asset++) {
    assets.push({
      asset,
      symbol: readText(ledger.assets.i32, asset * ASSET_WORDS + AS_SYMBOL),
      scale: ledger.assetWord(asset, AS_SCALE),
      ...values.read(asset),
    });
  }
  return assets;
}

export function readListing(machine: Machine): Listing {
  const { markets } = coreOf(machine);
  const found: ListedMarket[] = [];
  for (let market = 1; market < markets.table.count; market++) found.push(readMarket(machine, market));
  return { sequence: machine.sequence, assets: readAssets(machine), markets: found };
}

/** A length byte, then the text. */
function readText(words: Int32Array, word: number): string {
  const length = (words[word] as number) & 0xff;
  const bytes = new Uint8Array(words.buffer, words.byteOffset + word * 4 + 1, length);
  return String.fromCharCode(...bytes);
}

function readMarket(machine: Machine, market: number): ListedMarket {
  const { markets, feeGroups } = coreOf(machine);
  const word = (at: number): number => markets.word(market, at);
  const double = (at: number): number => markets.double(market, at);
  return {
    market,
    marketKind: MARKET_KINDS[word(M_KIND)] ?? "spot",
    status: MARKET_STATUSES[word(M_STATUS)] ?? "HALT",
    base: word(M_BASE),
    quote: word(M_QUOTE),
    stepUnits: double(MF_STEP_UNITS),
    tickLotUnits: double(MF_TICK_LOT_UNITS),
    minLots: double(MF_MIN_LOTS),
    maxLots: double(MF_MAX_LOTS),
    maxMarketLots: double(MF_MAX_MARKET_LOTS),
    minNotionalUnits: double(MF_MIN_NOTIONAL),
    buyMaxBps: word(M_BUY_MAX_BPS),
    buyMinBps: word(M_BUY_MIN_BPS),
    sellMinBps: word(M_SELL_MIN_BPS),
    sellMaxBps: word(M_SELL_MAX_BPS),
    anchorTicks: word(M_ANCHOR),
    restingMax: word(M_RESTING_MAX),
    conditionalMax: word(M_CONDITIONAL_MAX),
    listMax: word(M_LIST_MAX),
    makerRate: feeGroups.i32[word(M_FEE_GROUP) * 2] as number,
    takerRate: feeGroups.i32[word(M_FEE_GROUP) * 2 + 1] as number,
    depth: readDepth(machine, market, Number.MAX_SAFE_INTEGER),
    symbol: readText(markets.words, atMarket(market) | M_SYMBOL),
    contract: readContract(coreOf(machine), market),
  };
}
