// How an order on the wire becomes commands of the core: what each kind requires and permits, and its exact numbers.
// One text for every market; a product adds its own members. Pure. The core decides whatever it can; this file checks
// only what the core could not read.
import type { Command } from "@clockwork/core/protocol/command";
import { priceText, quantityText, readPriceTicks, readQuantityLots } from "@clockwork/kit/instrument";
import { CALLBACK_MAX_BPS, CALLBACK_MIN_BPS, SLIPPAGE_MAX_BPS, SLIPPAGE_MIN_BPS } from "@clockwork/kit/order-bounds";
import { rungId, scaleLots } from "@clockwork/kit/scaled";
import { readSteps } from "@clockwork/kit/whole-text";
import type { MarketPair } from "../markets/pair.ts";
import { ORDER_KINDS, type OrderKind } from "./contract.ts";
import type { OrderRefusal } from "./refusals.ts";

/** Why an order is invalid before it reaches the core. */
export interface OrderProblem {
  readonly code: OrderRefusal;
  readonly message: string;
  /** The member that is wrong. */
  readonly field: string;
}

export type BuiltOrder =
  | { readonly ok: true; readonly commands: readonly Command[] }
  | { readonly ok: false; readonly problem: OrderProblem };

type Conditional = "stopLimit" | "stopMarket" | "trailingStop";

interface OrderFields {
  readonly quantity?: string | undefined;
  readonly price?: string | undefined;
  readonly priceTo?: string | undefined;
  readonly stopPrice?: string | undefined;
  readonly stopLimitPrice?: string | undefined;
  readonly visibleQuantity?: string | undefined;
  readonly callbackPercent?: string | undefined;
  readonly slippagePercent?: string | undefined;
  readonly timeInForce?: "GTC" | "IOC" | "FOK" | "GTD" | undefined;
  readonly expiresAtMs?: number | undefined;
  readonly postOnly?: boolean | "reject" | "reprice" | undefined;
  readonly triggerDirection?: "rises" | "falls" | undefined;
  readonly durationSeconds?: number | undefined;
  readonly intervalSeconds?: number | undefined;
  readonly count?: number | undefined;
  readonly shape?: Parameters<typeof scaleLots>[2] | undefined;
  readonly selfTrade?: Extract<Command, { readonly kind: "placeOrder" }>["selfTrade"];
  readonly clientOrderId?: string | undefined;
}

type Reducing = { readonly reduceOnly?: true; readonly position?: number };

/** What a product adds. */
export interface OrderProduct {
  readonly pair: MarketPair;
  readonly account: number;
  readonly side: "buy" | "sell";
  /** The reference of a plan without a direction. */
  readonly referenceTicks: number;
  /** Its names of the prices of an entry's exits. */
  readonly exits: readonly [profit: string, stop: string, stopLimit: string];
  /** Members it permits in every order, and in a kind. */
  readonly common: ReadonlySet<string>;
  readonly more: Partial<Readonly<Record<OrderKind, readonly string[]>>>;
  /** Kinds whose size may be given by other members than `quantity`. */
  readonly isSizeOptional: (kind: OrderKind) => boolean;
  readonly triggerCode: "INVALID_PRICE" | "INVALID_TRIGGER";
  size(lots: () => number, kind: OrderKind): { readonly quantity: number; readonly inQuote?: true };
  /** What an order reduces; refuses kinds that cannot. */
  reduces(kind: OrderKind | "bracket"): Reducing;
  /** Of an OCO and of a plan. */
  trigger(isPlan: boolean): object;
}

/** Stops the building of an order; caught where it began. */
export class Misshapen extends Error {
  readonly problem: OrderProblem;

  constructor(code: OrderRefusal, field: string, message: string) {
    super(message);
    this.problem = { code, field, message };
  }
}

export function buildOrder(kind: OrderKind, product: OrderProduct, body: OrderFields): BuiltOrder {
  try {
    checkMembers(kind, product, body);
    return { ok: true, commands: new Builder(product, body).build(kind) };
  } catch (error) {
    if (error instanceof Misshapen) return { ok: false, problem: error.problem };
    throw error;
  }
}

const hasExits = ({ exits }: OrderProduct, body: OrderFields): boolean =>
  exits.some((member) => body[member as "price"] !== undefined);

