// Owns what the events of a command that places an order say of it: which order it is and how far it got. Pure; reads the
// committed answer alone.
import type { EventOf, MachineEvent } from "./event.ts";
import { endState } from "./names.ts";

type Beginning = EventOf<"orderAccepted" | "conditionalAccepted" | "twapStarted">;

const idOf = (event: Beginning): number => (event.kind === "twapStarted" ? event.twap : event.orderId);

/** Orders the command itself began for the account, in order; fired plans and the exits a fill armed are not its own. */
function listStarted(events: readonly MachineEvent[], account: number): Beginning[] {
  const fired = new Set<number>();
  const started: Beginning[] = [];
  for (const event of events) {
    if (event.kind === "conditionalTriggered") fired.add(event.orderId);
    if (event.kind !== "orderAccepted" && event.kind !== "conditionalAccepted" && event.kind !== "twapStarted")
      continue;
    if (event.account === account && !fired.has(idOf(event))) started.push(event);
  }
  return started;
}

/** The order the caller named: the limit leg of an OCO, the entry of a bracket, the slicer of a TWAP, else the first. */
function findNamed(events: readonly MachineEvent[], started: readonly Beginning[]): Beginning | undefined {
  const slicer = started.find(({ kind }) => kind === "twapStarted");
  if (slicer !== undefined) return slicer;
  for (const event of events) {
    if (event.kind !== "listLeg" || event.leg === "stop") continue;
    const leg = started.find((one) => idOf(one) === event.orderId);
    if (leg !== undefined) return leg;
  }
  return started[0];
}

export interface PlacedByEvents {
  readonly orderId: number;
  readonly status: string;
  readonly filledLots: bigint;
  readonly filledUnits: bigint;
  /** Further orders the command made. */
  readonly otherIds: readonly number[];
}

/** Undefined when the events tell of no order of this account, as for a repeat. */
export function readPlaced(
  events: readonly MachineEvent[],
  account: number,
  valueOfTrade: (trade: EventOf<"trade">, isSell: boolean) => bigint,
): PlacedByEvents | undefined {
  const started = listStarted(events, account);
  const named = findNamed(events, started);
  if (named === undefined) return undefined;
  const orderId = idOf(named);
  let filledLots = 0n;
  let filledUnits = 0n;
  let status = named.kind === "conditionalAccepted" ? "PENDING_TRIGGER" : "NEW";
  for (const event of events) {
    if (event.kind === "trade" && (event.takerOrderId === orderId || event.makerOrderId === orderId)) {
      const isTaker = event.takerOrderId === orderId;
      filledLots += BigInt(event.lots);
      filledUnits += valueOfTrade(event, (event.takerSide === "sell") === isTaker);
      status = (isTaker ? event.takerDone : event.makerDone) ? "FILLED" : "PARTIALLY_FILLED";
    } else if (event.kind === "orderEnded" && event.orderId === orderId) status = endState(event.reason);
    else if (event.kind === "twapSlice" && event.twap === orderId && event.filledLots > 0) {
      filledLots += BigInt(event.filledLots);
      status = event.leftLots === 0 ? "FILLED" : "PARTIALLY_FILLED";
    } else if (event.kind === "conditionalTriggered" && event.orderId === orderId) status = "NEW";
  }
  const otherIds = named.kind === "twapStarted" ? [] : started.filter((one) => one !== named).map(idOf);
  return { orderId, status, filledLots, filledUnits, otherIds };
}
