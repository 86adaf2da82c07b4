// The table of markets. Column heads are links, so sorting works without scripts; a row paints anew only when its own
// numbers changed.
import { Icon } from "@clockwork/ui/icon";
import { Sparkline } from "@clockwork/ui/sparkline";
import { memo, use } from "react";
import { Link } from "react-router";
import { LocaleContext } from "#words/text.ts";
import { ChangeText, LastPrice, PairLink, PairName } from "./market-parts.tsx";
import { type MarketRow, pairName, type SortName, showPrice, showVolume } from "./market-rows.ts";
import { type MarketView, nextSort, writeView } from "./market-view.ts";
import { useMarketsText } from "./markets-text.ts";

interface HeadProps {
  readonly view: MarketView;
  readonly by: SortName;
  readonly title: string;
  readonly className?: string;
}

const HEAD = "h-9 border-line border-b px-3 font-normal text-label text-muted";

function Head({ view, by, title, className = "" }: HeadProps) {
  const isChosen = view.sort.by === by;
  return (
    <th
      scope="col"
      aria-sort={isChosen ? (view.sort.isDown ? "descending" : "ascending") : "none"}
      className={`${HEAD} ${className}`}
    >
      <Link
        to={writeView({ ...view, sort: nextSort(view.sort, by), page: 1 }) || "?"}
        replace
        preventScrollReset
        className={`inline-flex items-center gap-1 rounded-xs hover:text-text ${isChosen ? "font-medium text-text" : ""}`}
      >
        {title}
        {isChosen && (
          <Icon name={view.sort.isDown ? "chevron-down" : "chevron-up"} size={12} className="[stroke-width:1.8]" />
        )}
      </Link>
    </th>
  );
}

export interface MarketTableProps {
  readonly rows: readonly MarketRow[];
  readonly view: MarketView;
  readonly quote: string;
  readonly starred: ReadonlySet<string>;
  readonly onStar: (pairCode: string) => void;
  readonly isStale: boolean;
}

export function MarketTable({ rows, view, quote, starred, onStar, isStale }: MarketTableProps) {
  const text = useMarketsText();
  return (
    <div className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <table className={`w-full border-separate border-spacing-0 ${isStale ? "opacity-60" : ""}`}>
        <caption className="sr-only">{text("title")}</caption>
        <thead>
          <tr>
            <th scope="col" className={`${HEAD} w-9 px-0!`}>
              <span className="sr-only">{text("col.favourite")}</span>
            </th>
            <Head view={view} by="pair" title={text("col.pair")} className="text-left max-sm:pl-0" />
            <Head view={view} by="last" title={text("col.last")} className="text-right" />
            <Head view={view} by="change" title={text("col.change")} className="text-right max-sm:pr-0" />
            <Head view={view} by="week" title={text("col.week")} className="text-right max-xl:hidden" />
            <Head view={view} by="high" title={text("col.high")} className="text-right max-lg:hidden" />
            <Head view={view} by="low" title={text("col.low")} className="text-right max-lg:hidden" />
            <Head
              view={view}
              by="turnover"
              title={text("col.turnover", { asset: quote })}
              className="text-right max-sm:hidden"
            />
            <th scope="col" className={`${HEAD} text-right max-md:hidden`}>
              {text("col.curve")}
            </th>
            <th scope="col" className={`${HEAD} w-24 max-sm:hidden`}>
              <span className="sr-only">{text("col.trade")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.pair.pairCode} row={row} isStarred={starred.has(row.pair.pairCode)} onStar={onStar} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: MarketRow;
  readonly isStarred: boolean;
  readonly onStar: (pairCode: string) => void;
}

const CELL = "h-11 border-line border-b px-3 text-ui max-sm:h-14";

const Row = memo(
  function Row({ row, isStarred, onStar }: RowProps) {
    const text = useMarketsText();
    const locale = use(LocaleContext);
    const { pair, quotation } = row;
    const name = pairName(pair);
    return (
      <tr className="group hover:bg-hover">
        <td className={`${CELL} px-0!`}>
          <Star name={name} isStarred={isStarred} onPress={() => onStar(pair.pairCode)} />
        </td>
        <th scope="row" className={`${CELL} text-left font-normal max-sm:pl-0`}>
          <PairLink row={row} className="inline-flex items-center gap-3 rounded-xs hover:underline">
            <PairName row={row} />
            <span className="truncate text-label text-muted max-md:hidden">{pair.baseName}</span>
          </PairLink>
          <span className="figures block pl-9 text-label text-muted sm:hidden">{showVolume(row.turnover, locale)}</span>
        </th>
        <td className={`${CELL} text-right font-medium`}>
          <LastPrice row={row} />
        </td>
        <td className={`${CELL} text-right max-sm:pr-0`}>
          <ChangeText row={row} />
        </td>
        <td className={`${CELL} text-right max-xl:hidden`}>
          <ChangeText row={row} span="week" />
        </td>
        <td className={`${CELL} figures text-right max-lg:hidden`}>{showPrice(quotation?.high)}</td>
        <td className={`${CELL} figures text-right max-lg:hidden`}>{showPrice(quotation?.low)}</td>
        <td className={`${CELL} figures text-right max-sm:hidden`}>{showVolume(row.turnover, locale)}</td>
        <td className={`${CELL} text-right max-md:hidden`}>
          <Sparkline values={row.weekCurve} className="ml-auto inline-block" />
        </td>
        <td className={`${CELL} text-right max-sm:hidden`}>
          <PairLink
            row={row}
            aria-label={text("tradePair", { pair: name })}
            className="inline-flex h-7 items-center rounded-control border border-transparent px-3 font-medium text-[13px] text-muted group-hover:border-line2 group-hover:bg-raised group-hover:text-text"
          >
            {text("trade")}
          </PairLink>
        </td>
      </tr>
    );
  },
  (before, after) =>
    before.isStarred === after.isStarred &&
    before.row.pair === after.row.pair &&
    before.row.quotation === after.row.quotation &&
    before.onStar === after.onStar,
);

interface StarProps {
  readonly name: string;
  readonly isStarred: boolean;
  readonly onPress: () => void;
}

function Star({ name, isStarred, onPress }: StarProps) {
  const text = useMarketsText();
  return (
    <button
      type="button"
      aria-pressed={isStarred}
      aria-label={text(isStarred ? "unstar" : "star", { pair: name })}
      onClick={onPress}
      className={`relative flex size-7 items-center max-sm:after:absolute max-sm:after:-inset-2 justify-center rounded-control hover:bg-active ${isStarred ? "text-brass" : "text-faint hover:text-text"}`}
    >
      <Icon name={isStarred ? "star-filled" : "star"} size={14} />
    </button>
  );
}