function checkMembers(kind: OrderKind, product: OrderProduct, body: OrderFields): void {
  const { needs, may } = ORDER_KINDS[kind];
  const required: readonly string[] = product.isSizeOptional(kind) ? needs : [...needs, "quantity"];
  const given = Object.entries(body).flatMap(([member, value]) => (value === undefined ? [] : [member]));
  for (const member of required) {
    if (given.includes(member)) continue;
    throw new Misshapen("INVALID_ORDER", member, `A ${kind} order needs ${member}.`);
  }
  const exits = kind === "limit" || kind === "market" ? product.exits : [];
  const known = new Set([...product.common, ...required, ...may, ...exits, ...(product.more[kind] ?? [])]);
  for (const member of given) {
    if (!known.has(member)) throw new Misshapen("INVALID_COMBINATION", member, `A ${kind} order takes no ${member}.`);
  }
}

class Builder {
  readonly #product: OrderProduct;
  readonly #body: OrderFields;

  constructor(product: OrderProduct, body: OrderFields) {
    this.#product = product;
    this.#body = body;
  }

  build(kind: OrderKind): readonly Command[] {
    switch (kind) {
      case "limit":
      case "market":
        return [hasExits(this.#product, this.#body) ? this.#bracket(kind) : this.#plain(kind)];
      case "stopLimit":
      case "stopMarket":
      case "trailingStop":
        return [this.#plan(kind)];
      case "oco":
        return [this.#oco()];
      case "twap":
        return [this.#twap()];
      case "scaled":
        return this.#scaled();
    }
  }

  #base(kind: OrderKind) {
    const { account, pair, side, size } = this.#product;
    const { selfTrade, clientOrderId } = this.#body;
    return {
      account,
      market: pair.market,
      side,
      ...size(() => this.#lots("quantity"), kind),
      ...(selfTrade === undefined ? {} : { selfTrade }),
      ...(clientOrderId === undefined ? {} : { clientOrderId }),
    };
  }

  /** 0 when it is left out. */
  #ticks(member: string): number {
    const text = this.#body[member as "price"];
    if (text === undefined) return 0;
    const { pair, triggerCode } = this.#product;
    const ticks = readPriceTicks(pair, text);
    if (ticks !== undefined) return ticks;
    const code = member === "stopPrice" ? triggerCode : "INVALID_PRICE";
    throw new Misshapen(code, member, `${member} must be a multiple of ${priceText(pair, 1)} above zero.`);
  }

  #lots(member: "quantity" | "visibleQuantity"): number {
    const { pair } = this.#product;
    const lots = readQuantityLots(pair, this.#body[member] ?? "");
    if (lots !== undefined) return lots;
    const message = `${member} must be a multiple of ${quantityText(pair, 1)} above zero.`;
    throw new Misshapen("INVALID_QUANTITY", member, message);
  }

  #bps(member: "callbackPercent" | "slippagePercent", code: OrderRefusal, low: number, high: number): number {
    const text = this.#body[member];
    if (text === undefined) return 0;
    const bps = readSteps(text, 1, 2);
    if (bps !== undefined && bps >= low && bps <= high) return bps;
    throw new Misshapen(code, member, `${member} must be ${low / 100} to ${high / 100}, with at most two decimals.`);
  }

  #slippage(): { slippageBps?: number } {
    const slippageBps = this.#bps("slippagePercent", "INVALID_SLIPPAGE", SLIPPAGE_MIN_BPS, SLIPPAGE_MAX_BPS);
    return slippageBps === 0 ? {} : { slippageBps };
  }

  #postOnly(): { postOnly?: "reject" | "reprice" } {
    const { postOnly } = this.#body;
    if (postOnly === undefined || postOnly === false) return {};
    return { postOnly: postOnly === "reprice" ? "reprice" : "reject" };
  }

  #plain(kind: "limit" | "market"): Command {
    const { timeInForce, expiresAtMs, visibleQuantity } = this.#body;
    if (kind === "market") {
      this.#checkMarketTime();
      const options = { ...this.#slippage(), ...this.#product.reduces(kind) };
      return { kind: "placeOrder", ...this.#base(kind), type: "market", ...options };
    }
    if ((timeInForce === "GTD") !== (expiresAtMs !== undefined)) {
      throw new Misshapen("INVALID_EXPIRY", "expiresAtMs", "timeInForce GTD and expiresAtMs go together.");
    }
    return {
      kind: "placeOrder",
      ...this.#base(kind),
      price: this.#ticks("price"),
      ...(timeInForce === undefined ? {} : { timeInForce }),
      ...(expiresAtMs === undefined ? {} : { expiresAt: expiresAtMs }),
      ...(visibleQuantity === undefined ? {} : { visible: this.#lots("visibleQuantity") }),
      ...this.#postOnly(),
      ...this.#product.reduces(kind),
    };
  }

  #checkMarketTime(): void {
    const { timeInForce } = this.#body;
    if (timeInForce === undefined || timeInForce === "IOC" || timeInForce === "GTC") return;
    throw new Misshapen("INVALID_COMBINATION", "timeInForce", "A market order is immediate: leave timeInForce out.");
  }

  #bracket(kind: "limit" | "market"): Command {
    const { timeInForce, expiresAtMs, visibleQuantity } = this.#body;
    const [profit, stop, stopLimit] = this.#product.exits;
    this.#product.reduces("bracket");
    const refused = timeInForce === "GTD" || expiresAtMs !== undefined ? "expiresAtMs" : undefined;
    const field = refused ?? (visibleQuantity === undefined ? undefined : "visibleQuantity");
    if (field !== undefined) {
      throw new Misshapen("INVALID_COMBINATION", field, "An order with exits can neither expire nor hide a part.");
    }
    const stopPrice = this.#ticks(stopLimit);
    const stopTrigger = this.#ticks(stop);
    if (stopPrice !== 0 && stopTrigger === 0) {
      throw new Misshapen("INVALID_COMBINATION", stopLimit, `${stopLimit} goes with ${stop}.`);
    }
    if (kind === "market") this.#checkMarketTime();
    const entry = kind === "limit" ? { price: this.#ticks("price"), ...this.#postOnly() } : this.#slippage();
    return {
      kind: "placeBracket",
      ...this.#base(kind),
      type: kind,
      ...entry,
      ...(kind === "market" || timeInForce === undefined ? {} : { timeInForce }),
      profitPrice: this.#ticks(profit),
      stopTrigger,
      stopPrice,
    };
  }

  #plan(conditional: Conditional): Command {
    const { timeInForce, triggerDirection } = this.#body;
    if (timeInForce === "GTD") {
      throw new Misshapen("INVALID_COMBINATION", "timeInForce", "A plan cannot expire: GTC, IOC or FOK.");
    }
    const { referenceTicks } = this.#product;
    const trigger = this.#ticks("stopPrice");
    const isTrailing = conditional === "trailingStop";
    return {
      kind: "placeConditional",
      ...this.#base(conditional),
      conditional,
      ...(conditional === "stopLimit" ? { price: this.#ticks("price") } : { type: "market" as const }),
      trigger,
      callbackBps: isTrailing
        ? this.#bps("callbackPercent", "INVALID_CALLBACK", CALLBACK_MIN_BPS, CALLBACK_MAX_BPS)
        : 0,
      direction: triggerDirection ?? (trigger > referenceTicks ? "rises" : "falls"),
      ...(timeInForce === undefined ? {} : { timeInForce }),
      ...this.#product.trigger(true),
      ...this.#postOnly(),
      ...this.#slippage(),
      ...this.#product.reduces(conditional),
    };
  }

  #oco(): Command {
    const { trigger, reduces } = this.#product;
    return {
      kind: "placeOco",
      ...this.#base("oco"),
      price: this.#ticks("price"),
      trigger: this.#ticks("stopPrice"),
      stopPrice: this.#ticks("stopLimitPrice"),
      ...trigger(false),
      ...reduces("oco"),
    };
  }

  #twap(): Command {
    this.#product.reduces("twap");
    const { durationSeconds = 0, intervalSeconds = 0 } = this.#body;
    return {
      kind: "placeTwap",
      ...this.#base("twap"),
      price: this.#ticks("price"),
      durationMs: durationSeconds * 1_000,
      intervalMs: intervalSeconds * 1_000,
    };
  }

  /** One order per rung, each with an id of its own, so that a repeated request repeats every rung. */
  #scaled(): readonly Command[] {
    const { count = 0, shape = "flat", clientOrderId } = this.#body;
    const [from, to] = [this.#ticks("price"), this.#ticks("priceTo")];
    const base = this.#base("scaled");
    const sizes = scaleLots(base.quantity, count, shape);
    if (Math.abs(to - from) < count - 1 || sizes.some((lots) => lots < 1)) {
      throw new Misshapen("INVALID_SCALE", "count", "Too many orders for this price range or quantity.");
    }
    return sizes.map((quantity, rung) => ({
      kind: "placeOrder",
      ...base,
      quantity,
      ...(clientOrderId === undefined ? {} : { clientOrderId: rungId(clientOrderId, rung) }),
      price: from + Math.trunc(((to - from) * rung) / (count - 1)),
      ...this.#postOnly(),
      ...this.#product.reduces("scaled"),
    }));
  }
}
