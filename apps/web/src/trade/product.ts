// What a terminal needs from the product it shows: one object, made by the product's feature and given by its route.
// Nothing below `trade/` names a product; README.md describes how to plug one in.

import type { Decimal } from "@clockwork/kit/decimal";
import type { Partition } from "@clockwork/trading/markets/contract";
import { type ComponentType, createContext, use } from "react";
import type { Answer } from "#live/answer.ts";
import type { FeedDefinition } from "#live/feed-definition.ts";
import type { CandlePrice, MarketData } from "#live/feeds/market-feeds.ts";
import type { OwnOrders } from "#live/feeds/own-feeds.ts";
import type { RequestClient } from "#live/request.ts";
import { canAmend, type TradeFill, type TradeOrder } from "./trade-order.ts";

/** What every panel needs of an instrument; the server's rows fit unchanged. */
export interface TradeInstrument {
  readonly pairCode: string;
  readonly base: string;
  readonly quote: string;
  readonly baseName: string;
  readonly status: string;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly tickSize: string;
  readonly partitions: readonly string[];
  /** The market is kept alive by simulated traders; screens must say so. */
  readonly isSimulated: boolean;
}

/** In which coin what is counted: a spot pair BTC_USDT trades BTC for USDT, an inverse contract USD worth BTC. */
export interface InstrumentAssets {
  readonly price: string;
  readonly quantity: string;
  readonly value: string;
}

/** Rows as they are streamed: for the panel of orders and for the marks in book and chart. */
export interface OwnFeeds {
  readonly orders: FeedDefinition<OwnOrders<TradeOrder>, readonly TradeOrder[]>;
  /** Newest first. */
  readonly fills: FeedDefinition<readonly TradeFill[], readonly TradeFill[]>;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page starts; null after the last. */
  readonly next: string | null;
}

/** Filters of the history; absent members filter nothing. */
export interface PastQuery {
  readonly limit: number;
  readonly pairCode?: string | undefined;
  readonly side?: "buy" | "sell" | undefined;
  readonly from?: number | undefined;
  readonly orderId?: string;
  /** The `next` of the page before. */
  readonly before?: string;
}

export interface OrderChange {
  readonly price?: string;
  readonly quantity?: string;
  /** Where the product can move what sets a plan off. */
  readonly stopPrice?: string;
  readonly callbackPercent?: string;
  /** Instead of a quantity, of a plan by amount. */
  readonly amount?: string;
}

export interface MoveEffectProps {
  readonly order: TradeOrder;
  readonly change: OrderChange;
  /** Reports whether the change is invalid. */
  readonly onFault: (isBad: boolean) => void;
}

/** The calls to the server about own orders. Placing is the call of the product's form. */
export interface OrderCalls {
  readonly cancel: (request: RequestClient, orderId: string) => Promise<Answer<unknown>>;
  /** All orders of one instrument, or of every one; their plans too, or not. */
  readonly clear: (
    request: RequestClient,
    pairCode: string | undefined,
    withPlans: boolean,
  ) => Promise<Answer<{ canceled: number }>>;
  /** Left out where the product has no such call: its orders are cancelled and placed anew. */
  readonly amend?: (request: RequestClient, orderId: string, change: OrderChange) => Promise<Answer<unknown>>;
  /** Plans whose trigger `amend` can move; none when left out. */
  readonly canMove?: (order: TradeOrder) => boolean;
  /** Where `amend` is for those alone and orders in the book are placed anew. */
  readonly amendsPlansAlone?: boolean;
  /** Whether that call changes plans too: triggers, callbacks, both legs of a list. */
  readonly amendsPlans?: boolean;
  readonly find: (request: RequestClient, orderId: string) => Promise<TradeOrder | undefined>;
  readonly history: (request: RequestClient, query: PastQuery) => Promise<Page<TradeOrder> | undefined>;
  readonly fills: (request: RequestClient, query: PastQuery) => Promise<Page<TradeFill> | undefined>;
}

/** Whether an order in the book may get another price or quantity here. */
export function mayAmend(calls: OrderCalls, order: TradeOrder): boolean {
  return calls.amend !== undefined && calls.amendsPlansAlone !== true && canAmend(order);
}

export interface ProductWords {
  /** "BTC/USDT", "BTCUSDT perpetual". */
  readonly nameOf: (pairCode: string) => string;
  readonly assetsOf: (pairCode: string) => InstrumentAssets;
}

export interface TradeProduct {
  /** As on the wire; also sets apart what this browser keeps for the product. */
  readonly biz: string;
  /** Where this browser may have kept a setting of an instrument before keys named the product. */
  readonly formerSettingKeys?: (prefix: string, owner: string, name: string, pairCode: string) => readonly string[];
  /** An instrument's page is `${path}/${pairCode}`. */
  readonly path: string;
  readonly market: MarketData;
  readonly listInstruments: (signal: AbortSignal) => Promise<readonly TradeInstrument[]>;
  readonly listPartitions: (signal: AbortSignal) => Promise<readonly Partition[]>;
  /** The same set for the same client, so that every panel listens to the same streams. */
  readonly ownFeeds: (request: RequestClient) => OwnFeeds;
  readonly calls: OrderCalls;
  readonly words: ProductWords;
  /** A word behind an instrument's name. */
  readonly tag?: string;
  /** What the two sides are called, where not plainly buy and sell. */
  readonly sides?: { readonly buy: string; readonly sell: string };
  /** Prices that candles can be of, where there are several. */
  readonly candlePrices?: readonly CandlePrice[];
  /** Kinds by which orders can be filtered. */
  readonly orderKinds: readonly string[];
  /** What open orders hold, by asset, for the foot of the table. */
  readonly sumHeld?: (orders: readonly TradeOrder[]) => ReadonlyMap<string, Decimal>;
  /** What a change would do beyond the order itself, in the question whether to make it. */
  readonly moveEffect?: ComponentType<MoveEffectProps>;
  /** Called when an instrument is shown, so that the product's bare address finds it again. */
  readonly keepLast: (pairCode: string) => void;
}

export const ProductContext = createContext<TradeProduct | undefined>(undefined);

export function useProduct(): TradeProduct {
  const product = use(ProductContext);
  if (product === undefined) throw new Error("SPOT-4: a panel outside the terminal frame");
  return product;
}
