// Reads of the caller's spot orders and trades in the Binance dialect.
import type { FillPage } from "@clockwork/trading/spot/contract";
import { type DialectCall, type Endpoint, holderOf } from "../endpoint.ts";
import type { DialectLimits } from "../limits.ts";
import { cut, cutTrades, readPages, readWanted } from "../paging.ts";
import type { SpotSymbols } from "../symbols.ts";
import { rateLimitsOf } from "./exchange-info.ts";
import { listEvery, listOpen, NATIVE } from "./order-list.ts";
import { describeFill, describeOrder } from "./order-view.ts";
import { findOrder } from "./orders.ts";
import { TAKEN } from "./taken.ts";

const API = "/api/v3";
const reads = { method: "GET", security: "signed", permission: "read" } as const;
const ROWS = { limitMax: 1_000, limitDefault: 500 } as const;

export interface SpotReadParts {
  readonly symbols: SpotSymbols;
  readonly limits: Pick<DialectLimits, "readOrders">;
}

export function spotReadEndpoints({ symbols, limits }: SpotReadParts): readonly Endpoint[] {
  return [
    {
      ...reads,
      path: `${API}/order`,
      takes: TAKEN.read,
      weight: 4,
      handle: async (call) => describeOrder(await findOrder(call, symbols.read(call.parameters))),
    },
    {
      ...reads,
      path: `${API}/openOrders`,
      takes: TAKEN.open,
      weight: (parameters) => (parameters.has("symbol") ? 6 : 80),
      handle: async (call) => {
        const pairCode =
          call.parameters.text("symbol") === undefined ? undefined : symbols.read(call.parameters).pairCode;
        return (await listOpen(call, pairCode)).map(describeOrder);
      },
    },
    {
      ...reads,
      path: `${API}/allOrders`,
      takes: TAKEN.all,
      weight: 20,
      handle: (call) => readAll(symbols, call),
    },
    {
      ...reads,
      path: `${API}/myTrades`,
      takes: TAKEN.trades,
      weight: (parameters) => (parameters.has("orderId") ? 5 : 20),
      handle: (call) => readTrades(symbols, call),
    },
    {
      ...reads,
      path: `${API}/rateLimit/order`,
      weight: 40,
      handle: (call) => {
        const { tenSeconds, day } = limits.readOrders(holderOf(call).userId, call.timeMs);
        const used = [tenSeconds, day];
        return rateLimitsOf("api")
          .slice(1)
          .map((limit, place) => ({ ...limit, count: used[place] }));
      },
    },
  ];
}

async function readAll(symbols: SpotSymbols, call: DialectCall): Promise<readonly object[]> {
  const { pairCode } = symbols.read(call.parameters);
  const wanted = readWanted(call.parameters, { idName: "orderId", ...ROWS });
  const all = await listEvery(call, { pairCode }, wanted);
  return cut(all, wanted.isForward, wanted.limit).map(describeOrder);
}

async function readTrades(symbols: SpotSymbols, { parameters, ask }: DialectCall): Promise<readonly object[]> {
  const { pairCode } = symbols.read(parameters);
  const { span, fromId, isForward, limit } = readWanted(parameters, { idName: "fromId", ...ROWS });
  const orderId = parameters.integer("orderId", { min: 1 });
  const query = {
    pairCode,
    ...span,
    ...(orderId === undefined ? {} : { orderId: String(orderId) }),
    ...(fromId === undefined ? {} : { fromId }),
  };
  const found = await readPages(
    async (cursor) => {
      const { fills, next } = (await ask("GET", `${NATIVE}/fills`, { query: { ...query, ...cursor } })) as FillPage;
      return { rows: fills, next };
    },
    isForward,
    limit + 1,
  );
  return cutTrades(found, isForward, limit).map(describeFill);
}
