// What the tabs of the orders panel show: tables where there is room, cards where there is not, and what stands in their
// place while nothing is there, nothing came or something failed.
import type { SpotBalance, SpotOrder } from "@clockwork/domains/spot/api";
import { Button } from "@clockwork/ui/button";
import { useTable } from "@clockwork/ui/hooks/use-table";
import { Skeleton } from "@clockwork/ui/skeleton";
import { EmptyState, ErrorState } from "@clockwork/ui/state";
import { type Column, Table } from "@clockwork/ui/table";
import { lazy, type ReactNode, Suspense, useContext, useMemo, useState } from "react";
import type { FeedState } from "#live/feed-definition.ts";
import { fillKey, joinFills, type OwnOrders } from "#live/feeds/spot-feeds.ts";
import { LiveContext, useChannel } from "#live/react.ts";
import { readServed } from "#trade/order/exact.ts";
import { AssetCards, FillCards, OrderCards } from "./order-cards.tsx";
import {
  assetColumns,
  fillColumns,
  historyColumns,
  openColumns,
  planColumns,
  type RowActions,
} from "./orders-columns.tsx";
import { type SheetSource, useSheet } from "./orders-export.ts";
import {
  canAmend,
  FILL_EXPORT_HEAD,
  fillExport,
  isPlan,
  keepFills,
  keepOrders,
  mergeOrders,
  ORDER_EXPORT_HEAD,
  type OrderFilters,
  orderExport,
  pairText,
  showHeld,
  sumHeld,
  type Zone,
} from "./orders-model.ts";
import { useSpotText } from "../../features/spot/spot-text.ts";
import { useAmending } from "./use-amend.tsx";
import { useFormSettings } from "#trade/order/use-asking.ts";
import type { OrderActions } from "./use-order-actions.ts";
import { useFailing, useSpotFeeds } from "../../features/spot/use-own.ts";
import { type Pages, useFillPages, useHistoryPages } from "./use-pages.ts";

const CouponsDialog = lazy(() => import("../../features/spot/coupons-dialog.tsx").then((part) => ({ default: part.CouponsDialog })));
const CancelDialog = lazy(() => import("./cancel-dialog.tsx").then((part) => ({ default: part.CancelDialog })));

export interface TabView {
  readonly filters: OrderFilters;
  readonly zone: Zone;
  readonly sheet: SheetSource;
  readonly isNarrow: boolean;
  /** Height for the rows; nothing before it was measured and where cards are shown. */
  readonly heightPx: number | undefined;
  readonly onAllPairs: () => void;
}

const ROW_PX = 32;
const FOOT_PX = 36;

interface RowsProps<Row> {
  readonly view: TabView;
  readonly label: string;
  readonly columns: ReadonlyArray<Column<Row>>;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly cards: ReactNode;
  readonly placeholder: ReactNode;
  readonly isLoading: boolean;
  readonly foot?: ReactNode;
}

/** One list of rows as table or cards, with its foot. */
function Rows<Row>({ view, label, columns, rows, rowKey, cards, placeholder, isLoading, foot }: RowsProps<Row>) {
  const table = useTable(rows, columns);
  if (view.isNarrow) {
    const body = isLoading ? <LoadingCards /> : rows.length === 0 ? placeholder : cards;
    return (
      <>
        {body}
        {foot}
      </>
    );
  }
  const viewPx =
    view.heightPx === undefined ? undefined : Math.max(96, view.heightPx - (foot === undefined ? 0 : FOOT_PX));
  return (
    <>
      <Table
        label={label}
        columns={columns}
        rows={table.rows}
        rowKey={rowKey}
        sort={table.sort}
        onSort={table.onSort}
        rowPx={ROW_PX}
        viewPx={viewPx}
        loading={isLoading}
        placeholder={placeholder}
      />
      {foot !== undefined && (
        <div
          className="figures flex items-center justify-between gap-4 border-line border-t px-3 text-muted"
          style={{ height: FOOT_PX }}
        >
          {foot}
        </div>
      )}
    </>
  );
}

