// Owns noting which bots a price concerns, as they see it. Looks at none: that waits until no match is under way.
import { KIND_SPOT, M_KIND } from "../../market/markets.ts";
import type { Core } from "../../state/core.ts";
import { lastSeen } from "../price/seen.ts";
import { BO_WATCHED, LOOK } from "../state/records.ts";
import { firstReached, unwatchBot } from "./heap.ts";

/** A print. One that reaches nobody as it is reaches nobody nearer to the fair price either. */
export function wakeBots(core: Core, market: number, ticks: number): void {
  if (core.bots.bots.word(0, BO_WATCHED) === 0 || firstReached(core, market, ticks) === 0) return;
  wake(core, market, lastSeen(core, market));
}

/** The fair price of a market moved, and with it how far a bot sees. */
export function wakeByFair(core: Core, market: number): void {
  if (core.bots.bots.word(0, BO_WATCHED) !== 0) wake(core, market, lastSeen(core, market));
}

/** The values of coins were computed anew. */
export function wakeByValues(core: Core): void {
  if (core.bots.bots.word(0, BO_WATCHED) === 0) return;
  for (let market = 1; market < core.markets.table.count; market++)
    if (core.markets.word(market, M_KIND) === KIND_SPOT) wakeByFair(core, market);
}

function wake(core: Core, market: number, ticks: number): void {
  if (ticks === 0) return;
  for (let bot = firstReached(core, market, ticks); bot !== 0; bot = firstReached(core, market, ticks)) {
    unwatchBot(core, bot);
    core.bots.fresh.push(bot, LOOK, ticks);
  }
}
