// One pair's book as the browser keeps it: sorted levels, changed in place by deltas. Independent of socket and screen.
// Changed in place on purpose: a book is a thousand levels and changes a hundred times a second.

import { depthChecksum } from "@clockwork/kit/depth-checksum";
import { readFixed } from "@clockwork/kit/whole-text";
import type { Depth, DepthDelta } from "@clockwork/trading/markets/contract";

export interface BookLevel {
  /** In units of the pair's last price decimal. */
  readonly price: number;
  /** In units of the pair's last quantity decimal. */
  quantity: number;
  /** As sent, which is what the checksum counts. */
  readonly text: readonly string[];
}

export interface DepthBook {
  /** Best first. */
  readonly bids: BookLevel[];
  readonly asks: BookLevel[];
  timeMs: number;
}

export interface BookScale {
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
}

/** A server that sends more than this is cut off; deeper levels are never shown. */
const LEVELS_MAX = 5_000;

export function emptyBook(): DepthBook {
  return { bids: [], asks: [], timeMs: 0 };
}

function readLevel(text: readonly string[], scale: BookScale): BookLevel | undefined {
  const price = readFixed(text[0] ?? "", scale.priceDecimals);
  const quantity = readFixed(text[1] ?? "", scale.quantityDecimals);
  return Number.isNaN(price) || Number.isNaN(quantity) ? undefined : { price, quantity, text };
}

/** The index of a price in the side, present or not; `direction` 1 for rising asks, -1 for falling bids. */
function findPlace(side: readonly BookLevel[], price: number, direction: 1 | -1): number {
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (((side[middle]?.price ?? 0) - price) * direction < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function changeSide(side: BookLevel[], changes: readonly (readonly string[])[], scale: BookScale, direction: 1 | -1) {
  for (const text of changes) {
    const level = readLevel(text, scale);
    if (level === undefined) continue;
    const at = findPlace(side, level.price, direction);
    const isThere = side[at]?.price === level.price;
    if (level.quantity === 0) {
      if (isThere) side.splice(at, 1);
    } else if (isThere) side[at] = level;
    else if (at < LEVELS_MAX) side.splice(at, 0, level);
  }
  if (side.length > LEVELS_MAX) side.length = LEVELS_MAX;
}

export function readBook(depth: Pick<Depth, "bids" | "asks" | "timeMs">, scale: BookScale): DepthBook {
  const book = emptyBook();
  changeSide(book.bids, depth.bids, scale, -1);
  changeSide(book.asks, depth.asks, scale, 1);
  book.timeMs = depth.timeMs;
  return book;
}

/** Changes the book in place and answers it. */
export function applyDelta(book: DepthBook, delta: DepthDelta, scale: BookScale): DepthBook {
  changeSide(book.bids, delta.bids, scale, -1);
  changeSide(book.asks, delta.asks, scale, 1);
  book.timeMs = delta.timeMs;
  return book;
}

const TEXTS_MAX = 25;

function topTexts(side: readonly BookLevel[]): readonly (readonly string[])[] {
  const texts: (readonly string[])[] = [];
  for (let rank = 0; rank < TEXTS_MAX && rank < side.length; rank += 1) texts.push(side[rank]?.text ?? []);
  return texts;
}

/** True when the best levels are exactly the server's. */
export function matchesChecksum(book: DepthBook, checksum: number): boolean {
  return depthChecksum(topTexts(book.bids), topTexts(book.asks)) === checksum;
}
