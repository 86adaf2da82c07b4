// Holds which assets and pairs the core has listed, by id and by name, and the last price of each: what other slices
// read before they trade. A mirror of the core's state; must never hold a rule the core does not enforce.

import type { ListedMarket, Listing } from "@clockwork/core/inspect/listing";
import {
  CATALOGUE_CONTRACTS,
  type CatalogueContract,
  CONTRACT_QUOTE,
  DEMO_COIN,
} from "@clockwork/kit/contract-catalogue";
import { describeInstrument, type InstrumentKind } from "@clockwork/kit/instrument";
import type { MarketAsset, MarketBiz, MarketPair } from "../markets/pair.ts";
import { CATALOGUE_ASSETS, CATALOGUE_PAIRS, type CataloguePair } from "./catalogue.ts";

/** The asset worth is quoted in. */
const WORTH_SYMBOL = "USDT";

interface Value {
  readonly up: bigint;
  readonly down: bigint;
}
const ONE: Value = { up: 1n, down: 1n };

export interface PairBook {
  /** Spot pairs, in the order they are shown. */
  readonly pairs: readonly MarketPair[];
  readonly assets: readonly MarketAsset[];
  findPair(pairCode: string): MarketPair | undefined;
  /** Perpetuals of one product, in the order they are shown. */
  listContracts(biz: MarketBiz): readonly MarketPair[];
  /** A market of any product. */
  findListed(biz: MarketBiz, pairCode: string): MarketPair | undefined;
  findMarket(market: number): MarketPair | undefined;
  findAsset(symbol: string): MarketAsset | undefined;
  findAssetById(asset: number): MarketAsset | undefined;
  /** Last traded price in ticks; 0 before the first trade. */
  lastTicks(market: number): number;
  /** Worth in USDT's units at the core's valuation, rounded down; undefined while it has none. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** The fair price of a spot market in ticks by the same valuation, rounded down; 0 while it has none. */
  fairTicks(market: number): number;
}

export interface PairMirror extends PairBook {
  /** Takes over the listing of the core. */
  refresh(listing: Listing, listedAtMs: (market: number) => number): void;
  setStatus(market: number, status: string): void;
  setLast(market: number, priceTicks: number): void;
  /** The core's value of an asset: units × up ÷ down in USDT's units, 0 ÷ 0 for none. */
  setValue(asset: number, up: number, down: number): void;
}

const PSEUDO_COINS = [CONTRACT_QUOTE, DEMO_COIN];
const BIZ: Readonly<Record<InstrumentKind, MarketBiz>> = { spot: "spot", linear: "futures", inverse: "delivery" };

function findKnown(kind: InstrumentKind, base: string, quote: string): CataloguePair | CatalogueContract | undefined {
  if (kind === "spot") return CATALOGUE_PAIRS.find((one) => one.base === base && one.quote === quote);
  return CATALOGUE_CONTRACTS.find((one) => one.kind === kind && one.base === base && one.quote === quote);
}

export function createPairs(isSimulated: boolean): PairMirror {
  return new Mirror(isSimulated);
}

class Mirror implements PairMirror {
  pairs: MarketPair[] = [];
  assets: MarketAsset[] = [];
  #contracts: MarketPair[] = [];
  readonly #isSimulated: boolean;
  readonly #byCode = new Map<string, MarketPair>();
  readonly #byMarket = new Map<number, MarketPair>();
  readonly #bySymbol = new Map<string, MarketAsset>();
  readonly #byAsset = new Map<number, MarketAsset>();
  readonly #last = new Map<number, number>();
  readonly #values = new Map<number, Value>();

  constructor(isSimulated: boolean) {
    this.#isSimulated = isSimulated;
  }

  findPair(pairCode: string): MarketPair | undefined {
    return this.findListed("spot", pairCode);
  }

  listContracts(biz: MarketBiz): readonly MarketPair[] {
    return this.#contracts.filter((pair) => pair.biz === biz);
  }

  findListed(biz: MarketBiz, pairCode: string): MarketPair | undefined {
    return this.#byCode.get(`${biz}:${pairCode}`);
  }

  findMarket(market: number): MarketPair | undefined {
    return this.#byMarket.get(market);
  }

  findAsset(symbol: string): MarketAsset | undefined {
    return this.#bySymbol.get(symbol);
  }

  findAssetById(asset: number): MarketAsset | undefined {
    return this.#byAsset.get(asset);
  }

  lastTicks(market: number): number {
    return this.#last.get(market) ?? 0;
  }

