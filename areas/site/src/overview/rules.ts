// How hours become the figures of a span. Pure.
import { formatUnits, units } from "@clockwork/kit/money";
import type { FigureName } from "./contract.ts";

export const HOUR_MS = 3_600_000;

type Kind = "count" | "usdt";
interface FigureRule {
  readonly kind: Kind;
  /** Hours of a flow add up; of a level the newest counts, of a peak the highest. */
  readonly over: "sum" | "newest" | "highest";
}

export const FIGURE_RULES: Readonly<Record<FigureName, FigureRule>> = {
  accounts: { kind: "count", over: "sum" },
  // The same user in two hours is one user: no sum of hours counts them.
  active: { kind: "count", over: "highest" },
  spotVolume: { kind: "usdt", over: "sum" },
  futuresVolume: { kind: "usdt", over: "sum" },
  spotFees: { kind: "usdt", over: "sum" },
  futuresFees: { kind: "usdt", over: "sum" },
  deposits: { kind: "usdt", over: "sum" },
  withdrawals: { kind: "usdt", over: "sum" },
  openInterest: { kind: "usdt", over: "newest" },
  insuranceFund: { kind: "usdt", over: "newest" },
};

const USDT_SCALE = 6;

export function formatFigure(figure: FigureName, value: bigint): string {
  return FIGURE_RULES[figure].kind === "count" ? value.toString() : formatUnits(units(value), USDT_SCALE);
}

/** Undefined hours were not measured. */
export function totalOf(figure: FigureName, values: readonly (bigint | undefined)[]): bigint | undefined {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return undefined;
  const { over } = FIGURE_RULES[figure];
  if (over === "newest") return known.at(-1);
  if (over === "highest") return known.reduce((most, value) => (value > most ? value : most));
  return known.reduce((sum, value) => sum + value, 0n);
}
