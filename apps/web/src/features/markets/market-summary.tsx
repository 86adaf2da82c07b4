// The four facts above the markets: how much was traded, how many rose, which pair is strongest, which is traded most.
import { Sparkline } from "@clockwork/ui/sparkline";
import { type ReactNode, use } from "react";
import { LocaleContext } from "#words/text.ts";
import { ChangeText, LastPrice, PairLink, PairName } from "./market-parts.tsx";
import { type MarketRow, showVolume, summarize } from "./market-rows.ts";
import { useMarketsText } from "./markets-text.ts";

interface CellProps {
  readonly label: string;
  readonly aside?: string;
  readonly className: string;
  readonly children: ReactNode;
}

function Cell({ label, aside, className, children }: CellProps) {
  return (
    <div className={`min-w-0 border-line px-4 py-3 lg:px-5 lg:py-4 ${className}`}>
      <div className="flex justify-between gap-2 text-label text-muted">
        <span>{label}</span>
        {aside !== undefined && <span className="figures max-sm:hidden">{aside}</span>}
      </div>
      <div className="mt-1 flex h-6 items-center gap-3 overflow-hidden">{children}</div>
    </div>
  );
}

function Leader({ row }: { readonly row: MarketRow | undefined }) {
  if (row === undefined) return <span className="text-muted">–</span>;
  return (
    <>
      <PairLink row={row} className="flex shrink-0 items-center gap-2 hover:underline">
        <PairName row={row} size={20} />
      </PairLink>
      <LastPrice row={row} />
      <ChangeText row={row} />
      <span className="ml-auto flex min-w-0 overflow-hidden max-xl:hidden">
        <Sparkline values={row.curve} width={72} height={22} />
      </span>
    </>
  );
}

export function MarketSummary({ rows, quote }: { readonly rows: readonly MarketRow[]; readonly quote: string }) {
  const text = useMarketsText();
  const locale = use(LocaleContext);
  const summary = summarize(rows);
  const moved = summary.rising + summary.falling;
  return (
    <section
      aria-label={text("title")}
      className="grid grid-cols-2 rounded-card border border-line bg-surface lg:grid-cols-4"
    >
      <Cell label={text("volume")} className="border-r">
        {summary.turnover.units > 0n ? (
          <>
            <span className="figures font-semibold text-[20px] leading-6">{showVolume(summary.turnover, locale)}</span>
            <span className="-ml-1 text-label text-muted">{quote}</span>
          </>
        ) : (
          <span className="text-muted">–</span>
        )}
      </Cell>
      <Cell label={text("moving")} className="lg:border-r" aside={text("pairs", { count: rows.length })}>
        <span className="figures font-semibold text-up-text">
          <span aria-hidden="true">{summary.rising}</span>
          <span className="sr-only">{text("rising", { count: summary.rising })}</span>
        </span>
        <span aria-hidden="true" className="flex h-1.5 min-w-0 flex-1 gap-0.5">
          {moved > 0 && <span className="rounded-full bg-up" style={{ width: `${(summary.rising / moved) * 100}%` }} />}
          <span className={`flex-1 rounded-full ${moved > 0 ? "bg-down" : "bg-line"}`} />
        </span>
        <span className="figures font-semibold text-down-text">
          <span aria-hidden="true">{summary.falling}</span>
          <span className="sr-only">{text("falling", { count: summary.falling })}</span>
        </span>
      </Cell>
      <Cell label={text("strongest")} className="border-t max-sm:col-span-2 sm:border-r lg:border-t-0">
        <Leader row={summary.strongest} />
      </Cell>
      <Cell label={text("mostTraded")} className="border-t max-sm:col-span-2 lg:border-t-0">
        <Leader row={summary.mostTraded} />
      </Cell>
    </section>
  );
}
