// The orders of a signed-in user: open orders, plans, history and fills, live and with filters, and the tabs a product
// adds. Publishes the user's own orders and fills to the terminal. Hydrates after the page.

import { readTimezone } from "@clockwork/kit/timezone";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { lazy } from "#boot/timeout.ts";
import { useChannel } from "#live/react.ts";
import { mayAmend, useProduct } from "#trade/product.ts";
import { useLinked, useLinkedPart, useTerminalLink } from "#trade/terminal-link.ts";
import { isPlan, type TradeOrder } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import type { WriteSheet } from "./orders-export.ts";
import { isOrdersTab, NO_FILTERS, ORDERS_TABS, type OrderFilters, type OrdersTab } from "./orders-model.ts";
import { FillsTab, HistoryTab, OpenTab } from "./orders-tabs.tsx";
import { FilterRow, OrdersToolbar } from "./orders-toolbar.tsx";
import { type PanelTab, PanelTabs } from "./panel-tabs.tsx";
import type { TabView } from "./rows.tsx";
import { shownOrder, showOrder } from "./shown-order.ts";
import { useOrderActions } from "./use-order-actions.ts";
import { type OrderQuestions, useOrderQuestions } from "./use-order-questions.ts";
import { useFailing, useOwnFeeds } from "./use-own-feeds.ts";
import { useSize } from "./use-size.ts";

const OrderDetails = lazy(() => import("./order-details.tsx").then((part) => ({ default: part.OrderDetails })));
const OrderQuestionDialog = lazy(() =>
  import("./cancel-dialog.tsx").then((part) => ({ default: part.OrderQuestionDialog })),
);
const Toasts = lazy(() => import("@clockwork/ui/toast").then((part) => ({ default: part.Toasts })));

/** Below this a table has no room for its columns. */
const CARDS_BELOW_PX = 640;

/** Book and chart mark own orders and fills. */
function usePublishedOwn(): void {
  const link = useTerminalLink();
  const feeds = useOwnFeeds();
  const orders = useChannel(feeds.orders).value.open;
  const fills = useChannel(feeds.fills).value;
  const { calls } = useProduct();
  useEffect(() => {
    const mayChange = (order: TradeOrder) =>
      isPlan(order) ? (calls.canMove?.(order) ?? false) : mayAmend(calls, order);
    link.ownOrders.set(orders.map((order) => ({ ...order, isPlan: isPlan(order), canAmend: mayChange(order) })));
  }, [link, orders, calls]);
  useEffect(() => link.ownFills.set(fills), [link, fills]);
  useEffect(
    () => () => {
      link.ownOrders.set([]);
      link.ownFills.set([]);
    },
    [link],
  );
}

/** The pair alone: prices change many times a second and no row here shows them. */
function usePair() {
  const { market } = useTerminalLink();
  useLinkedPart(market, ({ pair }) => pair.pairCode);
  return market.get().pair;
}

/** A tab of the product's own: what is held, positions. */
export interface ExtraTab {
  readonly id: string;
  readonly title: string;
  readonly count?: number;
  /** Shown before the orders; usually behind them. */
  readonly isFirst?: boolean;
  readonly render: (view: TabView) => ReactNode;
}

export function OwnOrders({ extraTabs = [] }: { readonly extraTabs?: readonly ExtraTab[] }) {
  const text = useTradeText();
  const pair = usePair();
  const feeds = useOwnFeeds();
  const orders = useChannel(feeds.orders);
  const isFailing = useFailing(orders);
  const questions = useOrderQuestions();
  const actions = useOrderActions(orders.value.open, questions);
  const zone = readTimezone(useGlobal((state) => state.timezone));
  const first = extraTabs.find(({ isFirst }) => isFirst === true)?.id ?? "open";
  const [tab, setTab] = useState<string>(first);
  const [isPairOnly, setPairOnly] = useState(false);
  const [isFiltering, setFiltering] = useState(false);
  const [chosen, setChosen] = useState<OrderFilters>(NO_FILTERS);
  const filters = { ...chosen, pairCode: isPairOnly ? pair.pairCode : undefined };
  const sheet = useRef<WriteSheet | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  usePublishedOwn();
  const isNarrow = size !== undefined && size.widthPx < CARDS_BELOW_PX;
  const { open } = orders.value;
  const counts: Partial<Record<OrdersTab, number>> = orders.empty
    ? {}
    : { open: open.filter((order) => !isPlan(order)).length, plan: open.filter(isPlan).length };
  const view = {
    filters,
    zone,
    sheet,
    isNarrow,
    heightPx: isNarrow ? undefined : size?.heightPx,
    onAllPairs: () => {
      setPairOnly(false);
      setChosen(NO_FILTERS);
    },
  };
  const toolbar = {
    tab,
    filters,
    isPairOnly,
    onPairOnly: setPairOnly,
    isFiltering,
    onFiltering: setFiltering,
    pair,
    sheet,
    actions,
  };
  return (
    <section aria-label={text("orders")} className="flex h-full min-h-0 flex-col text-label">
      <PanelTabs
        label={text("orders")}
        tabs={[
          ...listExtra(extraTabs, true),
          ...ORDERS_TABS.map((id) => ({ id, title: text(`tab.${id}`), count: counts[id] })),
          ...listExtra(extraTabs, false),
        ]}
        selected={tab}
        onSelect={setTab}
        aside={isNarrow ? undefined : <OrdersToolbar {...toolbar} />}
      >
        {isNarrow && (
          <div className="flex justify-end border-line border-b px-3 py-1">
            <OrdersToolbar {...toolbar} />
          </div>
        )}
        {isFiltering && isOrdersTab(tab) && <FilterRow tab={tab} filters={filters} onFilters={setChosen} />}
        <div ref={box} className="min-h-0 flex-1">
          {(tab === "open" || tab === "plan") && (
            <OpenTab {...view} kind={tab} state={orders} isFailing={isFailing} actions={actions} />
          )}
          {tab === "history" && <HistoryTab {...view} ended={orders.value.ended} />}
          {tab === "fills" && <FillsTab {...view} />}
          {extraTabs.find(({ id }) => id === tab)?.render(view)}
        </div>
      </PanelTabs>
      <Overlays questions={questions} />
    </section>
  );
}

function listExtra(tabs: readonly ExtraTab[], isFirst: boolean): readonly PanelTab[] {
  return tabs.filter((tab) => (tab.isFirst ?? false) === isFirst).map(({ id, title, count }) => ({ id, title, count }));
}

/** What floats above: questions, the details of one order, and the notices. All arrive after the page. */
function Overlays({ questions }: { readonly questions: OrderQuestions }) {
  const orderId = useLinked(shownOrder);
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  return (
    <Suspense fallback={null}>
      {isAwake && <Toasts />}
      {questions.requested !== undefined && (
        <OrderQuestionDialog question={questions.requested} onAnswer={questions.answer} />
      )}
      {orderId !== undefined && <OrderDetails orderId={orderId} onClose={() => showOrder(undefined)} />}
    </Suspense>
  );
}
