// Orders that wait for another's fill (OTO, OTOCO) in the Binance dialect. The exchange has them as exits of an order:
// armed fill by fill for what came, on the other side, of the same quantity. Any other pending order is refused.
import type { PlaceOrderBody } from "@clockwork/trading/spot/contract";
import { DialectRefusal, illegal, missing, notRequired } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { badTime, badType } from "./order-request.ts";

type Exits = Pick<PlaceOrderBody, "takeProfitPrice" | "stopLossPrice" | "stopLossLimitPrice">;
type Working = Pick<PlaceOrderBody, "side" | "type" | "price" | "quantity" | "timeInForce" | "postOnly">;
type Writable = { -readonly [Name in keyof Exits]: Exits[Name] };

/** Exits have no name of their own and no visible part until they are armed. */
const UNHEARD = [
  "ClientOrderId",
  "IcebergQty",
  "TrailingDelta",
  "PegPriceType",
  "PegOffsetType",
  "PegOffsetValue",
] as const;
const PLACES = { oto: ["pending"], otoco: ["pendingAbove", "pendingBelow"] } as const;

const badShape = (why: string): DialectRefusal => new DialectRefusal(-2010, why);

function readSide(parameters: Parameters, name: string): "buy" | "sell" {
  const text = parameters.needText(name).toUpperCase();
  if (text !== "BUY" && text !== "SELL") throw new DialectRefusal(-1117, "Invalid side.");
  return text === "BUY" ? "buy" : "sell";
}

export function readPending(parameters: Parameters, kind: "oto" | "otoco"): Working & Exits {
  const working = readWorking(parameters);
  const pendingSide = readSide(parameters, "pendingSide");
  if (pendingSide === working.side) throw badShape("Pending orders must be on the other side of the working order.");
  if (parameters.needDecimal("pendingQuantity") !== working.quantity)
    throw badShape("Pending orders must have the quantity of the working order.");
  const exits: Writable = {};
  for (const place of PLACES[kind]) addExit(exits, parameters, place);
  if (kind === "otoco" && (exits.takeProfitPrice === undefined || exits.stopLossPrice === undefined))
    throw badShape("One pending order must take profit, the other stop a loss.");
  return { ...working, ...exits };
}

function readWorking(parameters: Parameters): Working {
  const type = parameters.one("workingType", ["LIMIT", "LIMIT_MAKER"], badType);
  if (type === undefined) throw missing("workingType");
  for (const name of ["IcebergQty", "PegPriceType"]) {
    if (parameters.text(`working${name}`) !== undefined) throw notRequired(`working${name}`);
  }
  const working: Working = {
    side: readSide(parameters, "workingSide"),
    type: "limit",
    price: parameters.needDecimal("workingPrice"),
    quantity: parameters.needDecimal("workingQuantity"),
  };
  if (type === "LIMIT_MAKER") return { ...working, postOnly: true };
  const timeInForce = parameters.one("workingTimeInForce", ["GTC", "IOC", "FOK"], badTime);
  if (timeInForce === undefined) throw missing("workingTimeInForce");
  return { ...working, timeInForce };
}

function addExit(exits: Writable, parameters: Parameters, place: string): void {
  for (const name of UNHEARD)
    if (parameters.text(`${place}${name}`) !== undefined) throw notRequired(`${place}${name}`);
  const type = parameters.needText(`${place}Type`).toUpperCase();
  const time = parameters.text(`${place}TimeInForce`)?.toUpperCase();
  if (time !== undefined && time !== "GTC") throw illegal(`${place}TimeInForce`, "GTC");
  const price = (): string => parameters.needDecimal(`${place}Price`);
  if (type === "LIMIT" || type === "LIMIT_MAKER") exits.takeProfitPrice = price();
  else if (type === "STOP_LOSS" || type === "STOP_LOSS_LIMIT") {
    exits.stopLossPrice = parameters.needDecimal(`${place}StopPrice`);
    if (type === "STOP_LOSS_LIMIT") exits.stopLossLimitPrice = price();
  } else throw badType();
}
