// Which past trades a call of the Binance dialect requests, and trades as they are published joined to aggregates.
import type { AggregateTrade, MarketTrade } from "@clockwork/trading/markets/contract";
import type { PastRequest } from "@clockwork/trading/markets/trade-history";
import { sum } from "./numbers.ts";
import type { Parameters } from "./request.ts";

const LIMIT = 500;
const LIMIT_MAX = 1_000;

/** The first ones from a number or a time on, else the newest. */
export function readPast(parameters: Parameters, isLast = false): PastRequest {
  const limit = parameters.integer("limit", { min: 1, max: LIMIT_MAX }) ?? LIMIT;
  if (isLast) return { limit };
  const [fromId, from, to] = [
    parameters.integer("fromId"),
    parameters.integer("startTime"),
    parameters.integer("endTime"),
  ];
  return {
    limit,
    ...(fromId === undefined ? {} : { fromId }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** Of trades in order, as they are published: those of one command together. */
export function joinAggregates(trades: readonly MarketTrade[]): readonly AggregateTrade[] {
  const joined: { -readonly [Name in keyof AggregateTrade]: AggregateTrade[Name] }[] = [];
  for (const { id: number, aggregate, quantity, ...trade } of trades) {
    const last = joined.at(-1);
    if (last?.id === aggregate) {
      last.quantity = sum(last.quantity, quantity);
      last.lastId = number;
    } else joined.push({ ...trade, quantity, id: aggregate, firstId: number, lastId: number });
  }
  return joined;
}
