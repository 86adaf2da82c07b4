// The answer to a command, from its events: the placed order and its progress. Pure. Reads the committed events only,
// never a table: the caller is answered before any table is written.

import type { EventOf, MachineEvent } from "@clockwork/core/protocol/event";
import { readPlaced } from "@clockwork/core/protocol/placed";
import { addDecimals, decimalText, parseDecimal, roundDecimal, ZERO_DECIMAL } from "@clockwork/kit/decimal";
import { averagePriceText, priceText, quantityText, valueFloor, valueText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import type { MarketPair } from "../markets/pair.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import type { PlacedFill, PlacedOrder } from "./contract.ts";

/** Undefined when the events contain no order of this account, as for a repeat. */
export function describePlaced(
  pair: MarketPair,
  account: number,
  answer: { readonly sequence: number; readonly events: readonly MachineEvent[] },
  clientOrderId: string | null,
  includesFills = false,
): PlacedOrder | undefined {
  const placed = readPlaced(answer.events, account, ({ lots, price }) => valueFloor(pair, lots, price));
  if (placed === undefined) return undefined;
  const { orderId, status, filledLots, filledUnits, endReason, otherIds } = placed;
  return {
    orderId: String(orderId),
    clientOrderId,
    status,
    ...(endReason === undefined ? {} : { endReason }),
    filledQuantity: quantityText(pair, filledLots),
    filledAmount: valueText(pair, filledUnits),
    averagePrice: averagePriceText(pair, filledUnits, filledLots),
    ...(includesFills ? { fills: filledLots === 0n ? [] : describeFills(pair, account, orderId, answer.events) } : {}),
    orderIds: otherIds.map(String),
    isRepeat: false,
    sequence: answer.sequence,
  };
}

/** Trades of the order in the command's own events, each with its charges: a fee's reference is its trade. */
function describeFills(
  pair: MarketPair,
  account: number,
  orderId: number,
  events: readonly MachineEvent[],
): PlacedFill[] {
  const fees = new Map<number, EventOf<"posting">>();
  for (const event of events) {
    if (event.kind === "posting" && event.business === "fee" && event.account === account && event.deltaUnits < 0) {
      fees.set(event.reference, event);
    }
  }
  return events.flatMap((event) => {
    if (event.kind !== "trade" || event.takerOrderId !== orderId) return [];
    const fee = fees.get(event.tradeNumber);
    const received = event.takerSide === "buy" ? pair.base : pair.quote;
    const asset = fee?.asset === pair.base.asset ? pair.base : fee?.asset === pair.quote.asset ? pair.quote : received;
    return [
      {
        tradeId: event.tradeNumber,
        price: priceText(pair, event.price),
        quantity: quantityText(pair, event.lots),
        fee: formatUnits(units(-(fee?.deltaUnits ?? 0)), asset.scale),
        feeAsset: asset.symbol,
      },
    ];
  });
}

/** The answer to a repeated order: the first order with its progress since. */
export function describeRepeated(
  pair: MarketPair,
  row: OrderRow,
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

/** A scaled order reported as one: the rungs that rest, and their combined result. */
export function joinRungs(pair: MarketPair, rungs: readonly PlacedOrder[]): PlacedOrder | undefined {
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
    ...(first.fills === undefined ? {} : { fills: rungs.flatMap(({ fills = [] }) => fills) }),
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
