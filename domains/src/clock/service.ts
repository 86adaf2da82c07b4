// Moves the clock ahead for whoever tries the product: kept first, so that a restart does not fall behind what the
// journal has seen, then moved, then journalled. Never back.
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { ClockState } from "./api.ts";
import type { ClockNeeds } from "./needs.ts";
import type { ClockStore } from "./store.ts";

const AHEAD_MS_MAX = 3_660 * DAY_MS;

export interface ClockService {
  advance(byMs: number): Promise<Result<ClockState, "CLOCK_TOO_FAR">>;
  read(): ClockState;
}

export function clockService({
  store,
  needs,
}: {
  readonly store: ClockStore;
  readonly needs: ClockNeeds;
}): ClockService {
  let turn: Promise<unknown> = Promise.resolve();
  const read = (): ClockState => {
    const { aheadMs, wallDriftMs } = needs.read();
    return { nowMs: needs.now(), aheadMs, wallDriftMs };
  };
  const advance = async (byMs: number): Promise<Result<ClockState, "CLOCK_TOO_FAR">> => {
    if (needs.read().aheadMs + byMs > AHEAD_MS_MAX) return refused("CLOCK_TOO_FAR");
    await store.add(byMs);
    needs.advance(byMs);
    await needs.journal();
    return done(read());
  };
  return {
    read,
    advance(byMs) {
      const mine = turn.then(() => advance(byMs));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}
