// Figures of contracts that clients of the Binance dialect read beside prices: what an index is made of, the insurance
// fund, changes of orders, and lists of what is not offered here and therefore empty.
import { priceText, quantityText } from "@clockwork/kit/instrument";
import type { Market } from "@clockwork/trading/market/offer";
import type { ContractInfo, IndexView } from "@clockwork/trading/markets/contract";
import type { OrderEventStore } from "@clockwork/trading/projectors/orders/order-events";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { fixed } from "../numbers.ts";
import { badSymbol } from "../refusal.ts";
import { clientIdOf } from "../spot/order-view.ts";
import { symbolOf } from "../symbols.ts";
import { type Contracts, NATIVE, writeQuantity } from "./contracts.ts";
import { reads } from "./order-reads.ts";
import { findOrder } from "./orders.ts";

const open = { method: "GET", security: "none" } as const;
const ROWS = { max: 100, normal: 50 } as const;

export interface ContractFigureParts {
  readonly contracts: Contracts;
  readonly market: Pick<Market, "contracts" | "pairs">;
  readonly events: OrderEventStore;
}

export function contractFigureEndpoints(parts: ContractFigureParts): readonly Endpoint[] {
  const { contracts } = parts;
  const api = `${contracts.kind.base}/v1`;
  const both: readonly Endpoint[] = [
    { ...open, path: `${api}/constituents`, weight: 2, handle: (call) => readConstituents(contracts, call) },
    { ...reads, path: `${api}/orderAmendment`, weight: 1, handle: (call) => readAmendments(parts, call) },
  ];
  if (contracts.kind.biz !== "futures") return both;
  return [
    ...both,
    { ...open, path: `${api}/insuranceBalance`, weight: 1, handle: (call) => readInsurance(parts, call) },
    // No index is made of other contracts.
    { ...open, path: `${api}/indexInfo`, weight: 1, handle: () => [] },
    // Every contract here is traded around the clock: only others have hours.
    {
      ...open,
      path: `${api}/tradingSchedule`,
      weight: 5,
      handle: ({ timeMs }) => ({ updateTime: timeMs, marketSchedules: {} }),
    },
    // No rule of this kind has limited the account.
    {
      ...reads,
      path: `${api}/apiTradingStatus`,
      weight: 1,
      handle: ({ timeMs }) => ({ indicators: {}, updateTime: timeMs }),
    },
  ];
}

async function readConstituents(contracts: Contracts, { parameters, ask, timeMs }: DialectCall): Promise<object> {
  const named = parameters.needText("symbol");
  // Inverse contracts are named by their pair here.
  const contract = contracts.list().find((one) => contracts.kind.symbolOf(one) === named || symbolOf(one) === named);
  if (contract === undefined) throw badSymbol();
  const query = { biz: contracts.kind.biz, pairCode: contract.pairCode };
  const { sources } = (await ask("GET", `${NATIVE}/index-sources`, { query })) as IndexView;
  return {
    symbol: named,
    time: timeMs,
    constituents: sources.map(({ name, price, weight }) => ({
      exchange: name,
      symbol: `${contract.base}${contract.quote}`,
      price: fixed(price),
      weight: fixed(weight),
    })),
  };
}

async function readInsurance(
  { contracts, market }: ContractFigureParts,
  { parameters, timeMs }: DialectCall,
): Promise<object> {
  const isOne = parameters.text("symbol") !== undefined;
  const wanted = isOne ? [contracts.read(parameters)] : contracts.list();
  const settles = [...new Set(wanted.map(({ settle }) => settle))];
  const groups = await Promise.all(
    settles.map(async (settle) => {
      const asset = market.pairs.findAsset(settle);
      if (asset === undefined) throw badSymbol();
      const { balance } = await market.contracts.readFund(asset, timeMs);
      return {
        symbols: wanted.filter((one) => one.settle === settle).map(contracts.kind.symbolOf),
        assets: [{ asset: settle, marginBalance: fixed(balance), updateTime: timeMs }],
      };
    }),
  );
  return isOne ? (groups[0] as object) : groups;
}

async function readAmendments(
  { contracts, market, events }: ContractFigureParts,
  call: DialectCall,
): Promise<readonly object[]> {
  const { parameters, ask } = call;
  const contract: ContractInfo = contracts.read(parameters);
  const { biz, symbolOf: nameOf } = contracts.kind;
  const order = await findOrder(call, contracts, parameters, contract);
  const pair = market.pairs.findListed(biz, contract.pairCode);
  if (pair === undefined) throw badSymbol();
  const limit = parameters.integer("limit", { min: 1, max: ROWS.max }) ?? ROWS.normal;
  const [from = 0, to = Number.MAX_SAFE_INTEGER] = [parameters.integer("startTime"), parameters.integer("endTime")];
  // The tables hold what the caller was answered before: the call for fills waits for that.
  await ask("GET", `${NATIVE}/fills`, { query: { biz, pairCode: contract.pairCode, limit: 1 } });
  const rows = await events.readAmendments(Number(order.orderId), 0, ROWS.max * ROWS.max);
  const numbered = rows.map((row, place) => ({ row, count: place + 1 }));
  const fit = numbered.filter(({ row }) => row.time_ms >= from && row.time_ms <= to).slice(-limit);
  const count = (lots: bigint): string => writeQuantity(contract, quantityText(pair, lots));
  return fit.map(({ row, count: number }) => ({
    amendmentId: row.sequence,
    symbol: nameOf(contract),
    pair: nameOf(contract).split("_")[0],
    orderId: Number(order.orderId),
    clientOrderId: clientIdOf(order),
    time: row.time_ms,
    amendment: {
      price: { before: priceText(pair, row.price_before), after: priceText(pair, row.price_after) },
      origQty: { before: count(row.lots_before), after: count(row.lots_after) },
      count: number,
    },
  }));
}
