// What trading offers all later areas: whose account is whose and what it has, the markets and their data. Declarations
// alone; the parts of the ledger and of the market implement them.
import type { CachedAccount } from "@clockwork/host/engine";
import type { Part, PartWith } from "@clockwork/host/part";
import type { AccountResolver } from "@clockwork/server/ledger/account-resolver";
import type { LiveAccounts } from "@clockwork/server/ledger/live-accounts";
import type { ToldReader } from "@clockwork/server/ledger/told";
import type { MarketData } from "@clockwork/server/market/data";
import type { PairBook } from "@clockwork/server/market/pairs";
import type { ContractService } from "./markets/contract-service.ts";
import type { MarketService } from "./markets/service.ts";

export interface Ledger extends PartWith<"start" | "close">, ToldReader {
  readonly accounts: AccountResolver;
  readonly live: LiveAccounts;
  /** What an account has now, never older than the last answer its owner was given. */
  readonly openView: (account: number) => Promise<CachedAccount>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  readonly settled: (sequence: number) => Promise<void>;
}

export interface Market extends Part {
  readonly pairs: PairBook;
  readonly data: MarketData;
  readonly service: Pick<MarketService, "readRankings" | "readFavourites" | "readCandles">;
  /** What is public about perpetual contracts: calls and channels of futures and delivery are built on it. */
  readonly contracts: ContractService;
}
