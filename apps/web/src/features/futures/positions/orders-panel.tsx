// The lower panel of the futures terminal. Visitors see where to log in; signed-in users' rows hydrate after the page.
import type { ReactNode } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useGlobal } from "#boot/state.ts";
import { VisitorPanel } from "#trade/orders/visitor-panel.tsx";

const FuturesOrders = latePart(async () => (await import("./futures-orders.tsx")).FuturesOrders);

/** `bots` is another feature's tab; the route hands it in where there are any. */
export function OrdersPanel({ bots }: { readonly bots?: ReactNode }) {
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  return isSignedIn ? <FuturesOrders bots={bots} /> : <VisitorPanel />;
}
