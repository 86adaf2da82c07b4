// The list of all pairs: search, favourites, partitions, sorting, live prices. The field keeps the focus; arrows choose,
// Enter opens, Escape closes.

import { formatAbbreviated, formatDecimal } from "@clockwork/kit/format";
import type { Partition } from "@clockwork/trading/markets/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Change } from "@clockwork/ui/figure";
import { Icon } from "@clockwork/ui/icon";
import { type KeyboardEvent, use, useEffect, useId, useState } from "react";
import { type Favourites, useFavourites } from "#clients/favourites.ts";
import { useChannel } from "#live/react.ts";
import { Modal } from "#shell/modal.tsx";
import { percentText } from "#trade/market-words.ts";
import { type TradeInstrument, useProduct } from "#trade/product.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { LocaleContext } from "#words/text.ts";
import { listPairRows, listPartitions, PAIR_SORTS, type PairQuery, type PairRow, type PairSort } from "./pair-list.ts";

export interface PairDrawerProps {
  readonly current: string;
  readonly onChoose: (pairCode: string) => void;
  readonly onClose: () => void;
}

/** A list the product serves whole, requested when the drawer opens. */
function useServedList<Entry>(fetchList: (signal: AbortSignal) => Promise<readonly Entry[]>): readonly Entry[] {
  const [list, setList] = useState<readonly Entry[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    void fetchList(abort.signal).then((entries) => abort.signal.aborted || setList(entries));
    return () => abort.abort();
  }, [fetchList]);
  return list;
}

const FIRST: PairQuery = { search: "", group: "all", sort: "turnover", isDescending: true };

function usePairRows(query: PairQuery) {
  const { listInstruments, market } = useProduct();
  const pairs = useServedList(listInstruments);
  const { value } = useChannel(market.allTickers);
  const favourites = useFavourites();
  return { pairs, rows: listPairRows(pairs, value, favourites.codes, query), favourites };
}

export function PairDrawer({ current, onChoose, onClose }: PairDrawerProps) {
  const text = useTerminalText();
  const list = useId();
  const [query, setQuery] = useState<PairQuery>(FIRST);
  const [at, setAt] = useState(0);
  const { pairs, rows, favourites } = usePairRows(query);
  const change = (part: Partial<PairQuery>) => {
    setQuery({ ...query, ...part });
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt(Math.min(at + 1, rows.length - 1));
    else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
    else if (event.key === "Enter") {
      const row = rows[at];
      if (row !== undefined) onChoose(row.pair.pairCode);
    } else return;
    event.preventDefault();
  };
  return (
    <Modal label={text("pairs")} onClose={onClose} className="t-drawer">
      <div className="flex h-full flex-col">
        <div className="flex h-12 shrink-0 items-center gap-2 border-line border-b px-3">
          <Icon name="search" className="text-muted" />
          <input
            // biome-ignore lint/a11y/noAutofocus: the drawer was opened to type here
            autoFocus
            role="combobox"
            aria-expanded={rows.length > 0}
            aria-controls={list}
            aria-activedescendant={rows.length > 0 ? `${list}-${at}` : undefined}
            aria-label={text("search")}
            placeholder={text("searchHint")}
            maxLength={40}
            value={query.search}
            onChange={(event) => change({ search: event.target.value })}
            onKeyDown={onKeyDown}
            className="h-full min-w-0 flex-1 bg-transparent text-ui outline-none placeholder:text-muted"
          />
          <button type="button" aria-label={text("close")} className="t-icon" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <Groups pairs={pairs} query={query} onGroup={(group) => change({ group })} />
        <SortHead query={query} onSort={change} />
        <Rows
          id={list}
          rows={rows}
          at={at}
          current={current}
          favourites={favourites}
          onChoose={onChoose}
          isFavourites={query.group === "favourites"}
        />
      </div>
    </Modal>
  );
}

interface GroupsProps {
  readonly pairs: readonly TradeInstrument[];
  readonly query: PairQuery;
  readonly onGroup: (group: string) => void;
}

