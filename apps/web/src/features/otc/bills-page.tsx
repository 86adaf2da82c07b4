// `/otc/bills`: the bills of trading between users and with providers, one line each. The address of the page selects
// the content.
import { BILL_KINDS, type Bill, type FinanceBills, OTC_PROVIDER_CALLS } from "@clockwork/fiat/otcproviders/contract";
import { formatCoins, formatDecimal } from "@clockwork/kit/format";
import { FIATS, OTC_COINS } from "@clockwork/kit/otc/fiat";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { EmptyState } from "@clockwork/ui/state";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { LateSelect } from "#shell/late-select.tsx";
import { Minute } from "#shell/moment.tsx";
import { BILL_DAYS, type BillFilters, billsQuery, readBillFilters } from "./bill-filters.ts";
import { OtcFrame } from "./otc-frame.tsx";
import { describeOr, useOtcText } from "./otc-text.ts";

export interface BillsPageProps {
  readonly first: FinanceBills | null;
}

export function BillsPage({ first }: BillsPageProps) {
  const text = useOtcText();
  const calls = useCalls();
  const [search] = useSearchParams();
  const [page, setPage] = useState(first);
  useEffect(() => setPage(first), [first]);
  const before = page?.nextBefore ?? null;
  const showMore = async () => {
    const query = { ...billsQuery(readBillFilters(search), Date.now()), before };
    const answer = await (await calls()).call(OTC_PROVIDER_CALLS.bills, query);
    if (answer.ok) setPage({ ...answer.data, bills: [...(page?.bills ?? []), ...answer.data.bills] });
  };
  const bills = page?.bills ?? [];
  return (
    <OtcFrame title={text("nav.bills")} lead={text("bills.lead")}>
      <Filters filters={readBillFilters(search)} />
      <Card>
        {bills.length === 0 ? (
          <EmptyState text={text(page === null ? "failed" : "bills.none")} />
        ) : (
          <BillTable bills={bills} />
        )}
        {before !== null && (
          <Button size={40} className="mt-4" onPress={() => void showMore()}>
            {text("more")}
          </Button>
        )}
      </Card>
    </OtcFrame>
  );
}

const ALL = "all";

function Filters({ filters }: { readonly filters: BillFilters }) {
  const text = useOtcText();
  const [search, setSearch] = useSearchParams();
  const set = (name: keyof BillFilters) => (value: string) => {
    const next = new URLSearchParams(search);
    if (value === ALL) next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true, preventScrollReset: true });
  };
  const all = { id: ALL, title: text("bills.all") };
  const selects = [
    ["kind", text("payments.kind"), BILL_KINDS.map((id) => ({ id, title: text(`bill.${id}`) }))],
    ["asset", text("post.coin"), OTC_COINS.map((id) => ({ id, title: id }))],
    ["fiat", text("list.currency"), FIATS.map(({ code, name }) => ({ id: code, title: code, detail: name }))],
    ["days", text("bills.time"), BILL_DAYS.map((days) => ({ id: days, title: text("bills.days", { days }) }))],
  ] as const;
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      {selects.map(([name, label, options]) => (
        <LateSelect
          key={name}
          label={label}
          className="w-40"
          size={40}
          value={filters[name] ?? ALL}
          onChange={set(name)}
          options={[all, ...options]}
        />
      ))}
    </div>
  );
}

interface SignedProps {
  readonly value: string | null;
  readonly unit: string | null;
  /** Money has two decimals, coins as many as they need. */
  readonly isMoney?: boolean;
}

/** An amount with its sign, and nothing where there is none. */
function Signed({ value, unit, isMoney = false }: SignedProps) {
  if (value === null) return <>–</>;
  const isOut = value.startsWith("-");
  const plain = isOut ? value.slice(1) : value;
  const shown = isMoney ? formatDecimal(plain, { grouped: true }) : formatCoins(plain);
  return (
    <span className={isOut ? "text-text" : "text-up-text"}>
      {isOut ? "−" : "+"}
      {shown} {unit}
    </span>
  );
}

interface BillTableProps {
  readonly bills: readonly Bill[];
  /** Without the references, for a column next to another. */
  readonly isNarrow?: boolean;
}

export function BillTable({ bills, isNarrow = false }: BillTableProps) {
  const text = useOtcText();
  const head = "py-2 font-normal";
  const reference = isNarrow ? "hidden" : "max-sm:hidden";
  return (
    <table className="w-full text-ui">
      <thead>
        <tr className="border-line border-b text-left text-label text-muted">
          <th scope="col" className={head}>
            {text("payments.kind")}
          </th>
          <th scope="col" className={`${head} ${reference}`}>
            {text("label.reference")}
          </th>
          <th scope="col" className={`${head} text-right`}>
            {text("bills.coins")}
          </th>
          <th scope="col" className={`${head} text-right`}>
            {text("bills.money")}
          </th>
        </tr>
      </thead>
      <tbody>
        {bills.map((bill) => (
          <tr key={`${bill.kind}${bill.reference}`} className="border-line border-b last:border-0">
            <td className="whitespace-nowrap py-2.5 pr-3">
              {describeOr(text, `bill.${bill.kind}`, bill.kind)}
              <span className="figures block text-label text-muted">
                <Minute at={bill.atMs} />
              </span>
            </td>
            <td className={`figures text-[13px] text-muted ${reference}`}>
              <Reference bill={bill} />
            </td>
            <td className="figures py-2.5 text-right">
              <Signed value={bill.quantity} unit={bill.asset} />
            </td>
            <td className="figures py-2.5 pl-3 text-right">
              <Signed value={bill.amount} unit={bill.fiat} isMoney />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Reference({ bill: { kind, reference } }: { readonly bill: Bill }) {
  // A bond's is one of the ledger's own.
  if (kind === "bond" || kind === "compensation") return <>–</>;
  if (kind === "provider") return <>{reference}</>;
  return (
    <SiteLink to={`/otc/order/${reference}`} className="text-text underline">
      {reference}
    </SiteLink>
  );
}
