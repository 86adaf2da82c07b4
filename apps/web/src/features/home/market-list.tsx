// The pairs of a group with their last day, and those that moved most.
import { MARKET_CALLS, type Quotation, type Rankings } from "@clockwork/trading/markets/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Sparkline } from "@clockwork/ui/sparkline";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useRequestAgain } from "#clients/ask-again.ts";
import { useFavourites } from "#clients/favourites.ts";
import { useCalls } from "#session/auth-context.ts";
import { useHomeText } from "#words/home-text.ts";
import { type Curves, type HomeMarkets, ROWS, readCurves } from "./home-data.ts";
import { changeText, groupText, shortText, toneOf, useQuotations } from "./live-quotations.ts";

const MOVERS = 4;
/** The limit of the server's ranking. */
const RANKS_MAX = 20;
const FAVOURITES = "favourites";
const POPULAR = "popular";
const NEW = "new";

/** Pair codes of a group, in the served order, so that no row jumps. */
function codesOf(
  { partitions, rankings, quotations }: HomeMarkets,
  group: string,
  starred: readonly string[],
): readonly string[] {
  if (group === FAVOURITES) return starred;
  const byTurnover = rankings?.turnover ?? quotations.map(({ pairCode }) => pairCode);
  if (group === POPULAR) return byTurnover;
  if (group === NEW) return rankings?.newest ?? [];
  const inside = new Set(partitions.find(({ key }) => key === group)?.pairCodes);
  // The ranking may be shorter than the group.
  return [...new Set([...byTurnover, ...quotations.map(({ pairCode }) => pairCode)])].filter((code) =>
    inside.has(code),
  );
}

/** The served curves, and all others once another group is shown. */
function useCurves(served: Curves): readonly [Curves, (curves: Curves) => void, () => void] {
  const calls = useCalls();
  const [curves, setCurves] = useState(served);
  const load = async () => {
    const answer = await (await calls()).call(MARKET_CALLS.sparklines, {});
    if (answer.ok) setCurves(readCurves(answer.data));
  };
  return [curves, setCurves, () => void load()];
}

/** Rankings and curves as they were served; where the first prices came after the page, as soon as they are made. */
function useRanked(markets: HomeMarkets, quotations: ReadonlyMap<string, Quotation>) {
  const [rankings, setRankings] = useState(markets.rankings);
  const [curves, setCurves, loadCurves] = useCurves(markets.curves);
  const ranked = rankings?.turnover ?? [];
  const isWhole =
    ranked.length >= Math.min(RANKS_MAX, quotations.size) &&
    ranked.slice(0, ROWS).every((pairCode) => (curves[pairCode]?.length ?? 0) > 1);
  useRequestAgain("rankings", quotations.size === 0 || isWhole, async (client) => {
    const [order, closes] = await Promise.all([
      client.call(MARKET_CALLS.rankings, {}),
      client.call(MARKET_CALLS.sparklines, {}),
    ]);
    return () => {
      if (order.ok) setRankings(order.data);
      if (closes.ok) setCurves(readCurves(closes.data));
    };
  });
  return { shown: { ...markets, rankings }, curves, loadCurves };
}

/** The order is the served one; the figures in it are live. */
export function MarketList({ markets: served }: { readonly markets: HomeMarkets }) {
  const text = useHomeText();
  const quotations = useQuotations(served.quotations);
  const [group, setGroup] = useState(POPULAR);
  const { shown: markets, curves, loadCurves } = useRanked(served, quotations);
  const favourites = useFavourites();
  const { pairs } = markets;
  if (quotations.size === 0) return null;
  const names = new Map(pairs.map((pair) => [pair.pairCode, pair.baseName]));
  const shown = codesOf(markets, group, favourites.codes)
    .flatMap((pairCode) => quotations.get(pairCode) ?? [])
    .slice(0, ROWS);
  const choose = (key: string) => {
    setGroup(key);
    loadCurves();
  };
  return (
    <section aria-labelledby="markets" className="container-read py-14">
      <div className="flex items-baseline justify-between">
        <h2 id="markets" className="text-section">
          {text("home.markets")}
        </h2>
        <SiteLink to="/markets" className="flex items-center gap-1 font-medium hover:underline">
          {text("home.allPairs", { count: pairs.length })}
          <Icon name="chevron-right" size={14} />
        </SiteLink>
      </div>
      <div className="mt-4 grid gap-12 lg:grid-cols-[1fr_304px]">
        <div className="min-w-0">
          <Groups markets={markets} chosen={group} onChoose={choose} />
          <Heads />
          <ul className="min-h-[336px] md:min-h-[276px]">
            {shown.map((quotation) => (
              <PairRow
                key={quotation.pairCode}
                quotation={quotation}
                name={names.get(quotation.pairCode) ?? ""}
                curve={curves[quotation.pairCode] ?? []}
                isStarred={favourites.isFavourite(quotation.pairCode)}
                onStar={() => favourites.toggle(quotation.pairCode)}
              />
            ))}
            {shown.length === 0 && (
              <li className="py-12 text-center text-muted">
                {text(group === FAVOURITES ? "home.noFavourites" : "home.none")}
              </li>
            )}
          </ul>
        </div>
        <Movers quotations={quotations} rankings={markets.rankings} />
      </div>
    </section>
  );
}

