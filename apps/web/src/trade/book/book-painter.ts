// Paints the order book outside React, at most once a frame: rows, bars, own marks, the middle row and the ratio.
// Reads the book and never changes it.

import { fixedText, readFixed, showFixed } from "@clockwork/kit/whole-text";
import type { DepthBook } from "#live/feeds/depth-book.ts";
import type { TradeInstrument } from "#trade/product.ts";
import type { OwnOrder } from "#trade/terminal-link.ts";
import { barsPath, ROW_PX } from "./book-bars.ts";
import {
  type BookMode,
  type BookSide,
  bidShare,
  emptyRows,
  gatherPrice,
  gatherSide,
  type SideRows,
  spreadOf,
} from "./book-view.ts";
import { RowPainter } from "./row-painter.ts";

const ROWS_MAX = 90;

export interface BookParts {
  /** Holds everything with the data attributes below. */
  readonly root: HTMLElement;
  readonly pair: TradeInstrument;
  readonly readBook: () => DepthBook | undefined;
  readonly readLast: () => string | null;
  readonly readOrders: () => readonly OwnOrder[];
  /** The last price in the visitor's currency; empty without a rate. */
  readonly writeFiat: (price: string) => string;
  readonly say: (name: "spread" | "buyShare" | "sellShare", value: string) => string;
  readonly onPainted: () => void;
}

export interface BookRowFacts {
  readonly side: BookSide;
  readonly price: number;
  readonly sum: number;
}

/** Decimals of a grouped price: a step of ten units needs one fewer. */
export function stepDecimals(step: number, priceDecimals: number): number {
  let shown = priceDecimals;
  for (let rest = step; rest % 10 === 0 && shown > 0; rest /= 10) shown -= 1;
  return shown;
}

function find(root: HTMLElement, name: string): HTMLElement {
  return root.querySelector<HTMLElement>(`[data-book="${name}"]`) ?? document.createElement("span");
}

/** Into the text that is there: a new one would have to be inserted and styled. */
function writeText(element: HTMLElement, text: string): void {
  const first = element.firstChild;
  if (!(first instanceof Text)) element.textContent = text;
  else if (first.data !== text) first.data = text;
}

export class BookPainter {
  readonly #parts: BookParts;
  readonly #lists: Readonly<Record<BookSide, HTMLElement>>;
  readonly #painters: Readonly<Record<BookSide, RowPainter>>;
  readonly #rows: Readonly<Record<BookSide, SideRows>> = { bid: emptyRows(), ask: emptyRows() };
  readonly #fits: Record<BookSide, number> = { bid: 0, ask: 0 };
  readonly #bars: Readonly<Record<BookSide, SVGElement | null>>;
  readonly #path: Record<BookSide, string> = { bid: "", ask: "" };
  readonly #own: Readonly<Record<BookSide, Set<number>>> = { bid: new Set(), ask: new Set() };
  readonly #observer: ResizeObserver;
  #step = 1;
  #mode: BookMode = "both";
  #shownLast: string | null = null;
  #share = -1;
  readonly #found = new Map<string, HTMLElement>();

  constructor(parts: BookParts) {
    this.#parts = parts;
    const { root } = parts;
    this.#lists = { bid: find(root, "bids"), ask: find(root, "asks") };
    this.#bars = { bid: this.#lists.bid.querySelector("svg"), ask: this.#lists.ask.querySelector("svg") };
    const nameId = (side: BookSide) => (index: number) => `${this.#lists[side].id}-${index}`;
    this.#painters = {
      bid: new RowPainter(this.#lists.bid, nameId("bid")),
      ask: new RowPainter(this.#lists.ask, nameId("ask")),
    };
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this.#lists.bid);
    this.#observer.observe(this.#lists.ask);
  }

  destroy(): void {
    this.#observer.disconnect();
  }

  /** Looked up once: it is needed with every paint. */
  #find(name: string): HTMLElement {
    const known = this.#found.get(name) ?? find(this.#parts.root, name);
    this.#found.set(name, known);
    return known;
  }

  setView(mode: BookMode, step: number): void {
    this.#mode = mode;
    this.#step = step;
    this.#collectOwn();
    this.paint();
  }

  /** The user's orders changed: which grouped prices hold one. */
  ordersChanged(): void {
    this.#collectOwn();
    this.paint();
  }

  factsAt(side: BookSide, index: number): BookRowFacts | undefined {
    const rows = this.#rows[side];
    const price = rows.price[index];
    if (index >= rows.count || price === undefined) return undefined;
    return { side, price, sum: rows.sum[index] ?? 0 };
  }

  rowAt(side: BookSide, index: number): HTMLElement | undefined {
    return this.#painters[side].rowAt(index);
  }

