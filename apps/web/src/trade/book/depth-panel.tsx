// The depth chart of the shown pair: totals on both sides, the mid price in the centre, at the user's zoom. Drawn a few
// times a second: it is read, not watched.
import { showFixed } from "@clockwork/kit/whole-text";
import { DepthCurve } from "@clockwork/ui/depth-curve";
import type { DepthLevel } from "@clockwork/ui/logic/depth-shape";
import { useEffect, useRef, useState } from "react";
import { type BookLevel, type DepthBook, readBook } from "#live/feeds/depth-book.ts";
import { createPacer } from "#trade/frame-pacer.ts";
import { checkOneOf, useSetting } from "#trade/local-setting.ts";
import { useProduct } from "#trade/product.ts";
import { type TerminalData, useMarketFeeds, useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { DEPTH_SPAN_FIRST, DEPTH_SPANS, type DepthSpan, depthBounds, nextSpan, withinBounds } from "./depth-span.ts";

const DRAW = { everyMs: 250 };
/** Room for the words below the picture. */
const AXIS_PX = 28;
const SPANS = DEPTH_SPANS.map(String);
const checkSpan = checkOneOf(SPANS);

function levelsOf(side: readonly BookLevel[], data: TerminalData): readonly DepthLevel[] {
  const { priceDecimals, quantityDecimals } = data.pair;
  let total = 0;
  return side.map((level) => {
    total += level.quantity;
    return {
      price: level.price,
      total,
      priceText: showFixed(level.price, priceDecimals),
      totalText: showFixed(total, quantityDecimals),
    };
  });
}

/** Draws anew when the book has changed, and answers it. */
function useBook(data: TerminalData): DepthBook {
  const feeds = useMarketFeeds();
  const [, setDrawn] = useState(0);
  useEffect(() => {
    if (feeds === undefined) return;
    const pacer = createPacer(() => setDrawn((count) => count + 1), DRAW);
    const release = feeds.depth.subscribe(pacer.ask);
    return () => {
      release();
      pacer.stop();
    };
  }, [feeds]);
  const live = feeds?.depth.get();
  if (live === undefined || live.empty) return readBook(data.depth ?? { bids: [], asks: [], timeMs: 0 }, data.pair);
  return live.value;
}

export function DepthPanel() {
  const text = useTerminalText();
  const data = useTerminalData();
  const { words } = useProduct();
  const box = useRef<HTMLDivElement>(null);
  const [heightPx, setHeight] = useState(360);
  const [kept, keep] = useSetting<string>({ name: "depthSpan", check: checkSpan }, String(DEPTH_SPAN_FIRST));
  const span = Number(kept) as DepthSpan;
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setHeight(Math.max(80, Math.floor(entry.contentRect.height) - AXIS_PX));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const book = useBook(data);
  const { priceDecimals, quantityDecimals } = data.pair;
  const bounds = depthBounds(book.bids, book.asks, span) ?? { low: 0, high: 0 };
  const middle = (bounds.low + bounds.high) / 2;
  const at = (share: number) => Math.round(bounds.low + (bounds.high - bounds.low) * share);
  const places = [0, 0.25, 0.5, 0.75, 1].map((share) => ({ at: share, text: showFixed(at(share), priceDecimals) }));
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-8 shrink-0 items-center justify-end gap-2 px-3 text-label text-muted">
        <span className="figures">{text("depthSpan", { percent: span })}</span>
        <Zoom
          label={text("depthIn")}
          sign="−"
          isOver={span === DEPTH_SPANS[0]}
          onPress={() => keep(String(nextSpan(span, -1)))}
        />
        <Zoom
          label={text("depthOut")}
          sign="+"
          isOver={span === DEPTH_SPANS.at(-1)}
          onPress={() => keep(String(nextSpan(span, 1)))}
        />
      </div>
      <div ref={box} className="min-h-0 flex-1 px-3 pb-3">
        <DepthCurve
          label={text("depthLabel", { pair: words.nameOf(data.pair.pairCode) })}
          bids={levelsOf(withinBounds(book.bids, bounds), data)}
          asks={levelsOf(withinBounds(book.asks, bounds), data)}
          heightPx={heightPx}
          span={middle === 0 ? undefined : bounds}
          places={middle === 0 ? [] : places}
          writeTotal={(total) => showFixed(Math.round(total), quantityDecimals, Math.min(2, quantityDecimals))}
          priceLabel={text("depthPrice")}
          totalLabel={text("depthTotal")}
        />
      </div>
    </div>
  );
}

interface ZoomProps {
  readonly label: string;
  readonly sign: string;
  readonly isOver: boolean;
  readonly onPress: () => void;
}

function Zoom({ label, sign, isOver, onPress }: ZoomProps) {
  return (
    <button type="button" className="t-icon" title={label} aria-label={label} disabled={isOver} onClick={onPress}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}
