// What happened to spot orders beyond their fills in the Binance dialect: amendments, and matches that were prevented.
import { priceText, quantityText } from "@clockwork/kit/instrument";
import type { MarketPair } from "@clockwork/trading/markets/pair";
import type { OrderEventStore, PreventedRow } from "@clockwork/trading/projectors/orders/order-events";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { fixed } from "../numbers.ts";
import { DialectRefusal, missing } from "../refusal.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";
import { NATIVE } from "./order-list.ts";
import { clientIdOf } from "./order-view.ts";
import { findOrder } from "./orders.ts";

const API = "/api/v3";
const reads = { method: "GET", security: "signed", permission: "read" } as const;
const ROWS = { max: 1_000, normal: 500 } as const;
/** Prevented matches of a command are numbered within it. */
const A_COMMAND = 1_000;

export interface SpotEventParts {
  readonly symbols: SpotSymbols;
  readonly events: OrderEventStore;
}

/** The tables hold what the caller was answered before: the call for fills waits for that. */
export const settle = ({ ask }: Pick<DialectCall, "ask">, pairCode: string): Promise<unknown> =>
  ask("GET", `${NATIVE}/fills`, { query: { pairCode, limit: 1 } });

export function spotEventEndpoints({ symbols, events }: SpotEventParts): readonly Endpoint[] {
  return [
    {
      ...reads,
      path: `${API}/order/amendments`,
      weight: 4,
      handle: async (call) => {
        const { parameters } = call;
        const pair = symbols.read(parameters);
        const order = await findOrder(call, pair);
        const from = parameters.integer("fromExecutionId") ?? 0;
        const limit = parameters.integer("limit", { min: 1, max: ROWS.max }) ?? ROWS.normal;
        await settle(call, pair.pairCode);
        const rows = await events.readAmendments(Number(order.orderId), from, limit);
        return rows.map(({ sequence, time_ms: time, lots_before: before, lots_after: after }) => ({
          symbol: symbolOf(pair),
          orderId: Number(order.orderId),
          executionId: sequence,
          origClientOrderId: clientIdOf(order),
          newClientOrderId: clientIdOf(order),
          origQty: fixed(quantityText(pair, before)),
          newQty: fixed(quantityText(pair, after)),
          time,
        }));
      },
    },
    {
      ...reads,
      path: `${API}/myPreventedMatches`,
      weight: (parameters) => (parameters.has("preventedMatchId") ? 2 : 20),
      handle: async (call) => {
        const { parameters } = call;
        const pair = symbols.read(parameters);
        const rows = await readPrevented(call, pair, events);
        const from = parameters.integer("fromPreventedMatchId") ?? 0;
        return rows.filter((row) => numberOf(row) >= from).map((row) => describePrevented(pair, row));
      },
    },
  ];
}

const numberOf = ({ sequence, place }: PreventedRow): number => sequence * A_COMMAND + place;

async function readPrevented(
  call: DialectCall,
  pair: MarketPair,
  events: OrderEventStore,
): Promise<readonly PreventedRow[]> {
  const { parameters, ask } = call;
  const number = parameters.integer("preventedMatchId", { min: 1 });
  const limit = parameters.integer("limit", { min: 1, max: ROWS.max }) ?? ROWS.normal;
  if (number === undefined) {
    if (parameters.text("orderId") === undefined) throw missing("orderId");
    const { orderId } = await findOrder(call, pair);
    await settle(call, pair.pairCode);
    return events.readPrevented(Number(orderId), limit);
  }
  await settle(call, pair.pairCode);
  const row = await events.findPrevented(Math.floor(number / A_COMMAND), number % A_COMMAND);
  if (row === undefined || row.market !== pair.market) return [];
  // Both orders have one owner: another caller's is not found.
  const found = ask("GET", `${NATIVE}/orders/:id`, { params: { id: String(row.taker_order) } });
  const isOwn = await found.then(
    () => true,
    (error: unknown) => {
      if (error instanceof DialectRefusal && error.code === -2013) return false;
      throw error;
    },
  );
  return isOwn ? [row] : [];
}

function describePrevented(pair: MarketPair, row: PreventedRow): object {
  const quantity = fixed(quantityText(pair, row.lots));
  return {
    symbol: symbolOf(pair),
    preventedMatchId: numberOf(row),
    takerOrderId: row.taker_order,
    makerSymbol: symbolOf(pair),
    makerOrderId: row.maker_order,
    tradeGroupId: -1,
    selfTradePreventionMode: row.mode,
    price: fixed(priceText(pair, row.price_ticks)),
    ...(row.mode === "EXPIRE_TAKER" ? {} : { makerPreventedQuantity: quantity }),
    ...(row.mode === "EXPIRE_MAKER" ? {} : { takerPreventedQuantity: quantity }),
    transactTime: row.time_ms,
  };
}
