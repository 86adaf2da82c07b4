// The order book: grouped levels of both sides, the last price between them, the ratio below. React creates the rows
// once; from then on the painter writes into them.

import { fixedText, readFixed, showFixed } from "@clockwork/kit/whole-text";
import { Icon } from "@clockwork/ui/icon";
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from "react";
import { readBook } from "#live/feeds/depth-book.ts";
import { usePrice } from "#session/price.ts";
import { createPacer } from "#trade/frame-pacer.ts";
import { checkOneOf, useSetting } from "#trade/local-setting.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { type MarketFeeds, type TerminalData, useMarketFeeds, useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { barsPath, ROW_PX } from "./book-bars.ts";
import { BookPainter, stepDecimals } from "./book-painter.ts";
import { BookTip } from "./book-tip.ts";
import { BookToolbar } from "./book-toolbar.tsx";
import {
  BOOK_MODES,
  type BookMode,
  type BookSide,
  bidShare,
  emptyRows,
  gatherSide,
  listSteps,
  type SideRows,
  spreadOf,
  usualStep,
} from "./book-view.ts";

/** Enough for a usual screen; taller ones get more rows on hydration. */
const SERVED_ROWS = 22;
/** Faster figures are unreadable, and two frames of three remain free for the rest of the page. */
const PAINT = { everyMs: 50 };

function firstRows(data: TerminalData, step: number) {
  const book = readBook(data.depth ?? { bids: [], asks: [], timeMs: 0 }, data.pair);
  const rows = { bid: emptyRows(), ask: emptyRows() };
  gatherSide(book.bids, step, "bid", SERVED_ROWS, rows.bid);
  gatherSide(book.asks, step, "ask", SERVED_ROWS, rows.ask);
  return { rows, spread: spreadOf(book) };
}

interface SideProps {
  readonly side: BookSide;
  readonly id: string;
  readonly label: string;
  readonly rows: SideRows;
  readonly fullest: number;
  readonly data: TerminalData;
  readonly step: number;
}

/** Never rendered a second time: the painter owns these rows after hydration. */
const Side = memo(
  function Side({ side, id, label, rows, fullest, data, step }: SideProps) {
    const { priceDecimals, quantityDecimals } = data.pair;
    const shown = stepDecimals(step, priceDecimals);
    return (
      <div
        id={id}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        data-book={side === "bid" ? "bids" : "asks"}
        data-side={side}
        className="book-side"
      >
        <svg
          aria-hidden="true"
          viewBox={`0 0 100 ${SERVED_ROWS * ROW_PX}`}
          height={SERVED_ROWS * ROW_PX}
          preserveAspectRatio="none"
          className="book-bars"
        >
          <path d={barsPath(rows, SERVED_ROWS, fullest, side)} />
        </svg>
        {Array.from({ length: SERVED_ROWS }, (_, index) => {
          const sum = rows.sum[index] ?? 0;
          const isThere = index < rows.count;
          const write = (units: number | undefined, decimals: number, cut = decimals) =>
            isThere ? showFixed(units ?? 0, decimals, cut) : "";
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are positions, not entities
              key={index}
              id={`${id}-${index}`}
              role="option"
              aria-selected={false}
              tabIndex={-1}
              data-row={index}
              hidden={!isThere}
              className="book-row"
            >
              <span data-cell="price">{write(rows.price[index], priceDecimals, shown)}</span>
              <span data-cell="quantity">{write(rows.quantity[index], quantityDecimals)}</span>
              <span data-cell="sum">{write(sum, quantityDecimals)}</span>
            </div>
          );
        })}
      </div>
    );
  },
  () => true,
);

const checkMode = checkOneOf(BOOK_MODES);
const checkNumber = (value: unknown) => (typeof value === "number" ? value : undefined);

function useSteps(data: TerminalData) {
  const { pair, quotation } = data;
  const tick = readFixed(pair.tickSize, pair.priceDecimals) || 1;
  const last = readFixed(quotation?.last ?? data.trades.at(-1)?.price ?? "0", pair.priceDecimals);
  const steps = listSteps(tick, Number.isNaN(last) ? tick * 1_000 : last);
  const usual = usualStep(steps);
  const [kept, keep] = useSetting<number>({ name: "step", pairCode: pair.pairCode, check: checkNumber }, usual);
  return { steps, usual, step: steps.includes(kept) ? kept : usual, setStep: keep };
}

