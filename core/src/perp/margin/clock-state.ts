// Owns the one answer to when perpetuals next want a tick. Kept in the null contract, so that asking costs nothing.
import { getDouble } from "../../memory/record.ts";
import type { Core } from "../../state/core.ts";
import {
  atContract,
  CTF_NEXT_FUNDING,
  CTF_NEXT_MARK,
  CTF_NEXT_PREMIUM,
  CTF_NEXT_SLICE,
  CTF_NEXT_WARN,
} from "../state/records.ts";
import { nextBonusAt } from "./bonus.ts";

/** All timers of a market. */
export const TIMERS = [CTF_NEXT_MARK, CTF_NEXT_PREMIUM, CTF_NEXT_FUNDING, CTF_NEXT_SLICE, CTF_NEXT_WARN] as const;

/** Looks at every timer anew; after anything that set one. */
export function refreshClock(core: Core): void {
  const { perps } = core;
  let next = nextBonusAt(core);
  for (let market = 1; market < perps.contracts.count; market++) {
    for (const timer of TIMERS) {
      const at = perps.contractDouble(market, timer);
      if (at !== 0 && at < next) next = at;
    }
  }
  perps.setContractDouble(0, CTF_NEXT_MARK, next === Number.POSITIVE_INFINITY ? 0 : next);
}

/** When a tick is next needed for perpetuals; Infinity when nothing waits. */
export function nextPerpTick(core: Core): number {
  const next = getDouble(core.perps.contractDoubles, atContract(0), CTF_NEXT_MARK);
  return next === 0 ? Number.POSITIVE_INFINITY : next;
}
