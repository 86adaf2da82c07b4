// Owns what one tick of one lot is worth in units, on spot and in perpetuals.
import { MF_TICK_LOT_UNITS } from "../market/markets.ts";
import { CTF_FACTOR } from "../perp/state/records.ts";
import type { Core } from "../state/core.ts";

export function unitOf(core: Core, market: number): number {
  return core.perps.isPerp(market)
    ? core.perps.contractDouble(market, CTF_FACTOR)
    : core.markets.double(market, MF_TICK_LOT_UNITS);
}
