// The checksum of a book's top that browser and server both compute, over the text exactly as it is sent. Never parses
// numbers: two books are equal when their texts are.
import { crc32 } from "./hash.ts";

/** Levels of each side that count. */
export const CHECKSUM_LEVELS = 25;

/** Price and quantity as decimal text. */
export type LevelText = readonly string[];

/**
 * CRC32 of "price:quantity" of bid 1, ask 1, bid 2, ask 2 … of the best 25 levels, joined by ":"; a side that has no
 * more levels is left out. Best price first on both sides; an unsigned 32-bit number.
 */
export function depthChecksum(bids: readonly LevelText[], asks: readonly LevelText[]): number {
  let text = "";
  for (let level = 0; level < CHECKSUM_LEVELS; level += 1) {
    const bid = bids[level];
    const ask = asks[level];
    if (bid !== undefined) text += `:${bid[0]}:${bid[1]}`;
    if (ask !== undefined) text += `:${ask[0]}:${ask[1]}`;
  }
  // Every character is plain ASCII; the first one is the separator before the first level.
  const bytes = new Uint8Array(Math.max(0, text.length - 1));
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = text.charCodeAt(index + 1);
  return crc32(bytes);
}