interface GroupsProps {
  readonly markets: HomeMarkets;
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

function Groups({ markets, chosen, onChoose }: GroupsProps) {
  const text = useHomeText();
  const groups = [
    [FAVOURITES, text("home.favourites")],
    [POPULAR, text("home.popular")],
    [NEW, text("home.new")],
    ...markets.partitions.map(({ key, name }) => [key, name] as const),
  ] as const;
  return (
    <fieldset
      aria-label={text("home.groups")}
      className="scrollbar-none flex min-w-0 gap-6 overflow-x-auto border-line border-b max-sm:-mx-4 max-sm:px-4"
    >
      {groups.map(([key, name]) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === chosen}
          data-selected={key === chosen ? "" : undefined}
          className="tab-look after:bottom-0!"
          onClick={() => onChoose(key)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

const COLUMNS =
  "grid grid-cols-[1fr_64px_auto_72px] items-center gap-3 md:grid-cols-[1fr_104px_72px_92px_84px_104px_auto] md:gap-4";

/** Decorative: each row contains labels for its own figures. */
function Heads() {
  const text = useHomeText();
  const name = "text-right max-md:hidden";
  return (
    <div aria-hidden="true" className={`${COLUMNS} h-10 border-line border-b text-label text-muted md:pl-7`}>
      <span>{text("home.pair")}</span>
      <span className="md:hidden" />
      <span className="text-right">{text("home.last")}</span>
      <span className="text-right">{text("home.day")}</span>
      <span className={name}>{text("home.range")}</span>
      <span className={name}>{text("home.turnover")}</span>
      <span className={name}>{text("home.curve")}</span>
      <span className="w-[58px] max-md:hidden" />
    </div>
  );
}

interface PairRowProps {
  readonly quotation: Quotation;
  readonly name: string;
  readonly curve: readonly number[];
  readonly isStarred: boolean;
  readonly onStar: () => void;
}

function PairRow({ quotation, name, curve, isStarred, onStar }: PairRowProps) {
  const text = useHomeText();
  const [base = "", quote = ""] = quotation.pairCode.split("_");
  const isDown = quotation.changePercent.startsWith("-");
  return (
    <li className="flex items-center border-line border-b hover:bg-surface">
      <button
        type="button"
        aria-pressed={isStarred}
        aria-label={text("home.star", { pair: `${base}/${quote}` })}
        onClick={onStar}
        className={`-ml-1 flex size-7 shrink-0 items-center justify-center rounded-control hover:text-text max-md:hidden ${isStarred ? "text-brass" : "text-faint"}`}
      >
        <Icon name={isStarred ? "star-filled" : "star"} size={14} />
      </button>
      <SiteLink to={`/spot/${quotation.pairCode}`} className={`${COLUMNS} h-[56px] min-w-0 flex-1 md:ml-1 md:h-[46px]`}>
        <span className="flex min-w-0 items-center gap-3">
          <CoinGlyph code={base} size={24} />
          <span className="min-w-0 truncate">
            <span className="font-semibold">{base}</span>
            <span className="text-muted">/{quote}</span>
            <span className="ml-2 text-label text-muted max-sm:hidden">{name}</span>
            <span className="figures block text-label text-muted md:hidden">
              {text("home.vol", { amount: shortText(quotation.turnover) })}
            </span>
          </span>
        </span>
        <span className="md:hidden">
          <Sparkline values={curve} tone={isDown ? "down" : "up"} width={64} height={24} />
        </span>
        <span className="figures text-right font-medium">{groupText(quotation.last)}</span>
        <span className={`figures text-right ${toneOf(quotation.changePercent)}`}>
          {changeText(quotation.changePercent)}
        </span>
        <span className="figures text-right text-[12px] text-muted leading-4 max-md:hidden">
          {groupText(quotation.high)}
          <br />
          {groupText(quotation.low)}
        </span>
        <span className="figures text-right max-md:hidden">{shortText(quotation.turnover)}</span>
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

interface MoversProps {
  readonly quotations: ReadonlyMap<string, Quotation>;
  readonly rankings: Rankings | null;
}

function Movers({ quotations, rankings }: MoversProps) {
  const text = useHomeText();
  // On a day when everything rises nothing is a loser.
  const rows = (codes: readonly string[] = [], tone: string) =>
    codes
      .flatMap((code) => quotations.get(code) ?? [])
      .filter(({ changePercent }) => toneOf(changePercent) === tone)
      .slice(0, MOVERS);
  const lists = [
    [text("home.gainers"), rows(rankings?.rise, "text-up-text")],
    [text("home.losers"), rows(rankings?.fall, "text-down-text")],
  ] as const;
  return (
    <div className="grid content-start gap-8">
      {lists.map(([title, rows]) => (
        <section key={title} aria-label={title}>
          <h3 className="flex justify-between border-line border-b pb-2 font-semibold text-[13px]">
            {title}
            <span className="font-normal text-label text-muted">{text("home.day")}</span>
          </h3>
          <ol className="mt-2">
            {rows.length === 0 && <li className="py-2 text-muted">{text("home.noMover")}</li>}
            {rows.map((quotation, at) => (
              <li key={quotation.pairCode}>
                <SiteLink to={`/spot/${quotation.pairCode}`} className="flex h-9 items-center gap-3 hover:bg-surface">
                  <span aria-hidden="true" className="figures w-3 text-label text-muted">
                    {at + 1}
                  </span>
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
