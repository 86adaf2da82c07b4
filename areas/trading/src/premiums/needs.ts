// The ports of premium samples: which contract is meant. Interfaces only.

export interface SampledContract {
  readonly pairCode: string;
  readonly market: number;
  readonly fundingHours: number;
  /** Rates in 1e-8: interest, and the maintenance rate of the first tier. */
  readonly interestRate: number;
  readonly firstRate: bigint;
}

export type SampledBiz = "futures" | "delivery" | "demo";

export interface PremiumNeeds {
  /** A demo contract is settled by the real one's rate. */
  findContract(biz: SampledBiz, pairCode: string): SampledContract | undefined;
}
