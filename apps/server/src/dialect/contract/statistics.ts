// Public statistics of contracts in the Binance dialect: open interest period by period, and how near deleveraging is.
// Linear contracts are named by symbol, inverse ones by pair, at one address for both.

import { nextCandleStart } from "@clockwork/kit/time";
import type { SidesHistory } from "@clockwork/trading/futures/sides-history";
import type { Market } from "@clockwork/trading/market/offer";
import type { Candle, ContractInfo } from "@clockwork/trading/markets/contract";
import { CANDLE_INTERVALS } from "@clockwork/trading/markets/contract";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { DECIMALS, difference, isBelow, product, quotient } from "../numbers.ts";
import { badSymbol, DialectRefusal, missing } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { symbolOf } from "../symbols.ts";
import { type Contracts, writeQuantity } from "./contracts.ts";

const open = { method: "GET", security: "none" } as const;
const PERIODS: readonly string[] = ["5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d"];
const ROWS = { max: 500, normal: 30 } as const;

export interface StatisticParts {
  readonly market: Pick<Market, "contracts" | "pairs">;
  readonly linear: Contracts;
  readonly inverse: Contracts;
  readonly sides: Pick<SidesHistory, "read">;
}

export function statisticEndpoints(parts: StatisticParts): readonly Endpoint[] {
  return [
    { ...open, path: "/futures/data/openInterestHist", weight: 1, handle: (call) => readInterest(parts, call) },
    ...(["globalLongShortAccountRatio", "topLongShortAccountRatio", "topLongShortPositionRatio"] as const).map(
      (name): Endpoint => ({
        ...open,
        path: `/futures/data/${name}`,
        weight: 1,
        handle: (call) => readSides(parts, call, name),
      }),
    ),
    { ...open, path: "/futures/data/takerlongshortRatio", weight: 1, handle: (call) => readTaken(parts, call) },
    { ...open, path: "/futures/data/takerBuySellVol", weight: 1, handle: (call) => readTaken(parts, call) },
    { ...open, path: "/futures/data/basis", weight: 1, handle: (call) => readBasis(parts, call) },
    // Settlement prices of dated contracts, of which there are none.
    {
      ...open,
      path: "/futures/data/delivery-price",
      weight: 1,
      handle: ({ parameters }) => {
        parts.linear.need(parameters.needText("pair"));
        return [];
      },
    },
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

function readSpan(parameters: Parameters): { readonly from?: number; readonly to?: number; readonly limit: number } {
  const limit = parameters.integer("limit", { min: 1, max: ROWS.max }) ?? ROWS.normal;
  const [from, to] = [parameters.integer("startTime"), parameters.integer("endTime")];
  return { limit, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** A linear contract by its symbol, an inverse one by its pair, which some clients send as a symbol too. */
function chooseNamed({ linear, inverse }: StatisticParts, parameters: Parameters): Chosen {
  const symbol = parameters.text("symbol");
  const found = symbol === undefined ? undefined : linear.list().find((one) => symbolOf(one) === symbol);
  if (found !== undefined) return { contracts: linear, contract: found };
  const pair = symbol ?? parameters.needText("pair");
  return { contracts: inverse, contract: inverse.need(pair.endsWith("_PERP") ? pair : `${pair}_PERP`) };
}

interface Chosen {
  readonly contracts: Contracts;
  readonly contract: ContractInfo;
}

const nameOf = ({ contracts, contract }: Chosen): object =>
  contracts.kind.biz === "futures" ? { symbol: symbolOf(contract) } : { pair: symbolOf(contract) };

const PART_DECIMALS = 4;

async function readSides(
  parts: StatisticParts,
  { parameters }: DialectCall,
  name: "globalLongShortAccountRatio" | "topLongShortAccountRatio" | "topLongShortPositionRatio",
): Promise<readonly object[]> {
  const chosen = chooseNamed(parts, parameters);
  const market = parts.market.pairs.findListed(chosen.contracts.kind.biz, chosen.contract.pairCode)?.market ?? 0;
  const periodMs = nextCandleStart(0, readPeriod(parameters));
  const rows = await parts.sides.read(market, periodMs, readSpan(parameters));
  const isLinear = chosen.contracts.kind.biz === "futures";
  const what = name === "topLongShortPositionRatio" && !isLinear ? "Position" : "Account";
  return rows.map((row) => {
    const [long, short] =
      name === "globalLongShortAccountRatio"
        ? [row.long_accounts, row.short_accounts]
        : name === "topLongShortAccountRatio"
          ? [row.top_long_accounts, row.top_short_accounts]
          : [row.top_long_lots, row.top_short_lots];
    const [held, sold] = [String(long), String(short)];
    const all = String(BigInt(long) + BigInt(short));
    const part = (of: string, whole: string): string => quotient(of, whole).slice(0, PART_DECIMALS - DECIMALS);
    return {
      ...nameOf(chosen),
      longShortRatio: part(held, sold),
      [`long${what}`]: part(held, all),
      [`short${what}`]: part(sold, all),
      timestamp: row.time_ms,
    };
  });
}

/** Candles of one of a contract's series in periods. */
async function readSeries(
  { market }: StatisticParts,
  { contracts, contract }: Chosen,
  kind: "last" | "index",
  { parameters, timeMs }: DialectCall,
): Promise<readonly Candle[]> {
  const { biz } = contracts.kind;
  const request = { biz, pairCode: contract.pairCode, kind, interval: readPeriod(parameters), ...readSpan(parameters) };
  const candles = await market.contracts.readCandles(request, timeMs);
  if (!candles.done) throw badSymbol();
  return candles.value;
}

async function readTaken(parts: StatisticParts, call: DialectCall): Promise<readonly object[]> {
  const chosen = chooseNamed(parts, call.parameters);
  const { contract } = chosen;
  const candles = await readSeries(parts, chosen, "last", call);
  // What was generated has no sides.
  return candles
    .filter(({ isGenerated }) => !isGenerated)
    .map(({ timeMs: timestamp, volume, turnover, boughtVolume, boughtTurnover }) => {
      const bought = writeQuantity(contract, boughtVolume);
      const sold = difference(writeQuantity(contract, volume), bought);
      if (contract.faceValue === null)
        return { buySellRatio: quotient(bought, sold), buyVol: bought, sellVol: sold, timestamp };
      return {
        ...nameOf(chosen),
        contractType: "PERPETUAL",
        takerBuyVol: bought,
        takerSellVol: sold,
        takerBuyVolValue: boughtTurnover,
        takerSellVolValue: difference(turnover, boughtTurnover),
        timestamp,
      };
    });
}

/** How far a contract's price is from its index at the start of each period. */
async function readBasis(parts: StatisticParts, call: DialectCall): Promise<readonly object[]> {
  const pair = call.parameters.needText("pair");
  const type = call.parameters.needText("contractType").toUpperCase();
  const linear = parts.linear.list().find((one) => symbolOf(one) === pair);
  const chosen: Chosen =
    linear === undefined
      ? { contracts: parts.inverse, contract: parts.inverse.need(`${pair}_PERP`) }
      : { contracts: parts.linear, contract: linear };
  const [prices, indexes] = [
    await readSeries(parts, chosen, "last", call),
    await readSeries(parts, chosen, "index", call),
  ];
  // There are no dated contracts.
  if (type !== "PERPETUAL") return [];
  const indexAt = new Map(indexes.map((candle) => [candle.timeMs, candle.open]));
  return prices.flatMap(({ timeMs: timestamp, open: futuresPrice }) => {
    const indexPrice = indexAt.get(timestamp);
    if (indexPrice === undefined) return [];
    const basis = difference(futuresPrice, indexPrice);
    const basisRate = quotient(basis, indexPrice).slice(0, PART_DECIMALS - DECIMALS);
    const row = { pair, contractType: type, futuresPrice, indexPrice, basis, basisRate, timestamp };
    return [{ ...row, annualizedBasisRate: "" }];
  });
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