function Groups({ pairs, query, onGroup }: GroupsProps) {
  const text = useTerminalText();
  const partitions = useServedList<Partition>(useProduct().listPartitions);
  const groups = [
    ["favourites", text("favourites")],
    ["all", text("allPairs")],
    ...listPartitions(pairs, partitions).map(({ key, name }) => [key, name] as const),
  ] as const;
  return (
    <fieldset aria-label={text("pairs")} className="scrollbar-none flex min-w-0 shrink-0 gap-1 overflow-x-auto p-2">
      {groups.map(([key, title]) => (
        <button
          key={key}
          type="button"
          aria-pressed={query.group === key}
          onClick={() => onGroup(key)}
          className="t-interval"
        >
          {title}
        </button>
      ))}
    </fieldset>
  );
}

const SORT_NAMES = {
  pair: "pairColumn",
  last: "lastColumn",
  change: "changeColumn",
  turnover: "turnoverColumn",
} as const;

function SortHead({ query, onSort }: { query: PairQuery; onSort: (part: Partial<PairQuery>) => void }) {
  const text = useTerminalText();
  const choose = (sort: PairSort) =>
    onSort({ sort, isDescending: query.sort === sort ? !query.isDescending : sort !== "pair" });
  return (
    <div className="t-pair-grid h-7 shrink-0 text-muted">
      <span />
      {PAIR_SORTS.map((sort) => (
        <button
          key={sort}
          type="button"
          aria-pressed={query.sort === sort}
          onClick={() => choose(sort)}
          className="flex items-center gap-1 not-first:justify-end hover:text-text aria-pressed:text-text [&:nth-child(2)]:justify-start"
        >
          {text(SORT_NAMES[sort])}
          {query.sort === sort && <Icon name={query.isDescending ? "chevron-down" : "chevron-up"} size={12} />}
        </button>
      ))}
    </div>
  );
}

interface RowsProps {
  readonly id: string;
  readonly rows: readonly PairRow[];
  readonly at: number;
  readonly current: string;
  readonly favourites: Favourites;
  readonly isFavourites: boolean;
  readonly onChoose: (pairCode: string) => void;
}

function Rows({ id, rows, at, current, favourites, isFavourites, onChoose }: RowsProps) {
  const text = useTerminalText();
  const locale = use(LocaleContext);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [id, at]);
  if (rows.length === 0) {
    return <p className="px-3 py-8 text-center text-muted">{text(isFavourites ? "noFavourites" : "noPairs")}</p>;
  }
  return (
    <div id={id} role="listbox" aria-label={text("pairs")} className="min-h-0 flex-1 overflow-y-auto pb-2">
      {rows.map(({ pair, quotation, turnover }, index) => {
        const isStarred = favourites.isFavourite(pair.pairCode);
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field opens the active option
          <div
            key={pair.pairCode}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            aria-current={pair.pairCode === current || undefined}
            className="t-pair-grid h-9 cursor-pointer hover:bg-hover aria-selected:bg-active"
            onClick={() => onChoose(pair.pairCode)}
          >
            <span
              aria-hidden="true"
              className="flex justify-center text-muted hover:text-text"
              onClick={(event) => {
                event.stopPropagation();
                favourites.toggle(pair.pairCode);
              }}
            >
              <Icon name={isStarred ? "star-filled" : "star"} size={14} className={isStarred ? "text-text" : ""} />
            </span>
            <span className="flex min-w-0 items-center gap-2 font-medium">
              <CoinGlyph code={pair.base} size={18} />
              <span className="truncate">
                {pair.base}
                <span className="text-muted">/{pair.quote}</span>
              </span>
            </span>
            <span className="figures text-right">
              {quotation ? formatDecimal(quotation.last, { decimals: pair.priceDecimals, grouped: true }) : "–"}
            </span>
            <span className="text-right">{quotation && <Change text={percentText(quotation.changePercent)} />}</span>
            <span className="figures text-right text-muted">
              {turnover === undefined ? "–" : formatAbbreviated(turnover, { locale, decimals: 2 })}
            </span>
          </div>
        );
      })}
    </div>
  );
}
