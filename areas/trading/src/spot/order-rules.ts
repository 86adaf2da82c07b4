// What orders of spot add to those of every market (`orders/order-builder.ts`): a buy by amount, and changes. Pure.

import type { Command } from "@clockwork/core/protocol/command";
import { priceText, quantityText, readPriceTicks, readQuantityLots } from "@clockwork/kit/instrument";
import type { MarketPair } from "../markets/pair.ts";
import type { OrderKind } from "../orders/contract.ts";
import { type BuiltOrder, buildOrder as build, Misshapen, type OrderProblem } from "../orders/order-builder.ts";
import type { OrderRefusal } from "../orders/refusals.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import type { AmendOrderBody, PlaceOrderBody } from "./contract.ts";
import { readAmountUnits, readPercentBps } from "./rules.ts";

const COMMON: ReadonlySet<string> = new Set(["pairCode", "side", "type", "clientOrderId", "selfTrade", "tellFills"]);
const EXITS = ["takeProfitPrice", "stopLossPrice", "stopLossLimitPrice"] as const;
const BY_AMOUNT = { market: ["quantity", "amount"], stopMarket: ["quantity", "amount"] };

export function typeOf(body: PlaceOrderBody): OrderKind {
  if (body.type === "LIMIT") return "limit";
  return body.type === "MARKET" ? "market" : body.type;
}

export function sideOf(body: PlaceOrderBody): "buy" | "sell" {
  return body.side === "BUY" || body.side === "buy" ? "buy" : "sell";
}

/** `lastTicks` decides the direction of a plan without one. */
export function buildOrder(pair: MarketPair, account: number, body: PlaceOrderBody, lastTicks: number): BuiltOrder {
  const product = {
    pair,
    account,
    side: sideOf(body),
    referenceTicks: lastTicks,
    exits: EXITS,
    common: COMMON,
    more: BY_AMOUNT,
    isSizeOptional: (kind: OrderKind) => kind in BY_AMOUNT,
    triggerCode: "INVALID_PRICE" as const,
    size: (lots: () => number, kind: OrderKind) =>
      kind in BY_AMOUNT ? readSize(pair, body, lots) : { quantity: lots() },
    reduces: () => ({}),
    trigger: () => ({}),
  };
  return build(typeOf(body), product, body);
}

/** Lots of base, or units of quote for a buy by amount. */
function readSize(
  { quote }: MarketPair,
  body: PlaceOrderBody,
  lots: () => number,
): { quantity: number; inQuote?: true } {
  const { quantity, amount } = body;
  if (amount === undefined) {
    if (quantity === undefined) throw new Misshapen("INVALID_ORDER", "quantity", "Say quantity, or amount for a buy.");
    return { quantity: lots() };
  }
  if (quantity !== undefined) throw new Misshapen("INVALID_COMBINATION", "amount", "Say quantity or amount, not both.");
  if (sideOf(body) === "sell") throw new Misshapen("INVALID_COMBINATION", "amount", "A sell takes no amount.");
  const amountUnits = readAmountUnits(amount, quote.scale);
  if (amountUnits === undefined) {
    const text = `amount must be above zero, with at most ${quote.scale} decimals of ${quote.symbol}.`;
    throw new Misshapen("INVALID_AMOUNT", "amount", text);
  }
  return { quantity: amountUnits, inQuote: true };
}

export type ReadChange =
  | { readonly ok: true; readonly command: Command }
  | { readonly ok: false; readonly problem: OrderProblem };

const wrong = (code: OrderRefusal, field: string, message: string): ReadChange => ({
  ok: false,
  problem: { code, field, message },
});

/** An omitted member keeps the current value, which is zero in the core's command. */
const keepOr = (text: string | undefined, read: (text: string) => number | undefined): number | undefined =>
  text === undefined ? 0 : read(text);

/** Plans and the exits of lists change by a command of their own; an order resting alone by the usual one. */
export function readChange(row: OrderRow, pair: MarketPair, change: AmendOrderBody): ReadChange {
  const price = keepOr(change.price, (text) => readPriceTicks(pair, text));
  const trigger = keepOr(change.stopPrice, (text) => readPriceTicks(pair, text));
  const lots = keepOr(change.quantity, (text) => readQuantityLots(pair, text));
  const units = keepOr(change.amount, (text) => readAmountUnits(text, pair.quote.scale));
  const callbackBps = keepOr(change.callbackPercent, readPercentBps);
  const step = priceText(pair, 1);
  if (price === undefined) return wrong("INVALID_PRICE", "price", `price must be a multiple of ${step} above zero.`);
  if (trigger === undefined)
    return wrong("INVALID_PRICE", "stopPrice", `stopPrice must be a multiple of ${step} above zero.`);
  if (lots === undefined) {
    const message = `quantity must be a multiple of ${quantityText(pair, 1)} above zero.`;
    return wrong("INVALID_QUANTITY", "quantity", message);
  }
  if (
    units === undefined ||
    (units !== 0) !== (row.in_quote && change.amount !== undefined) ||
    (row.in_quote && lots !== 0)
  )
    return wrong(
      "INVALID_QUANTITY",
      "amount",
      "Only a conditional order by amount takes an amount, without a quantity.",
    );
  if (callbackBps === undefined)
    return wrong("INVALID_CALLBACK", "callbackPercent", "callbackPercent must be above zero, in hundredths.");
  if (price + trigger + lots + units + callbackBps === 0)
    return wrong("INVALID_ORDER", "price", "Provide a price, a quantity or a trigger.");
  const { account, order_id: orderId } = row;
  // A partly filled limit leg has left its list and rests alone.
  const isExit = (row.list_leg === "profit" || row.list_leg === "stop") && row.filled_lots === 0n;
  if (row.state === "PENDING_TRIGGER" || (isExit && row.list_id !== null)) {
    const quantity = units === 0 ? lots : units;
    return { ok: true, command: { kind: "amendPlan", account, orderId, price, quantity, trigger, callbackBps } };
  }
  if (trigger !== 0 || callbackBps !== 0)
    return wrong("INVALID_ORDER", "stopPrice", "An order in the book has no trigger.");
  return { ok: true, command: { kind: "amendOrder", account, orderId, price, quantity: lots } };
}
