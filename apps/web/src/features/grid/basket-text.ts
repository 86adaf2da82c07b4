// How a basket's rule and coins are written: time spans, thresholds, a name. Pure.

import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import type { Rebalancer } from "@clockwork/strategies/rebalance/contract";
import type { GridText } from "./grid-text.ts";
import { percentText } from "./model/basket-model.ts";

const MINUTE_MS = 60_000;

export function intervalText(text: GridText, ms: number): string {
  if (ms % DAY_MS === 0) return text("basket.days", { count: ms / DAY_MS });
  if (ms % HOUR_MS === 0) return text("basket.hours", { count: ms / HOUR_MS });
  return text("basket.minutes", { count: Math.round(ms / MINUTE_MS) });
}

/** The rule as a short text: "5 % off, or every 1 d". */
export function ruleText(
  text: GridText,
  { thresholdBps, intervalMs }: Pick<Rebalancer, "thresholdBps" | "intervalMs">,
) {
  const off = thresholdBps === null ? undefined : text("basket.off", { percent: percentText(thresholdBps) });
  const every = intervalMs === null ? undefined : text("basket.every", { time: intervalText(text, intervalMs) });
  return off !== undefined && every !== undefined ? text("basket.either", { off, every }) : (off ?? every ?? "–");
}

/** Its coins with their weights; the quote where it has one. */
export function nameOf({
  coins,
}: {
  readonly coins: readonly Pick<Rebalancer["coins"][number], "coin" | "weightBps">[];
}): string {
  return coins
    .filter(({ weightBps }) => weightBps > 0)
    .map(({ coin, weightBps }) => `${coin} ${percentText(weightBps)}`)
    .join(" · ");
}
