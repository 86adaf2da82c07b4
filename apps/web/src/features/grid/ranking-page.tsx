// All users' bots: grids of spot and futures together by the last week's grid profit, or baskets by their week's
// result. The chosen one fills the side panel, where it is cloned with own funds.

import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { DAY_MS } from "@clockwork/kit/time";
import { bizOf, type RankedBot } from "@clockwork/strategies/grid/contract";
import type { RankedBasket } from "@clockwork/strategies/rebalance/contract";
import { Card } from "@clockwork/ui/card";
import { Pagination } from "@clockwork/ui/pagination";
import { Segmented } from "@clockwork/ui/segmented";
import { Sparkline } from "@clockwork/ui/sparkline";
import { EmptyState } from "@clockwork/ui/state";
import { type ReactNode, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { rangeOf, Signed } from "./figures.tsx";
import { keyOf, useGridText } from "./grid-text.ts";
import { chooseRanked, FIRST_CHOICE, pageOf, type RankChoice } from "./model/rank-model.ts";
import { RankTable } from "./rank-table.tsx";

const BasketClone = latePart(async () => (await import("./basket-ranks.tsx")).BasketClone);
const BasketRanks = latePart(async () => (await import("./basket-ranks.tsx")).BasketRanks);
const ClonePanel = latePart(async () => (await import("./clone-panel.tsx")).ClonePanel);
const RankTools = latePart(async () => (await import("./rank-tools.tsx")).RankTools);
const Sheet = latePart(async () => (await import("@clockwork/ui/sheet")).Sheet);

export interface RankingData {
  /** Those that are not ranked yet come last, with rank 0. */
  readonly bots: readonly RankedBot[];
  readonly baskets: readonly RankedBasket[];
  readonly isSignedIn: boolean;
}

const BASKETS = "baskets";
const KINDS = ["all", "spot", "infinity", "neutral", "long", "short"] as const;

export function RankingPage({ data }: { readonly data: RankingData }) {
  const text = useGridText();
  const [choice, setChoice] = useState<RankChoice>(FIRST_CHOICE);
  const change = (part: Partial<RankChoice>): void => setChoice((now) => ({ ...now, ...part }));
  const { kind } = choice;
  return (
    <main id="content" className="mx-auto flex w-full max-w-[1440px] flex-col gap-4 px-8 py-7 max-md:px-4">
      <header className="flex flex-wrap items-center gap-3">
        <h1 className="text-section">{text("title.ranking")}</h1>
        <nav className="ml-auto flex flex-wrap gap-2 max-md:ml-0">
          {(
            [
              ["/grid/bots", "title.bots"],
              ["/grid/rebalance", "title.rebalance"],
              ["/grid/spot", "bots.new"],
            ] as const
          ).map(([to, title]) => (
            <SiteLink key={to} to={to} className={LINK}>
              {text(title)}
            </SiteLink>
          ))}
        </nav>
        <p className="w-full text-muted">{text(kind === BASKETS ? "ranking.basketsNote" : "ranking.note")}</p>
      </header>
      <div className="flex flex-wrap items-end gap-3">
        <div className="max-w-full overflow-x-auto">
          <Segmented
            label={text("label.direction")}
            segments={[
              ...KINDS.map((id) => ({ id, title: text(id === "all" ? "ranking.all" : `kind.${id}`) })),
              { id: BASKETS, title: text("basket.list") },
            ]}
            value={kind}
            onChange={(next) => change({ kind: next })}
          />
        </div>
        {kind !== BASKETS && <RankTools choice={choice} onChange={change} />}
      </div>
      {kind === BASKETS ? <Baskets data={data} /> : <Grids key={kind} data={data} choice={choice} />}
    </main>
  );
}

const LINK =
  "inline-flex h-10 items-center rounded-control border border-line2 bg-surface px-4 font-medium text-ui hover:bg-hover";

interface FrameProps {
  readonly isEmpty: boolean;
  readonly none: string;
  readonly action: ReactNode;
  readonly table: ReactNode;
  readonly panel: ReactNode | undefined;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

/** The list with its panel, or why there is none. Where there is no space next to the list the panel is a sheet. */
function Frame({ isEmpty, none, action, table, panel, isOpen, onOpen }: FrameProps) {
  const text = useGridText();
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_344px]">
      <Card flush className="min-w-0 p-3">
        {isEmpty ? <EmptyState text={none} action={action} /> : table}
      </Card>
      {panel !== undefined && (
        <>
          <Card className="max-lg:hidden">{panel}</Card>
          {isOpen && (
            <Sheet title={text("detail.clone")} isOpen onOpenChange={onOpen}>
              {panel}
            </Sheet>
          )}
        </>
      )}
    </div>
  );
}

