// Owns bringing follows up to date that a command has touched: the hold, and what the bounds are reckoned from.
import type { Core } from "../state/core.ts";
import { followerEquity } from "./holdings.ts";
import { lowerBase } from "./share/base.ts";
import { refreshHold } from "./share/hold.ts";
import { FO_TOUCHED, FOF_TAKEN } from "./state/records.ts";

/** Every hold this command has made untrue. */
export function settleTouched(core: Core): void {
  const { copies } = core;
  while (copies.touched.length !== 0) {
    const follow = copies.touched.pop() as number;
    refreshHold(core, follow);
    copies.follows.setWord(follow, FO_TOUCHED, 0);
    if (copies.follows.double(follow, FOF_TAKEN) !== 0) lowerBase(core, follow, followerEquity(core, follow));
  }
}
