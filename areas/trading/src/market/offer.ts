// What the market offers: pairs, contracts and their data. Declarations only; part.ts implements them.
import type { Part } from "@clockwork/host/part";
import type { ContractService } from "../markets/contract-service.ts";
import type { MarketService } from "../markets/service.ts";
import type { TradeHistory } from "../markets/trade-history.ts";
import type { MarketData } from "./data.ts";
import type { PairBook } from "./pairs.ts";

export interface Market extends Part {
  readonly pairs: PairBook;
  readonly data: MarketData;
  readonly service: Pick<MarketService, "readRankings" | "readFavourites" | "readCandles">;
  /** Public data of perpetual contracts: calls and channels of futures and delivery are built on it. */
  readonly contracts: ContractService;
  /** Public trades of every market from the first on. */
  readonly history: TradeHistory;
}
