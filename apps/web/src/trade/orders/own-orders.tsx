// The orders of somebody who is signed in: open orders, plans, history, fills and assets, live and with filters. Tells the
// terminal which orders and fills are one's own. Wakes after the page.

import { readTimezone } from "@clockwork/kit/time";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { useChannel } from "#live/react.ts";
import { useLinked, useLinkedPart, useTerminalLink } from "#trade/terminal-link.ts";
import type { WriteSheet } from "./orders-export.ts";
import { canAmend, isPlan, NO_FILTERS, ORDERS_TABS, type OrderFilters, type OrdersTab } from "./orders-model.ts";
import { AssetsTab, FillsTab, HistoryTab, OpenTab } from "./orders-tabs.tsx";
import { FilterRow, OrdersToolbar } from "./orders-toolbar.tsx";
import { PanelTabs } from "./panel-tabs.tsx";
import { shownOrder, showOrder } from "./shown-order.ts";
import { useSpotText } from "../../features/spot/spot-text.ts";
import { useOrderActions } from "./use-order-actions.ts";
import { useFailing, useSpotFeeds } from "../../features/spot/use-own.ts";
import { useSize } from "./use-size.ts";

const OrderDetails = lazy(() => import("./order-details.tsx").then((part) => ({ default: part.OrderDetails })));
const Toasts = lazy(() => import("@clockwork/ui/toast").then((part) => ({ default: part.Toasts })));

/** Below this a table has no room for its columns. */
const CARDS_BELOW_PX = 640;

/** Book and chart mark one's own orders and fills. */
function useToldOwn(): void {
  const link = useTerminalLink();
  const feeds = useSpotFeeds();
  const orders = useChannel(feeds.orders).value.open;
  const fills = useChannel(feeds.fills).value;
  useEffect(() => {
    link.ownOrders.set(orders.map((order) => ({ ...order, isPlan: isPlan(order), canAmend: canAmend(order) })));
  }, [link, orders]);
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

export function OwnOrders() {
  const text = useSpotText();
  const pair = usePair();
  const feeds = useSpotFeeds();
  const orders = useChannel(feeds.orders);
  const isFailing = useFailing(orders);
  const actions = useOrderActions();
  const zone = readTimezone(useGlobal((state) => state.timezone));
  const [tab, setTab] = useState<OrdersTab>("open");
  const [isPairOnly, setPairOnly] = useState(false);
  const [isFiltering, setFiltering] = useState(false);
  const [chosen, setChosen] = useState<OrderFilters>(NO_FILTERS);
  const filters = { ...chosen, pairCode: isPairOnly ? pair.pairCode : undefined };
  const sheet = useRef<WriteSheet | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  useToldOwn();
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
        tabs={ORDERS_TABS.map((id) => ({ id, title: text(`tab.${id}`), count: counts[id] }))}
        selected={tab}
        onSelect={(id) => setTab(id as OrdersTab)}
        aside={isNarrow ? undefined : <OrdersToolbar {...toolbar} />}
      >
        {isNarrow && (
          <div className="flex justify-end border-line border-b px-3 py-1">
            <OrdersToolbar {...toolbar} />
          </div>
        )}
        {isFiltering && tab !== "assets" && <FilterRow tab={tab} filters={filters} onFilters={setChosen} />}
        <div ref={box} className="min-h-0 flex-1">
          {(tab === "open" || tab === "plan") && (
            <OpenTab
              {...view}
              kind={tab}
              state={orders}
              isFailing={isFailing}
              actions={actions}
              pairCode={pair.pairCode}
            />
          )}
          {tab === "history" && <HistoryTab {...view} ended={orders.value.ended} />}
          {tab === "fills" && <FillsTab {...view} />}
          {tab === "assets" && <AssetsTab {...view} />}
        </div>
      </PanelTabs>
      <Overlays />
    </section>
  );
}

/** What floats above: the details of one order, and the notices. Both arrive after the page. */
function Overlays() {
  const orderId = useLinked(shownOrder);
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  return (
    <Suspense fallback={null}>
      {isAwake && <Toasts />}
      {orderId !== undefined && <OrderDetails orderId={orderId} onClose={() => showOrder(undefined)} />}
    </Suspense>
  );
}
