// `/wallet/history`: every change of a balance, one line each, newest first. What is shown is in the address of the page.
import type { Bill, BillPage } from "@clockwork/domains/wallet/api";
import { formatCoins } from "@clockwork/kit/format";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { EmptyState } from "@clockwork/ui/state";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { LateDateField } from "#shell/late-fields.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { Moment } from "#shell/moment.tsx";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText, type WalletSpeak } from "#words/wallet-text.ts";
import { BILLS_PATH, BUSINESS_FILTERS, billsQuery, readFilters, WALLET_NAMES } from "./history-model.ts";

export interface HistoryPageProps {
  readonly first: BillPage | null;
  readonly coins: readonly { readonly asset: string; readonly name: string }[];
}

export function HistoryPage({ first, coins }: HistoryPageProps) {
  const text = useWalletText();
  const { bills, next, more, isFailed } = useBills(first);
  const aside = (
    <SiteLink to="/wallet/statements" className={buttonClass({ size: 40 })}>
      {text("history.statements")}
    </SiteLink>
  );
  return (
    <WalletFrame title={text("history.title")} aside={aside}>
      <Filters coins={coins} />
      <Card>
        {bills.length === 0 ? (
          <EmptyState text={text(isFailed ? "label.failed" : "history.none")} />
        ) : (
          <BillTable bills={bills} />
        )}
        {next !== null && (
          <Button size={40} className="mt-4" onPress={() => void more()}>
            {text("history.more")}
          </Button>
        )}
      </Card>
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

function Filters({ coins }: { readonly coins: HistoryPageProps["coins"] }) {
  const text = useWalletText();
  const [search, setSearch] = useSearchParams();
  const filters = readFilters(search);
  const set = (name: string, value: string | null) => {
    const next = new URLSearchParams(search);
    if (value === null || value === ALL) next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const all = { id: ALL, title: text("history.all") };
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      <LateSelect
        label={text("history.business")}
        size={32}
        className="w-40"
        value={filters.type ?? ALL}
        onChange={(value) => set("type", value)}
        options={[all, ...BUSINESS_FILTERS.map((id) => ({ id, title: nameBusiness(text, id) }))]}
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
    </div>
  );
}

function nameBusiness(text: WalletSpeak, business: string): string {
  const named = BUSINESS_FILTERS.find((one) => one === business);
  return named === undefined ? business : text(`business.${named}`);
}

function BillTable({ bills }: { readonly bills: readonly Bill[] }) {
  const text = useWalletText();
  const head = "py-2 font-normal text-label text-muted";
  return (
    <table className="w-full text-ui">
      <thead>
        <tr className="text-left">
          <th scope="col" className={`${head} max-sm:hidden`}>
            {text("label.time")}
          </th>
          <th scope="col" className={head}>
            {text("history.business")}
          </th>
          <th scope="col" className={`${head} max-md:hidden`}>
            {text("label.account")}
          </th>
          <th scope="col" className={head}>
            {text("label.coin")}
          </th>
          <th scope="col" className={`${head} text-right`}>
            {text("history.change")}
          </th>
          <th scope="col" className={`${head} text-right max-sm:hidden`}>
            {text("history.balance")}
          </th>
          <th scope="col" className={`${head} pl-6 max-xl:hidden`}>
            {text("history.reference")}
          </th>
        </tr>
      </thead>
      <tbody>
        {bills.map((bill) => (
          <BillRow key={bill.id} bill={bill} />
        ))}
      </tbody>
    </table>
  );
}

function BillRow({ bill }: { readonly bill: Bill }) {
  const text = useWalletText();
  const { isHidden } = useHiddenAmounts();
  const { asset, business, change, balance, timeMs, walletType, sub, reference } = bill;
  const shown = (amount: string): string => (isHidden ? HIDDEN_TEXT : formatCoins(amount));
  const sign = change.startsWith("-") || isHidden ? "" : "+";
  return (
    <tr className="h-10 border-line border-t">
      <td className="figures text-muted max-sm:hidden">
        <Moment at={timeMs} />
      </td>
      <td className="font-medium">{nameBusiness(text, business)}</td>
      <td className="text-muted max-md:hidden">
        {WALLET_NAMES[walletType]}
        {sub === null ? "" : ` ${sub}`}
      </td>
      <td>
        <span className="flex items-center gap-2">
          <CoinGlyph code={asset} size={20} />
          {asset}
        </span>
      </td>
      <td className="figures text-right">
        {sign}
        {shown(change)}
      </td>
      <td className="figures text-right text-muted max-sm:hidden">{shown(balance)}</td>
      <td className="max-w-48 truncate pl-6 font-mono text-label text-muted max-xl:hidden">{reference}</td>
    </tr>
  );
}
