// Owns the prices a bot decides by and trades at: near the fair price, so that nobody moves them by a trade in a swept book.
// Decides nothing.

import { SEEN_BPS, seenTicks } from "@clockwork/kit/grid/seen";
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import { atTop, T_LAST } from "../../book/book.ts";
import { getWord } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import { fairBound } from "../../value/bound.ts";
import { fairTicks } from "../../value/value.ts";

/** Ending sells further off: a median lags behind a market that falls. */
export const END_BPS = 500;
const WHOLE_BPS = 10_000;

/** The last trade as bots see it. */
export function lastSeen(core: Core, market: number): number {
  return seenTicks(getWord(core.books.topWords, atTop(market), T_LAST), fairTicks(core, market));
}

/** The worst price within so much of the best one and within reach of the fair one. */
export function takeLimit(core: Core, market: number, best: number, sells: boolean, slippageBps: number): number {
  const fair = fairBound(core, market, sells, SEEN_BPS);
  const far = (best * (WHOLE_BPS + (sells ? 0 - slippageBps : slippageBps))) / WHOLE_BPS;
  return sells ? Math.max(1, Math.ceil(far), fair) : Math.min(PRICE_TICKS_MAX, Math.floor(far), fair);
}
