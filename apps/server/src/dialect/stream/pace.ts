// Keeps a stream to its pace: what happens between two messages is told together.

import { later } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";

/** News that comes this near to a stream's turn is its turn: what the market tells in one go then leaves in one write, where
 *  a timer of each stream would make writes of their own. */
const EARLY_SHARE = 0.2;
/** And the timer lets the news come first. */
const LATE_SHARE = 0.1;

/** Runs at once when it rested, else when its turn comes; what happens meanwhile is told together. */
export function paced(everyMs: number, run: () => void): { touch(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let ranMs = Number.NEGATIVE_INFINITY;
  const fire = (): void => {
    clearTimeout(timer);
    timer = undefined;
    ranMs = measureMs();
    run();
  };
  return {
    touch() {
      const restedMs = measureMs() - ranMs;
      if (restedMs >= everyMs * (1 - EARLY_SHARE)) fire();
      else timer ??= later("dialect.pace", fire, everyMs * (1 + LATE_SHARE) - restedMs);
    },
    stop: () => clearTimeout(timer),
  };
}
