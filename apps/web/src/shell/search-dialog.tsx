// The search over pages, pairs, articles and all other registered sources; the most found are shown first. Arrow keys
// choose, Enter opens, Escape closes.

import { formatDecimal } from "@clockwork/kit/format";
import type { Quotation } from "@clockwork/trading/markets/contract";
import { Icon } from "@clockwork/ui/icon";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useNavigate } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { useMarketData } from "#clients/market-data.ts";
import { useSiteText } from "#words/site-text.ts";
import { useText } from "#words/text.ts";
import { Modal } from "./modal.tsx";
import { useArticleSource } from "./search-articles.ts";
import { useHotSource } from "./search-hot.ts";
import { usePairSource } from "./search-pairs.ts";
import { type SearchGroup, type SearchHit, search } from "./search-sources.ts";

interface Found {
  readonly query: string;
  readonly groups: readonly SearchGroup[];
}

/** The last result; it remains on the screen until the next answer and names its query. */
function useFound(query: string): Found | undefined {
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    let current = true;
    search(query).then(
      (groups) => current && setFound({ query, groups }),
      () => current && setFound({ query, groups: [] }),
    );
    return () => {
      current = false;
    };
  }, [query]);
  return found;
}

interface SearchDialogProps {
  /** What was typed while this was loaded. */
  readonly takeTyped?: (() => string) | undefined;
  readonly onClose: () => void;
}

export function SearchDialog({ takeTyped, onClose }: SearchDialogProps) {
  const frame = useText();
  const text = useSiteText();
  const list = useId();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const [query, setQuery] = useState("");
  const [at, setAt] = useState(0);
  useEffect(() => {
    const early = takeTyped?.() ?? "";
    if (early !== "") setQuery((before) => early + before);
  }, [takeTyped]);
  const count = useHotSource(text("search.hot"));
  usePairSource();
  useArticleSource();
  const found = useFound(query);
  const groups = found?.groups;
  const hits = groups?.flatMap((group) => group.hits) ?? [];
  // Enter may come before the answer: it opens the result of this query, never that of an earlier one.
  const isCurrent = found?.query === query;
  const [isEntered, setEntered] = useState(false);

  const open = (hit: SearchHit | undefined) => {
    if (hit === undefined) return;
    onClose();
    if (hit.found !== undefined) count(hit.found);
    void navigate(sitePath(hit.path));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt((at + 1) % Math.max(1, hits.length));
    else if (event.key === "ArrowUp") setAt((at - 1 + hits.length) % Math.max(1, hits.length));
    else if (event.key === "Enter") setEntered(true);
    else return;
    event.preventDefault();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per Enter, as soon as the answer is there
  useEffect(() => {
    if (!isEntered || !isCurrent) return;
    setEntered(false);
    open(hits[at]);
  }, [isEntered, isCurrent]);

  return (
    <Modal
      label={frame("search.label")}
      onClose={onClose}
      className="inset-x-4 top-[10vh] mx-auto w-auto max-w-[600px] rounded-card shadow-raised sm:w-[600px]"
    >
      <div className="flex h-14 items-center gap-3 border-line border-b px-4">
        <Icon name="search" size={18} className="text-muted" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here
          autoFocus
          role="combobox"
          aria-expanded={hits.length > 0}
          aria-controls={list}
          aria-activedescendant={hits.length > 0 ? `${list}-${at}` : undefined}
          aria-label={frame("search.label")}
          placeholder={text("search.placeholder")}
          maxLength={80}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setAt(0);
            setEntered(false);
          }}
          onKeyDown={onKeyDown}
          className="h-full min-w-0 flex-1 bg-transparent text-[15px] outline-none placeholder:text-muted"
        />
        <kbd className="rounded-check border border-line2 px-1.5 font-sans text-axis text-muted">Esc</kbd>
      </div>
      <Hits id={list} groups={groups} at={at} onPoint={setAt} onOpen={open} />
    </Modal>
  );
}

interface HitsProps {
  readonly id: string;
  readonly groups: readonly SearchGroup[] | undefined;
  readonly at: number;
  readonly onPoint: (at: number) => void;
  readonly onOpen: (hit: SearchHit) => void;
}

function Hits({ id, groups, at, onPoint, onOpen }: HitsProps) {
  const text = useSiteText();
  const quotations = new Map(useMarketData().map((quotation) => [quotation.pairCode, quotation]));
  let index = -1;
  return (
    <div id={id} role="listbox" aria-label={text("search.results")} className="max-h-[56vh] overflow-y-auto p-2">
      {groups?.length === 0 && <p className="px-3 py-8 text-center text-muted">{text("label.noMatch")}</p>}
      {groups?.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox
        <div key={group.id} role="group" aria-label={group.title}>
          <p aria-hidden="true" className="px-3 py-2 text-label text-muted">
            {group.title}
          </p>
          {group.hits.map((hit) => {
            index += 1;
            const mine = index;
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
              // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field opens the active option
              <div
                key={`${group.id}${hit.path}`}
                id={`${id}-${mine}`}
                role="option"
                aria-selected={mine === at}
                className="flex h-10 cursor-pointer items-center justify-between gap-4 rounded-control px-3 aria-selected:bg-active"
                onPointerMove={() => onPoint(mine)}
                onClick={() => onOpen(hit)}
              >
                <span className="max-w-[60%] shrink-0 truncate font-medium">{hit.title}</span>
                <span className="flex min-w-0 items-baseline gap-4 text-label text-muted">
                  <span className={`truncate ${hit.found?.kind === "pair" ? "max-sm:hidden" : ""}`}>{hit.note}</span>
                  <PairFigures quotation={hit.found?.kind === "pair" ? quotations.get(hit.found.key) : undefined} />
                </span>
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Last price and how it moved, in columns of their own. */
function PairFigures({ quotation }: { readonly quotation: Quotation | undefined }) {
  if (quotation === undefined) return null;
  const { last, changePercent } = quotation;
  const isFalling = changePercent.startsWith("-");
  const isStill = !/[1-9]/.test(changePercent);
  const tone = isStill ? "text-muted" : isFalling ? "text-down-text" : "text-up-text";
  return (
    <span className="figures flex shrink-0 gap-4">
      <span className="w-20 text-right text-text">
        {formatDecimal(last, { decimals: last.split(".")[1]?.length ?? 0, grouped: true })}
      </span>
      <span className={`w-14 text-right ${tone}`}>
        {isFalling ? `−${changePercent.slice(1)}%` : `+${changePercent}%`}
      </span>
    </span>
  );
}
