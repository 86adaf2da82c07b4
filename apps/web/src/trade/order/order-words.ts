// An order about to be sent, as text: every member of it in one of the lines, none left out. Pure, and reads the body
// that goes over the wire, so what is confirmed is what is sent.
import { formatDateTime } from "@clockwork/kit/time";
import type { readTimezone } from "@clockwork/kit/timezone";
import type { InstrumentAssets } from "#trade/product.ts";
import { isTradeKey, type TradeText } from "#trade/trade-text.ts";
import { readServed, writeShown } from "./exact.ts";

/** A body in the call's form: these three identify it, the others are described one by one. */
export type OrderMembers = Readonly<Record<string, unknown>> & {
  readonly pairCode: string;
  readonly side: string;
  readonly type: string;
};

export interface WordsParts {
  readonly text: TradeText;
  readonly assets: InstrumentAssets;
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  readonly zone: ReturnType<typeof readTimezone>;
  /** What the core allows a market order that names no slippage. */
  readonly slippageDefault?: string;
}

export interface OrderLine {
  /** Which members this line covers. */
  readonly members: readonly string[];
  readonly label: string;
  readonly value: string;
}

type Described = OrderLine | undefined;
type Say = (order: OrderMembers, parts: WordsParts) => Described;

function read(order: OrderMembers, member: string): string | undefined {
  const value = order[member];
  return value === undefined || value === null ? undefined : String(value);
}

function writePrice(value: string, { assets, priceDecimals }: WordsParts): string {
  return `${writeShown(readServed(value), priceDecimals)} ${assets.price}`;
}

function writeQuantity(value: string, { assets, quantityDecimals }: WordsParts): string {
  return `${writeShown(readServed(value), quantityDecimals)} ${assets.quantity}`;
}

/** "at market", or "limit 64,000.0 USDT". */
function describeThen(limit: string | undefined, parts: WordsParts): string {
  return limit === undefined ? parts.text("thenMarket") : parts.text("thenLimit", { price: writePrice(limit, parts) });
}

const describeKind: Say = (order, { text }) => {
  const key = order.visibleQuantity === undefined ? `kind.${order.type}` : "kind.iceberg";
  return { members: [], label: text("col.type"), value: isTradeKey(key) ? text(key) : order.type };
};

/** Which price a trigger watches; the last one where the order has none. */
function describeSource(order: OrderMembers, { text }: WordsParts): string {
  const key = `source.${read(order, "triggerSource") ?? "last"}`;
  return isTradeKey(key) ? text(key) : key;
}

const describeTrigger: Say = (order, parts) => {
  const { text } = parts;
  const stop = read(order, "stopPrice");
  if (order.type === "trailingStop") {
    const at = stop === undefined ? text("atOnce") : writePrice(stop, parts);
    const value = order.triggerSource === undefined ? at : `${at}, ${describeSource(order, parts)}`;
    return { members: ["stopPrice", "triggerSource"], label: text("activation"), value };
  }
  if (stop === undefined) return undefined;
  const price = writePrice(stop, parts);
  if (order.type === "oco") {
    const at = order.triggerSource === undefined ? price : `${price} (${describeSource(order, parts)})`;
    const value = `${at}, ${describeThen(read(order, "stopLimitPrice"), parts)}`;
    return { members: ["stopPrice", "stopLimitPrice", "triggerSource"], label: text("stopLeg"), value };
  }
  const way = read(order, "triggerDirection");
  const source = describeSource(order, parts);
  const value = way === undefined ? price : text(way === "falls" ? "whenFalls" : "whenRises", { price, source });
  return { members: ["stopPrice", "triggerDirection", "triggerSource"], label: text("col.stop"), value };
};

const describeCallback: Say = (order, { text }) => {
  const percent = read(order, "callbackPercent");
  if (percent === undefined) return undefined;
  const key = order.side === "buy" ? "callbackUp" : "callbackDown";
  return { members: ["callbackPercent"], label: text("callback"), value: text(key, { percent }) };
};

const PRICE_LABELS = { oco: "limitLeg", twap: "capPrice", stopLimit: "limitPrice" } as const;

const describePrice: Say = (order, parts) => {
  const { text, assets, priceDecimals } = parts;
  const price = read(order, "price");
  if (price === undefined) return { members: [], label: text("price"), value: text("market") };
  const to = read(order, "priceTo");
  if (to !== undefined) {
    const show = (value: string) => writeShown(readServed(value), priceDecimals);
    const value = `${text("between", { from: show(price), to: show(to) })} ${assets.price}`;
    return { members: ["price", "priceTo"], label: text("col.prices"), value };
  }
  const label = Object.hasOwn(PRICE_LABELS, order.type)
    ? PRICE_LABELS[order.type as keyof typeof PRICE_LABELS]
    : "price";
  return { members: ["price"], label: text(label), value: writePrice(price, parts) };
};

const describeSize: Say = (order, parts) => {
  const quantity = read(order, "quantity");
  if (quantity !== undefined)
    return { members: ["quantity"], label: parts.text("amount"), value: writeQuantity(quantity, parts) };
  const amount = read(order, "amount");
  if (amount === undefined) return undefined;
  const value = `${writeShown(readServed(amount), 2)} ${parts.assets.value}`;
  return { members: ["amount"], label: parts.text("spend"), value };
};

