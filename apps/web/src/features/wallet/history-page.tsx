// `/wallet/history`: every change of a balance, one line each, newest first, page by page. What is shown is in the address of
// the page; which columns is kept by the browser.

import { groupThousands } from "@clockwork/kit/decimal";
import { WALLET_NAMES } from "@clockwork/kit/wallet/names";
import { BILLS_COUNTED_MAX, type BillPage } from "@clockwork/trading/wallet/contract";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Pagination } from "@clockwork/ui/pagination";
import { EmptyState } from "@clockwork/ui/state";
import { Switch } from "@clockwork/ui/switch";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { type KeptSetting, readKept, sameShape, writeKept } from "#session/kept-setting.ts";
import { LateDateField } from "#shell/late-fields.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { BillTable, nameBusiness } from "./bill-table.tsx";
import { businessesOf, COLUMNS, type Column, GROUPS, PAGE_ROWS, readColumns, readFilters } from "./history-model.ts";

export interface HistoryPageProps {
  readonly first: BillPage | null;
  readonly coins: readonly { readonly asset: string; readonly name: string }[];
  /** Requesting a statement, next to the list: another feature's part. */
  readonly statement: ReactNode;
}

const ColumnMenu = latePart(async () => (await import("./column-menu.tsx")).ColumnMenu);

const COLUMNS_KEPT: KeptSetting<readonly Column[]> = {
  key: "cw_wallet:history-columns",
  steps: [sameShape],
  check: readColumns,
};

/** All of them until the browser's setting is read: the server does not have it. */
function useColumns(): readonly [readonly Column[], (next: readonly Column[]) => void] {
  const [columns, setColumns] = useState<readonly Column[]>(COLUMNS);
  useEffect(() => setColumns(readKept(COLUMNS_KEPT) ?? COLUMNS), []);
  const choose = (next: readonly Column[]) => {
    writeKept(COLUMNS_KEPT, next);
    setColumns(next);
  };
  return [columns, choose];
}

export function HistoryPage({ first, coins, statement }: HistoryPageProps) {
  const text = useWalletText();
  const [columns, choose] = useColumns();
  const aside = (
    <div className="flex flex-wrap gap-2">
      <ColumnMenu columns={columns} onChoose={choose} />
      <SiteLink to="/wallet/statements" className={buttonClass({ size: 40 })}>
        <Icon name="download" />
        {text("history.export")}
      </SiteLink>
    </div>
  );
  return (
    <WalletFrame title={text("history.title")} aside={aside}>
      <Groups />
      <Filters coins={coins} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_304px]">
        <Card>
          {first === null || first.bills.length === 0 ? (
            <EmptyState text={text(first === null ? "label.failed" : "history.none")} />
          ) : (
            <BillTable bills={first.bills} columns={columns} />
          )}
          <Pages total={first?.total ?? 0} />
        </Card>
        {statement}
      </div>
    </WalletFrame>
  );
}

function Pages({ total }: { readonly total: number }) {
  const text = useWalletText();
  const [search] = useSearchParams();
  const { page } = readFilters(search);
  const set = useFilter();
  if (total === 0) return null;
  const whole = groupThousands(String(total));
  const summary = text("history.range", {
    from: groupThousands(String(Math.min(total, (page - 1) * PAGE_ROWS + 1))),
    to: groupThousands(String(Math.min(total, page * PAGE_ROWS))),
    total: total === BILLS_COUNTED_MAX ? `${whole}+` : whole,
  });
  return (
    <Pagination
      className="mt-3"
      page={page}
      pageCount={Math.ceil(total / PAGE_ROWS)}
      onPage={(next) => set("page", next === 1 ? null : String(next))}
      summary={summary}
    />
  );
}

const ALL = "all";

/** Changes one filter in the address of the page; what it takes the place of goes with it. */
function useFilter(): (name: string, value: string | null, without?: string) => void {
  const [search, setSearch] = useSearchParams();
  return (name, value, without) => {
    const next = new URLSearchParams(search);
    // Another filter has other pages.
    next.delete("page");
    if (without !== undefined) next.delete(without);
    if (value === null || value === ALL || value === "") next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
}

const TAB =
  "h-10 shrink-0 border-transparent border-b-2 px-0.5 text-muted text-ui hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text";

/** Filters by name; each is several businesses. Links, so that each can be bookmarked. */
function Groups() {
  const text = useWalletText();
  const [search] = useSearchParams();
  const { group } = readFilters(search);
  const set = useFilter();
  return (
    <nav aria-label={text("history.groups")} className="mb-4 flex gap-5 overflow-x-auto border-line border-b">
      {[undefined, ...GROUPS].map((one) => (
        <button
          key={one ?? ALL}
          type="button"
          className={TAB}
          aria-current={one === group ? "page" : undefined}
          onClick={() => set("group", one ?? null, "type")}
        >
          {text(one === undefined ? "history.all" : `tab.${one}`)}
        </button>
      ))}
    </nav>
  );
}

/** Requested when typing pauses, so that no letter is lost while the page is fetched. */
const REST_MS = 400;

function Search() {
  const text = useWalletText();
  const [search] = useSearchParams();
  const set = useFilter();
  const requested = readFilters(search).search ?? "";
  const [typed, setTyped] = useState(requested);
  useEffect(() => {
    const wanted = typed.replace(/[^A-Za-z0-9:./-]/g, "").slice(0, 64);
    if (wanted === requested) return;
    const timer = setTimeout(() => set("search", wanted), REST_MS);
    return () => clearTimeout(timer);
  });
  return (
    <TextField
      label={text("history.search")}
      size={32}
      className="ml-auto w-40 max-sm:ml-0 max-sm:w-full"
      placeholder={text("history.searchHint")}
      value={typed}
      onChange={setTyped}
      maxLength={64}
    />
  );
}

function Filters({ coins }: { readonly coins: HistoryPageProps["coins"] }) {
  const text = useWalletText();
  const [search] = useSearchParams();
  const filters = readFilters(search);
  const set = useFilter();
  const all = { id: ALL, title: text("history.all") };
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <LateSelect
        label={text("history.business")}
        size={32}
        className="w-32"
        value={filters.type ?? ALL}
        onChange={(value) => set("type", value)}
        options={[all, ...businessesOf(filters.group).map((id) => ({ id, title: nameBusiness(text, id) }))]}
      />
      <LateSelect
        label={text("label.account")}
        size={32}
        className="w-32"
        value={filters.account ?? ALL}
        onChange={(value) => set("account", value)}
        options={[all, ...Object.entries(WALLET_NAMES).map(([id, title]) => ({ id, title }))]}
      />
      <LateSelect
        label={text("label.coin")}
        size={32}
        className="w-24"
        value={filters.coin ?? ALL}
        onChange={(value) => set("coin", value)}
        options={[all, ...coins.map(({ asset, name }) => ({ id: asset, title: asset, detail: name }))]}
      />
      <LateDateField
        label={text("statement.from")}
        size={32}
        value={filters.from ?? null}
        onChange={(day) => set("from", day)}
      />
      <LateDateField
        label={text("statement.to")}
        size={32}
        value={filters.to ?? null}
        onChange={(day) => set("to", day)}
      />
      <Switch
        className="h-8"
        isSelected={filters.isLarge}
        onChange={(isLarge) => set("small", isLarge ? "hide" : null)}
      >
        {text("history.hideSmall")}
      </Switch>
      <Search />
    </div>
  );
}
