// One's positions first, then orders, plans, history and fills as every terminal has them, then what is over and bills.
import { type ReactNode, Suspense } from "react";
import { lazy } from "#boot/timeout.ts";
import { OwnOrders } from "#trade/orders/own-orders.tsx";
import type { TabView } from "#trade/orders/rows.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import { useFuturesText } from "../model/futures-text.ts";
import { usePositionCount } from "../model/use-own.ts";
import { AccountsTab, BillsTab, ClosedTab, FundingTab } from "./past-tabs.tsx";
import { PositionsTab } from "./positions-tab.tsx";
import { usePublishedLines } from "./published-lines.ts";

const LateAnalysis = lazy(() => import("./analysis-tab.tsx").then((part) => ({ default: part.AnalysisTab })));

function AnalysisTab(view: TabView) {
  return (
    <Suspense fallback={null}>
      <LateAnalysis {...view} />
    </Suspense>
  );
}

export function FuturesOrders({ bots }: { readonly bots?: ReactNode }) {
  const text = useFuturesText();
  const trade = useTradeText();
  const count = usePositionCount();
  usePublishedLines();
  return (
    <OwnOrders
      extraTabs={[
        {
          id: "positions",
          title: text("tab.positions"),
          isFirst: true,
          ...(count === undefined ? {} : { count }),
          render: (view) => <PositionsTab {...view} />,
        },
        { id: "closed", title: text("tab.closed"), render: (view) => <ClosedTab {...view} /> },
        { id: "funding", title: text("tab.funding"), render: (view) => <FundingTab {...view} /> },
        { id: "analysis", title: text("tab.analysis"), render: (view) => <AnalysisTab {...view} /> },
        { id: "bills", title: text("tab.bills"), render: (view) => <BillsTab {...view} /> },
        ...(bots === undefined ? [] : [{ id: "bots", title: trade("tab.bots"), render: () => bots }]),
        { id: "accounts", title: text("tab.assets"), render: (view) => <AccountsTab {...view} /> },
      ]}
    />
  );
}
