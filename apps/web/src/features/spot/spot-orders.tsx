// Own spot orders with the spot account's balances and running bots next to them.
import type { ReactNode } from "react";
import { OwnOrders } from "#trade/orders/own-orders.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import { AssetsTab } from "./assets-tab.tsx";

export function SpotOrders({ bots }: { readonly bots: ReactNode }) {
  const text = useTradeText();
  return (
    <OwnOrders
      extraTabs={[
        { id: "assets", title: text("tab.assets"), render: (view) => <AssetsTab {...view} /> },
        { id: "bots", title: text("tab.bots"), render: () => bots },
      ]}
    />
  );
}
