// The ports of deals with providers: providers, prices, identities, the ledger. Interfaces only.

import type { LedgerCoin } from "@clockwork/kit/instrument";
import type { LedgerReply as Reply } from "../otcpeople/needs.ts";
import type { Bill, BillsQuery } from "./contract.ts";
import type { DealRow } from "./store.ts";

/** restricted: the coins may not leave yet. */
export type LedgerReply = Reply | "restricted";

/** An outside provider of money. It quotes, receives the order to start, and calls back with a signature at the end. */
export interface FiatProvider {
  readonly name: string;
  readonly label: string;
  readonly isSimulated: boolean;
  readonly fiats: readonly string[];
  readonly minUsd: number;
  readonly maxUsd: number;
  /** Its price, in ten-thousandths. */
  quote(side: "buy" | "sell", indexPriceE4: bigint): bigint;
  begin(deal: DealRow): Promise<void>;
  isSigned(text: string, signature: string): boolean;
}

export interface ProviderNeeds {
  readonly now: () => number;
  readonly providers: readonly FiatProvider[];
  coin(symbol: string): LedgerCoin | undefined;
  indexPriceE4(asset: string, fiat: string): bigint | undefined;
  rateE8(fiat: string): bigint | undefined;
  levelOf(userId: number): Promise<number>;
  /** From the reserves to a buyer; a seller's coins held, then taken or returned. */
  payCoins(deal: DealRow, coin: LedgerCoin): Promise<LedgerReply>;
  holdCoins(deal: DealRow, coin: LedgerCoin): Promise<LedgerReply>;
  takeCoins(deal: DealRow): Promise<LedgerReply>;
  returnCoins(deal: DealRow): Promise<LedgerReply>;
  randomId(): string;
  /** Open pages read again. */
  changed(deal: DealRow): void;
  /** By letter, mail and the live channel, once for each deal. */
  notify(deal: DealRow, words: { readonly title: string; readonly body: string }): Promise<void>;
  /** The requested bills of orders and bonds, the newest of each up to a count, unsorted. */
  listBills(userId: number, query: BillsQuery, count: number): Promise<readonly Bill[]>;
}
