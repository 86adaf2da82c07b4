// How a futures order on the wire becomes commands of the core: the members each type requires and permits, and their
// exact numbers. Pure. The core decides whatever it can; this file checks only what the core could not read.

import type { Command } from "@clockwork/core/protocol/command";
import { priceText, quantityText, readPriceTicks, readQuantityLots } from "@clockwork/kit/instrument";
import { CALLBACK_MAX_BPS, CALLBACK_MIN_BPS, SLIPPAGE_MAX_BPS, SLIPPAGE_MIN_BPS } from "@clockwork/kit/order-bounds";
import { rungId, scaleLots } from "@clockwork/kit/scaled";
import { readSteps } from "@clockwork/kit/whole-text";
import type { MarketPair } from "../markets/pair.ts";
import type { ContractRefusal } from "../positions/refusals.ts";
import type { FuturesOrderBody, FuturesOrderType } from "./contract.ts";

/** Why an order is invalid before it reaches the core. */
export interface OrderProblem {
  readonly code: ContractRefusal;
  readonly message: string;
  /** The member that is wrong. */
  readonly field: string;
}

export type BuiltOrder =
  | { readonly ok: true; readonly commands: readonly Command[] }
  | { readonly ok: false; readonly problem: OrderProblem };

export interface OrderPlace {
  readonly pair: MarketPair;
  readonly account: number;
  readonly isHedge: boolean;
  /** The reference of a plan without a direction. */
  readonly referenceTicks: number;
}

type Member = keyof FuturesOrderBody;

interface Shape {
  readonly needs: readonly Member[];
  readonly may: readonly Member[];
}

const EXITS = ["stopProfit", "stopLoss", "stopLossPrice"] as const;
const PLAN: readonly Member[] = ["triggerSource", "triggerDirection", "closeOnTrigger"];
const SHAPES: Readonly<Record<FuturesOrderType, Shape>> = {
  limit: { needs: ["price"], may: ["timeInForce", "expiresAtMs", "postOnly", "visibleQuantity", ...EXITS] },
  market: { needs: [], may: ["timeInForce", "slippagePercent", ...EXITS] },
  stopLimit: { needs: ["stopPrice", "price"], may: ["timeInForce", "postOnly", ...PLAN] },
  stopMarket: { needs: ["stopPrice"], may: ["slippagePercent", ...PLAN] },
  trailingStop: {
    needs: ["callbackPercent"],
    may: ["stopPrice", "slippagePercent", "triggerSource", "closeOnTrigger"],
  },
  oco: { needs: ["price", "stopPrice"], may: ["stopLimitPrice", "triggerSource"] },
  twap: { needs: ["price", "durationSeconds", "intervalSeconds"], may: [] },
  scaled: { needs: ["price", "priceTo", "count"], may: ["shape", "postOnly"] },
};
const COMMON: ReadonlySet<string> = new Set([
  "biz",
  "account",
  "pairCode",
  "side",
  "type",
  "quantity",
  "positionSide",
  "reduceOnly",
  "positionId",
  "clientOrderId",
  "selfTrade",
]);

/** Stops the building of an order; caught where it began. */
class Misshapen extends Error {
  readonly problem: OrderProblem;

  constructor(code: ContractRefusal, field: string, message: string) {
    super(message);
    this.problem = { code, field, message };
  }
}

export function buildOrder(place: OrderPlace, body: FuturesOrderBody): BuiltOrder {
  try {
    checkMembers(body);
    return { ok: true, commands: new Builder(place, body).build() };
  } catch (error) {
    if (error instanceof Misshapen) return { ok: false, problem: error.problem };
    throw error;
  }
}

function checkMembers(body: FuturesOrderBody): void {
  const { needs, may } = SHAPES[body.type];
  for (const member of needs) {
    if (body[member] !== undefined) continue;
    throw new Misshapen("INVALID_ORDER", member, `A ${body.type} order needs ${member}.`);
  }
  for (const member of Object.keys(body) as Member[]) {
    if (body[member] === undefined || COMMON.has(member) || needs.includes(member) || may.includes(member)) continue;
    throw new Misshapen("INVALID_COMBINATION", member, `A ${body.type} order takes no ${member}.`);
  }
}

type PriceMember = "price" | "priceTo" | "stopPrice" | "stopLimitPrice" | (typeof EXITS)[number];

class Builder {
  readonly #place: OrderPlace;
  readonly #body: FuturesOrderBody;

  constructor(place: OrderPlace, body: FuturesOrderBody) {
    this.#place = place;
    this.#body = body;
  }

