// Orders of the Binance dialect that close a whole position (closePosition=true): stops of our positions, set one after
// the other for each caller because a stop and its take-profit are set together.
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import { type DialectCall, holderOf } from "../endpoint.ts";
import { DialectRefusal } from "../refusal.ts";
import { type Contracts, NATIVE, writeQuantity } from "./contracts.ts";
import type { ContractOrder } from "./order-request.ts";
import { describePlaced } from "./order-view.ts";

export function closeOrders(contracts: Contracts) {
  const waiting = new Map<number, Promise<unknown>>();
  return async (
    call: DialectCall,
    contract: ContractInfo,
    order: ContractOrder,
  ): Promise<object & { readonly orderId: number }> => {
    const { userId } = holderOf(call);
    const before = waiting.get(userId) ?? Promise.resolve();
    const work = before.then(() => setStop(contracts, call, contract, order));
    const done = work.catch(() => undefined);
    waiting.set(userId, done);
    void done.then(() => {
      if (waiting.get(userId) === done) waiting.delete(userId);
    });
    return work;
  };
}

async function setStop(
  contracts: Contracts,
  { ask, timeMs }: DialectCall,
  contract: ContractInfo,
  order: ContractOrder,
): Promise<object & { readonly orderId: number }> {
  const { body, positionSide, type } = order;
  const { biz } = contracts.kind;
  const query = { biz, pairCode: contract.pairCode };
  const positions = (await ask("GET", `${NATIVE}/positions`, { query })) as FuturesPosition[];
  const closed = body.side === "sell" ? "long" : "short";
  const position = positions.find(
    (one) => one.side === closed && one.positionSide.toUpperCase() === positionSide && one.quantity !== "0",
  );
  if (position === undefined) {
    throw new DialectRefusal(-4509, "Time in Force (TIF) GTE can only be used with open positions.");
  }
  const kind = type === "TAKE_PROFIT_MARKET" ? "profit" : "loss";
  const whole = position.stops.filter(({ isWhole }) => isWhole);
  if (whole.some((stop) => stop.kind === kind || stop.kind === "trailing")) {
    const message = "An open stop or take profit order with GTE and closePosition in the direction is existing.";
    throw new DialectRefusal(-4130, message);
  }
  const other = whole[0]?.triggerPrice ?? undefined;
  const stop = {
    biz,
    positionId: position.positionId,
    [kind]: { triggerPrice: body.stopPrice },
    ...(other === undefined ? {} : { [kind === "profit" ? "loss" : "profit"]: { triggerPrice: other } }),
    source: body.triggerSource === "mark" ? "mark" : "last",
  };
  const now = (await ask("POST", `${NATIVE}/positions/stop`, { body: stop })) as FuturesPosition;
  const made = now.stops.find((one) => one.isWhole && one.kind === kind);
  if (made === undefined) throw new DialectRefusal(-2021, "Order would immediately trigger.");
  const placed = {
    orderId: made.orderId,
    clientOrderId: null,
    status: "PENDING_TRIGGER",
    filledQuantity: "0",
    filledAmount: "0",
    averagePrice: null,
    orderIds: [],
    isRepeat: false,
    sequence: 0,
  };
  const named = { ...order, body: { ...body, clientOrderId: `web_${made.orderId}` } };
  const origQty = writeQuantity(contract, made.quantity);
  const view = describePlaced(contracts, contract, named, placed, timeMs);
  const closing = { origQty, closePosition: true, reduceOnly: true };
  return Object.assign(view, closing, { orderId: Number(made.orderId) });
}