export function BookBody({ foot }: { readonly foot: ReactNode }) {
  const text = useTerminalText();
  const data = useTerminalData();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const { steps, usual, step, setStep } = useSteps(data);
  const [mode, setMode] = useSetting<BookMode>({ name: "bookMode", check: checkMode }, "both");
  const handlers = usePainter(root, mode, step);
  const { pair } = data;
  const assets = useProduct().words.assetsOf(pair.pairCode);
  const first = firstRows(data, usual);
  const fullest = Math.max(
    first.rows.bid.sum[first.rows.bid.count - 1] ?? 0,
    first.rows.ask.sum[first.rows.ask.count - 1] ?? 0,
    1,
  );
  const side = (which: BookSide) => (
    <Side
      side={which}
      id={`${id}-${which}`}
      label={text(which === "bid" ? "bids" : "asks")}
      rows={first.rows[which]}
      fullest={fullest}
      data={data}
      step={usual}
    />
  );
  return (
    <>
      <BookToolbar steps={steps} step={step} mode={mode} pair={pair} onStep={setStep} onMode={setMode} />
      <div className="book-columns text-muted">
        <span className="max-lg:hidden">{text("price", { asset: assets.price })}</span>
        <span className="lg:hidden">{text("priceShort")}</span>
        <span>{text("amount", { asset: assets.quantity })}</span>
        <span data-wide>{text("sum", { asset: assets.quantity })}</span>
      </div>
      <div ref={root} className="book-body" data-mode={mode} {...handlers}>
        {side("ask")}
        <MiddleRow spread={first.spread} />
        {side("bid")}
        {foot}
        <Ratio share={bidShare(first.rows.bid, first.rows.ask)} />
      </div>
      <div className="book-foot">
        <BookToolbar compact steps={steps} step={step} mode={mode} pair={pair} onStep={setStep} onMode={setMode} />
      </div>
    </>
  );
}

const MiddleRow = memo(
  function MiddleRow({ spread }: { readonly spread: number | undefined }) {
    const text = useTerminalText();
    const { pair, trades, quotation } = useTerminalData();
    const writePrice = usePrice();
    const last = trades.at(-1)?.price ?? quotation?.last;
    const move = trades.at(-1)?.side === "sell" ? "down" : "up";
    return (
      <div className="book-middle">
        <span data-book="last" data-move={last === undefined ? undefined : move} className="book-last">
          <span data-book="last-text">
            {last === undefined ? "–" : showFixed(readFixed(last, pair.priceDecimals), pair.priceDecimals)}
          </span>
          <Icon name="arrow-up" size={14} />
        </span>
        <span data-book="fiat" data-wide className="text-muted">
          {last !== undefined && pair.quote.startsWith("USD") ? writePrice(last) : ""}
        </span>
        <span data-book="spread" className="book-spread">
          {spread === undefined ? "" : text("spread", { value: showFixed(spread, pair.priceDecimals) })}
        </span>
      </div>
    );
  },
  () => true,
);

const Ratio = memo(
  function Ratio({ share = 50 }: { readonly share: number | undefined }) {
    const text = useTerminalText();
    return (
      <div className="book-ratio" data-wide>
        <span data-book="buy-share" className="text-up-text">
          {text("buyShare", { value: share })}
        </span>
        <span data-book="ratio" className="ratio-bar" style={{ backgroundSize: `${share}% 100%` }} />
        <span data-book="sell-share" className="text-down-text">
          {text("sellShare", { value: 100 - share })}
        </span>
      </div>
    );
  },
  () => true,
);

/** Where a pointer or the focus is: which side, which row. */
function rowUnder(target: EventTarget): { side: BookSide; index: number } | undefined {
  const row = (target as Element).closest<HTMLElement>("[data-row]");
  const side = row?.parentElement?.dataset.side;
  if (row === null || (side !== "bid" && side !== "ask")) return undefined;
  return { side, index: Number(row.dataset.row) };
}

