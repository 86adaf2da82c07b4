// How an order on the wire becomes commands of the core: the members each type requires and permits, and their exact
// numbers. Pure. The core decides whatever it can; this file checks only what the core could not read.

import type { Command } from "@clockwork/core/protocol/command";
import { priceText, quantityText, readPriceTicks, readQuantityLots } from "@clockwork/kit/instrument";
import { CALLBACK_MAX_BPS, CALLBACK_MIN_BPS, SLIPPAGE_MAX_BPS, SLIPPAGE_MIN_BPS } from "@clockwork/kit/order-bounds";
import { rungId, scaleLots } from "@clockwork/kit/scaled";
import type { MarketPair } from "../markets/pair.ts";
import type { OrderRow } from "../projectors/rows/rows.ts";
import type { AmendOrderBody, PlaceOrderBody, SpotOrderType } from "./contract.ts";
import type { SpotRefusal } from "./refusals.ts";
import { readAmountUnits, readPercentBps } from "./rules.ts";

/** Why an order is invalid before it reaches the core. */
export interface OrderProblem {
  readonly code: SpotRefusal;
  readonly message: string;
  /** The member that is wrong. */
  readonly field: string;
}

export type BuiltOrder =
  | { readonly ok: true; readonly commands: readonly Command[] }
  | { readonly ok: false; readonly problem: OrderProblem };

type Member = Exclude<keyof PlaceOrderBody, "pairCode" | "side" | "type" | "clientOrderId" | "selfTrade" | "tellFills">;

interface Shape {
  readonly needs: readonly Member[];
  readonly may: readonly Member[];
}

const EXITS: readonly Member[] = ["takeProfitPrice", "stopLossPrice", "stopLossLimitPrice"];
const SHAPES: Readonly<Record<SpotOrderType, Shape>> = {
  limit: {
    needs: ["price", "quantity"],
    may: ["timeInForce", "expiresAtMs", "postOnly", "visibleQuantity", ...EXITS],
  },
  market: { needs: [], may: ["quantity", "amount", "timeInForce", "slippagePercent", ...EXITS] },
  stopLimit: { needs: ["stopPrice", "price", "quantity"], may: ["triggerDirection", "timeInForce", "postOnly"] },
  stopMarket: { needs: ["stopPrice"], may: ["quantity", "amount", "triggerDirection", "slippagePercent"] },
  trailingStop: { needs: ["callbackPercent", "quantity"], may: ["stopPrice", "slippagePercent"] },
  oco: { needs: ["price", "stopPrice", "quantity"], may: ["stopLimitPrice"] },
  twap: { needs: ["price", "quantity", "durationSeconds", "intervalSeconds"], may: [] },
  scaled: { needs: ["price", "priceTo", "count", "quantity"], may: ["shape", "postOnly"] },
};
const COMMON: ReadonlySet<string> = new Set(["pairCode", "side", "type", "clientOrderId", "selfTrade", "tellFills"]);

/** Stops the building of an order; caught where it began. */
class Misshapen extends Error {
  readonly problem: OrderProblem;

  constructor(code: SpotRefusal, field: string, message: string) {
    super(message);
    this.problem = { code, field, message };
  }
}

export function typeOf(body: PlaceOrderBody): SpotOrderType {
  if (body.type === "LIMIT") return "limit";
  return body.type === "MARKET" ? "market" : body.type;
}

export function sideOf(body: PlaceOrderBody): "buy" | "sell" {
  return body.side === "BUY" || body.side === "buy" ? "buy" : "sell";
}

/** `lastTicks` decides the direction of a plan without one. */
export function buildOrder(pair: MarketPair, account: number, body: PlaceOrderBody, lastTicks: number): BuiltOrder {
  try {
    const type = typeOf(body);
    checkMembers(type, body);
    return { ok: true, commands: new Builder(pair, account, body, lastTicks).build(type) };
  } catch (error) {
    if (error instanceof Misshapen) return { ok: false, problem: error.problem };
    throw error;
  }
}

function checkMembers(type: SpotOrderType, body: PlaceOrderBody): void {
  const { needs, may } = SHAPES[type];
  for (const member of needs) {
    if (body[member] === undefined) {
      throw new Misshapen("INVALID_ORDER", member, `A ${type} order needs ${member}.`);
    }
  }
  for (const member of Object.keys(body) as Member[]) {
    if (body[member] === undefined || COMMON.has(member) || needs.includes(member) || may.includes(member)) continue;
    throw new Misshapen("INVALID_COMBINATION", member, `A ${type} order takes no ${member}.`);
  }
}

class Builder {
  readonly #pair: MarketPair;
  readonly #body: PlaceOrderBody;
  readonly #lastTicks: number;
  readonly #account: number;

  constructor(pair: MarketPair, account: number, body: PlaceOrderBody, lastTicks: number) {
    this.#pair = pair;
    this.#account = account;
    this.#body = body;
    this.#lastTicks = lastTicks;
  }

