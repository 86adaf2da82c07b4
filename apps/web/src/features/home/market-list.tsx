// The busiest pairs with their last day, and those that moved most.
import type { Quotation } from "@clockwork/domains/markets/api";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Sparkline } from "@clockwork/ui/sparkline";
import { useHomeText } from "#frame/home-text.ts";
import { SiteLink } from "#frame/site-link.tsx";
import type { HomeMarkets } from "./home-data.ts";
import { changeText, groupText, shortText, toneOf, useQuotations } from "./live-quotations.ts";

const ROWS = 6;
const MOVERS = 4;

/** The order is the served one, so that no row jumps; the figures in it are live. */
export function MarketList({ markets }: { readonly markets: HomeMarkets }) {
  const text = useHomeText();
  const quotations = useQuotations(markets.quotations);
  const { pairs, curves } = markets;
  if (quotations.size === 0) return null;
  const names = new Map(pairs.map((pair) => [pair.pairCode, pair.baseName]));
  const shown = markets.quotations.slice(0, ROWS).flatMap(({ pairCode }) => quotations.get(pairCode) ?? []);
  return (
    <section aria-labelledby="markets" className="container-read py-14">
      <div className="flex items-baseline justify-between">
        <h2 id="markets" className="text-section">
          {text("home.markets")}
        </h2>
        <SiteLink to="/markets" className="font-medium hover:underline">
          {text("home.allPairs", { count: pairs.length })}
        </SiteLink>
      </div>
      <div className="mt-6 grid gap-12 lg:grid-cols-[1fr_304px]">
        <ul>
          {shown.map((quotation) => (
            <PairRow
              key={quotation.pairCode}
              quotation={quotation}
              name={names.get(quotation.pairCode) ?? ""}
              curve={curves[quotation.pairCode] ?? []}
            />
          ))}
        </ul>
        <Movers quotations={[...quotations.values()]} />
      </div>
    </section>
  );
}

interface PairRowProps {
  readonly quotation: Quotation;
  readonly name: string;
  readonly curve: readonly number[];
}

function PairRow({ quotation, name, curve }: PairRowProps) {
  const text = useHomeText();
  const [base = "", quote = ""] = quotation.pairCode.split("_");
  const isDown = quotation.changePercent.startsWith("-");
  return (
    <li className="border-line border-b">
      <SiteLink
        to={`/spot/${quotation.pairCode}`}
        className="grid h-[56px] grid-cols-[1fr_auto_72px] items-center gap-4 hover:bg-surface sm:h-[46px] md:grid-cols-[1fr_120px_80px_88px_104px_auto]"
      >
        <span className="flex min-w-0 items-center gap-3">
          <CoinGlyph code={base} size={24} />
          <span className="min-w-0 truncate">
            <span className="font-semibold">{base}</span>
            <span className="text-muted">/{quote}</span>
            <span className="ml-2 text-label text-muted max-sm:hidden">{name}</span>
          </span>
        </span>
        <span className="figures text-right font-medium">{groupText(quotation.last)}</span>
        <span className={`figures text-right ${toneOf(quotation.changePercent)}`}>
          {changeText(quotation.changePercent)}
        </span>
        <span className="figures text-right text-muted max-md:hidden">{shortText(quotation.turnover)}</span>
        <span className="max-md:hidden">
          <Sparkline values={curve} tone={isDown ? "down" : "up"} width={104} height={28} />
        </span>
        <span aria-hidden="true" className={`${buttonClass({ size: 28 })} max-md:hidden`}>
          {text("home.trade")}
        </span>
      </SiteLink>
    </li>
  );
}

function Movers({ quotations }: { readonly quotations: readonly Quotation[] }) {
  const text = useHomeText();
  // Only to put rows in order.
  const byChange = [...quotations].sort((left, right) => Number(right.changePercent) - Number(left.changePercent));
  const lists = [
    [text("home.gainers"), byChange.slice(0, MOVERS)],
    [text("home.losers"), byChange.slice(-MOVERS).reverse()],
  ] as const;
  return (
    <div className="grid content-start gap-8">
      {lists.map(([title, rows]) => (
        <section key={title} aria-label={title}>
          <h3 className="font-semibold text-[13px]">{title}</h3>
          <ol className="mt-2">
            {rows.map((quotation) => (
              <li key={quotation.pairCode}>
                <SiteLink to={`/spot/${quotation.pairCode}`} className="flex h-9 items-center gap-3 hover:bg-surface">
                  <CoinGlyph code={quotation.pairCode.split("_")[0] ?? ""} size={20} />
                  <span className="flex-1">{quotation.pairCode.replace("_", "/")}</span>
                  <span className="figures text-muted">{groupText(quotation.last)}</span>
                  <span className={`figures w-[76px] text-right ${toneOf(quotation.changePercent)}`}>
                    {changeText(quotation.changePercent)}
                  </span>
                </SiteLink>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
