// The two kinds of perpetual contracts in the Binance dialect: their addresses, symbols, and how quantities are counted.
// A linear quantity is in coins as ours; an inverse one counts contracts, ours counts their dollars.

import { trimZeros } from "@clockwork/kit/decimal";
import type { ContractBiz, ContractInfo } from "@clockwork/trading/markets/contract";
import { fixed, product, quotient } from "../numbers.ts";
import { badSymbol } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { symbolOf } from "../symbols.ts";

export interface ContractKind {
  readonly biz: ContractBiz;
  readonly base: "/fapi" | "/dapi";
  readonly symbolOf: (pair: { readonly pairCode: string }) => string;
}

export const LINEAR: ContractKind = { biz: "futures", base: "/fapi", symbolOf };
export const INVERSE: ContractKind = { biz: "delivery", base: "/dapi", symbolOf: (pair) => `${symbolOf(pair)}_PERP` };

/** Ours as the dialect counts it. */
export function writeQuantity({ faceValue }: Pick<ContractInfo, "faceValue">, quantity: string): string {
  return faceValue === null ? trimZeros(quantity) : trimZeros(quotient(quantity, faceValue));
}

/** The dialect's as we count it. */
export function readQuantity({ faceValue }: Pick<ContractInfo, "faceValue">, quantity: string): string {
  return faceValue === null ? quantity : trimZeros(product(quantity, faceValue));
}

/** The path of our own calls; `biz` selects the kind. */
export const NATIVE = "/futuresapi/v1/futuresc";

export interface Contracts {
  readonly kind: ContractKind;
  list(): readonly ContractInfo[];
  need(symbol: string): ContractInfo;
  read(parameters: Parameters): ContractInfo;
  find(pairCode: string): ContractInfo | undefined;
}

export function contractsOf(kind: ContractKind, list: () => readonly ContractInfo[]): Contracts {
  const need = (symbol: string): ContractInfo => {
    const found = list().find((one) => kind.symbolOf(one) === symbol);
    if (found === undefined) throw badSymbol();
    return found;
  };
  return {
    kind,
    list,
    need,
    find: (pairCode) => list().find((one) => one.pairCode === pairCode),
    read(parameters) {
      return need(parameters.needText("symbol"));
    },
  };
}

const ORDER_TYPES = [
  "LIMIT",
  "MARKET",
  "STOP",
  "STOP_MARKET",
  "TAKE_PROFIT",
  "TAKE_PROFIT_MARKET",
  "TRAILING_STOP_MARKET",
];
/** A perpetual never ends; the dialect requires a date all the same. */
export const NEVER_MS = 4_133_404_800_000;

export function describeContract({ kind }: Contracts, contract: ContractInfo): object {
  const { base, quote, settle, priceDecimals, quantityDecimals, listedAtMs, faceValue } = contract;
  const isLinear = faceValue === null;
  const status = contract.status === "TRADING" ? "TRADING" : "BREAK";
  const count = (quantity: string): string => writeQuantity(contract, quantity);
  return {
    symbol: kind.symbolOf(contract),
    pair: symbolOf(contract),
    contractType: "PERPETUAL",
    deliveryDate: NEVER_MS,
    onboardDate: listedAtMs,
    ...(isLinear ? { status } : { contractStatus: status, contractSize: Number(faceValue) }),
    baseAsset: base,
    quoteAsset: quote,
    marginAsset: settle,
    pricePrecision: priceDecimals,
    quantityPrecision: isLinear ? quantityDecimals : 0,
    baseAssetPrecision: 8,
    quotePrecision: 8,
    underlyingType: "COIN",
    underlyingSubType: [],
    triggerProtect: "0.0500",
    liquidationFee: contract.liquidationRate,
    marketTakeBound: "0.05",
    maxMoveOrderLimit: 10000,
    orderTypes: ORDER_TYPES,
    timeInForce: ["GTC", "IOC", "FOK", "GTX"],
    filters: [
      {
        filterType: "PRICE_FILTER",
        minPrice: contract.tickSize,
        maxPrice: fixed("1000000000"),
        tickSize: contract.tickSize,
      },
      {
        filterType: "LOT_SIZE",
        minQty: count(contract.minQuantity),
        maxQty: count(contract.maxQuantity),
        stepSize: count(contract.stepSize),
      },
      {
        filterType: "MARKET_LOT_SIZE",
        minQty: count(contract.minQuantity),
        maxQty: count(contract.maxMarketQuantity),
        stepSize: count(contract.stepSize),
      },
      { filterType: "MAX_NUM_ORDERS", limit: contract.openOrdersMax },
      { filterType: "MAX_NUM_ALGO_ORDERS", limit: 50 },
      ...(isLinear ? [{ filterType: "MIN_NOTIONAL", notional: contract.minNotional }] : []),
      {
        filterType: "PERCENT_PRICE",
        multiplierUp: contract.band.buyMax,
        multiplierDown: contract.band.sellMin,
        multiplierDecimal: "4",
      },
    ],
  };
}
