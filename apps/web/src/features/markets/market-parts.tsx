// Small parts the markets page repeats: a pair with its coin, a change in its colour, a live price.
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Figure } from "@clockwork/ui/figure";
import type { ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { changeOf, type MarketRow, moveOf, type Span, showChange, showPrice } from "./market-rows.ts";

export function PairName({ row, size = 24 }: { readonly row: MarketRow; readonly size?: number }) {
  const { pair } = row;
  return (
    <span className="inline-flex min-w-0 items-center gap-3">
      <CoinGlyph code={pair.base} size={size} />
      <span className="whitespace-nowrap">
        <span className="font-semibold">{pair.base}</span>
        <span className="text-muted">/{pair.quote}</span>
      </span>
    </span>
  );
}

const TONES = { "1": "text-up-text", "-1": "text-down-text", "0": "text-muted" } as const;

interface ChangeTextProps {
  readonly row: MarketRow;
  readonly span?: Span;
  readonly className?: string;
}

export function ChangeText({ row, span = "day", className = "" }: ChangeTextProps) {
  const change = changeOf(row, span);
  return <span className={`figures ${TONES[`${moveOf(change)}`]} ${className}`}>{showChange(change)}</span>;
}

export function LastPrice({ row, className = "" }: { readonly row: MarketRow; readonly className?: string }) {
  return <Figure text={showPrice(row.quotation?.last)} flash align="right" className={className} />;
}

export function PairLink({
  row,
  children,
  ...rest
}: {
  readonly row: MarketRow;
  readonly children: ReactNode;
  readonly className?: string;
  readonly "aria-label"?: string;
}) {
  return (
    <SiteLink to={`/spot/${row.pair.pairCode}`} {...rest}>
      {children}
    </SiteLink>
  );
}
