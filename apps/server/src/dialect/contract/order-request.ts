// An order of a contract in the Binance dialect, read into the order our own call takes. Which members go together is
// checked here by the dialect's rules; whether it may trade is the exchange's decision.
import type { FuturesOrderBody } from "@clockwork/trading/futures/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { DialectRefusal, missing, notRequired } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { badTime, badType, readClientId, readSide } from "../spot/order-request.ts";
import { type Contracts, readQuantity } from "./contracts.ts";

const TYPES = [
  "LIMIT",
  "MARKET",
  "STOP",
  "STOP_MARKET",
  "TAKE_PROFIT",
  "TAKE_PROFIT_MARKET",
  "TRAILING_STOP_MARKET",
] as const;
type OrderType = (typeof TYPES)[number];
const TIMES = ["GTC", "IOC", "FOK", "GTX", "GTD"] as const;
const MODES = ["EXPIRE_TAKER", "EXPIRE_MAKER", "EXPIRE_BOTH"] as const;
/** Members that say something of some types alone, and those types. */
const ALONE: Readonly<Record<string, readonly OrderType[]>> = {
  price: ["LIMIT", "STOP", "TAKE_PROFIT"],
  stopPrice: ["STOP", "STOP_MARKET", "TAKE_PROFIT", "TAKE_PROFIT_MARKET"],
  triggerPrice: ["STOP", "STOP_MARKET", "TAKE_PROFIT", "TAKE_PROFIT_MARKET"],
  callbackRate: ["TRAILING_STOP_MARKET"],
  activationPrice: ["TRAILING_STOP_MARKET"],
  activatePrice: ["TRAILING_STOP_MARKET"],
  goodTillDate: ["LIMIT"],
  icebergQty: ["LIMIT"],
};

const bad = (name: string) => (): DialectRefusal =>
  new DialectRefusal(-1130, `Data sent for parameter '${name}' is not valid.`);

export type PositionSide = "BOTH" | "LONG" | "SHORT";

/** The dialect's request and the input of our call. */
export interface ContractOrder {
  readonly body: FuturesOrderBody & { readonly clientOrderId: string };
  readonly type: OrderType;
  readonly positionSide: PositionSide;
  /** Ends the whole position when its trigger comes; such an order names no quantity. */
  readonly isClosing: boolean;
}

export function readPositionSide(parameters: Parameters): PositionSide | undefined {
  return parameters.one("positionSide", ["BOTH", "LONG", "SHORT"], bad("positionSide"));
}

export function readContractOrder(
  parameters: Parameters,
  { kind }: Contracts,
  contract: ContractInfo,
  makeId: () => string,
): ContractOrder {
  const type = parameters.one("type", TYPES, badType);
  const side = readSide(parameters);
  if (type === undefined) throw missing("type");
  checkShape(type, parameters);
  const positionSide = readPositionSide(parameters) ?? "BOTH";
  const isClosing = parameters.flag("closePosition") === true;
  if (isClosing && type !== "STOP_MARKET" && type !== "TAKE_PROFIT_MARKET") throw notRequired("closePosition");
  if (isClosing && parameters.text("quantity") !== undefined) throw notRequired("quantity");
  const reduceOnly = parameters.flag("reduceOnly");
  if (isClosing && reduceOnly !== undefined) throw notRequired("reduceOnly");
  const selfTrade = parameters.one("selfTradePreventionMode", MODES, bad("selfTradePreventionMode"));
  const named = readClientId(parameters, "clientAlgoId") ?? readClientId(parameters);
  const body = {
    biz: kind.biz,
    pairCode: contract.pairCode,
    side,
    positionSide: positionSide.toLowerCase() as "both" | "long" | "short",
    quantity: isClosing ? "0" : readQuantity(contract, parameters.needDecimal("quantity")),
    // A closing order of a hedge reduces by its side alone: the extra flag is refused there and harmless here.
    ...(reduceOnly === undefined || positionSide !== "BOTH" ? {} : { reduceOnly }),
    ...(selfTrade === undefined ? {} : { selfTrade }),
    clientOrderId: named ?? makeId(),
    ...readMembers(type, parameters, side, contract),
  };
  if (positionSide !== "BOTH" && reduceOnly === true) requireCloses(side, positionSide);
  return { body, type, positionSide, isClosing };
}

function requireCloses(side: "buy" | "sell", positionSide: PositionSide): void {
  if ((side === "sell") !== (positionSide === "LONG")) throw notRequired("reduceOnly");
}

function checkShape(type: OrderType, parameters: Parameters): void {
  for (const [name, types] of Object.entries(ALONE)) {
    if (parameters.text(name) !== undefined && !types.includes(type)) throw notRequired(name);
  }
}

type Members = Pick<
  FuturesOrderBody,
  | "type"
  | "price"
  | "timeInForce"
  | "expiresAtMs"
  | "postOnly"
  | "visibleQuantity"
  | "stopPrice"
  | "triggerSource"
  | "triggerDirection"
  | "callbackPercent"
>;

function readMembers(type: OrderType, parameters: Parameters, side: "buy" | "sell", contract: ContractInfo): Members {
  if (type === "MARKET") return { type: "market" };
  if (type === "LIMIT") return readLimit(parameters, contract);
  const working = parameters.one("workingType", ["MARK_PRICE", "CONTRACT_PRICE"], bad("workingType"));
  const triggerSource = working === "MARK_PRICE" ? "mark" : "last";
  if (type === "TRAILING_STOP_MARKET") {
    const stopPrice = parameters.decimal("activationPrice") ?? parameters.decimal("activatePrice");
    const callbackPercent = parameters.needDecimal("callbackRate");
    return { type: "trailingStop", triggerSource, callbackPercent, ...(stopPrice === undefined ? {} : { stopPrice }) };
  }
  const stopPrice = parameters.decimal("stopPrice") ?? parameters.decimal("triggerPrice");
  if (stopPrice === undefined) throw missing("stopPrice");
  const isStop = type.startsWith("STOP");
  const triggerDirection = (side === "buy") === isStop ? "rises" : "falls";
  const plan = { stopPrice, triggerSource, triggerDirection } as const;
  if (type.endsWith("_MARKET")) return { type: "stopMarket", ...plan };
  const time = readTime(parameters) ?? "GTC";
  if (time === "GTD") throw badTime();
  return { type: "stopLimit", ...plan, price: parameters.needDecimal("price"), ...timeOf(time) };
}

function readTime(parameters: Parameters): (typeof TIMES)[number] | undefined {
  return parameters.one("timeInForce", TIMES, badTime);
}

const timeOf = (time: Exclude<(typeof TIMES)[number], "GTD">) =>
  time === "GTX" ? ({ timeInForce: "GTC", postOnly: true } as const) : ({ timeInForce: time } as const);

function readLimit(parameters: Parameters, contract: ContractInfo): Members {
  const time = readTime(parameters);
  if (time === undefined) throw missing("timeInForce");
  const price = parameters.needDecimal("price");
  const visible = parameters.decimal("icebergQty");
  const iceberg = visible === undefined ? {} : { visibleQuantity: readQuantity(contract, visible) };
  if (time !== "GTD") {
    if (parameters.text("goodTillDate") !== undefined) throw notRequired("goodTillDate");
    return { type: "limit", price, ...timeOf(time), ...iceberg };
  }
  const expiresAtMs = parameters.integer("goodTillDate", { min: 1 });
  if (expiresAtMs === undefined) throw missing("goodTillDate");
  return { type: "limit", price, timeInForce: "GTD", expiresAtMs, ...iceberg };
}
