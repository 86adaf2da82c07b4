// `/orders`: open orders, their history, trades and transfers, each on a whole page with filters and an export. The
// address selects the content.
import { Button } from "@clockwork/ui/button";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { Suspense, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { LateSelect } from "#shell/late-fields.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useOrdersText } from "#words/orders-text.ts";
import { CancelButton, type LoadProduct } from "./cancel-button.tsx";
import { type Answered, columnsOf, NUMBERS, type Row, rowsOf } from "./orders-rows.ts";
import {
  callsOf,
  hasSide,
  ORDER_MARKETS,
  ORDER_TABS,
  type OrdersView,
  readOrdersView,
  writeOrdersView,
} from "./orders-view.ts";

const SpanField = lazy(() => import("./span-field.tsx").then((part) => ({ default: part.SpanField })));

export interface OrdersData {
  /** What the view's calls answered; nothing when one failed. */
  readonly pages: readonly Answered[] | null;
  /** The contracts of the view's market; every page has the spot pairs. */
  readonly contracts: readonly { readonly pairCode: string }[];
}

export interface OrdersPageProps {
  readonly data: OrdersData;
  readonly loadProduct: LoadProduct;
}

export function OrdersPage({ data, loadProduct }: OrdersPageProps) {
  const text = useOrdersText();
  const [search] = useSearchParams();
  const view = readOrdersView(search);
  return (
    <ComponentLocale>
      <main id="content" className="min-w-0 flex-1 px-4 py-7 lg:px-8">
        <PageHead title={text("title")} noIndex />
        <h1 className="text-section">{text("title")}</h1>
        <p className="mt-1 text-muted text-ui">{text("lead")}</p>
        <nav aria-label={text("tabs")} className="scrollbar-none mt-5 flex gap-6 overflow-x-auto border-line border-b">
          {ORDER_TABS.map((tab) => (
            <Link
              key={tab}
              to={writeOrdersView({ ...view, tab })}
              aria-current={view.tab === tab ? "page" : undefined}
              data-selected={view.tab === tab ? "" : undefined}
              className="tab-look after:bottom-0!"
            >
              {text(`tab.${tab}`)}
            </Link>
          ))}
        </nav>
        <List key={writeOrdersView(view)} view={view} data={data} loadProduct={loadProduct} />
      </main>
    </ComponentLocale>
  );
}

function usePages(view: OrdersView, first: readonly Answered[] | null) {
  const calls = useCalls();
  const words = useAuthText();
  const [more, setMore] = useState<readonly Answered[]>([]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const load = async (before: string) => {
    setBusy(true);
    const client = await calls();
    const [call] = callsOf(view, before);
    if (call === undefined) return;
    const page = await call(async (called, input, api) => {
      const answer = await client.call(called, input, { api });
      if (!answer.ok) setError(describeFailure(words, answer));
      return answer.ok ? answer.data : undefined;
    });
    setBusy(false);
    if (page !== undefined) setMore([...more, page]);
  };
  return { pages: first === null ? null : [...first, ...more], busy, error, setError, load };
}

interface ListProps extends OrdersPageProps {
  readonly view: OrdersView;
}

function List({ view, data, loadProduct }: ListProps) {
  const text = useOrdersText();
  const timezone = useGlobal((state) => state.timezone);
  const { pages, busy, error, setError, load } = usePages(view, data.pages);
  const { rows, next } = rowsOf(text, view, pages ?? [], timezone);
  const save = async () => {
    const [{ writeCsv }, { saveCsv }] = await Promise.all([
      import("@clockwork/ui/logic/csv"),
      import("@clockwork/ui/hooks/use-table"),
    ]);
    const columns = columnsOf(view);
    const head = columns.map((column) => text(`col.${column}`));
    saveCsv(
      text(`tab.${view.tab}`),
      writeCsv(
        head,
        rows.map(({ cells }) => columns.map((column) => cells[column] ?? "")),
      ),
      Date.now(),
    );
  };
  return (
    <>
      <Filters view={view} contracts={data.contracts} onExport={() => void save()} canExport={rows.length > 0} />
      <FormError>{error}</FormError>
      {pages === null ? (
        <p role="alert" className="py-10 text-center text-muted">
          {text("failed")}
        </p>
      ) : rows.length === 0 ? (
        <div className="flex flex-col items-center gap-3 py-12 text-center text-muted">
          <p>{text(`empty.${view.tab}`)}</p>
          <SiteLink to={`/${view.market}`} className={buttonClass({ size: 32 })}>
            {text("begin")}
          </SiteLink>
        </div>
      ) : (
        <>
          <Table view={view} rows={rows} onError={setError} loadProduct={loadProduct} />
          <Cards view={view} rows={rows} onError={setError} loadProduct={loadProduct} />
        </>
      )}
      {next !== null && (
        <div className="mt-4 flex justify-center">
          <Button size={36} busy={busy} onPress={() => void load(next)}>
            {text("more")}
          </Button>
        </div>
      )}
    </>
  );
}

interface FiltersProps extends Pick<OrdersData, "contracts"> {
  readonly view: OrdersView;
  readonly canExport: boolean;
  readonly onExport: () => void;
}

function Filters({ view, contracts, canExport, onExport }: FiltersProps) {
  const text = useOrdersText();
  const navigate = useNavigate();
  const spotPairs = useGlobal((state) => state.marketData);
  const pairs = view.market === "spot" ? spotPairs : contracts;
  const show = (next: Partial<OrdersView>) => void navigate(writeOrdersView({ ...view, ...next }), { replace: true });
  const isMarket = view.tab !== "transfers";
  return (
    <div className="my-4 flex flex-wrap items-end gap-3">
      {isMarket && (
        <>
          <LateSelect
            label={text("market")}
            size={32}
            className="w-44"
            value={view.market}
            onChange={(id) => show({ market: ORDER_MARKETS.find((market) => market === id) ?? "spot", pair: "" })}
            options={ORDER_MARKETS.map((id) => ({ id, title: text(`market.${id}`) }))}
          />
          <LateSelect
            label={text("pair")}
            size={32}
            className="w-40"
            value={view.pair === "" ? "all" : view.pair}
            onChange={(pair) => show({ pair: pair === "all" ? "" : pair })}
            options={[
              { id: "all", title: text("allPairs") },
              ...pairs.map(({ pairCode }) => ({
                id: pairCode,
                title: pairCode.replace("_", view.market === "spot" ? "/" : ""),
              })),
            ]}
          />
        </>
      )}
      {hasSide(view) && (
        <LateSelect
          label={text("side")}
          size={32}
          className="w-28"
          value={view.side === "" ? "both" : view.side}
          onChange={(side) => show({ side: side === "buy" || side === "sell" ? side : "" })}
          options={(["both", "buy", "sell"] as const).map((id) => ({ id, title: text(id) }))}
        />
      )}
      {view.tab !== "open" && (
        <Suspense fallback={<span className="h-14 w-64" />}>
          <SpanField label={text("span")} from={view.from} to={view.to} onChange={(from, to) => show({ from, to })} />
        </Suspense>
      )}
      {(view.pair !== "" || view.side !== "" || view.from !== "") && (
        <Link
          to={writeOrdersView({ ...view, pair: "", side: "", from: "", to: "" })}
          className={buttonClass({ size: 32 })}
        >
          {text("clear")}
        </Link>
      )}
      <Button size={32} icon="download" className="ml-auto" isDisabled={!canExport} onPress={onExport}>
        {text("export")}
      </Button>
    </div>
  );
}

interface RowsProps extends Pick<OrdersPageProps, "loadProduct"> {
  readonly view: OrdersView;
  readonly rows: readonly Row[];
  readonly onError: (error: string | undefined) => void;
}

const SIDE = { buy: "text-up-text", sell: "text-down-text" } as const;

function Table({ view, rows, onError, loadProduct }: RowsProps) {
  const text = useOrdersText();
  const columns = columnsOf(view);
  return (
    <div className="overflow-x-auto max-md:hidden">
      <table className="w-full text-[13px]">
        <thead>
          <tr className="text-label text-muted">
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={`whitespace-nowrap py-2 pr-4 font-normal ${NUMBERS.has(column) ? "text-right" : "text-left"}`}
              >
                {text(`col.${column}`)}
              </th>
            ))}
            {view.tab === "open" && (
              <th>
                <span className="sr-only">{text("cancel")}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-row={row.id} className="border-line border-t">
              {columns.map((column) => (
                <td
                  key={column}
                  className={`whitespace-nowrap py-2.5 pr-4 ${NUMBERS.has(column) ? "figures text-right" : ""} ${column === "side" && row.side !== undefined ? SIDE[row.side] : ""}`}
                >
                  {row.cells[column] ?? "–"}
                </td>
              ))}
              {row.openOrder !== undefined && (
                <td className="text-right">
                  <CancelButton view={view} order={row.openOrder} loadProduct={loadProduct} onError={onError} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards({ view, rows, onError, loadProduct }: RowsProps) {
  const text = useOrdersText();
  const [time, first, ...others] = columnsOf(view);
  return (
    <ul className="md:hidden">
      {rows.map((row) => (
        <li key={row.id} className="border-line border-t py-3">
          <p className="flex items-baseline justify-between gap-3">
            <span className="font-medium">{first !== undefined && row.cells[first]}</span>
            <span className="figures text-label text-muted">{time !== undefined && row.cells[time]}</span>
          </p>
          <dl className="mt-1.5 grid grid-cols-2 gap-x-4 gap-y-1 text-[13px]">
            {others.map((column) => (
              <div key={column} className="flex justify-between gap-2">
                <dt className="text-muted">{text(`col.${column}`)}</dt>
                <dd
                  className={`figures truncate text-right ${column === "side" && row.side !== undefined ? SIDE[row.side] : ""}`}
                >
                  {row.cells[column] ?? "–"}
                </dd>
              </div>
            ))}
          </dl>
          {row.openOrder !== undefined && (
            <CancelButton view={view} order={row.openOrder} loadProduct={loadProduct} onError={onError} />
          )}
        </li>
      ))}
    </ul>
  );
}
