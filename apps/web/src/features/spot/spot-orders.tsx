// One's spot orders with what the spot account holds beside them.
import { OwnOrders } from "#trade/orders/own-orders.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import { AssetsTab } from "./assets-tab.tsx";

export function SpotOrders() {
  const text = useTradeText();
  return (
    <OwnOrders extraTabs={[{ id: "assets", title: text("tab.assets"), render: (view) => <AssetsTab {...view} /> }]} />
  );
}