/** Which bot is chosen, and whether its sheet is open. */
function useChosen() {
  const [id, setId] = useState<number>();
  const [isOpen, setOpen] = useState(false);
  const choose = (next: number): void => {
    setId(next);
    setOpen(window.matchMedia(NARROW).matches);
  };
  return { id, choose, isOpen, onOpen: setOpen };
}

function Baskets({ data: { baskets, isSignedIn } }: { readonly data: RankingData }) {
  const text = useGridText();
  const { id: chosenId, choose, ...sheet } = useChosen();
  const chosen = baskets.find(({ id }) => id === chosenId) ?? baskets[0];
  return (
    <Frame
      {...sheet}
      isEmpty={baskets.length === 0}
      none={text("ranking.noBaskets")}
      action={<SiteLink to="/grid/rebalance">{text("basket.new")}</SiteLink>}
      table={<BasketRanks bots={baskets} chosen={chosen?.id} onChoose={choose} />}
      panel={chosen === undefined ? undefined : <BasketClone key={chosen.id} bot={chosen} isSignedIn={isSignedIn} />}
    />
  );
}

function Grids({ data, choice }: { readonly data: RankingData; readonly choice: RankChoice }) {
  const text = useGridText();
  const list = chooseRanked(data.bots, choice);
  const [page, setPage] = useState(1);
  const { id: chosenId, choose, ...sheet } = useChosen();
  const { page: at, pageCount, from, shown } = pageOf(list, page, PAGE);
  const chosen = shown.find(({ id }) => id === chosenId) ?? shown[0];
  const isNarrowed = choice.pair !== "" || choice.drawdown !== "0" || choice.kind !== "all";
  const summary = text("ranking.shown", { from: from + 1, to: from + shown.length, all: list.length });
  return (
    <Frame
      {...sheet}
      isEmpty={list.length === 0}
      none={text(isNarrowed && data.bots.length > 0 ? "ranking.noneOf" : "ranking.none")}
      action={<SiteLink to="/grid/spot">{text("bots.new")}</SiteLink>}
      table={
        <>
          <Ranks bots={shown} from={from} isByApr={choice.sort === "apr"} chosen={chosen?.id} onChoose={choose} />
          <Pagination className="mt-3" page={at} pageCount={pageCount} onPage={setPage} summary={summary} />
        </>
      }
      panel={
        chosen === undefined ? undefined : <ClonePanel key={chosen.id} bot={chosen} isSignedIn={data.isSignedIn} />
      }
    />
  );
}

const PAGE = 10;
/** Where the panel has no space next to the list. */
const NARROW = "(max-width: 1023px)";

const HEADS = ["apr7", "profit7", "invested", "week", "range", "grids", "pairs", "drawdown", "age", "usedBy"] as const;

interface RanksProps {
  readonly bots: readonly RankedBot[];
  /** The number of rows before them. */
  readonly from: number;
  /** Places count by the year's rate alone; sorted otherwise each keeps the place it has. */
  readonly isByApr: boolean;
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}

function Ranks({ bots, from, isByApr, chosen, onChoose }: RanksProps) {
  const text = useGridText();
  const lines = bots.map((bot, at) => ({
    id: bot.id,
    rank: bot.rank === 0 || !isByApr ? bot.rank : from + at + 1,
    coins: [bot.pairCode.split("_")[0] ?? ""],
    name: bot.pairCode.replace("_", "/"),
    note: `${text(keyOf("kind", bot.kind))}${bizOf(bot.kind) === "spot" ? "" : ` ${bot.leverage}×`} · ${text(keyOf("spacing", bot.spacing))}`,
    isYours: bot.isYours,
    isSimulated: bot.isSimulated,
    cells: [
      <span key="apr" className="font-semibold">
        {bot.rank === 0 ? "–" : formatPercent(bot.apr, { decimals: 2 })}
      </span>,
      <Signed key="profit" amount={bot.profit} />,
      formatDecimal(bot.invested, { decimals: 0, grouped: true }),
      <Sparkline key="spark" values={bot.spark} width={56} height={20} className="inline-block" />,
      rangeOf(bot),
      bot.count,
      bot.pairs,
      formatPercent(bot.drawdown, { decimals: 2 }),
      `${Math.floor(bot.ageMs / DAY_MS)} d`,
      bot.usedBy,
    ],
  }));
  return (
    <RankTable
      first={text("label.pair")}
      heads={HEADS.map((head) => text(`label.${head}`))}
      lines={lines}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
