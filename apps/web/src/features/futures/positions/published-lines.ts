// Publishes entry, break-even and liquidation prices of own positions to the chart. A chart is expensive to draw: a few
// times a second, however often positions change, and never through React.

import { groupThousands } from "@clockwork/kit/decimal";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import { useContext, useEffect } from "react";
import { withMarks } from "#live/feeds/futures-feeds.ts";
import { LiveContext } from "#live/react.ts";
import { readServed } from "#trade/order/exact.ts";
import { sampleStores } from "#trade/order/use-sampled-market.ts";
import { type OwnLine, useTerminalLink } from "#trade/terminal-link.ts";
import { shownDecimals } from "../model/contract.ts";
import { showLike, writeSigned } from "../model/figures.ts";
import { type FuturesText, useFuturesText } from "../model/futures-text.ts";
import { useFuturesFeeds } from "../model/use-own.ts";
import { settleOf } from "./position-columns.tsx";

function linesOf(position: FuturesPosition, text: FuturesText): OwnLine[] {
  const { positionId, pairCode, side, quantity, entryPrice, liquidationPrice, breakEvenPrice, markPrice } = position;
  const settle = settleOf(position);
  const entry: OwnLine = {
    id: `${positionId}:entry`,
    pairCode,
    price: entryPrice,
    shown: showLike(entryPrice, markPrice),
    label: text("lines.entry", {
      side: text(side),
      quantity: groupThousands(quantity),
      price: showLike(entryPrice, markPrice),
    }),
    shortLabel: `${text(side)} ${groupThousands(quantity)}`,
    aside: `${writeSigned(position.unrealizedPnl, shownDecimals(settle))} ${settle}`,
    asideTone: position.unrealizedPnl.startsWith("-") ? "down" : "up",
    tone: side === "long" ? "up" : "down",
    isDashed: false,
  };
  const dashed = (name: string, price: string, label: string, tone: OwnLine["tone"]): OwnLine => ({
    id: `${positionId}:${name}`,
    pairCode,
    price,
    shown: showLike(price, markPrice),
    label,
    tone,
    isDashed: true,
  });
  const isEvenSomewhere = readServed(breakEvenPrice).units > 0n;
  const even = { ...dashed("even", breakEvenPrice, text("lines.breakEven"), "muted"), besidePrice: entryPrice };
  // The last covers the others: no line crosses the entry's label.
  return [
    ...(isEvenSomewhere ? [even] : []),
    ...(liquidationPrice === null ? [] : [dashed("liquidation", liquidationPrice, text("lines.liquidation"), "warn")]),
    entry,
  ];
}

export function usePublishedLines(): void {
  const text = useFuturesText();
  const link = useTerminalLink();
  const hub = useContext(LiveContext);
  const feeds = useFuturesFeeds();
  useEffect(() => {
    if (hub === undefined) return;
    const [answer, marks] = [hub.feed(feeds.positions), hub.feed(feeds.marks)];
    const publish = () =>
      link.ownLines.set(
        withMarks(answer.read().value, marks.read().value).flatMap((position) => linesOf(position, text)),
      );
    const release = sampleStores([answer, marks], publish);
    publish();
    return () => {
      release();
      link.ownLines.set([]);
    };
  }, [link, hub, feeds, text]);
}
