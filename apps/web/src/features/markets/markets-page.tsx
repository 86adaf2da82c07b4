// `/markets`: every pair with its live numbers, as a table, a heat map or rankings. The address selects the content.
import { MARKET_CALLS, type Quotation } from "@clockwork/trading/markets/contract";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useCallback, useRef, useState } from "react";
import { Form, Link, useSearchParams } from "react-router";
import { useRequestAgain } from "#clients/ask-again.ts";
import { useFavourites } from "#clients/favourites.ts";
import { SPOT_MARKET } from "#live/feeds/market-feeds.ts";
import { useChannel, useConnection } from "#live/react.ts";
import { PageHead } from "#shell/page-head.tsx";
import { HeatMap } from "./heat-map.tsx";
import {
  buildRows,
  EXPORT_HEAD,
  exportRow,
  type MarketRow,
  type MarketsData,
  mainQuote,
  matchesQuery,
  sortRows,
} from "./market-rows.ts";
import { MarketSummary } from "./market-summary.tsx";
import { MarketTable } from "./market-table.tsx";
import { type MarketView, readView, TABS, writeView } from "./market-view.ts";
import { type MarketsText, useMarketsText } from "./markets-text.ts";
import { RankingCards } from "./ranking-cards.tsx";

const PAGE_SIZE = 25;
const NEW_DAYS_MS = 30 * 86_400_000;
const NEW_MIN = 8;

/** The newest pairs: those of a month, or a handful where nothing is that new. */
function keepNew(rows: readonly MarketRow[]): readonly MarketRow[] {
  const sorted = [...rows].sort((left, right) => right.pair.listedAtMs - left.pair.listedAtMs);
  const newestMs = sorted[0]?.pair.listedAtMs ?? 0;
  const fresh = sorted.filter((row) => row.pair.listedAtMs > newestMs - NEW_DAYS_MS);
  return fresh.length >= NEW_MIN ? fresh : sorted.slice(0, NEW_MIN);
}

function keepRows(
  rows: readonly MarketRow[],
  view: MarketView,
  data: MarketsData,
  starred: ReadonlySet<string>,
): readonly MarketRow[] {
  const group = data.partitions.find(({ key }) => key === view.group);
  const listed =
    view.tab === "favourites"
      ? rows.filter((row) => starred.has(row.pair.pairCode))
      : view.tab === "new"
        ? keepNew(rows)
        : rows;
  return listed.filter(
    (row) =>
      (group === undefined || group.pairCodes.includes(row.pair.pairCode)) &&
      (view.query === "" || matchesQuery(row.pair, view.query)),
  );
}

/** The view of the address, with a filter that follows every key without a call. */
function useView() {
  const [search] = useSearchParams();
  const [typed, setTyped] = useState<string>();
  const reply = readView(search);
  return {
    view: typed === undefined ? reply : { ...reply, query: typed.trim(), page: 1 },
    typed: typed ?? reply.query,
    setTyped,
  };
}

export function MarketsPage({ data }: { readonly data: MarketsData | null }) {
  const text = useMarketsText();
  return (
    <main id="content" className="min-w-0 flex-1 px-4 py-7 lg:px-8">
      <PageHead title={text("title")} description={text("description")} />
      {data === null ? (
        <>
          <h1 className="text-section">{text("title")}</h1>
          <p role="alert" className="mt-4 text-muted">
            {text("failed")}
          </p>
        </>
      ) : (
        <Markets data={data} />
      )}
    </main>
  );
}

/** The small curves of pairs whose first prices came after the page. */
function useCurves(data: MarketsData, live: readonly Quotation[]): MarketsData {
  const [fetched, setFetched] = useState<Pick<MarketsData, "sparklines" | "weeks">>();
  const whole = fetched === undefined ? data : { ...data, ...fetched };
  const drawn = new Set(whole.weeks.filter(({ points }) => points.length > 1).map(({ pairCode }) => pairCode));
  const priced = live.length > 0 ? live : data.quotations;
  const isWhole = priced.every(({ pairCode }) => drawn.has(pairCode));
  useRequestAgain("curves", isWhole, async (client) => {
    const [sparklines, weeks] = await Promise.all([
      client.call(MARKET_CALLS.sparklines, {}),
      client.call(MARKET_CALLS.sparklines, { days: 7 }),
    ]);
    return () => {
      if (sparklines.ok && weeks.ok) setFetched({ sparklines: sparklines.data, weeks: weeks.data });
    };
  });
  return whole;
}

