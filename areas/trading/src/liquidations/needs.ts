// The ports of liquidation reports: contracts, and the owner of an account. Interfaces only.
import type { AccountOwner } from "@clockwork/kit/books";
import type { Instrument } from "@clockwork/kit/instrument";
import type { Tier } from "@clockwork/kit/margin";

export type ReportBiz = "futures" | "delivery" | "demo";

export interface ReportContract extends Instrument {
  readonly biz: string;
  readonly pairCode: string;
  readonly contract: { readonly tiers: readonly Tier[] } | undefined;
}

export interface LiquidationNeeds {
  findMarket(market: number): ReportContract | undefined;
  /** The user's accounts of a product. */
  listAccounts(userId: number, biz: ReportBiz): Promise<readonly number[]>;
  ownerOf(account: number): Promise<AccountOwner | undefined>;
}
