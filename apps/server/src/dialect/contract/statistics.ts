// Public statistics of contracts in the Binance dialect: open interest period by period, and how near deleveraging is.
// Linear contracts are named by symbol, inverse ones by pair, at one address for both.

import type { Market } from "@clockwork/trading/market/offer";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { CANDLE_INTERVALS } from "@clockwork/trading/markets/contract";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { isBelow, product, quotient } from "../numbers.ts";
import { badSymbol, DialectRefusal, missing } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { type Contracts, writeQuantity } from "./contracts.ts";

const open = { method: "GET", security: "none" } as const;
const PERIODS: readonly string[] = ["5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d"];
const ROWS = { max: 500, normal: 30 } as const;

export interface StatisticParts {
  readonly market: Pick<Market, "contracts" | "pairs">;
  readonly linear: Contracts;
  readonly inverse: Contracts;
}

export function statisticEndpoints(parts: StatisticParts): readonly Endpoint[] {
  return [
    { ...open, path: "/futures/data/openInterestHist", weight: 1, handle: (call) => readInterest(parts, call) },
    { ...open, path: "/fapi/v1/symbolAdlRisk", weight: 1, handle: (call) => readRisk(parts, call) },
  ];
}

/** Which contract is meant, and of which kind. A pair has one contract, the perpetual; ccxt names it whole. */
function choose(
  { linear, inverse }: StatisticParts,
  parameters: Parameters,
): { readonly contracts: Contracts; readonly contract: ContractInfo | undefined } {
  const pair = parameters.text("pair");
  if (pair === undefined) return { contracts: linear, contract: linear.read(parameters) };
  if (pair.endsWith("_PERP")) return { contracts: inverse, contract: inverse.need(pair) };
  const type = parameters.needText("contractType").toUpperCase();
  const contract = inverse.need(`${pair}_PERP`);
  return { contracts: inverse, contract: type === "PERPETUAL" || type === "ALL" ? contract : undefined };
}

function readPeriod(parameters: Parameters): (typeof CANDLE_INTERVALS)[number] {
  const requested = parameters.needText("period");
  const period = CANDLE_INTERVALS.find((one) => one === requested && PERIODS.includes(one));
  if (period === undefined) throw new DialectRefusal(-1130, "Data sent for parameter 'period' is not valid.");
  return period;
}

/** At the start of each period, valued at the mark of that moment. */
async function readInterest(parts: StatisticParts, { parameters, timeMs }: DialectCall): Promise<readonly object[]> {
  const interval = readPeriod(parameters);
  const { contracts, contract } = choose(parts, parameters);
  if (contract === undefined) return [];
  const limit = parameters.integer("limit", { min: 1, max: ROWS.max }) ?? ROWS.normal;
  const [from, to] = [parameters.integer("startTime"), parameters.integer("endTime")];
  const span = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const { biz, symbolOf } = contracts.kind;
  const read = async (kind: "interest" | "mark") => {
    const request = { biz, pairCode: contract.pairCode, kind, interval, limit, ...span } as const;
    const candles = await parts.market.contracts.readCandles(request, timeMs);
    if (!candles.done) throw badSymbol();
    return candles.value;
  };
  const [interest, marks] = await Promise.all([read("interest"), read("mark")]);
  const markAt = new Map(marks.map((candle) => [candle.timeMs, candle.open]));
  const isLinear = biz === "futures";
  const named = isLinear
    ? { symbol: symbolOf(contract) }
    : { pair: symbolOf(contract).split("_")[0], contractType: "PERPETUAL" };
  return interest.flatMap((candle) => {
    const mark = markAt.get(candle.timeMs);
    if (mark === undefined) return [];
    const value = isLinear ? product(candle.open, mark) : quotient(candle.open, mark);
    const sumOpenInterest = writeQuantity(contract, candle.open);
    return [{ ...named, sumOpenInterest, sumOpenInterestValue: value, timestamp: candle.timeMs }];
  });
}

/** Below this part of what is open, the insurance fund is thin. */
const THIN_PART = "0.001";

/** Positions are deleveraged when the insurance fund cannot pay: how near that is follows from what it holds. */
async function readRisk(parts: StatisticParts, { parameters, timeMs }: DialectCall): Promise<object> {
  const { linear, market } = parts;
  const wanted = parameters.text("symbol") === undefined ? undefined : linear.read(parameters);
  const figures = market.contracts.listFigures(linear.kind.biz, timeMs);
  const describe = async (contract: ContractInfo): Promise<object> => {
    const asset = market.pairs.findAsset(contract.settle);
    const figure = figures.find(({ pairCode }) => pairCode === contract.pairCode);
    if (asset === undefined || figure === undefined) throw missing("symbol");
    const { balance } = await market.contracts.readFund(asset, timeMs);
    const isThin = isBelow(balance, product(figure.openInterestValue, THIN_PART));
    const adlRisk = isBelow("0", balance) ? (isThin ? "MEDIUM" : "LOW") : "HIGH";
    return { symbol: linear.kind.symbolOf(contract), adlRisk, updateTime: timeMs };
  };
  return wanted === undefined ? Promise.all(linear.list().map(describe)) : describe(wanted);
}
