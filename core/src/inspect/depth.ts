// Owns reading the book: levels from the top, and the checksum a client can verify them with. Changes nothing.

import { crc32 } from "@clockwork/kit/hash";
import { atTop, levelLots, T_ASK, T_BID, T_LAST, TF_SEQUENCE, TF_TRADES } from "../book/book.ts";
import { coreOf } from "../machine/machine.ts";
import { getDouble, getWord } from "../memory/record.ts";
import type { Machine } from "../protocol/contract.ts";

export const CHECKSUM_LEVELS = 25;

export interface DepthLevel {
  readonly price: number;
  readonly lots: number;
}

export interface Depth {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
  /** Sequence of the last depth event of the market. */
  readonly bookSequence: number;
  readonly lastPrice: number;
  readonly tradeNumber: number;
}

export function readDepth(machine: Machine, market: number, levels: number): Depth {
  const { books } = coreOf(machine);
  const ladder = books.ladder(market);
  const bids: DepthLevel[] = [];
  const asks: DepthLevel[] = [];
  const lotsAt = (price: number): number => levelLots(books, ladder.levelAt(price));
  for (
    let price = getWord(books.topWords, atTop(market), T_BID);
    price !== 0 && bids.length < levels;
    price = ladder.nextBelow(price)
  ) {
    bids.push({ price, lots: lotsAt(price) });
  }
  for (
    let price = getWord(books.topWords, atTop(market), T_ASK);
    price !== 0 && asks.length < levels;
    price = ladder.nextAbove(price)
  ) {
    asks.push({ price, lots: lotsAt(price) });
  }
  return {
    bids,
    asks,
    bookSequence: getDouble(books.topDoubles, atTop(market), TF_SEQUENCE),
    lastPrice: getWord(books.topWords, atTop(market), T_LAST),
    tradeNumber: getDouble(books.topDoubles, atTop(market), TF_TRADES),
  };
}

/**
 * CRC32 of the top 25 levels: "price:lots" of bid 1, ask 1, bid 2, ask 2 … joined by ":", whole ticks and lots,
 * a side that has no more levels left out.
 */
export function depthChecksum(bids: readonly DepthLevel[], asks: readonly DepthLevel[]): number {
  const parts: string[] = [];
  for (let i = 0; i < CHECKSUM_LEVELS; i++) {
    const bid = bids[i];
    const ask = asks[i];
    if (bid !== undefined) parts.push(`${bid.price}:${bid.lots}`);
    if (ask !== undefined) parts.push(`${ask.price}:${ask.lots}`);
  }
  const text = parts.join(":");
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return crc32(bytes);
}