  build(): readonly Command[] {
    const { type } = this.#body;
    switch (type) {
      case "limit":
      case "market":
        return [EXITS.some((member) => this.#body[member] !== undefined) ? this.#bracket(type) : this.#plain(type)];
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
    const { side, selfTrade, clientOrderId } = this.#body;
    return {
      account: this.#place.account,
      market: this.#place.pair.market,
      side,
      quantity: this.#lots("quantity"),
      ...(selfTrade === undefined ? {} : { selfTrade }),
      ...(clientOrderId === undefined ? {} : { clientOrderId }),
    };
  }

  /** In hedge mode the side of the position decides whether an order closes; otherwise the caller does. */
  #reduces(): { reduceOnly?: true; position?: number } {
    const { side, positionSide = "both", reduceOnly, positionId } = this.#body;
    const { isHedge } = this.#place;
    if (isHedge && this.#body.positionSide === "both") {
      throw new Misshapen("INVALID_COMBINATION", "positionSide", "In hedge mode an order is about long or short.");
    }
    if (!isHedge && positionSide !== "both") {
      throw new Misshapen(
        "INVALID_COMBINATION",
        "positionSide",
        "In one-way mode there is one position: leave it out.",
      );
    }
    const closes = positionSide !== "both" && (positionSide === "long") === (side === "sell");
    if (positionSide !== "both" && reduceOnly !== undefined && reduceOnly !== closes) {
      const message = closes
        ? "This order closes a position: reduceOnly cannot be false."
        : "This order opens a position: it cannot be reduce-only.";
      throw new Misshapen("INVALID_COMBINATION", "reduceOnly", message);
    }
    const isReducing = closes || reduceOnly === true;
    if (positionId !== undefined && !isReducing) {
      throw new Misshapen("INVALID_COMBINATION", "positionId", "Only an order that reduces names a position.");
    }
    return {
      ...(isReducing ? { reduceOnly: true } : {}),
      ...(positionId === undefined ? {} : { position: Number(positionId) }),
    };
  }

  #refuseReducing(): void {
    const { reduceOnly, position } = this.#reduces();
    if (reduceOnly !== true && position === undefined) return;
    const { type } = this.#body;
    throw new Misshapen("INVALID_COMBINATION", "reduceOnly", `A ${type} order cannot be told to reduce only.`);
  }

  #ticks(member: PriceMember): number {
    const text = this.#body[member];
    if (text === undefined) return 0;
    const { pair } = this.#place;
    const ticks = readPriceTicks(pair, text);
    if (ticks !== undefined) return ticks;
    const code = member === "stopPrice" ? "INVALID_TRIGGER" : "INVALID_PRICE";
    throw new Misshapen(code, member, `${member} must be a multiple of ${priceText(pair, 1)} above zero.`);
  }

  #lots(member: "quantity" | "visibleQuantity"): number {
    const { pair } = this.#place;
    const lots = readQuantityLots(pair, this.#body[member] ?? "");
    if (lots !== undefined) return lots;
    const message = `${member} must be a multiple of ${quantityText(pair, 1)} above zero.`;
    throw new Misshapen("INVALID_QUANTITY", member, message);
  }

  #bps(member: "callbackPercent" | "slippagePercent", code: ContractRefusal, low: number, high: number): number {
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

