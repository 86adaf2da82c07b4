// Paints the trades tape outside React: the newest on top, rows reused from the bottom, at most once a frame.

import { readFixed, showFixed } from "@clockwork/kit/whole-text";
import type { MarketTrade } from "@clockwork/trading/markets/contract";
import type { TradeInstrument } from "#trade/product.ts";

const ROW_PX = 20;
const ROWS_MAX = 120;

export interface TapeParts {
  readonly list: HTMLElement;
  readonly pair: TradeInstrument;
  readonly readTape: () => readonly MarketTrade[];
  readonly formatTime: (timeMs: number) => string;
}

export function showTrade(trade: MarketTrade, pair: TradeInstrument): readonly [price: string, quantity: string] {
  return [
    showFixed(readFixed(trade.price, pair.priceDecimals), pair.priceDecimals),
    showFixed(readFixed(trade.quantity, pair.quantityDecimals), pair.quantityDecimals),
  ];
}

function makeRow(): HTMLElement {
  const row = document.createElement("div");
  row.className = "tape-row";
  for (let cell = 0; cell < 3; cell += 1) row.append(document.createElement("span"));
  return row;
}

export class TapePainter {
  readonly #parts: TapeParts;
  readonly #observer: ResizeObserver;
  #fits = 0;
  #newestId = -1;

  constructor(parts: TapeParts) {
    this.#parts = parts;
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(parts.list);
  }

  destroy(): void {
    this.#observer.disconnect();
  }

  /** Writes every row anew: another time zone, another size. */
  repaint(): void {
    this.#newestId = -1;
    this.paint();
  }

  #measure(): void {
    const fits = Math.min(ROWS_MAX, Math.ceil(this.#parts.list.clientHeight / ROW_PX));
    if (fits === this.#fits) return;
    this.#fits = fits;
    this.repaint();
  }

  paint(): void {
    const { list, readTape } = this.#parts;
    const tape = readTape();
    const newest = tape.at(-1)?.id ?? -1;
    if (this.#fits === 0 || tape.length === 0 || newest === this.#newestId) return;
    let from = tape.length;
    while (from > 0 && tape.length - from < this.#fits && (tape[from - 1]?.id ?? 0) > this.#newestId) from -= 1;
    if (this.#newestId === -1) {
      while (list.childElementCount > this.#fits) list.lastElementChild?.remove();
    }
    for (let at = from; at < tape.length; at += 1) {
      const trade = tape[at];
      if (trade !== undefined) this.#putOnTop(trade);
    }
    this.#newestId = newest;
  }

  #putOnTop(trade: MarketTrade): void {
    const { list, pair, formatTime } = this.#parts;
    const last = list.lastElementChild;
    const isFull = last !== null && list.childElementCount >= this.#fits;
    const row = isFull ? (last as HTMLElement) : makeRow();
    const [price, quantity] = showTrade(trade, pair);
    row.dataset.side = trade.side;
    row.dataset.price = trade.price;
    const texts = [price, quantity, formatTime(trade.timeMs)];
    for (const [index, text] of texts.entries()) {
      const cell = row.children[index];
      if (cell !== undefined) cell.textContent = text;
    }
    list.prepend(row);
  }
}
