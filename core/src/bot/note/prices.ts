// Owns noting which bots a price concerns. Looks at none: that waits until no match is under way.
import type { Core } from "../../state/core.ts";
import { BO_WATCHED, LOOK } from "../state/records.ts";
import { firstReached, unwatchBot } from "./heap.ts";

export function wakeBots(core: Core, market: number, ticks: number): void {
  const { bots, fresh } = core.bots;
  if (bots.word(0, BO_WATCHED) === 0) return;
  for (let bot = firstReached(core, market, ticks); bot !== 0; bot = firstReached(core, market, ticks)) {
    unwatchBot(core, bot);
    fresh.push(bot, LOOK, ticks);
  }
}
