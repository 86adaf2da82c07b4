// What orders of contracts add to those of every market (`orders/order-builder.ts`): sides of positions, reducing, and
// the price that triggers. Pure.
import type { MarketPair } from "../markets/pair.ts";
import type { OrderKind } from "../orders/contract.ts";
import { type BuiltOrder, buildOrder as build, Misshapen } from "../orders/order-builder.ts";
import type { FuturesOrderBody } from "./contract.ts";

export interface OrderPlace {
  readonly pair: MarketPair;
  readonly account: number;
  readonly isHedge: boolean;
  /** The reference of a plan without a direction. */
  readonly referenceTicks: number;
}

const COMMON: ReadonlySet<string> = new Set([
  "biz",
  "account",
  "pairCode",
  "side",
  "type",
  "positionSide",
  "reduceOnly",
  "positionId",
  "clientOrderId",
  "selfTrade",
]);
const EXITS = ["stopProfit", "stopLoss", "stopLossPrice"] as const;
const PLAN = ["triggerSource", "closeOnTrigger"];
const MORE = { stopLimit: PLAN, stopMarket: PLAN, trailingStop: PLAN, oco: ["triggerSource"] };
/** What always opens: an entry with exits, and a TWAP. */
const OPENING: ReadonlySet<string> = new Set(["bracket", "twap"]);

export function buildOrder(place: OrderPlace, body: FuturesOrderBody): BuiltOrder {
  const { triggerSource, closeOnTrigger } = body;
  return build(
    body.type,
    {
      ...place,
      side: body.side,
      exits: EXITS,
      common: COMMON,
      more: MORE,
      isSizeOptional: () => false,
      triggerCode: "INVALID_TRIGGER",
      size: (lots) => ({ quantity: lots() }),
      reduces: (kind) => reducesOf(place, body, kind),
      trigger: (isPlan) => ({
        ...(isPlan || triggerSource !== undefined ? { source: triggerSource ?? "mark" } : {}),
        ...(closeOnTrigger === undefined ? {} : { closeOnTrigger }),
      }),
    },
    body,
  );
}

/** In hedge mode the side of the position decides whether an order closes; otherwise the caller does. */
function reducesOf(
  { isHedge }: OrderPlace,
  { type, side, positionSide, reduceOnly, positionId }: FuturesOrderBody,
  kind: OrderKind | "bracket",
): { reduceOnly?: true; position?: number } {
  const held = positionSide ?? "both";
  if (isHedge && positionSide === "both") {
    throw new Misshapen("INVALID_COMBINATION", "positionSide", "In hedge mode an order is about long or short.");
  }
  if (!isHedge && held !== "both") {
    const message = "In one-way mode there is one position: leave it out.";
    throw new Misshapen("INVALID_COMBINATION", "positionSide", message);
  }
  const closes = held !== "both" && (held === "long") === (side === "sell");
  if (held !== "both" && reduceOnly !== undefined && reduceOnly !== closes) {
    const message = closes
      ? "This order closes a position: reduceOnly cannot be false."
      : "This order opens a position: it cannot be reduce-only.";
    throw new Misshapen("INVALID_COMBINATION", "reduceOnly", message);
  }
  const isReducing = closes || reduceOnly === true;
  if (positionId !== undefined && !isReducing) {
    throw new Misshapen("INVALID_COMBINATION", "positionId", "Only an order that reduces names a position.");
  }
  if (isReducing && OPENING.has(kind)) {
    throw new Misshapen("INVALID_COMBINATION", "reduceOnly", `A ${type} order cannot be told to reduce only.`);
  }
  if (kind === "oco" && positionId !== undefined) {
    throw new Misshapen("INVALID_COMBINATION", "positionId", "An oco order names no position.");
  }
  return {
    ...(isReducing ? { reduceOnly: true } : {}),
    ...(positionId === undefined ? {} : { position: Number(positionId) }),
  };
}
