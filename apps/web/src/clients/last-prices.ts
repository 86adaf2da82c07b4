// The last prices this browser has seen, kept for the offline page: only what every visitor may see, with the time it was
// seen at.
import { PRODUCT_SHORT_NAME } from "@clockwork/kit/constants";
import type { Quotation } from "@clockwork/trading/markets/contract";
import { type KeptSetting, readKept, writeKept } from "#session/kept-setting.ts";

export interface LastPrice {
  readonly pairCode: string;
  readonly last: string;
  readonly changePercent: string;
}

export interface LastPrices {
  readonly atMs: number;
  readonly rows: readonly LastPrice[];
}

const ROWS_MAX = 20;
const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?$/;

const isPrice = (row: unknown): row is LastPrice => {
  const { pairCode, last, changePercent } = (typeof row === "object" && row !== null ? row : {}) as Record<
    string,
    unknown
  >;
  return [last, changePercent].every((text) => typeof text === "string" && DECIMAL.test(text)) &&
    typeof pairCode === "string"
    ? /^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$/.test(pairCode)
    : false;
};

const KEPT: KeptSetting<LastPrices> = {
  key: `${PRODUCT_SHORT_NAME}_last_prices`,
  steps: [(value) => value],
  check: (value) => {
    const { atMs, rows } = (typeof value === "object" && value !== null ? value : {}) as Partial<LastPrices>;
    if (!Number.isSafeInteger(atMs) || atMs === undefined || !Array.isArray(rows)) return undefined;
    return { atMs, rows: rows.filter(isPrice).slice(0, ROWS_MAX) };
  },
};

export function readLastPrices(): LastPrices | undefined {
  return readKept(KEPT);
}

/** The pairs with the highest turnover; nothing is written where nothing is known. */
export function keepLastPrices(quotations: readonly Quotation[]): void {
  const atMs = Math.max(0, ...quotations.map(({ timeMs }) => timeMs));
  if (atMs === 0 || atMs < (readLastPrices()?.atMs ?? 0)) return;
  const busiest = [...quotations].sort((one, other) => Number(other.turnover) - Number(one.turnover));
  const rows = busiest
    .slice(0, ROWS_MAX)
    .map(({ pairCode, last, changePercent }) => ({ pairCode, last, changePercent }));
  writeKept(KEPT, { atMs, rows });
}