function LoadingCards() {
  return (
    <div className="flex flex-col gap-3 p-3" aria-hidden="true">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex flex-col gap-2">
          <Skeleton width="60%" />
          <Skeleton width="40%" />
        </div>
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly view: TabView;
  readonly tab: "open" | "plan" | "history" | "fills";
  readonly pairCode: string | undefined;
}

function Nothing({ view, tab, pairCode }: EmptyProps) {
  const text = useSpotText();
  const { filters } = view;
  const isNarrowed = filters.side !== "all" || filters.type !== "all" || filters.span !== "all";
  const isFiltered = filters.pairCode !== undefined || isNarrowed;
  const plain = pairCode === undefined ? text(`empty.${tab}`) : text(`empty.${tab}Pair`, { pair: pairText(pairCode) });
  const words = isNarrowed ? text("empty.filtered") : plain;
  return (
    <EmptyState
      text={words}
      action={
        isFiltered ? (
          <Button size={28} onPress={view.onAllPairs}>
            {text(filters.pairCode === undefined ? "clearFilters" : "showAll")}
          </Button>
        ) : undefined
      }
    />
  );
}

function Failing({ title, onRetry }: { readonly title: string; readonly onRetry: () => void }) {
  const text = useSpotText();
  return (
    <div className="p-3">
      <ErrorState title={title} detail={text("failedNote")} onRetry={onRetry} />
    </div>
  );
}

/** A stream that failed is asked for again by a new connection. */
function useReconnect(): () => void {
  const hub = useContext(LiveContext);
  return () => hub?.socket.reconnect();
}

export interface OpenTabProps extends TabView {
  readonly kind: "open" | "plan";
  readonly state: FeedState<OwnOrders>;
  readonly actions: OrderActions;
  readonly isFailing: boolean;
  readonly pairCode: string;
}

/** Cancelling asks first, unless the person said not to. */
function useCancelling(actions: OrderActions) {
  const settings = useFormSettings();
  const [asked, setAsked] = useState<SpotOrder>();
  const [busyId, setBusyId] = useState<string>();
  const cancel = async (order: SpotOrder) => {
    setAsked(undefined);
    setBusyId(order.orderId);
    await actions.cancel(order.orderId);
    setBusyId(undefined);
  };
  return {
    busyId,
    asked,
    begin: (order: SpotOrder) => {
      if (settings.oneClick || settings.unaskedCancel) void cancel(order);
      else setAsked(order);
    },
    confirm: () => asked !== undefined && void cancel(asked),
    giveUp: () => setAsked(undefined),
  };
}

export function OpenTab({ kind, state, actions, isFailing: failing, pairCode: _pairCode, ...view }: OpenTabProps) {
  const text = useSpotText();
  const reconnect = useReconnect();
  const amending = useAmending(actions.amend);
  const cancelling = useCancelling(actions);
  const all = state.value.open;
  const shown = useMemo(
    () =>
      keepOrders(
        all.filter((order) => isPlan(order) === (kind === "plan")),
        view.filters,
        Date.now(),
      ),
    [all, kind, view.filters],
  );
  useSheet(view.sheet, async () => ({
    head: ORDER_EXPORT_HEAD,
    rows: shown.map((order) => orderExport(order, view.zone)),
  }));
  const parts = { text, zone: view.zone };
  const rowActions: RowActions = {
    onCancel: cancelling.begin,
    onAmend: amending.begin,
    canAmend,
    busyId: cancelling.busyId,
    amending,
    all,
  };
  const columns = kind === "open" ? openColumns(parts, rowActions) : planColumns(parts, rowActions);
  if (failing) return <Failing title={text("failed.open")} onRetry={reconnect} />;
  return (
    <>
      <Rows
        view={view}
        label={text(`tab.${kind}`)}
        columns={columns}
        rows={shown}
        rowKey={(order) => order.orderId}
        cards={<OrderCards orders={shown} zone={view.zone} actions={rowActions} />}
        placeholder={<Nothing view={view} tab={kind} pairCode={view.filters.pairCode} />}
        isLoading={state.empty}
        foot={
          state.empty || view.isNarrow ? undefined : (
            <HeldFoot
              shown={shown}
              total={all.filter((order) => isPlan(order) === (kind === "plan")).length}
              isStale={state.status === "stale"}
            />
          )
        }
      />
      <Suspense fallback={null}>
        {cancelling.asked !== undefined && (
          <CancelDialog order={cancelling.asked} onYes={() => void cancelling.confirm()} onNo={cancelling.giveUp} />
        )}
      </Suspense>
    </>
  );
}

interface HeldFootProps {
  readonly shown: readonly SpotOrder[];
  readonly total: number;
  readonly isStale: boolean;
}

function HeldFoot({ shown, total, isStale }: HeldFootProps) {
  const text = useSpotText();
  const held = [...sumHeld(shown)].slice(0, 4);
  return (
    <>
      <span>{isStale ? text("stale") : text("shown", { shown: shown.length, total })}</span>
      {held.length > 0 && (
        <span className="flex flex-wrap gap-x-3">
          {text("inOrders")}
          {held.map(([asset, amount]) => (
            <span key={asset}>
              <span className="font-semibold text-text">{showHeld(amount)}</span> {asset}
            </span>
          ))}
        </span>
      )}
    </>
  );
}

function MoreFoot({ pages, count }: { readonly pages: Pages<unknown>; readonly count: number }) {
  const text = useSpotText();
  return (
    <>
      <span className="figures">{text("shown", { shown: count, total: pages.hasMore ? `${count}+` : count })}</span>
      {pages.hasMore && (
        <Button size={28} busy={pages.isLoading} onPress={pages.more}>
          {text("more")}
        </Button>
      )}
    </>
  );
}

export function HistoryTab({ ended, ...view }: TabView & { readonly ended: readonly SpotOrder[] }) {
  const text = useSpotText();
  const pages = useHistoryPages(view.filters);
  const rows = keepOrders(mergeOrders(pages.rows, ended), view.filters, Date.now());
  useSheet(view.sheet, async () => {
    const all = await pages.all();
    if (all === undefined) return undefined;
    const kept = keepOrders(mergeOrders(all, ended), view.filters, Date.now());
    return { head: ORDER_EXPORT_HEAD, rows: kept.map((order) => orderExport(order, view.zone)) };
  });
  if (pages.isFailing && rows.length === 0) return <Failing title={text("failed.history")} onRetry={pages.retry} />;
  return (
    <Rows
      view={view}
      label={text("tab.history")}
      columns={historyColumns({ text, zone: view.zone })}
      rows={rows}
      rowKey={(order) => order.orderId}
      cards={<OrderCards orders={rows} zone={view.zone} />}
      placeholder={<Nothing view={view} tab="history" pairCode={view.filters.pairCode} />}
      isLoading={pages.isLoading && rows.length === 0}
      foot={<MoreFoot pages={pages} count={rows.length} />}
    />
  );
}

export function FillsTab(view: TabView) {
  const text = useSpotText();
  const feeds = useSpotFeeds();
  const live = useChannel(feeds.fills).value;
  const pages = useFillPages(view.filters);
  const joined = joinFills(pages.rows, live, pages.rows.length + live.length);
  const rows = keepFills(joined, view.filters, Date.now());
  useSheet(view.sheet, async () => {
    const all = await pages.all();
    if (all === undefined) return undefined;
    const kept = keepFills(joinFills(all, live, all.length + live.length), view.filters, Date.now());
    return { head: FILL_EXPORT_HEAD, rows: kept.map((fill) => fillExport(fill, view.zone)) };
  });
  if (pages.isFailing && rows.length === 0) return <Failing title={text("failed.fills")} onRetry={pages.retry} />;
  return (
    <Rows
      view={view}
      label={text("tab.fills")}
      columns={fillColumns({ text, zone: view.zone })}
      rows={rows}
      rowKey={fillKey}
      cards={<FillCards fills={rows} zone={view.zone} />}
      placeholder={<Nothing view={view} tab="fills" pairCode={view.filters.pairCode} />}
      isLoading={pages.isLoading && rows.length === 0}
      foot={<MoreFoot pages={pages} count={rows.length} />}
    />
  );
}

/** The way to one's coupons, below what is held. */
function CouponsFoot() {
  const text = useSpotText();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <span className="max-sm:hidden">{text("coupons.note")}</span>
      <Button size={28} onPress={() => setOpen(true)}>
        {text("coupons")}
      </Button>
      <Suspense fallback={null}>{isOpen && <CouponsDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

const ASSET_HEAD = ["Asset", "Name", "Total", "Available", "In orders", "Worth USDT"] as const;

export function AssetsTab(view: TabView) {
  const text = useSpotText();
  const feeds = useSpotFeeds();
  const reconnect = useReconnect();
  const state = useChannel(feeds.balances);
  const failing = useFailing(state);
  const rows: readonly SpotBalance[] = state.value.filter((balance) => readServed(balance.total).units > 0n);
  useSheet(view.sheet, async () => ({
    head: ASSET_HEAD,
    rows: rows.map((one) => [one.asset, one.name, one.total, one.available, one.frozen, one.worthUsdt ?? ""]),
  }));
  if (failing) return <Failing title={text("failed.assets")} onRetry={reconnect} />;
  return (
    <Rows
      view={view}
      label={text("tab.assets")}
      columns={assetColumns({ text, zone: view.zone })}
      rows={rows}
      rowKey={(balance) => balance.asset}
      cards={<AssetCards balances={rows} />}
      placeholder={<EmptyState text={text("empty.assets")} />}
      isLoading={state.empty}
      foot={<CouponsFoot />}
    />
  );
}
