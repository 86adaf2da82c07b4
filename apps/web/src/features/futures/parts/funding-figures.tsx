// Prices, rates and the countdown of contracts as terminal and data page write them.
import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { formatCountdown } from "@clockwork/kit/time";
import { useEffect, useState } from "react";
import { exchangeNowMs } from "#live/exchange-clock.ts";

export function showPrice(price: string | null | undefined, decimals: number): string {
  return price === null || price === undefined ? "–" : formatDecimal(price, { decimals, grouped: true });
}

/** "0.0100%", cut like every percentage; "−0.0649%". */
export function showFundingRate(rate: string): string {
  return formatPercent(rate, { decimals: 4 }).replace("-", "−");
}

/** Dashes until hydration: the server's second is over when it is seen. */
export function FundingCountdown({ untilMs }: { readonly untilMs: number }) {
  const [leftMs, setLeft] = useState<number>();
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, untilMs - exchangeNowMs()));
    tick();
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return <span className="figures">{leftMs === undefined ? "--:--:--" : formatCountdown(leftMs)}</span>;
}
