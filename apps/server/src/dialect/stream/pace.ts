// Limits a stream to its interval: events between two messages are published together.

import { later } from "@clockwork/host/time/background";
import { measureMs } from "@clockwork/host/time/measure";

/**
 * An event this close to a stream's due time is published with it: the events of one market step then leave in one
 * write, where a timer of each stream would make separate writes.
 */
const EARLY_SHARE = 0.2;
/** And the timer lets the news come first. */
const LATE_SHARE = 0.1;

/** Runs at once when it was idle, else when it is due; events in between are published together. */
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
