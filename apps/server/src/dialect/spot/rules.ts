// Rules of spot pairs that clients of the Binance dialect read beside the list of pairs, and lists of what is not offered
// here and therefore empty.
import type { Pair, Quotation } from "@clockwork/trading/markets/contract";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { fixed } from "../numbers.ts";
import { missing } from "../refusal.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";
import { describeSymbol } from "./exchange-info.ts";

const API = "/api/v3";
const NATIVE = "/api/v1/spot";
const open = { method: "GET", security: "none" } as const;
const reads = { method: "GET", security: "signed", permission: "read" } as const;
/** What the price band hangs on: trades of five minutes, a second at a time, each by its quantity. */
const BAND = { calculationType: "VOLUME_WEIGHTED_MEAN", bucketCount: 300, bucketWidthMs: 1_000 } as const;
/** Filters that limit an account, not an order. */
const OWN = ["MAX_NUM_ORDERS", "MAX_NUM_ALGO_ORDERS", "MAX_NUM_ORDER_LISTS"];

export function spotRuleEndpoints({ symbols }: { readonly symbols: SpotSymbols }): readonly Endpoint[] {
  /** Several by `symbols`, one by `symbol`, else all. */
  const readAll = ({ parameters }: DialectCall) => {
    const list = parameters.list("symbols");
    if (list !== undefined) return list.map((name) => symbols.need(String(name)));
    return parameters.text("symbol") === undefined ? symbols.list() : [symbols.read(parameters)];
  };
  return [
    // Orders are bounded when they are placed, by filters; none is bounded when it trades.
    {
      ...open,
      path: `${API}/executionRules`,
      weight: 40,
      handle: (call) => ({ symbolRules: readAll(call).map((pair) => ({ symbol: symbolOf(pair), rules: [] })) }),
    },
    {
      ...open,
      path: `${API}/referencePrice`,
      weight: 2,
      handle: async ({ parameters, ask, timeMs }) => {
        const pair = symbols.read(parameters);
        const query = { pairCode: pair.pairCode };
        const [quotation] = (await ask("GET", `${NATIVE}/quotations`, { query })) as Quotation[];
        const price = quotation?.bandPrice ?? null;
        return { symbol: symbolOf(pair), referencePrice: price === null ? null : fixed(price), timestamp: timeMs };
      },
    },
    {
      ...open,
      path: `${API}/referencePrice/calculation`,
      weight: 2,
      handle: ({ parameters }) => ({ symbol: symbolOf(symbols.read(parameters)), ...BAND }),
    },
    // No trade is agreed outside the book.
    {
      ...open,
      path: `${API}/historicalBlockTrades`,
      weight: 25,
      handle: ({ parameters }) => {
        symbols.read(parameters);
        return [];
      },
    },
    // No order is routed to several books.
    {
      ...reads,
      path: `${API}/myAllocations`,
      weight: 20,
      handle: ({ parameters }) => {
        symbols.read(parameters);
        return [];
      },
    },
    {
      ...reads,
      path: `${API}/myFilters`,
      weight: 40,
      handle: async ({ parameters, ask }) => {
        const { pairCode } = symbols.read(parameters);
        const pair = ((await ask("GET", `${NATIVE}/pairs`)) as Pair[]).find((one) => one.pairCode === pairCode);
        if (pair === undefined) throw missing("symbol");
        const { filters } = describeSymbol(pair);
        const symbolFilters = filters.filter(({ filterType }) => OWN.includes(filterType));
        return { exchangeFilters: [], symbolFilters, assetFilters: [], rateLimits: [] };
      },
    },
  ];
}
