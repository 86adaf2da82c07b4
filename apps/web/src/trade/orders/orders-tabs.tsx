// What the tabs of one's orders show: open orders, plans, history and fills of the product on the screen.
import { useMemo, useState } from "react";
import type { FeedState } from "#live/feed-definition.ts";
import { fillKey, joinFills, type OwnOrders } from "#live/feeds/own-feeds.ts";
import { useChannel } from "#live/react.ts";
import { mayAmend, useProduct } from "#trade/product.ts";
import { canAmendPlan, isPlan, type TradeOrder } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { FillCards, OrderCards } from "./order-cards.tsx";
import { fillColumns, historyColumns, openColumns, planColumns, type RowActions } from "./orders-columns.tsx";
import { useSheet } from "./orders-export.ts";
import {
  FILL_EXPORT_HEAD,
  fillExport,
  keepFills,
  keepOrders,
  mergeOrders,
  ORDER_EXPORT_HEAD,
  orderExport,
  showHeld,
} from "./orders-model.ts";
import { Failing, MoreFoot, Nothing, Rows, type TabView } from "./rows.tsx";
import { useAmending } from "./use-amend.tsx";
import type { OrderActions } from "./use-order-actions.ts";
import { useOwnFeeds, useReconnect } from "./use-own-feeds.ts";
import { useFillPages, useHistoryPages } from "./use-pages.ts";

export interface OpenTabProps extends TabView {
  readonly kind: "open" | "plan";
  readonly state: FeedState<OwnOrders<TradeOrder>>;
  readonly actions: OrderActions;
  readonly isFailing: boolean;
}

function useCancelling(actions: OrderActions) {
  const [busyId, setBusyId] = useState<string>();
  const begin = async (order: TradeOrder) => {
    setBusyId(order.orderId);
    await actions.cancel(order);
    setBusyId(undefined);
  };
  return { busyId, begin: (order: TradeOrder) => void begin(order) };
}

export function OpenTab({ kind, state, actions, isFailing: failing, ...view }: OpenTabProps) {
  const text = useTradeText();
  const product = useProduct();
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
    rows: shown.map((order) => orderExport(order, view.zone, product.words.nameOf(order.pairCode))),
  }));
  const parts = { text, product, zone: view.zone };
  const rowActions: RowActions = {
    onCancel: cancelling.begin,
    onAmend: amending.begin,
    canAmend: (order) => mayAmend(product.calls, order) || (product.calls.amendsPlans === true && canAmendPlan(order)),
    busyId: cancelling.busyId,
    amending,
    all,
  };
  const columns = kind === "open" ? openColumns(parts, rowActions) : planColumns(parts, rowActions);
  if (failing) return <Failing title={text("failed.open")} onRetry={reconnect} />;
  return (
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
  );
}

interface HeldFootProps {
  readonly shown: readonly TradeOrder[];
  readonly total: number;
  readonly isStale: boolean;
}

function HeldFoot({ shown, total, isStale }: HeldFootProps) {
  const text = useTradeText();
  const { sumHeld } = useProduct();
  const held = sumHeld === undefined ? [] : [...sumHeld(shown)].slice(0, 4);
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

export function HistoryTab({ ended, ...view }: TabView & { readonly ended: readonly TradeOrder[] }) {
  const text = useTradeText();
  const product = useProduct();
  const pages = useHistoryPages(view.filters);
  const rows = keepOrders(mergeOrders(pages.rows, ended), view.filters, Date.now());
  useSheet(view.sheet, async () => {
    const all = await pages.all();
    if (all === undefined) return undefined;
    const kept = keepOrders(mergeOrders(all, ended), view.filters, Date.now());
    return {
      head: ORDER_EXPORT_HEAD,
      rows: kept.map((order) => orderExport(order, view.zone, product.words.nameOf(order.pairCode))),
    };
  });
  if (pages.isFailing && rows.length === 0) return <Failing title={text("failed.history")} onRetry={pages.retry} />;
  return (
    <Rows
      view={view}
      label={text("tab.history")}
      columns={historyColumns({ text, product, zone: view.zone }, rows)}
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
  const text = useTradeText();
  const product = useProduct();
  const feeds = useOwnFeeds();
  const live = useChannel(feeds.fills).value;
  const pages = useFillPages(view.filters);
  const joined = joinFills(pages.rows, live, pages.rows.length + live.length);
  const rows = keepFills(joined, view.filters, Date.now());
  useSheet(view.sheet, async () => {
    const all = await pages.all();
    if (all === undefined) return undefined;
    const kept = keepFills(joinFills(all, live, all.length + live.length), view.filters, Date.now());
    return {
      head: FILL_EXPORT_HEAD,
      rows: kept.map((fill) => fillExport(fill, view.zone, product.words.nameOf(fill.pairCode))),
    };
  });
  if (pages.isFailing && rows.length === 0) return <Failing title={text("failed.fills")} onRetry={pages.retry} />;
  return (
    <Rows
      view={view}
      label={text("tab.fills")}
      columns={fillColumns({ text, product, zone: view.zone }, rows)}
      rows={rows}
      rowKey={fillKey}
      cards={<FillCards fills={rows} zone={view.zone} />}
      placeholder={<Nothing view={view} tab="fills" pairCode={view.filters.pairCode} />}
      isLoading={pages.isLoading && rows.length === 0}
      foot={<MoreFoot pages={pages} count={rows.length} />}
    />
  );
}