  #plain(type: "limit" | "market"): Command {
    const { timeInForce, expiresAtMs, visibleQuantity } = this.#body;
    if (type === "market") {
      this.#checkMarketTime();
      return { kind: "placeOrder", ...this.#base(), type, ...this.#slippage(), ...this.#reduces() };
    }
    if ((timeInForce === "GTD") !== (expiresAtMs !== undefined)) {
      throw new Misshapen("INVALID_EXPIRY", "expiresAtMs", "timeInForce GTD and expiresAtMs go together.");
    }
    return {
      kind: "placeOrder",
      ...this.#base(),
      price: this.#ticks("price"),
      ...(timeInForce === undefined ? {} : { timeInForce }),
      ...(expiresAtMs === undefined ? {} : { expiresAt: expiresAtMs }),
      ...(visibleQuantity === undefined ? {} : { visible: this.#lots("visibleQuantity") }),
      ...this.#postOnly(),
      ...this.#reduces(),
    };
  }

  #checkMarketTime(): void {
    const { timeInForce } = this.#body;
    if (timeInForce === undefined || timeInForce === "IOC" || timeInForce === "GTC") return;
    throw new Misshapen("INVALID_COMBINATION", "timeInForce", "A market order is immediate: leave timeInForce out.");
  }

  #bracket(type: "limit" | "market"): Command {
    const { timeInForce, stopLoss, stopLossPrice, expiresAtMs, visibleQuantity } = this.#body;
    this.#refuseReducing();
    const refused = timeInForce === "GTD" || expiresAtMs !== undefined ? "expiresAtMs" : undefined;
    const field = refused ?? (visibleQuantity === undefined ? undefined : "visibleQuantity");
    if (field !== undefined) {
      throw new Misshapen("INVALID_COMBINATION", field, "An order with exits can neither expire nor hide a part.");
    }
    if (stopLossPrice !== undefined && stopLoss === undefined) {
      throw new Misshapen("INVALID_COMBINATION", "stopLossPrice", "stopLossPrice goes with stopLoss.");
    }
    if (type === "market") this.#checkMarketTime();
    const entry = type === "limit" ? { price: this.#ticks("price"), ...this.#postOnly() } : this.#slippage();
    return {
      kind: "placeBracket",
      ...this.#base(),
      type,
      ...entry,
      ...(type === "market" || timeInForce === undefined ? {} : { timeInForce }),
      profitPrice: this.#ticks("stopProfit"),
      stopTrigger: this.#ticks("stopLoss"),
      stopPrice: this.#ticks("stopLossPrice"),
    };
  }

  #plan(conditional: "stopLimit" | "stopMarket" | "trailingStop"): Command {
    const { timeInForce, triggerDirection, triggerSource = "mark", closeOnTrigger } = this.#body;
    if (timeInForce === "GTD") {
      throw new Misshapen("INVALID_COMBINATION", "timeInForce", "A plan cannot expire: GTC, IOC or FOK.");
    }
    const trigger = this.#ticks("stopPrice");
    const isTrailing = conditional === "trailingStop";
    return {
      kind: "placeConditional",
      ...this.#base(),
      conditional,
      ...(conditional === "stopLimit" ? { price: this.#ticks("price") } : { type: "market" as const }),
      trigger,
      source: triggerSource,
      callbackBps: isTrailing
        ? this.#bps("callbackPercent", "INVALID_CALLBACK", CALLBACK_MIN_BPS, CALLBACK_MAX_BPS)
        : 0,
      direction: triggerDirection ?? (trigger > this.#place.referenceTicks ? "rises" : "falls"),
      ...(timeInForce === undefined ? {} : { timeInForce }),
      ...(closeOnTrigger === undefined ? {} : { closeOnTrigger }),
      ...this.#postOnly(),
      ...this.#slippage(),
      ...this.#reduces(),
    };
  }

  #oco(): Command {
    const { triggerSource } = this.#body;
    const { position, ...reduces } = this.#reduces();
    if (position !== undefined) {
      throw new Misshapen("INVALID_COMBINATION", "positionId", "An oco order names no position.");
    }
    return {
      kind: "placeOco",
      ...this.#base(),
      price: this.#ticks("price"),
      trigger: this.#ticks("stopPrice"),
      stopPrice: this.#ticks("stopLimitPrice"),
      ...(triggerSource === undefined ? {} : { source: triggerSource }),
      ...reduces,
    };
  }

  #twap(): Command {
    this.#refuseReducing();
    const { durationSeconds = 0, intervalSeconds = 0 } = this.#body;
    return {
      kind: "placeTwap",
      ...this.#base(),
      price: this.#ticks("price"),
      durationMs: durationSeconds * 1_000,
      intervalMs: intervalSeconds * 1_000,
    };
  }

  /** One order per rung, each with an id of its own, so that a repeated request repeats every rung. */
  #scaled(): readonly Command[] {
    const { count = 0, shape = "flat", clientOrderId } = this.#body;
    const [from, to] = [this.#ticks("price"), this.#ticks("priceTo")];
    const base = this.#base();
    const sizes = scaleLots(base.quantity, count, shape);
    if (Math.abs(to - from) < count - 1 || sizes.some((lots) => lots < 1)) {
      const message = "Too many orders for this price range or quantity.";
      throw new Misshapen("INVALID_SCALE", "count", message);
    }
    return sizes.map((quantity, rung) => ({
      kind: "placeOrder",
      ...base,
      quantity,
      ...(clientOrderId === undefined ? {} : { clientOrderId: rungId(clientOrderId, rung) }),
      price: from + Math.trunc(((to - from) * rung) / (count - 1)),
      ...this.#postOnly(),
      ...this.#reduces(),
    }));
  }
}
