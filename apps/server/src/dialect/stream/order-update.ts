// ORDER_TRADE_UPDATE of the Binance dialect: the changes of an order since it was last published, one event for each
// step.
import type { FuturesFill, FuturesOrder } from "@clockwork/trading/futures/contract";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { type Contracts, writeQuantity } from "../contract/contracts.ts";
import { describeOrder, OPEN_STATES } from "../contract/order-view.ts";
import { eventTime } from "../event-time.ts";
import { sum } from "../numbers.ts";

/** What was published of an order so far. */
export interface Published {
  readonly filled: string;
  readonly isWaiting: boolean;
  readonly quantity: string;
  readonly price: string | null;
}

export function publishedOf({ filledQuantity, status, quantity, price }: FuturesOrder): Published {
  return { filled: filledQuantity, isWaiting: status === "PENDING_TRIGGER", quantity, price };
}

/** New, then each fill, then how it ended. */
export function* describeOrderChanges(
  contracts: Contracts,
  contract: ContractInfo,
  order: FuturesOrder,
  fills: readonly FuturesFill[],
  before: Published | undefined,
  timeMs: number,
): Generator<object> {
  const report = reporter(contracts, contract, order, timeMs);
  const isEnded = !OPEN_STATES.has(order.status);
  const isWoken = before?.isWaiting === true && order.status !== "PENDING_TRIGGER" && !(isEnded && fills.length === 0);
  const isAmended =
    before !== undefined && !isEnded && (before.quantity !== order.quantity || before.price !== order.price);
  let filled = before?.filled ?? "0";
  if (before === undefined || isWoken) yield report("NEW", "NEW", filled, undefined);
  else if (isAmended) yield report("AMENDMENT", Number(filled) > 0 ? "PARTIALLY_FILLED" : "NEW", filled, undefined);
  for (const [place, fill] of fills.entries()) {
    filled = sum(filled, fill.quantity);
    const isLast = place === fills.length - 1;
    if (contracts.kind.biz === "futures") yield describeLite(contracts, contract, order, fill, timeMs);
    yield report("TRADE", isLast && order.status === "FILLED" ? "FILLED" : "PARTIALLY_FILLED", filled, fill);
  }
  if (!isEnded || order.status === "FILLED") return;
  const state = order.status === "EXPIRED_STP" ? "EXPIRED_IN_MATCH" : order.status;
  yield report(state === "EXPIRED_IN_MATCH" ? "EXPIRED" : state, state, filled, undefined);
}

/** The same fill in few words, ahead of the whole event. */
function describeLite(
  contracts: Contracts,
  contract: ContractInfo,
  order: FuturesOrder,
  fill: FuturesFill,
  timeMs: number,
): object {
  const view = describeOrder(contracts, contract, order);
  return {
    e: "TRADE_LITE",
    E: eventTime(timeMs, fill.timeMs),
    T: fill.timeMs,
    s: view.symbol,
    q: view.origQty,
    p: view.price,
    m: fill.role === "maker",
    c: view.clientOrderId,
    S: view.side,
    L: fill.price,
    l: writeQuantity(contract, fill.quantity),
    t: fill.tradeId,
    i: view.orderId,
  };
}

function reporter(contracts: Contracts, contract: ContractInfo, order: FuturesOrder, timeMs: number) {
  const view = describeOrder(contracts, contract, order);
  return (x: string, X: string, filled: string, fill: FuturesFill | undefined): object => ({
    e: "ORDER_TRADE_UPDATE",
    E: eventTime(timeMs, order.updatedAtMs),
    T: order.updatedAtMs,
    o: {
      s: view.symbol,
      c: view.clientOrderId,
      S: view.side,
      o: view.type,
      f: view.timeInForce,
      q: view.origQty,
      p: view.price,
      ap: view.avgPrice,
      sp: view.stopPrice,
      x,
      X,
      i: view.orderId,
      l: fill === undefined ? "0" : writeQuantity(contract, fill.quantity),
      z: writeQuantity(contract, filled),
      L: fill?.price ?? "0",
      ...(fill === undefined ? {} : { n: fill.fee, N: fill.feeAsset }),
      T: fill?.timeMs ?? order.updatedAtMs,
      t: fill?.tradeId ?? 0,
      b: "0",
      a: "0",
      m: fill?.role === "maker",
      R: view.reduceOnly,
      wt: view.workingType,
      ot: view.origType,
      ps: view.positionSide,
      cp: view.closePosition,
      ...(view.priceRate === undefined ? {} : { AP: view.activatePrice, cr: view.priceRate }),
      pP: false,
      si: 0,
      ss: 0,
      rp: fill?.realizedPnl ?? "0",
      V: view.selfTradePreventionMode,
      pm: "NONE",
      gtd: 0,
    },
  });
}