function Markets({ data: served }: { readonly data: MarketsData }) {
  const text = useMarketsText();
  const live = useChannel(SPOT_MARKET.allTickers);
  const data = useCurves(served, live.value);
  const connection = useConnection();
  const { view, typed, setTyped } = useView();
  const { codes, toggle } = useFavourites(data.favourites);
  const starred: ReadonlySet<string> = new Set(codes);
  const latestToggle = useRef(toggle);
  latestToggle.current = toggle;
  const star = useCallback((pairCode: string) => latestToggle.current(pairCode), []);
  const rows = buildRows(data, live.value);
  const quote = mainQuote(data.pairs);
  const kept = sortRows(keepRows(rows, view, data, starred), view.sort);
  const isStale = connection.settled && connection.status !== "live" && live.status !== "polling";
  const pageCount = Math.max(1, Math.ceil(kept.length / PAGE_SIZE));
  const page = Math.min(view.page, pageCount);
  const shown = kept.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  return (
    <>
      <MarketsHead rows={kept} isSimulated={data.pairs.some((pair) => pair.isSimulated)} isStale={isStale} />
      <MarketSummary rows={rows} quote={quote} />
      <TabLinks view={view} text={text} />
      {view.tab === "rankings" ? (
        <RankingCards rows={rows} />
      ) : (
        <>
          <Tools view={view} data={data} typed={typed} onType={setTyped} />
          {kept.length === 0 ? (
            <NothingKept view={view} onClear={() => setTyped("")} />
          ) : view.shape === "heat" ? (
            <HeatMap rows={kept} size={view.size} span={view.span} />
          ) : (
            <>
              <MarketTable rows={shown} view={view} quote={quote} starred={starred} onStar={star} isStale={isStale} />
              <PageLinks view={view} page={page} pageCount={pageCount} total={kept.length} />
            </>
          )}
        </>
      )}
    </>
  );
}

function MarketsHead({
  rows,
  isSimulated,
  isStale,
}: {
  readonly rows: readonly MarketRow[];
  readonly isSimulated: boolean;
  readonly isStale: boolean;
}) {
  const text = useMarketsText();
  const save = async () => {
    const [{ writeCsv }, { saveCsv }] = await Promise.all([
      import("@clockwork/ui/logic/csv"),
      import("@clockwork/ui/hooks/use-table"),
    ]);
    saveCsv(text("title"), writeCsv(EXPORT_HEAD, rows.map(exportRow)), Date.now());
  };
  return (
    <div className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2">
      <h1 className="text-section">{text("title")}</h1>
      {isSimulated && (
        <span
          className="inline-flex h-6 items-center rounded-full bg-info-soft px-2.5 text-info text-label"
          title={text("simulatedNote")}
        >
          {text("simulated")}
          <span className="sr-only">. {text("simulatedNote")}</span>
        </span>
      )}
      <span role="status" className="text-label text-warn">
        {isStale ? text("stale") : ""}
      </span>
      <button type="button" className={`${buttonClass({ size: 32 })} ml-auto`} onClick={() => void save()}>
        <Icon name="download" />
        <span className="max-sm:sr-only">{text("export")}</span>
      </button>
    </div>
  );
}

const to = (view: MarketView) => writeView(view) || "?";

