// The tape of the market's trades. React makes the first rows; the painter turns them over from then on.
import type { TimezoneValue } from "@clockwork/kit/constants";
import { type KeyboardEvent, memo, type RefObject, useEffect, useRef } from "react";
import { useGlobal } from "#boot/state.ts";
import { clockText } from "#trade/clock-text.ts";
import { createPacer } from "#trade/frame-pacer.ts";
import { useProduct } from "#trade/product.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { type TerminalData, useMarketFeeds, useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { showTrade, TapePainter } from "./tape-painter.ts";

const SERVED_ROWS = 40;
/** The book's own beat twice as long: both are laid out and painted together. */
const PAINT = { everyMs: 100 };

interface RowsProps {
  readonly data: TerminalData;
  readonly timezone: TimezoneValue;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly label: string;
}

const Rows = memo(
  function Rows({ data, timezone, list, label }: RowsProps) {
    const link = useTerminalLink();
    const take = (target: EventTarget) => {
      const price = (target as Element).closest<HTMLElement>("[data-price]")?.dataset.price;
      if (price !== undefined) link.pick({ source: "trades", price });
    };
    const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === "Enter") take(event.currentTarget.firstElementChild ?? event.target);
    };
    return (
      <div
        ref={list}
        role="log"
        aria-live="off"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        tabIndex={0}
        className="tape-rows"
        onClick={(event) => take(event.target)}
        onKeyDown={onKeyDown}
      >
        {data.trades
          .slice(-SERVED_ROWS)
          .toReversed()
          .map((trade) => {
            const [price, quantity] = showTrade(trade, data.pair);
            return (
              <div key={trade.id} data-side={trade.side} data-price={trade.price} className="tape-row">
                <span>{price}</span>
                <span>{quantity}</span>
                <span>{clockText(trade.timeMs, timezone)}</span>
              </div>
            );
          })}
      </div>
    );
  },
  () => true,
);

export function TradesBody() {
  const text = useTerminalText();
  const data = useTerminalData();
  const assets = useProduct().words.assetsOf(data.pair.pairCode);
  const feeds = useMarketFeeds();
  const timezone = useGlobal((state) => state.timezone);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (list.current === null || feeds === undefined) return;
    const painter = new TapePainter({
      list: list.current,
      pair: data.pair,
      readTape: () => feeds.trades.get().value,
      formatTime: (timeMs) => clockText(timeMs, timezone),
    });
    const pacer = createPacer(() => painter.paint(), PAINT);
    const release = feeds.trades.subscribe(pacer.ask);
    return () => {
      release();
      pacer.stop();
      painter.destroy();
    };
  }, [feeds, data.pair, timezone]);
  return (
    <>
      <div className="tape-columns text-muted">
        <span>{text("price", { asset: assets.price })}</span>
        <span>{text("amount", { asset: assets.quantity })}</span>
        <span>{text("time")}</span>
      </div>
      {data.trades.length === 0 && <p className="px-3 py-2 text-muted only:block">{text("emptyTrades")}</p>}
      <Rows data={data} timezone={timezone} list={list} label={text("trades")} />
    </>
  );
}
