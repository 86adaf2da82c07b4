// What the pages of one grid and of one basket share: the way back, the row of figures, what stopping would bring.
import { formatDecimal } from "@clockwork/kit/format";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import { Card } from "@clockwork/ui/card";
import type { ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { Fact } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";

/** With the ranking before the own bots. */
export function Crumbs({ here }: { readonly here: string }) {
  const text = useGridText();
  return (
    <nav className="flex gap-2 text-label text-muted">
      <SiteLink to="/grid">{text("title.ranking")}</SiteLink>
      <span aria-hidden="true">›</span>
      <SiteLink to="/grid/bots">{text("title.bots")}</SiteLink>
      <span aria-hidden="true">›</span>
      <span>{here}</span>
    </nav>
  );
}

export function FigureStrip({ cells }: { readonly cells: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Card flush className="grid grid-cols-2 sm:grid-cols-3 lg:grid-cols-6">
      {cells.map(([label, value]) => (
        <div key={label} className="border-line border-r p-4 last:border-r-0">
          <p className="text-label text-muted">{label}</p>
          <p className="figures font-semibold text-card">{value}</p>
        </div>
      ))}
    </Card>
  );
}

export function ageText(ageMs: number): string {
  const shownMs = Math.max(0, ageMs);
  return `${Math.floor(shownMs / DAY_MS)} d ${Math.floor((shownMs % DAY_MS) / HOUR_MS)} h`;
}

export interface IfStoppedProps {
  readonly bot: {
    readonly quote: string;
    readonly ifStopped: { readonly coinsValue: string; readonly fee: string; readonly back: string };
  };
}

export function IfStopped({ bot: { ifStopped, quote } }: IfStoppedProps) {
  const text = useGridText();
  const money = (amount: string): string => formatDecimal(amount, { decimals: 2, grouped: true });
  return (
    <Card title={text("detail.if")}>
      <dl>
        <Fact label={text("detail.sell")}>{money(ifStopped.coinsValue)}</Fact>
        <Fact label={text("detail.fee")}>−{money(ifStopped.fee)}</Fact>
        <Fact label={text("detail.back")}>
          {money(ifStopped.back)} {quote}
        </Fact>
      </dl>
    </Card>
  );
}
