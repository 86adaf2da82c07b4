// What a command's events say to whoever sent it: the order that was placed and how far it got. Pure.
// Reads the committed answer alone, never a table: the caller is told before any table knows.
import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { endState } from "@clockwork/core/protocol/names";
import { addDecimals, decimalText, parseDecimal, roundDecimal, ZERO_DECIMAL } from "@clockwork/kit/decimal";
import { averagePriceText, quantityText, valueFloor, valueText } from "@clockwork/kit/instrument";
import type { PlacedOrder } from "./api.ts";
import type { OrderRecord, SpotPair } from "./needs.ts";

type Beginning = EventOf<"orderAccepted" | "conditionalAccepted" | "twapStarted">;

const idOf = (event: Beginning): number => (event.kind === "twapStarted" ? event.twap : event.orderId);

/** Orders the command itself began for the account, in order; fired plans and the exits a fill armed are not its own. */
function listBegun(events: readonly MachineEvent[], account: number): Beginning[] {
  const fired = new Set<number>();
  const begun: Beginning[] = [];
  for (const event of events) {
    if (event.kind === "conditionalTriggered") fired.add(event.orderId);
    if (event.kind !== "orderAccepted" && event.kind !== "conditionalAccepted" && event.kind !== "twapStarted")
      continue;
    if (event.account === account && !fired.has(idOf(event))) begun.push(event);
  }
  return begun;
}

/** The order the caller named: the limit leg of an OCO, the entry of a bracket, the slicer of a TWAP, else the first. */
function findNamed(events: readonly MachineEvent[], begun: readonly Beginning[]): Beginning | undefined {
  const slicer = begun.find(({ kind }) => kind === "twapStarted");
  if (slicer !== undefined) return slicer;
  for (const event of events) {
    if (event.kind !== "listLeg" || event.leg === "stop") continue;
    const leg = begun.find((one) => idOf(one) === event.orderId);
    if (leg !== undefined) return leg;
  }
  return begun[0];
}

/** Undefined when the events tell of no order of this account, as for a repeat. */
export function describePlaced(
  pair: SpotPair,
  account: number,
  answer: { readonly sequence: number; readonly events: readonly MachineEvent[] },
  clientOrderId: string | null,
): PlacedOrder | undefined {
  const { events, sequence } = answer;
  const begun = listBegun(events, account);
  const named = findNamed(events, begun);
  if (named === undefined) return undefined;
  const orderId = idOf(named);
  let filledLots = 0n;
  let filledUnits = 0n;
  let status = named.kind === "conditionalAccepted" ? "PENDING_TRIGGER" : "NEW";
  for (const event of events) {
    if (event.kind === "trade" && (event.takerOrderId === orderId || event.makerOrderId === orderId)) {
      filledLots += BigInt(event.lots);
      filledUnits += valueFloor(pair, event.lots, event.price);
      const isDone = event.takerOrderId === orderId ? event.takerDone : event.makerDone;
      status = isDone ? "FILLED" : "PARTIALLY_FILLED";
    } else if (event.kind === "orderEnded" && event.orderId === orderId) status = endState(event.reason);
    else if (event.kind === "twapSlice" && event.twap === orderId && event.filledLots > 0) {
      filledLots += BigInt(event.filledLots);
      status = event.leftLots === 0 ? "FILLED" : "PARTIALLY_FILLED";
    } else if (event.kind === "conditionalTriggered" && event.orderId === orderId) status = "NEW";
  }
  return {
    orderId: String(orderId),
    clientOrderId,
    status,
    filledQuantity: quantityText(pair, filledLots),
    filledAmount: valueText(pair, filledUnits),
    averagePrice: averagePriceText(pair, filledUnits, filledLots),
    orderIds: named.kind === "twapStarted" ? [] : begun.filter((one) => one !== named).map((one) => String(idOf(one))),
    isRepeat: false,
    sequence,
  };
}

/** The first result of an order that was asked for again, as far as it has come since. */
export function describeRepeated(
  pair: SpotPair,
  row: OrderRecord,
  repeated: EventOf<"repeated">,
  clientOrderId: string | null,
): PlacedOrder {
  return {
    orderId: String(repeated.orderId),
    clientOrderId,
    status: row.state,
    filledQuantity: quantityText(pair, row.filled_lots),
    filledAmount: valueText(pair, row.filled_units),
    averagePrice: averagePriceText(pair, row.filled_units, row.filled_lots),
    orderIds: [],
    isRepeat: true,
    sequence: repeated.firstSequence,
  };
}

/** A scaled order told as one: the rungs that stand, and what became of them together. */
export function joinRungs(pair: SpotPair, rungs: readonly PlacedOrder[]): PlacedOrder | undefined {
  const [first, ...others] = rungs;
  if (first === undefined) return undefined;
  const isFilled = rungs.every(({ status }) => status === "FILLED");
  const touched = rungs.some(({ status }) => status === "FILLED" || status === "PARTIALLY_FILLED");
  const same = rungs.every(({ status }) => status === first.status);
  return {
    ...first,
    status: isFilled ? "FILLED" : touched ? "PARTIALLY_FILLED" : same ? first.status : "NEW",
    filledQuantity: sumTexts(
      rungs.map(({ filledQuantity }) => filledQuantity),
      pair.quantityDecimals,
    ),
    filledAmount: sumTexts(
      rungs.map(({ filledAmount }) => filledAmount),
      pair.quote.scale,
    ),
    averagePrice: touched && rungs.length === 1 ? first.averagePrice : null,
    orderIds: others.map(({ orderId }) => orderId),
    isRepeat: rungs.every(({ isRepeat }) => isRepeat),
  };
}

/** Texts written here a moment before: always decimals. */
function sumTexts(texts: readonly string[], decimals: number): string {
  let sum = ZERO_DECIMAL;
  for (const text of texts) {
    const read = parseDecimal(text);
    if (read.ok) sum = addDecimals(sum, read.value);
  }
  return decimalText(roundDecimal(sum, decimals, "truncate").units, decimals);
}
