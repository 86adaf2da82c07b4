// The depth chart: both sides of the book as staircases around the middle, drawn anew at most a few times a second.
import { DepthCurve } from "@clockwork/ui/depth-curve";
import type { DepthLevel } from "@clockwork/ui/logic/depth-shape";
import { useEffect, useRef, useState } from "react";
import { type BookLevel, type DepthBook, readBook } from "#live/feeds/depth-book.ts";
import { showUnits } from "#live/feeds/market-number.ts";
import { createPacer } from "#trade/frame-pacer.ts";
import { useProduct } from "#trade/product.ts";
import { type TerminalData, useMarketFeeds, useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

const LEVELS = 120;
const DRAW = { everyMs: 250 };

function levelsOf(side: readonly BookLevel[], data: TerminalData): readonly DepthLevel[] {
  const { priceDecimals, quantityDecimals } = data.pair;
  let total = 0;
  return side.slice(0, LEVELS).map((level) => {
    total += level.quantity;
    return {
      price: level.price,
      total,
      priceText: showUnits(level.price, priceDecimals),
      totalText: showUnits(total, quantityDecimals),
    };
  });
}

export function DepthPanel() {
  const text = useTerminalText();
  const data = useTerminalData();
  const { words } = useProduct();
  const feeds = useMarketFeeds();
  const box = useRef<HTMLDivElement>(null);
  const [heightPx, setHeight] = useState(360);
  const [, setDrawn] = useState(0);
  useEffect(() => {
    if (box.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setHeight(Math.max(80, Math.floor(entry.contentRect.height) - 28));
    });
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
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
  const book: DepthBook =
    live === undefined || live.empty
      ? readBook(data.depth ?? { bids: [], asks: [], timeMs: 0 }, data.pair)
      : live.value;
  return (
    <div ref={box} className="min-h-0 flex-1 p-3">
      <DepthCurve
        label={text("depthLabel", { pair: words.nameOf(data.pair.pairCode) })}
        bids={levelsOf(book.bids, data)}
        asks={levelsOf(book.asks, data)}
        heightPx={heightPx}
        priceLabel={text("depthPrice")}
        totalLabel={text("depthTotal")}
      />
    </div>
  );
}