  build(type: SpotOrderType): readonly Command[] {
    switch (type) {
      case "limit":
        return [this.#hasExits() ? this.#bracket("limit") : this.#limit()];
      case "market":
        return [this.#hasExits() ? this.#bracket("market") : this.#market()];
      case "stopLimit":
      case "stopMarket":
      case "trailingStop":
        return [this.#plan(type)];
      case "oco":
        return [this.#oco()];
      case "twap":
        return [this.#twap()];
      case "scaled":
        return this.#scaled();
    }
  }

  #base() {
    const { selfTrade, clientOrderId } = this.#body;
    return {
      account: this.#account,
      market: this.#pair.market,
      side: sideOf(this.#body),
      ...(selfTrade === undefined ? {} : { selfTrade }),
      ...(clientOrderId === undefined ? {} : { clientOrderId }),
    };
  }

  #ticks(member: "price" | "priceTo" | "stopPrice" | "stopLimitPrice" | (typeof EXITS)[number]): number {
    const text = this.#body[member] as string | undefined;
    if (text === undefined) return 0;
    const priceTicks = readPriceTicks(this.#pair, text);
    if (priceTicks !== undefined) return priceTicks;
    const step = priceText(this.#pair, 1);
    throw new Misshapen("INVALID_PRICE", member, `${member} must be a multiple of ${step} above zero.`);
  }

  #lots(member: "quantity" | "visibleQuantity"): number {
    const lots = readQuantityLots(this.#pair, this.#body[member] ?? "");
    if (lots !== undefined) return lots;
    const step = quantityText(this.#pair, 1);
    throw new Misshapen("INVALID_QUANTITY", member, `${member} must be a multiple of ${step} above zero.`);
  }

  /** Lots of base, or units of quote for a buy by amount. */
  #size(): { quantity: number; inQuote?: true } {
    const { quantity, amount } = this.#body;
    if (amount === undefined) {
      if (quantity === undefined)
        throw new Misshapen("INVALID_ORDER", "quantity", "Say quantity, or amount for a buy.");
      return { quantity: this.#lots("quantity") };
    }
    if (quantity !== undefined)
      throw new Misshapen("INVALID_COMBINATION", "amount", "Say quantity or amount, not both.");
    if (sideOf(this.#body) === "sell") throw new Misshapen("INVALID_COMBINATION", "amount", "A sell takes no amount.");
    const { quote } = this.#pair;
    const amountUnits = readAmountUnits(amount, quote.scale);
    if (amountUnits === undefined) {
      const text = `amount must be above zero, with at most ${quote.scale} decimals of ${quote.symbol}.`;
      throw new Misshapen("INVALID_AMOUNT", "amount", text);
    }
    return { quantity: amountUnits, inQuote: true };
  }

  #bps(member: "callbackPercent" | "slippagePercent", code: SpotRefusal, bounds: readonly [number, number]): number {
    const text = this.#body[member];
    if (text === undefined) return 0;
    const bps = readPercentBps(text);
    if (bps !== undefined && bps >= bounds[0] && bps <= bounds[1]) return bps;
    const [low, high] = bounds.map((bound) => String(bound / 100));
    throw new Misshapen(code, member, `${member} must be ${low} to ${high}, with at most two decimals.`);
  }

  #slippage(): { slippageBps?: number } {
    const slippageBps = this.#bps("slippagePercent", "INVALID_SLIPPAGE", [SLIPPAGE_MIN_BPS, SLIPPAGE_MAX_BPS]);
    return slippageBps === 0 ? {} : { slippageBps };
  }

  #postOnly(): { postOnly?: "reject" | "reprice" } {
    const { postOnly } = this.#body;
    if (postOnly === undefined || postOnly === false) return {};
    return { postOnly: postOnly === "reprice" ? "reprice" : "reject" };
  }

  #limit(): Command {
    const { timeInForce, expiresAtMs, visibleQuantity } = this.#body;
    if ((timeInForce === "GTD") !== (expiresAtMs !== undefined)) {
      const text = "timeInForce GTD and expiresAtMs go together.";
      throw new Misshapen("INVALID_EXPIRY", "expiresAtMs", text);
    }
    return {
      kind: "placeOrder",
      ...this.#base(),
      price: this.#ticks("price"),
      quantity: this.#lots("quantity"),
      ...(timeInForce === undefined ? {} : { timeInForce }),
      ...(expiresAtMs === undefined ? {} : { expiresAt: expiresAtMs }),
      ...(visibleQuantity === undefined ? {} : { visible: this.#lots("visibleQuantity") }),
      ...this.#postOnly(),
    };
  }

  #market(): Command {
    this.#checkMarketTime();
    return { kind: "placeOrder", ...this.#base(), type: "market", ...this.#size(), ...this.#slippage() };
  }

  #checkMarketTime(): void {
    const { timeInForce } = this.#body;
    if (timeInForce === undefined || timeInForce === "IOC" || timeInForce === "GTC") return;
    throw new Misshapen("INVALID_COMBINATION", "timeInForce", "A market order is immediate: leave timeInForce out.");
  }

  #hasExits(): boolean {
    return EXITS.some((member) => this.#body[member] !== undefined);
  }

  #bracket(type: "limit" | "market"): Command {
    const { timeInForce, stopLossPrice, stopLossLimitPrice, expiresAtMs, visibleQuantity } = this.#body;
    const refused = timeInForce === "GTD" || expiresAtMs !== undefined ? "expiresAtMs" : undefined;
    const field = refused ?? (visibleQuantity === undefined ? undefined : "visibleQuantity");
    if (field !== undefined) {
      throw new Misshapen("INVALID_COMBINATION", field, "An order with exits can neither expire nor hide a part.");
    }
    if (stopLossLimitPrice !== undefined && stopLossPrice === undefined) {
      throw new Misshapen("INVALID_COMBINATION", "stopLossLimitPrice", "stopLossLimitPrice goes with stopLossPrice.");
    }
    if (type === "market") this.#checkMarketTime();
    const entry =
      type === "limit"
        ? { price: this.#ticks("price"), quantity: this.#lots("quantity"), ...this.#postOnly() }
        : { ...this.#size(), ...this.#slippage() };
    return {
      kind: "placeBracket",
      ...this.#base(),
      type,
      ...entry,
      ...(type === "market" || timeInForce === undefined ? {} : { timeInForce }),
      profitPrice: this.#ticks("takeProfitPrice"),
      stopTrigger: this.#ticks("stopLossPrice"),
      stopPrice: this.#ticks("stopLossLimitPrice"),
    };
  }

  #plan(conditional: "stopLimit" | "stopMarket" | "trailingStop"): Command {
    const { timeInForce, triggerDirection } = this.#body;
    if (timeInForce === "GTD") {
      throw new Misshapen("INVALID_COMBINATION", "timeInForce", "A plan cannot expire: GTC, IOC or FOK.");
    }
    const trigger = this.#ticks("stopPrice");
    const size = conditional === "stopMarket" ? this.#size() : { quantity: this.#lots("quantity") };
    const callbackBps =
      conditional === "trailingStop"
        ? this.#bps("callbackPercent", "INVALID_CALLBACK", [CALLBACK_MIN_BPS, CALLBACK_MAX_BPS])
        : 0;
    return {
      kind: "placeConditional",
      ...this.#base(),
      conditional,
      ...(conditional === "stopLimit" ? { price: this.#ticks("price") } : { type: "market" as const }),
      ...size,
      trigger,
      callbackBps,
      direction: triggerDirection ?? (trigger > this.#lastTicks ? "rises" : "falls"),
      ...(timeInForce === undefined ? {} : { timeInForce }),
      ...this.#postOnly(),
      ...this.#slippage(),
    };
  }

  #oco(): Command {
    return {
      kind: "placeOco",
      ...this.#base(),
      price: this.#ticks("price"),
      quantity: this.#lots("quantity"),
      trigger: this.#ticks("stopPrice"),
      stopPrice: this.#ticks("stopLimitPrice"),
    };
  }

  #twap(): Command {
    const { durationSeconds = 0, intervalSeconds = 0 } = this.#body;
    return {
      kind: "placeTwap",
      ...this.#base(),
      price: this.#ticks("price"),
      quantity: this.#lots("quantity"),
      durationMs: durationSeconds * 1_000,
      intervalMs: intervalSeconds * 1_000,
    };
  }

  /** One order per rung, each with an id of its own, so that a repeated request repeats every rung. */
  #scaled(): readonly Command[] {
    const { count = 0, shape = "flat", clientOrderId } = this.#body;
    const [from, to] = [this.#ticks("price"), this.#ticks("priceTo")];
    const sizes = scaleLots(this.#lots("quantity"), count, shape);
    if (Math.abs(to - from) < count - 1 || sizes.some((lots) => lots < 1)) {
      throw new Misshapen("INVALID_SCALE", "count", "Too many orders for this price range or quantity.");
    }
    const base = this.#base();
    return sizes.map((quantity, rung) => ({
      kind: "placeOrder",
      ...base,
      ...(clientOrderId === undefined ? {} : { clientOrderId: rungId(clientOrderId, rung) }),
      price: from + Math.trunc(((to - from) * rung) / (count - 1)),
      quantity,
      ...this.#postOnly(),
    }));
  }
}

export type ReadChange =
  | { readonly ok: true; readonly command: Command }
  | { readonly ok: false; readonly problem: OrderProblem };

const wrong = (code: SpotRefusal, field: string, message: string): ReadChange => ({
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
