// What the markets slice wants from others: which pairs are listed and by which rules. Answered by whoever reads the
// core; never a copy that could differ from what the core enforces.
import type { Instrument } from "@clockwork/kit/instrument";

/** An asset as the ledger counts it. */
export interface MarketAsset {
  readonly asset: number;
  readonly symbol: string;
  readonly name: string;
  /** Decimals of the smallest unit. */
  readonly scale: number;
}

/** A spot market of the core with everything needed to read and write its prices and quantities. */
export interface MarketPair extends Instrument {
  readonly pairCode: string;
  readonly market: number;
  readonly base: MarketAsset;
  readonly quote: MarketAsset;
  readonly settle: MarketAsset;
  readonly status: string;
  /** What the band hung on when rules were last read from the core; 0 while there is none. */
  readonly anchorTicks: number;
  readonly restingMax: number;
  readonly conditionalMax: number;
  readonly listMax: number;
  /** What an account without rates of its own pays, in 1e-8. */
  readonly makerRate: number;
  readonly takerRate: number;
  readonly partitions: readonly string[];
  readonly listedAtMs: number;
  readonly isSimulated: boolean;
}

export interface MarketNeeds {
  /** In the order they are shown. */
  listPairs(): readonly MarketPair[];
  findPair(pairCode: string): MarketPair | undefined;
  /** Worth in one common asset's units, for comparing turnovers; undefined when no price tells it. */
  worthUnits(asset: number, amountUnits: bigint): bigint | undefined;
  /** Groups pairs are shown in, in order. */
  readonly partitions: readonly { readonly key: string; readonly name: string }[];
}