function TabLinks({ view, text }: { readonly view: MarketView; readonly text: MarketsText }) {
  return (
    <nav aria-label={text("tabs")} className="scrollbar-none mt-5 flex gap-6 overflow-x-auto border-line border-b">
      {TABS.map((tab) => (
        <Link
          key={tab}
          to={to({ ...view, tab, page: 1, group: "" })}
          preventScrollReset
          aria-current={view.tab === tab ? "page" : undefined}
          data-selected={view.tab === tab ? "" : undefined}
          className="tab-look after:bottom-0!"
        >
          {text(`tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}

const CHIP =
  "relative inline-flex h-7 shrink-0 items-center rounded-full border border-line2 px-3 max-sm:h-8 max-sm:after:absolute max-sm:after:-inset-x-1 max-sm:after:-inset-y-1.5 text-[13px] text-muted leading-5 hover:text-text aria-[current]:border-text aria-[current]:font-medium aria-[current]:text-text";

interface ToolsProps {
  readonly view: MarketView;
  readonly data: MarketsData;
  readonly typed: string;
  readonly onType: (text: string) => void;
}

function Tools({ view, data, typed, onType }: ToolsProps) {
  const text = useMarketsText();
  const groups = [{ key: "", name: text("all") }, ...data.partitions];
  return (
    <div className="mt-4 mb-2 flex flex-wrap items-center gap-3">
      <nav
        aria-label={text("groups")}
        className="scrollbar-none -mx-4 flex gap-2 overflow-x-auto px-4 max-lg:basis-full max-sm:-my-2 max-sm:py-2 sm:mx-0 sm:flex-wrap sm:px-0"
      >
        {groups.map(({ key, name }) => (
          <Link
            key={key}
            to={to({ ...view, group: key, page: 1 })}
            replace
            preventScrollReset
            aria-current={view.group === key ? "true" : undefined}
            className={CHIP}
          >
            {name}
          </Link>
        ))}
      </nav>
      {/* Of its own line where the groups fill theirs: their margins would leave it room beside them. */}
      <div className="flex min-w-0 flex-1 items-center justify-end gap-3 max-lg:basis-full">
        {view.shape === "heat" && <TileLinks view={view} />}
        <FilterField view={view} typed={typed} onType={onType} />
        <ShapeLinks view={view} />
      </div>
    </div>
  );
}

/** Without scripts it is a form that calls the server; with them every key filters at once. */
function FilterField({ view, typed, onType }: Omit<ToolsProps, "data">) {
  const text = useMarketsText();
  return (
    <Form
      role="search"
      method="get"
      replace
      preventScrollReset
      className="field-box h-8 min-w-0 max-sm:h-11 flex-1 bg-surface px-2.5 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent sm:min-w-44 sm:max-w-56"
    >
      {view.tab !== "spot" && <input type="hidden" name="tab" value={view.tab} />}
      {view.group !== "" && <input type="hidden" name="group" value={view.group} />}
      {view.shape !== "table" && <input type="hidden" name="view" value={view.shape} />}
      <Icon name="search" size={14} className="text-muted" />
      <input
        type="search"
        name="q"
        value={typed}
        maxLength={40}
        autoComplete="off"
        aria-label={text("filter")}
        placeholder={text("filter")}
        onChange={(event) => onType(event.target.value)}
        className="w-full min-w-0 flex-1 bg-transparent text-[13px] outline-none placeholder:text-muted max-md:text-[16px]"
      />
    </Form>
  );
}

const SEGMENT =
  "inline-flex h-[26px] items-center max-sm:h-[38px] gap-1.5 rounded-[5px] px-3 text-[13px] text-muted hover:text-text aria-[current]:bg-raised aria-[current]:font-semibold aria-[current]:text-text aria-[current]:shadow-card dark:aria-[current]:bg-line max-sm:px-2";

function ShapeLinks({ view }: { readonly view: MarketView }) {
  const text = useMarketsText();
  return (
    <nav
      aria-label={text("views")}
      className="inline-flex shrink-0 rounded-control border border-line bg-surface p-0.5"
    >
      {(["table", "heat"] as const).map((shape) => (
        <Link
          key={shape}
          to={to({ ...view, shape, page: 1 })}
          preventScrollReset
          aria-current={view.shape === shape ? "true" : undefined}
          className={SEGMENT}
        >
          <Icon name={shape === "table" ? "list" : "heat"} size={14} />
          {text(shape)}
        </Link>
      ))}
    </nav>
  );
}

/** What the tiles' areas and colours are about. */
function TileLinks({ view }: { readonly view: MarketView }) {
  const text = useMarketsText();
  const link = (about: string, title: string, next: MarketView, isHere: boolean) => (
    <Link to={to(next)} replace preventScrollReset aria-current={isHere ? "true" : undefined} className={CHIP}>
      <span className="sr-only">{about}: </span>
      {title}
    </Link>
  );
  return (
    <span className="flex flex-wrap items-center justify-end gap-2 text-label text-muted max-md:hidden">
      <span aria-hidden="true">{text("size")}</span>
      {link(text("size"), text("sizeVolume"), { ...view, size: "volume" }, view.size === "volume")}
      {link(text("size"), text("sizeEqual"), { ...view, size: "equal" }, view.size === "equal")}
      <span aria-hidden="true" className="ml-2">
        {text("colour")}
      </span>
      {link(text("colour"), text("colourDay"), { ...view, span: "day" }, view.span === "day")}
      {link(text("colour"), text("colourWeek"), { ...view, span: "week" }, view.span === "week")}
    </span>
  );
}

function NothingKept({ view, onClear }: { readonly view: MarketView; readonly onClear: () => void }) {
  const text = useMarketsText();
  const isUnstarred = view.tab === "favourites" && view.query === "";
  return (
    <div className="mt-4 flex flex-col items-center gap-3 rounded-card border border-line bg-surface px-4 py-12 text-center text-muted">
      <p>{isUnstarred ? text("noFavourites") : text("noMatch", { query: view.query })}</p>
      <Link
        to={isUnstarred ? to({ ...view, tab: "spot" }) : to({ ...view, query: "", group: "" })}
        replace
        preventScrollReset
        onClick={onClear}
        className={buttonClass({ size: 32 })}
      >
        {text(isUnstarred ? "showAll" : "clear")}
      </Link>
    </div>
  );
}

interface PageLinksProps {
  readonly view: MarketView;
  readonly page: number;
  readonly pageCount: number;
  readonly total: number;
}

function PageLinks({ view, page, pageCount, total }: PageLinksProps) {
  const text = useMarketsText();
  const from = (page - 1) * PAGE_SIZE + 1;
  return (
    <div className="mt-3 flex items-center justify-between">
      <span className="figures text-label text-muted">
        {text("range", { from, to: Math.min(total, page * PAGE_SIZE), total })}
      </span>
      {pageCount > 1 && (
        <nav className="flex gap-1.5" aria-label={text("pages")}>
          {Array.from({ length: pageCount }, (_, index) => index + 1).map((number) => (
            <Link
              key={number}
              to={to({ ...view, page: number })}
              replace
              preventScrollReset
              aria-current={number === page ? "page" : undefined}
              className="page-cell"
            >
              {number}
            </Link>
          ))}
        </nav>
      )}
    </div>
  );
}
