// The readout next to a level of the book, under the pointer or the keyboard: average price and sums up to it. One
// element for the whole page, moved and written outside React.

import { showFixed } from "@clockwork/kit/whole-text";
import type { DepthBook } from "#live/feeds/depth-book.ts";
import type { InstrumentAssets, TradeInstrument } from "#trade/product.ts";
import type { TerminalText } from "#trade/terminal-text.ts";
import type { BookPainter } from "./book-painter.ts";
import { type BookSide, sumTo } from "./book-view.ts";

const WIDTH_PX = 180;
const GAP_PX = 8;

export interface BookTipParts {
  readonly painter: BookPainter;
  readonly pair: TradeInstrument;
  readonly assets: InstrumentAssets;
  readonly readBook: () => DepthBook | undefined;
  readonly text: TerminalText;
}

interface Place {
  readonly side: BookSide;
  readonly index: number;
}

/** Amounts of many digits lose their fraction: the readout has room for twelve. */
function showAmount(amount: bigint, decimals: number, shown: number): string {
  const cut = amount / 10n ** BigInt(Math.max(0, decimals - shown));
  const units = Number(cut);
  return Number.isSafeInteger(units) ? showFixed(units, Math.min(shown, decimals)) : "–";
}

export class BookTip {
  readonly #parts: BookTipParts;
  readonly #element: HTMLElement;
  readonly #values: readonly HTMLElement[];
  #shown: Place | undefined;
  #active: Place | undefined;

  constructor(parts: BookTipParts) {
    this.#parts = parts;
    const { assets, text } = parts;
    const labels = [
      text("averagePrice"),
      text("sum", { asset: assets.quantity }),
      text("sum", { asset: assets.value }),
    ];
    this.#element = document.createElement("div");
    this.#element.className = "book-tip";
    this.#element.setAttribute("aria-hidden", "true");
    this.#element.hidden = true;
    this.#values = labels.map((label) => {
      const line = document.createElement("p");
      const name = document.createElement("span");
      name.textContent = label;
      const value = document.createElement("b");
      line.append(name, value);
      this.#element.append(line);
      return value;
    });
    document.querySelector(".terminal")?.append(this.#element);
  }

  destroy(): void {
    this.#element.remove();
  }

  show(side: BookSide, index: number): void {
    this.#reach({ side, index });
    this.refresh();
  }

  hide(): void {
    this.#reach(this.#active);
    this.refresh();
  }

  /** Marks every level from the best to the shown one: what an order down to it would take. */
  #reach(place: Place | undefined): void {
    const before = this.#shown;
    this.#shown = place;
    if (before?.side === place?.side && before?.index === place?.index) return;
    this.#mark(before, false);
    this.#mark(place, true);
  }

  #mark(place: Place | undefined, isMarked: boolean): void {
    if (place === undefined) return;
    for (let index = 0; index < place.index; index += 1) {
      this.#parts.painter.rowAt(place.side, index)?.toggleAttribute("data-reach", isMarked);
    }
  }

  /** The row the keyboard is on; -1 while it is on none. */
  activeAt(side: BookSide): number {
    return this.#active?.side === side ? this.#active.index : -1;
  }

  activate(side: BookSide, index: number): void {
    this.#deselect();
    const row = this.#parts.painter.rowAt(side, index);
    if (row === undefined || index < 0) return;
    row.setAttribute("aria-selected", "true");
    row.parentElement?.setAttribute("aria-activedescendant", row.id);
    this.#active = { side, index };
    this.show(side, index);
  }

  /** From the best level of one side over the middle to the best of the other. */
  cross(from: BookSide): void {
    const to = from === "ask" ? "bid" : "ask";
    const list = this.#parts.painter.rowAt(to, 0)?.parentElement;
    this.leave();
    list?.focus();
    this.activate(to, 0);
  }

  leave(): void {
    this.#deselect();
    this.#active = undefined;
    this.hide();
  }

  #deselect(): void {
    if (this.#active === undefined) return;
    const row = this.#parts.painter.rowAt(this.#active.side, this.#active.index);
    row?.setAttribute("aria-selected", "false");
    row?.parentElement?.removeAttribute("aria-activedescendant");
  }

  /** The book moved below the pointer: the same place may be another level now. */
  refresh(): void {
    const { painter, pair, readBook } = this.#parts;
    const place = this.#shown;
    const facts = place === undefined ? undefined : painter.factsAt(place.side, place.index);
    const book = readBook();
    if (place === undefined || facts === undefined || book === undefined) {
      if (!this.#element.hidden) this.#element.hidden = true;
      return;
    }
    const sum = sumTo(place.side === "bid" ? book.bids : book.asks, facts.price, place.side);
    const row = painter.rowAt(place.side, place.index);
    if (sum === undefined || row === undefined) return;
    const decimals = pair.priceDecimals + pair.quantityDecimals;
    const texts = [
      showFixed(sum.averagePrice, pair.priceDecimals),
      showFixed(sum.quantity, pair.quantityDecimals),
      showAmount(sum.amount, decimals, 2),
    ];
    for (const [index, value] of this.#values.entries()) {
      if (value.textContent !== texts[index]) value.textContent = texts[index] ?? "";
    }
    this.#place(row);
  }

  #place(row: HTMLElement): void {
    const at = row.getBoundingClientRect();
    const isRoomRight = at.right + GAP_PX + WIDTH_PX < innerWidth;
    const left = isRoomRight ? at.right + GAP_PX : Math.max(0, at.left - GAP_PX - WIDTH_PX);
    const top = Math.min(at.top - 30, innerHeight - 90);
    this.#element.style.transform = `translate(${Math.round(left)}px, ${Math.round(Math.max(8, top))}px)`;
    this.#element.hidden = false;
  }
}