  countOf(side: BookSide): number {
    return Math.min(this.#rows[side].count, this.#fits[side]);
  }

  #measure(): void {
    for (const side of ["bid", "ask"] as const) {
      const fits = Math.min(ROWS_MAX, Math.floor(this.#lists[side].clientHeight / ROW_PX));
      this.#fits[side] = fits;
      this.#painters[side].ensure(fits);
      const bars = this.#bars[side];
      bars?.setAttribute("viewBox", `0 0 100 ${fits * ROW_PX}`);
      if (bars !== null) bars.style.height = `${fits * ROW_PX}px`;
    }
    this.paint();
  }

  #collectOwn(): void {
    const { pair, readOrders } = this.#parts;
    this.#own.bid.clear();
    this.#own.ask.clear();
    for (const order of readOrders()) {
      if (order.isPlan || order.price === null || order.pairCode !== pair.pairCode) continue;
      const side = order.side === "buy" ? "bid" : "ask";
      const units = readFixed(order.price, pair.priceDecimals);
      if (!Number.isNaN(units)) this.#own[side].add(gatherPrice(units, this.#step, side));
    }
  }

  paint(): void {
    const book = this.#parts.readBook();
    if (book === undefined) return;
    const isShown = { bid: this.#mode !== "asks", ask: this.#mode !== "bids" };
    gatherSide(book.bids, this.#step, "bid", isShown.bid ? this.#fits.bid : 0, this.#rows.bid);
    gatherSide(book.asks, this.#step, "ask", isShown.ask ? this.#fits.ask : 0, this.#rows.ask);
    const { bid, ask } = this.#rows;
    const fullest = Math.max(bid.sum[bid.count - 1] ?? 0, ask.sum[ask.count - 1] ?? 0, 1);
    this.#paintSide("bid", fullest);
    this.#paintSide("ask", fullest);
    this.#paintMiddle(book);
    this.#paintRatio(book);
    this.#parts.onPainted();
  }

  #paintSide(side: BookSide, fullest: number): void {
    const { priceDecimals, quantityDecimals } = this.#parts.pair;
    const rows = this.#rows[side];
    const painter = this.#painters[side];
    const shown = stepDecimals(this.#step, priceDecimals);
    for (let index = 0; index < rows.count; index += 1) {
      const price = rows.price[index] ?? 0;
      const sum = rows.sum[index] ?? 0;
      painter.write(index, 0, showFixed(price, priceDecimals, shown));
      painter.write(index, 1, showFixed(rows.quantity[index] ?? 0, quantityDecimals));
      painter.write(index, 2, showFixed(sum, quantityDecimals));
      painter.mark(index, this.#own[side].has(price));
    }
    painter.blank(rows.count);
    this.#paintBars(side, fullest);
  }

  /** One shape behind all rows of a side: nothing is styled or laid out anew when the bars grow. */
  #paintBars(side: BookSide, fullest: number): void {
    const path = barsPath(this.#rows[side], this.#fits[side], fullest, side);
    if (path === this.#path[side]) return;
    this.#path[side] = path;
    this.#bars[side]?.firstElementChild?.setAttribute("d", path);
  }

  #paintMiddle(book: DepthBook): void {
    const { pair, readLast, writeFiat, say } = this.#parts;
    const last = readLast();
    if (last !== null && last !== this.#shownLast) {
      const before = this.#shownLast === null ? Number.NaN : readFixed(this.#shownLast, pair.priceDecimals);
      const units = readFixed(last, pair.priceDecimals);
      const element = this.#find("last");
      if (Number.isNaN(before)) element.dataset.move ??= "up";
      else if (units !== before) element.dataset.move = units > before ? "up" : "down";
      this.#shownLast = last;
      writeText(this.#find("last-text"), showFixed(units, pair.priceDecimals));
      writeText(this.#find("fiat"), writeFiat(last));
    }
    const spread = spreadOf(book);
    writeText(this.#find("spread"), spread === undefined ? "" : say("spread", showFixed(spread, pair.priceDecimals)));
  }

  #paintRatio(book: DepthBook): void {
    const { say } = this.#parts;
    const { bid, ask } = this.#rows;
    // With one side hidden the ratio is of equally many levels of both, so that it keeps its meaning.
    if (this.#mode !== "both") {
      gatherSide(book.bids, this.#step, "bid", 20, bid);
      gatherSide(book.asks, this.#step, "ask", 20, ask);
    }
    const share = bidShare(bid, ask);
    if (this.#mode === "asks") bid.count = 0;
    if (this.#mode === "bids") ask.count = 0;
    if (share === undefined) return;
    writeText(this.#find("buy-share"), say("buyShare", String(share)));
    writeText(this.#find("sell-share"), say("sellShare", String(100 - share)));
    this.#paintShare(share);
  }

  #paintShare(share: number): void {
    if (share === this.#share) return;
    this.#share = share;
    this.#find("ratio").style.backgroundSize = `${share}% 100%`;
  }

  /** Plain decimal text of a grouped price, in the form's format. */
  priceText(price: number): string {
    return fixedText(price, this.#parts.pair.priceDecimals);
  }
}
