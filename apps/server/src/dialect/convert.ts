// Turning one coin into another in the Binance dialect: a firm quote, taking it, and what was converted. The price and
// the settlement are the exchange's own.
import { CONVERT_CALLS, type Conversion, type ConversionList, type Quote } from "@clockwork/trading/convert/contract";
import type { Pair } from "@clockwork/trading/markets/contract";
import { type DialectCall, type Endpoint, holderOf } from "./endpoint.ts";
import { fixed, quotient } from "./numbers.ts";
import { DialectRefusal, missing } from "./refusal.ts";

const API = "/sapi/v1/convert";
const reads = { method: "GET", security: "signed", permission: "read" } as const;
const trades = { method: "POST", security: "signed", permission: "spot" } as const;
const ROWS_MAX = 1_000;
const ROWS_DEFAULT = 100;

const native = (path: string): string => `/api${path}`;
/** The dialect numbers what we name: the same sixteen digits, read as a number. */
const numberOf = (quoteId: string): string => BigInt(`0x${quoteId}`).toString();
const nameOf = (number: string): string => BigInt(number).toString(16).padStart(16, "0");

export function convertEndpoints(): readonly Endpoint[] {
  return [
    { ...trades, path: `${API}/getQuote`, weight: 200, isOwnWeight: true, handle: readQuote },
    { ...trades, path: `${API}/acceptQuote`, weight: 500, isOwnWeight: true, handle: takeQuote },
    { ...reads, path: `${API}/orderStatus`, weight: 100, isOwnWeight: true, handle: readOne },
    { ...reads, path: `${API}/tradeFlow`, weight: 3000, isOwnWeight: true, handle: readFlow },
    { ...reads, path: `${API}/assetInfo`, weight: 100, handle: listCoins },
    { method: "GET", security: "none", path: `${API}/exchangeInfo`, weight: 3000, handle: listPairs },
  ];
}

async function readQuote({ parameters, ask }: DialectCall): Promise<object> {
  const [from, to] = [parameters.needText("fromAsset"), parameters.needText("toAsset")];
  const amount = parameters.needDecimal("fromAmount");
  const body = { from, to, amount };
  const quote = (await ask("POST", native(CONVERT_CALLS.quote.path), { body })) as Quote;
  return { quoteId: quote.quoteId, ...ratiosOf(quote), validTimestamp: quote.expiresAtMs, ...amountsOf(quote) };
}

const ratiosOf = ({ amount, receives }: Pick<Quote, "amount" | "receives">) => ({
  ratio: quotient(receives, amount),
  inverseRatio: quotient(amount, receives),
});

const amountsOf = ({ amount, receives }: Pick<Quote, "amount" | "receives">) => ({
  toAmount: fixed(receives),
  fromAmount: fixed(amount),
});

async function takeQuote({ parameters, ask, timeMs }: DialectCall): Promise<object> {
  const quoteId = parameters.needText("quoteId");
  await ask("POST", native(CONVERT_CALLS.accept.path), { body: { quoteId } });
  return { orderId: numberOf(quoteId), createTime: timeMs, orderStatus: "SUCCESS" };
}

function describe(one: Conversion): object {
  return {
    quoteId: one.quoteId,
    orderId: numberOf(one.quoteId),
    orderStatus: one.isDone ? "SUCCESS" : "PROCESS",
    fromAsset: one.from,
    toAsset: one.to,
    ...amountsOf(one),
    ...ratiosOf(one),
    createTime: one.timeMs,
  };
}

async function readOne({ parameters, ask }: DialectCall): Promise<object> {
  const number = parameters.text("orderId");
  if (number !== undefined && !/^[0-9]{1,20}$/.test(number)) throw unknown();
  const quoteId = number === undefined ? parameters.text("quoteId") : nameOf(number);
  if (quoteId === undefined) throw missing("orderId");
  if (!/^[0-9a-f]{16}$/.test(quoteId)) throw unknown();
  const { conversions } = (await ask("GET", native(CONVERT_CALLS.list.path), { query: { quoteId } })) as ConversionList;
  const [found] = conversions;
  if (found === undefined) throw unknown();
  return describe(found);
}

const unknown = (): DialectRefusal => new DialectRefusal(-2013, "Order does not exist.");

async function readFlow({ parameters, ask }: DialectCall): Promise<object> {
  const [startTime, endTime] = [parameters.integer("startTime"), parameters.integer("endTime")];
  if (startTime === undefined) throw missing("startTime");
  if (endTime === undefined) throw missing("endTime");
  const limit = parameters.integer("limit", { min: 1, max: ROWS_MAX }) ?? ROWS_DEFAULT;
  const query = { from: startTime, to: endTime, limit: limit + 1 };
  const { conversions } = (await ask("GET", native(CONVERT_CALLS.list.path), { query })) as ConversionList;
  const list = conversions.slice(0, limit).map(describe);
  return { list, startTime, endTime, limit, moreData: conversions.length > limit };
}

/** Every coin that is traded, with as many decimals as its ledger has. */
async function readCoins({ ask }: Pick<DialectCall, "ask">): Promise<ReadonlyMap<string, number>> {
  const pairs = (await ask("GET", "/api/v1/spot/pairs")) as Pair[];
  const coins = new Map<string, number>();
  for (const { base, baseScale, quote, quoteScale } of pairs) coins.set(base, baseScale).set(quote, quoteScale);
  return coins;
}

async function listCoins(call: DialectCall): Promise<readonly object[]> {
  holderOf(call);
  return [...(await readCoins(call))].map(([asset, fraction]) => ({ asset, fraction }));
}

async function listPairs(call: DialectCall): Promise<readonly object[]> {
  const coins = await readCoins(call);
  const [from, to] = [call.parameters.text("fromAsset"), call.parameters.text("toAsset")];
  if (from === undefined && to === undefined) throw missing("fromAsset");
  const names = [...coins.keys()];
  const step = (asset: string): string => fixed(`0.${"0".repeat(Math.max(0, (coins.get(asset) ?? 8) - 1))}1`);
  return names
    .filter((asset) => from === undefined || asset === from)
    .flatMap((fromAsset) =>
      names
        .filter((toAsset) => toAsset !== fromAsset && (to === undefined || toAsset === to))
        .map((toAsset) => ({
          fromAsset,
          toAsset,
          fromAssetMinAmount: step(fromAsset),
          fromAssetMaxAmount: "9000000000.00000000",
          toAssetMinAmount: step(toAsset),
          toAssetMaxAmount: "9000000000.00000000",
        })),
    );
}
