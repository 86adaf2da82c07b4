// What a page does when its live connection's sign-in was refused: a signed-in call is made, which renews the session
// or, when that is over, leads to sign-in. Without it an idle page would not notice.
import { type Answer, isUnauthorized } from "#live/answer.ts";
import type { Clock } from "#live/clock.ts";

const REQUEST_EVERY_MS = 5_000;

/** Refusals close together cause one call; the last of them is never lost, and a degraded exchange is called again. */
export function onSignInRefused(ask: () => Promise<Answer<unknown>>, reconnect: () => void, clock: Clock): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let isDue = false;
  const run = async () => {
    isDue = false;
    lastMs = clock.now();
    const answer = await ask();
    if (answer.ok) reconnect();
    else if (!isUnauthorized(answer.err.status ?? 0, answer)) plan();
  };
  const plan = () => {
    if (isDue) return;
    isDue = true;
    clock.after(Math.max(0, lastMs + REQUEST_EVERY_MS - clock.now()), () => void run());
  };
  return plan;
}
