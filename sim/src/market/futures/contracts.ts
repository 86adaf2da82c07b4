// What the simulated futures market knows of contracts: how deep and busy their books are, how much is held in them, how
// far leverage goes; and which accounts trade them. Data and plain sums.
import { capOfLeverage, type Tier } from "@clockwork/kit/margin";
import type { PairNature, SimulatedPair } from "../instruments.ts";

/** A listed contract as the simulation needs it. */
export interface SimulatedContract extends SimulatedPair {
  readonly kind: "linear" | "inverse";
  readonly contractClass: "A" | "B";
  readonly settleAsset: number;
  /** The settlement coin. */
  readonly settle: string;
  readonly unitsPerCoin: number;
  readonly tiers: readonly Tier[];
  readonly fundingHours: number;
  /** In 1e-8 per eight hours. */
  readonly interestRate: number;
}

/** Accounts that trade the contracts of one settlement coin. */
export interface AccountGroup {
  readonly settle: string;
  readonly settleAsset: number;
  readonly unitsPerCoin: number;
  readonly maker: number;
  readonly takers: readonly number[];
  /** Hold what is open for long: one on each side. */
  readonly long: number;
  readonly short: number;
  /** Levered retail. */
  readonly participants: readonly number[];
}

export interface ContractNature extends PairNature {
  /** USDT held open on each side for long. */
  readonly interestWorth: number;
  /** How often the crowd chooses it. */
  readonly appeal: number;
}

const LINEAR: Readonly<Record<string, ContractNature>> = {
  BTC: {
    halfSpreadBps: 0.04,
    levelWorth: 60_000,
    takersPerSecond: 0.55,
    takerWorth: 8_000,
    everyTicks: 2,
    interestWorth: 38_000_000,
    appeal: 8,
  },
  ETH: {
    halfSpreadBps: 0.06,
    levelWorth: 42_000,
    takersPerSecond: 0.4,
    takerWorth: 6_000,
    everyTicks: 2,
    interestWorth: 22_000_000,
    appeal: 6,
  },
  SOL: {
    halfSpreadBps: 0.5,
    levelWorth: 20_000,
    takersPerSecond: 0.2,
    takerWorth: 3_000,
    everyTicks: 4,
    interestWorth: 4_200_000,
    appeal: 4,
  },
  XRP: {
    halfSpreadBps: 0.5,
    levelWorth: 16_000,
    takersPerSecond: 0.18,
    takerWorth: 2_400,
    everyTicks: 4,
    interestWorth: 3_400_000,
    appeal: 3,
  },
};
const OTHERS: ContractNature = {
  halfSpreadBps: 0.9,
  levelWorth: 9_000,
  takersPerSecond: 0.1,
  takerWorth: 1_500,
  everyTicks: 6,
  interestWorth: 1_600_000,
  appeal: 3,
};
/** Coin-margined books are thinner. */
const INVERSE_SHARE = 0.25;

export function contractNature({ kind, base }: Pick<SimulatedContract, "kind" | "base">): ContractNature {
  const nature = LINEAR[base] ?? OTHERS;
  if (kind === "linear") return nature;
  return {
    ...nature,
    halfSpreadBps: nature.halfSpreadBps * 1.5,
    levelWorth: nature.levelWorth * 0.4,
    takersPerSecond: nature.takersPerSecond * 0.4,
    interestWorth: nature.interestWorth * INVERSE_SHARE,
    everyTicks: 6,
  };
}

export function leverageMax({ tiers }: SimulatedContract): number {
  return tiers[0]?.leverageMax ?? 1;
}

/** The USDT a leverage may open, with some room left. */
export function worthWithin(contract: SimulatedContract, leverage: number, settlePrice: number): number {
  const coins = Number(capOfLeverage(contract.tiers, leverage)) / contract.unitsPerCoin;
  return coins * settlePrice * 0.8;
}
