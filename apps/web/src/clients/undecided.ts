// What a page does while its session is undecided: the exchange cannot be reached, or reports a fault. The page shows
// this and retries; it is never left for sign-in on a guess.
import type { Clock } from "#live/clock.ts";
import type { Renewal } from "#live/request.ts";

const REQUEST_EVERY_MS = 5_000;

export interface UndecidedParts {
  readonly clock: Clock;
  readonly refresh: () => Promise<Renewal>;
  /** Shown for as long as it is true. */
  readonly say: (isUndecided: boolean) => void;
  readonly onRenewed: () => void;
  readonly onOver: () => void;
}

/** Calls refused together cause one check, repeated until it is answered. */
export function onUndecided({ clock, refresh, say, onRenewed, onOver }: UndecidedParts): () => void {
  let isAsking = false;
  const ask = async () => {
    const renewal = await refresh();
    if (renewal === "undecided") {
      plan();
      return;
    }
    isAsking = false;
    say(false);
    if (renewal === "renewed") onRenewed();
    else onOver();
  };
  const plan = () => void clock.after(REQUEST_EVERY_MS, () => void ask());
  return () => {
    if (isAsking) return;
    isAsking = true;
    say(true);
    plan();
  };
}
