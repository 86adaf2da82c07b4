// `/wallet/history`: every change of a balance, one line each, newest first. What is shown is in the address of the page.
import type { BillPage } from "@clockwork/domains/wallet/api";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { EmptyState } from "@clockwork/ui/state";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { LateDateField } from "#shell/late-fields.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { BillTable, nameBusiness } from "./bill-table.tsx";
import { BILLS_PATH, billsQuery, businessesOf, GROUPS, readFilters, WALLET_NAMES } from "./history-model.ts";

export interface HistoryPageProps {
  readonly first: BillPage | null;
  readonly coins: readonly { readonly asset: string; readonly name: string }[];
  /** Asking for a statement, beside the list: another feature's part. */
  readonly statement: ReactNode;
}

export function HistoryPage({ first, coins, statement }: HistoryPageProps) {
  const text = useWalletText();
  const { bills, next, more, isFailed } = useBills(first);
  const aside = (
    <SiteLink to="/wallet/statements" className={buttonClass({ size: 40 })}>
      {text("history.statements")}
    </SiteLink>
  );
  return (
    <WalletFrame title={text("history.title")} aside={aside}>
      <Groups />
      <Filters coins={coins} />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_360px]">
        <Card>
          {bills.length === 0 ? (
            <EmptyState text={text(isFailed ? "label.failed" : "history.none")} />
          ) : (
            <BillTable bills={bills} isNarrow />
          )}
          {next !== null && (
            <Button size={40} className="mt-4" onPress={() => void more()}>
              {text("history.more")}
            </Button>
          )}
        </Card>
        {statement}
      </div>
    </WalletFrame>
  );
}

/** What the page was served with, and whatever was asked for after it. */
function useBills(first: BillPage | null) {
  const calls = useCalls();
  const [search] = useSearchParams();
  const [page, setPage] = useState(first);
  useEffect(() => setPage(first), [first]);
  const more = async () => {
    const query = { ...billsQuery(readFilters(search)), before: page?.next ?? "" };
    const answer = await (await calls()).get<BillPage>(BILLS_PATH, query);
    if (answer.ok) setPage({ bills: [...(page?.bills ?? []), ...answer.data.bills], next: answer.data.next });
  };
  return { bills: page?.bills ?? [], next: page?.next ?? null, more, isFailed: page === null };
}

const ALL = "all";

/** Changes one filter in the address of the page; what it takes the place of goes with it. */
function useFilter(): (name: string, value: string | null, without?: string) => void {
  const [search, setSearch] = useSearchParams();
  return (name, value, without) => {
    const next = new URLSearchParams(search);
    if (without !== undefined) next.delete(without);
    if (value === null || value === ALL || value === "") next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
}

const TAB =
  "h-10 shrink-0 border-transparent border-b-2 px-0.5 text-muted text-ui hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text";

/** What people look for by name; each is several businesses. Links, so that each can be kept and gone back to. */
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

/** Asked for when the typing rests, so that no letter is lost while the page is fetched. */
const REST_MS = 400;

function Search() {
  const text = useWalletText();
  const [search] = useSearchParams();
  const set = useFilter();
  const asked = readFilters(search).search ?? "";
  const [typed, setTyped] = useState(asked);
  useEffect(() => {
    const wanted = typed.replace(/[^A-Za-z0-9:./-]/g, "").slice(0, 64);
    if (wanted === asked) return;
    const timer = setTimeout(() => set("search", wanted), REST_MS);
    return () => clearTimeout(timer);
  });
  return (
    <TextField
      label={text("history.search")}
      size={32}
      className="ml-auto w-56 max-sm:ml-0 max-sm:w-full"
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
        className="w-40"
        value={filters.type ?? ALL}
        onChange={(value) => set("type", value)}
        options={[all, ...businessesOf(filters.group).map((id) => ({ id, title: nameBusiness(text, id) }))]}
      />
      <LateSelect
        label={text("label.account")}
        size={32}
        className="w-40"
        value={filters.account ?? ALL}
        onChange={(value) => set("account", value)}
        options={[all, ...Object.entries(WALLET_NAMES).map(([id, title]) => ({ id, title }))]}
      />
      <LateSelect
        label={text("label.coin")}
        size={32}
        className="w-32"
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
      <Search />
    </div>
  );
}
