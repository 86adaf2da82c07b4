// Keeps a stream to its pace: what happens between two messages is told together.
import { measureMs } from "../../clock/measure.ts";

/** Runs at once when it rested, else when its turn comes; what happens meanwhile is told together. */
export function paced(everyMs: number, run: () => void): { touch(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let ranMs = Number.NEGATIVE_INFINITY;
  const fire = (): void => {
    timer = undefined;
    ranMs = measureMs();
    run();
  };
  return {
    touch() {
      if (timer !== undefined) return;
      const waitMs = ranMs + everyMs - measureMs();
      if (waitMs <= 0) fire();
      else timer = setTimeout(fire, waitMs);
    },
    stop: () => clearTimeout(timer),
  };
}
