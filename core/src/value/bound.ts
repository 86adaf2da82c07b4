// Owns the worst price within so much of the fair one. Decides nothing.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import type { Core } from "../state/core.ts";
import { fairTicks } from "./value.ts";

const WHOLE_BPS = 10_000;

/** The highest to buy at, the lowest to sell at. No bound while no fair price is known. */
export function fairBound(core: Core, market: number, sells: boolean, bps: number): number {
  const fair = fairTicks(core, market);
  if (fair === 0) return sells ? 1 : PRICE_TICKS_MAX;
  if (sells) return Math.max(1, Math.ceil((fair * (WHOLE_BPS - bps)) / WHOLE_BPS));
  return Math.max(1, Math.min(PRICE_TICKS_MAX, Math.floor((fair * (WHOLE_BPS + bps)) / WHOLE_BPS)));
}