  worthUnits(asset: number, amountUnits: bigint): bigint | undefined {
    const value = this.#valueOf(asset);
    return value === undefined ? undefined : (amountUnits * value.up) / value.down;
  }

  fairTicks(market: number): number {
    const pair = this.#byMarket.get(market);
    if (pair === undefined || pair.biz !== "spot") return 0;
    const [base, quote] = [this.#valueOf(pair.base.asset), this.#valueOf(pair.quote.asset)];
    if (base === undefined || quote === undefined) return 0;
    // A lot in units of the quote, over what a tick of it costs.
    const lot = BigInt(pair.stepUnits) * base.up * quote.down;
    return Number(lot / (base.down * quote.up * BigInt(pair.factor)));
  }

  #valueOf(asset: number): Value | undefined {
    return this.#byAsset.get(asset)?.symbol === WORTH_SYMBOL ? ONE : this.#values.get(asset);
  }

  refresh(listing: Listing, listedAtMs: (market: number) => number): void {
    for (const { asset, symbol, scale, valueUp, valueDown } of listing.assets) {
      this.setValue(asset, valueUp, valueDown);
      const known = CATALOGUE_ASSETS.find((one) => one.symbol === symbol);
      const pseudo = PSEUDO_COINS.find((one) => one.symbol === symbol);
      const entry = { asset, symbol, scale, name: known?.name ?? pseudo?.name ?? symbol };
      this.#byAsset.set(asset, entry);
      // Assets that contracts are only quoted in, and play money, cannot be moved or requested.
      if (pseudo === undefined) this.#bySymbol.set(symbol, entry);
    }
    for (const listed of listing.markets) {
      const pair = this.#describe(listed, listedAtMs(listed.market));
      if (pair === undefined) continue;
      this.#put(pair);
      if (listed.depth.lastPrice > 0) this.#last.set(listed.market, listed.depth.lastPrice);
    }
    this.assets = [...this.#bySymbol.values()];
    this.#order();
  }

  setStatus(market: number, status: string): void {
    const pair = this.#byMarket.get(market);
    if (pair === undefined) return;
    this.#put({ ...pair, status });
    this.#order();
  }

  setLast(market: number, priceTicks: number): void {
    this.#last.set(market, priceTicks);
  }

  setValue(asset: number, up: number, down: number): void {
    if (down === 0) this.#values.delete(asset);
    else this.#values.set(asset, { up: BigInt(up), down: BigInt(down) });
  }

  /** A market listed again under the same name replaces the delisted one. */
  #put(pair: MarketPair): void {
    this.#byMarket.set(pair.market, pair);
    const named = this.findListed(pair.biz, pair.pairCode);
    if (named === undefined || named.market <= pair.market) this.#byCode.set(`${pair.biz}:${pair.pairCode}`, pair);
  }

  #order(): void {
    const place = new Map(CATALOGUE_PAIRS.map(({ base, quote }, index) => [`${base}_${quote}`, index]));
    const listed = [...this.#byCode.values()].sort(
      (left, right) =>
        (place.get(left.pairCode) ?? place.size) - (place.get(right.pairCode) ?? place.size) ||
        left.market - right.market,
    );
    this.pairs = listed.filter(({ biz }) => biz === "spot");
    this.#contracts = listed.filter(({ biz }) => biz !== "spot").sort((left, right) => left.market - right.market);
  }

  #describe(listed: ListedMarket, listedAtMs: number): MarketPair | undefined {
    const base = this.#byAsset.get(listed.base);
    const quote = this.#byAsset.get(listed.quote);
    if (base === undefined || quote === undefined) return undefined;
    const mirror = listed.contract?.mirror ?? 0;
    // A demo market has the name of the real one it follows, which was listed before it.
    const real = mirror === 0 ? undefined : this.#byMarket.get(mirror);
    if (mirror !== 0 && real === undefined) return undefined;
    const { depth: _, contract, marketKind: kind, tickLotUnits, ...rules } = listed;
    const biz = real === undefined ? BIZ[kind] : "demo";
    const known = findKnown(kind, base.symbol, quote.symbol);
    return {
      ...describeInstrument({ ...rules, kind, factor: contract?.factor ?? tickLotUnits, base, quote }),
      biz,
      pairCode: real?.pairCode ?? `${base.symbol}_${quote.symbol}`,
      partitions: known !== undefined && "partitions" in known ? known.partitions : [],
      listedAtMs,
      isSimulated: real?.isSimulated ?? (this.#isSimulated && known !== undefined),
      contract,
    };
  }
}
