// The orders panel of the spot terminal. Visitors see where to log in; signed-in users' orders hydrate after the page.
import type { ReactNode } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useGlobal } from "#boot/state.ts";
import { VisitorPanel } from "#trade/orders/visitor-panel.tsx";

const SpotOrders = latePart(async () => (await import("./spot-orders.tsx")).SpotOrders);

/** `bots` is another feature's tab; the route hands it in. */
export function OrdersPanel({ bots }: { readonly bots: ReactNode }) {
  const isSignedIn = useGlobal((state) => state.topInfo.id !== null);
  return isSignedIn ? <SpotOrders bots={bots} /> : <VisitorPanel />;
}
