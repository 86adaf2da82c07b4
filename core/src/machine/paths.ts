// Owns the hot functions as the machine calls them: each text of order/ and perp/ with the current views, and bound to them
// as constants while no table grows. Contains no rule.
import { matchTaker } from "../book/match.ts";
import { endRestingIn } from "../order/end/finish.ts";
import { submitIn } from "../order/entry/place.ts";
import { fillSpotSteps } from "../order/fill/spot-fills.ts";
import { fillPerpSteps } from "../perp/fill/steps.ts";
import type { Core } from "../state/core.ts";
import type { Paths } from "../state/paths.ts";
import { STEP_RECORDS_MAX, takeViews, type Views } from "../state/views.ts";

/** For as long as the machine lives: every call takes the current views and makes room for its events. */
export function takePaths(core: Core): Paths {
  const views = (): Views => {
    core.events.reserve(STEP_RECORDS_MAX);
    return core.views;
  };
  return {
    submit: (accountMarket, market, flags, price, slippageBps) =>
      submitIn(views(), accountMarket, market, flags, price, slippageBps, 0, 0, 0, -1, 0),
    endResting: (slot, reason) => endRestingIn(views(), slot, reason),
    match: (market, sell, limit, group, mode) => matchTaker(core.books, market, sell, limit, group, mode, false),
    spotFills: (market, slot, accountMarket, flags, step, open) =>
      fillSpotSteps(views(), market, slot, accountMarket, flags, step, open),
    perpFills: (market, slot, accountMarket, flags, step, open) =>
      fillPerpSteps(views(), market, slot, accountMarket, flags, step, open),
  };
}

/** The same, each inlined into a function of its own with the views as constants. */
export function bindPaths(core: Core): Paths {
  const v = takeViews(core);
  return {
    submit: (accountMarket, market, flags, price, slippageBps) =>
      submitIn(v, accountMarket, market, flags, price, slippageBps, 0, 0, 0, -1, 0),
    endResting: (slot, reason) => endRestingIn(v, slot, reason),
    match: (market, sell, limit, group, mode) => matchTaker(v, market, sell, limit, group, mode, false),
    spotFills: (market, slot, accountMarket, flags, step, open) =>
      fillSpotSteps(v, market, slot, accountMarket, flags, step, open),
    perpFills: (market, slot, accountMarket, flags, step, open) =>
      fillPerpSteps(v, market, slot, accountMarket, flags, step, open),
  };
}
