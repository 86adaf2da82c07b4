// A listed asset and a listed market of any product, as every slice sees them. Read from the core; never a copy that
// could differ from what the core enforces.
import type { Instrument, LedgerCoin } from "@clockwork/kit/instrument";
import type { Tier } from "@clockwork/kit/margin";

/** An asset as the ledger counts it. */
export interface MarketAsset extends LedgerCoin {
  readonly name: string;
}

/** Which product a market belongs to; codes of pairs are unique within one. */
export type MarketBiz = "spot" | "futures" | "delivery" | "demo";

/** The limits of a perpetual contract beyond those of all markets. */
export interface ContractRules {
  readonly contractClass: "A" | "B";
  readonly fundingHours: number;
  /** Rates in 1e-8. */
  readonly interestRate: number;
  readonly liquidationRate: number;
  readonly tiers: readonly Tier[];
  /** Of a demo market: the real one whose prices it shows; else 0. */
  readonly mirror: number;
}

/** A market of the core with everything needed to read and write its prices and quantities. */
export interface MarketPair extends Instrument {
  readonly biz: MarketBiz;
  readonly pairCode: string;
  readonly market: number;
  readonly base: MarketAsset;
  readonly quote: MarketAsset;
  readonly settle: MarketAsset;
  readonly status: string;
  /** The anchor of the band when rules were last read from the core; 0 while there is none. */
  readonly anchorTicks: number;
  readonly restingMax: number;
  readonly conditionalMax: number;
  readonly listMax: number;
  /** The fee of an account without rates of its own, in 1e-8. */
  readonly makerRate: number;
  readonly takerRate: number;
  readonly partitions: readonly string[];
  readonly listedAtMs: number;
  readonly isSimulated: boolean;
  /** Perpetuals only. */
  readonly contract: ContractRules | undefined;
}

export interface MarketNeeds {
  /** Spot pairs in the order they are shown. */
  listPairs(): readonly MarketPair[];
  findPair(pairCode: string): MarketPair | undefined;
  /** Perpetuals of one product, in order. */
  listContracts(biz: MarketBiz): readonly MarketPair[];
  /** A market of any product. */
  findListed(biz: MarketBiz, pairCode: string): MarketPair | undefined;
  /** Worth in one common asset's units, for comparing turnovers; undefined without a price. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** Groups pairs are shown in, in order. */
  readonly partitions: readonly { readonly key: string; readonly name: string }[];
}
