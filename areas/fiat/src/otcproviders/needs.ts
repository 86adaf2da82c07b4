// What deals with providers want of others: providers, prices, identities, the ledger. Interfaces only.
import type { Bill, BillsQuery } from "./contract.ts";
import type { DealRow } from "./store.ts";

/** restricted: the coins may not leave yet. */
export type LedgerReply = "done" | "short" | "restricted" | "away" | "refused";

/** An outside provider of money. It quotes, is told to begin, and calls back with a signature when it has ended. */
export interface FiatProvider {
  readonly name: string;
  readonly label: string;
  readonly isSimulated: boolean;
  readonly fiats: readonly string[];
  readonly minUsd: number;
  readonly maxUsd: number;
  /** The price it asks for or gives, in ten-thousandths. */
  quote(side: "buy" | "sell", indexPriceE4: bigint): bigint;
  begin(deal: DealRow): Promise<void>;
  isSigned(text: string, signature: string): boolean;
}

export interface ProviderCoin {
  readonly asset: number;
  readonly scale: number;
}

export interface ProviderNeeds {
  readonly now: () => number;
  readonly providers: readonly FiatProvider[];
  coin(symbol: string): ProviderCoin | undefined;
  indexPriceE4(asset: string, fiat: string): bigint | undefined;
  rateE8(fiat: string): bigint | undefined;
  levelOf(userId: number): Promise<number>;
  /** From the reserves to a buyer; a seller's coins held, then taken or given back. */
  payCoins(deal: DealRow, coin: ProviderCoin): Promise<LedgerReply>;
  holdCoins(deal: DealRow, coin: ProviderCoin): Promise<LedgerReply>;
  takeCoins(deal: DealRow): Promise<LedgerReply>;
  returnCoins(deal: DealRow): Promise<LedgerReply>;
  randomId(): string;
  /** Open pages look again. */
  changed(deal: DealRow): void;
  /** By letter, mail and the live channel, once for each deal. */
  notify(deal: DealRow, words: { readonly title: string; readonly body: string }): Promise<void>;
  /** Bills of orders and bonds that are asked for, the newest so many of each, in no order. */
  listBills(userId: number, query: BillsQuery, count: number): Promise<readonly Bill[]>;
}
