// What a page does when its live connection's sign-in was refused: a signed-in call is made, which renews the session
// or, when that is over, leads to sign-in. Without it a page that asks nothing would stay as if nothing had happened.
import type { Clock } from "#live/clock.ts";

const ASK_EVERY_MS = 5_000;

/** Refusals close together are one question; the last of them is never lost. */
export function onSignInRefused(
  ask: () => Promise<{ readonly ok: boolean }>,
  reconnect: () => void,
  clock: Clock,
): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let isDue = false;
  const run = async () => {
    isDue = false;
    lastMs = clock.now();
    if ((await ask()).ok) reconnect();
  };
  return () => {
    if (isDue) return;
    isDue = true;
    clock.after(Math.max(0, lastMs + ASK_EVERY_MS - clock.now()), () => void run());
  };
}