function usePainter(root: RefObject<HTMLDivElement | null>, mode: BookMode, step: number) {
  const text = useTerminalText();
  const link = useTerminalLink();
  const feeds = useMarketFeeds();
  const { pair } = useTerminalData();
  const { words } = useProduct();
  const writePrice = usePrice();
  const painter = useRef<BookPainter>(undefined);
  const tip = useRef<BookTip>(undefined);
  const view = useRef({ mode, step, writePrice });
  view.current = { mode, step, writePrice };
  useEffect(() => {
    if (root.current === null || feeds === undefined) return;
    const made = new BookPainter({
      root: root.current,
      pair,
      readBook: () => readFeed(feeds),
      readLast: () => link.market.get().last,
      readOrders: link.ownOrders.get,
      writeFiat: (price) => (pair.quote.startsWith("USD") ? view.current.writePrice(price) : ""),
      say: (name, value) => text(name, { value }),
      onPainted: () => tip.current?.refresh(),
    });
    painter.current = made;
    tip.current = new BookTip({
      painter: made,
      pair,
      assets: words.assetsOf(pair.pairCode),
      readBook: () => readFeed(feeds),
      text,
    });
    made.setView(view.current.mode, view.current.step);
    const pacer = createPacer(() => made.paint(), PAINT);
    const releases = [
      feeds.depth.subscribe(pacer.ask),
      pacer.stop,
      link.market.subscribe(pacer.ask),
      link.ownOrders.subscribe(() => made.ordersChanged()),
    ];
    return () => {
      for (const release of releases) release();
      made.destroy();
      tip.current?.destroy();
      painter.current = undefined;
    };
  }, [root, feeds, link, pair, text, words]);
  useEffect(() => painter.current?.setView(mode, step), [mode, step]);
  return makeHandlers(painter, tip, (side, price, sum) => {
    const quantity = fixedText(sum, pair.quantityDecimals);
    link.pick({
      source: "book",
      price: fixedText(price, pair.priceDecimals),
      quantity,
      side: side === "ask" ? "buy" : "sell",
    });
  });
}

function readFeed(feeds: MarketFeeds) {
  const { empty, value } = feeds.depth.get();
  return empty ? undefined : value;
}

type Pick = (side: BookSide, price: number, sum: number) => void;

function makeHandlers(painter: RefObject<BookPainter | undefined>, tip: RefObject<BookTip | undefined>, pick: Pick) {
  const take = (side: BookSide, index: number) => {
    const facts = painter.current?.factsAt(side, index);
    if (facts !== undefined) pick(side, facts.price, facts.sum);
  };
  return {
    onPointerMove: (event: PointerEvent) => {
      const at = event.pointerType === "touch" ? undefined : rowUnder(event.target);
      if (at === undefined) tip.current?.hide();
      else tip.current?.show(at.side, at.index);
    },
    onPointerLeave: () => tip.current?.hide(),
    onClick: (event: { readonly target: EventTarget }) => {
      const at = rowUnder(event.target);
      if (at !== undefined) take(at.side, at.index);
    },
    onBlur: () => tip.current?.leave(),
    onKeyDown: (event: KeyboardEvent) => {
      const list = (event.target as Element).closest<HTMLElement>("[role=listbox]");
      const book = painter.current;
      if (list === null || book === undefined || tip.current === undefined) return;
      const side = list.dataset.side === "ask" ? "ask" : "bid";
      const at = tip.current.activeAt(side);
      // The best ask is at the bottom of its list: up means away from the middle there, down towards it.
      const away = side === "ask" ? "ArrowUp" : "ArrowDown";
      if (event.key === "Escape") tip.current.leave();
      else if (event.key === "Enter" || event.key === " ") take(side, Math.max(0, at));
      else if (event.key === "Home") tip.current.activate(side, 0);
      else if (event.key === "End") tip.current.activate(side, book.countOf(side) - 1);
      else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
        const next = at === -1 ? 0 : at + (event.key === away ? 1 : -1);
        if (next < 0) tip.current.cross(side);
        else tip.current.activate(side, Math.min(next, book.countOf(side) - 1));
      } else return;
      event.preventDefault();
    },
  };
}
