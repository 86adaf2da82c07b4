// Owns the hot functions as the machine calls them: the texts of order/ and perp/ bound to views as constants, while no table
// grows. Everywhere else the same texts are called with the current views. Contains no rule.
import { matchTaker } from "../book/match.ts";
import { endRestingIn } from "../order/end/finish.ts";
import { submitIn } from "../order/entry/place.ts";
import { fillSpotSteps } from "../order/fill/spot-fills.ts";
import { fillPerpSteps } from "../perp/fill/steps.ts";
import type { Core } from "../state/core.ts";
import type { Paths } from "../state/paths.ts";
import { takeViews } from "../state/views.ts";

/** Each text is inlined into a function of its own with the views as constants. */
export function bindPaths(core: Core): Paths {
  const v = takeViews(core);
  return {
    submit: (accountMarket, market, flags, price, slippageBps) =>
      submitIn(v, accountMarket, market, flags, price, slippageBps, 0, 0, 0, -1, 0),
    endResting: (slot, reason) => {
      endRestingIn(v, slot, reason);
      return 0;
    },
    match: (market, sell, limit, group, mode) => matchTaker(v, market, sell, limit, group, mode, false),
    spotFills: (market, slot, accountMarket, flags, step, open) =>
      fillSpotSteps(v, market, slot, accountMarket, flags, step, open),
    perpFills: (market, slot, accountMarket, flags, step, open) =>
      fillPerpSteps(v, market, slot, accountMarket, flags, step, open),
  };
}