const describeRungs: Say = (order, { text }) => {
  const count = read(order, "count");
  if (count === undefined) return undefined;
  const key = `shape.${read(order, "shape") ?? "flat"}`;
  const shape = isTradeKey(key) ? text(key).toLowerCase() : key;
  return { members: ["count", "shape"], label: text("count"), value: text("countSized", { count, shape }) };
};

const describeSchedule: Say = (order, { text }) => {
  const duration = read(order, "durationSeconds");
  const interval = read(order, "intervalSeconds");
  if (duration === undefined || interval === undefined) return undefined;
  const count = Math.max(1, Math.floor(Number(duration) / Number(interval)));
  const values = { minutes: Number(duration) / 60, interval, count };
  return { members: ["durationSeconds", "intervalSeconds"], label: text("schedule"), value: text("overTime", values) };
};

const describeSlippage: Say = (order, { text, slippageDefault }) => {
  const percent = read(order, "slippagePercent") ?? (order.type === "market" ? slippageDefault : undefined);
  if (percent === undefined) return undefined;
  return { members: ["slippagePercent"], label: text("slippage"), value: text("atMost", { percent }) };
};

const describeVisible: Say = (order, parts) => {
  const visible = read(order, "visibleQuantity");
  if (visible === undefined) return undefined;
  return { members: ["visibleQuantity"], label: parts.text("visible"), value: writeQuantity(visible, parts) };
};

const describeProfit: Say = (order, parts) => {
  const price = read(order, "takeProfitPrice") ?? read(order, "stopProfit");
  if (price === undefined) return undefined;
  return {
    members: ["takeProfitPrice", "stopProfit"],
    label: parts.text("takeProfitLong"),
    value: writePrice(price, parts),
  };
};

/** Contracts name the trigger stopLoss and the limit behind it stopLossPrice. */
const describeContractLoss: Say = (order, parts) => {
  const price = read(order, "stopLoss");
  if (price === undefined) return undefined;
  const value = `${writePrice(price, parts)}, ${describeThen(read(order, "stopLossPrice"), parts)}`;
  return { members: ["stopLoss", "stopLossPrice"], label: parts.text("stopLossLong"), value };
};

const describePosition: Say = (order, { text }) => {
  const side = read(order, "positionSide");
  if (side === undefined) return undefined;
  const opens = (side === "long") === (order.side === "buy");
  const key = side === "long" ? (opens ? "opensLong" : "closesLong") : opens ? "opensShort" : "closesShort";
  return { members: ["positionSide"], label: text("position"), value: text(key) };
};

const describeLoss: Say = (order, parts) => {
  if (order.stopLoss !== undefined) return undefined;
  const price = read(order, "stopLossPrice");
  if (price === undefined) return undefined;
  const value = `${writePrice(price, parts)}, ${describeThen(read(order, "stopLossLimitPrice"), parts)}`;
  return { members: ["stopLossPrice", "stopLossLimitPrice"], label: parts.text("stopLossLong"), value };
};

const describePosting: Say = (order, { text }) => {
  const posting = order.postOnly;
  if (posting === undefined || posting === false) return undefined;
  return {
    members: ["postOnly"],
    label: text("postOnly"),
    value: text(posting === "reprice" ? "postMoves" : "postRefuses"),
  };
};

const describeReduceOnly: Say = (order, { text }) =>
  order.reduceOnly === true
    ? { members: ["reduceOnly"], label: text("reduceOnly"), value: text("reduceOnlySaid") }
    : undefined;

const describeLife: Say = (order, { text, zone }) => {
  const time = read(order, "timeInForce");
  const members = ["timeInForce", "expiresAtMs"];
  const at = order.expiresAtMs;
  if (typeof at === "number")
    return { members, label: text("valid"), value: text("until", { time: formatDateTime(at, zone) }) };
  if (order.type === "market" || time === "IOC") return { members, label: text("valid"), value: text("validOnce") };
  if (time === "FOK") return { members, label: text("valid"), value: text("validWhole") };
  if (order.type === "twap") return { members, label: text("valid"), value: text("untilSchedule") };
  return { members, label: text("valid"), value: text("untilCancelled") };
};

const describeSelfTrade: Say = (order, { text }) => {
  const mode = read(order, "selfTrade");
  if (mode === undefined) return undefined;
  const key = `stp.${mode}`;
  return { members: ["selfTrade"], label: text("selfTradeShort"), value: isTradeKey(key) ? text(key) : mode };
};

const SAYINGS: readonly Say[] = [
  describeKind,
  describeTrigger,
  describeCallback,
  describePrice,
  describeSize,
  describeRungs,
  describeSchedule,
  describeVisible,
  describeSlippage,
  describeProfit,
  describeLoss,
  describeContractLoss,
  describePosition,
  describePosting,
  describeReduceOnly,
  describeLife,
  describeSelfTrade,
];

/** Members without a line of their own: the title and the page show them, the id is meaningless to a user. */
const KNOWN: ReadonlySet<string> = new Set(["biz", "pairCode", "side", "type", "clientOrderId"]);

/** Every member of the order as text. A member without a text is still listed, by its name. */
export function describeMembers(order: OrderMembers, parts: WordsParts): readonly OrderLine[] {
  const lines = SAYINGS.flatMap((say) => say(order, parts) ?? []);
  const reply = new Set([...KNOWN, ...lines.flatMap((line) => line.members)]);
  const others = Object.keys(order).filter((member) => !reply.has(member) && order[member] !== undefined);
  return [...lines, ...others.map((member) => ({ members: [member], label: member, value: String(order[member]) }))];
}
