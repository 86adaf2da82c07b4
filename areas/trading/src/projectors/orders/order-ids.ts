// Owns which stored orders a run of events concerns. Pure; used by the fold that changes them.
import type { MachineEvent } from "@clockwork/core/protocol/event";

/** Orders that the events change but did not create: these must be loaded before the fold. */
export function ordersNeeded(events: readonly MachineEvent[]): number[] {
  const created = new Set<number>();
  const needed = new Set<number>();
  const touch = (orderId: number): void => {
    if (!created.has(orderId)) needed.add(orderId);
  };
  for (const event of events) {
    switch (event.kind) {
      case "rejected":
        // A rejected triggered plan; every other rejection leaves its order unchanged.
        if (event.orderId !== 0) touch(event.orderId);
        break;
      case "orderAccepted":
      case "conditionalAccepted":
        created.add(event.orderId);
        break;
      case "twapStarted":
        created.add(event.twap);
        break;
      case "trade":
      case "selfTradePrevented":
        touch(event.takerOrderId);
        touch(event.makerOrderId);
        break;
      case "twapSlice":
      case "twapEnded":
        touch(event.twap);
        break;
      case "orderEnded":
      case "orderAmended":
      case "clientOrderId":
      case "conditionalAmended":
      case "conditionalTriggered":
      case "trailingActivated":
      case "trailingMoved":
      case "listLeg":
        touch(event.orderId);
        break;
      default:
        break;
    }
  }
  return [...needed];
}
