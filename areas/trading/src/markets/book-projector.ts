// One pair's public book: visible levels by price, best first, with the text they are sent as. Changed only by the
// core's depth events, each exactly once and in order.
import type { Depth } from "@clockwork/core/inspect/depth";
import { depthChecksum, type LevelText } from "@clockwork/kit/depth-checksum";
import { priceText, quantityText } from "@clockwork/kit/instrument";
import type { MarketPair } from "./pair.ts";

class BookSide {
  readonly #isBid: boolean;
  readonly #texts = new Map<number, LevelText>();
  /** Best first. */
  readonly #prices: number[] = [];

  constructor(isBid: boolean) {
    this.#isBid = isBid;
  }

  get bestTicks(): number | undefined {
    return this.#prices[0];
  }

  get size(): number {
    return this.#prices.length;
  }

  clear(): void {
    this.#texts.clear();
    this.#prices.length = 0;
  }

  set(pair: MarketPair, price: number, quantityLots: number): void {
    const isKnown = this.#texts.has(price);
    if (quantityLots === 0) {
      if (!isKnown) return;
      this.#texts.delete(price);
      this.#prices.splice(this.#place(price), 1);
      return;
    }
    if (!isKnown) this.#prices.splice(this.#place(price), 0, price);
    this.#texts.set(price, [priceText(pair, price), quantityText(pair, quantityLots)]);
  }

  textOf(pair: MarketPair, price: number): LevelText {
    return this.#texts.get(price) ?? [priceText(pair, price), "0"];
  }

  top(levels: number): LevelText[] {
    const found: LevelText[] = [];
    const count = Math.min(levels, this.#prices.length);
    for (let index = 0; index < count; index += 1) {
      found.push(this.#texts.get(this.#prices[index] as number) as LevelText);
    }
    return found;
  }

  /** Levels at a price or better. */
  upTo(ticks: number): LevelText[] {
    const end = this.#prices.findIndex((price) => (this.#isBid ? price < ticks : price > ticks));
    return this.top(end < 0 ? this.#prices.length : end);
  }

  /** Where a price is or belongs. */
  #place(price: number): number {
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const there = this.#prices[middle] as number;
      if (this.#isBid ? there > price : there < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class BookProjector {
  readonly bids = new BookSide(true);
  readonly asks = new BookSide(false);
  /** Last depth event that is in the book. */
  sequence = 0;
  timeMs = 0;

  /** Loads the core's current book; events it already contains are skipped afterwards. */
  load(pair: MarketPair, depth: Depth, timeMs: number): void {
    // The events arrived before the answer.
    if (depth.bookSequence < this.sequence) return;
    this.bids.clear();
    this.asks.clear();
    for (const { price, lots } of depth.bids) this.bids.set(pair, price, lots);
    for (const { price, lots } of depth.asks) this.asks.set(pair, price, lots);
    this.sequence = depth.bookSequence;
    this.timeMs = timeMs;
  }

  /** An event that is old or does not follow changes nothing. */
  apply(
    pair: MarketPair,
    isSell: boolean,
    price: number,
    lots: number,
    sequence: number,
    timeMs: number,
  ): "applied" | "known" | "gap" {
    if (sequence !== this.sequence + 1) return sequence <= this.sequence ? "known" : "gap";
    (isSell ? this.asks : this.bids).set(pair, price, lots);
    this.sequence = sequence;
    this.timeMs = timeMs;
    return "applied";
  }

  checksum(): number {
    return depthChecksum(this.bids.top(25), this.asks.top(25));
  }
}
