// Work that can wait until the browser has nothing better to do. Everything put off here happens within the time given.

/** Long enough for a page to be painted and answer a first touch, short enough that nobody waits for prices. */
const IDLE_TIMEOUT_MS = 1_500;

/** Answers the way to call it off. Where the browser cannot tell idle time, the next turn must do. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(run, 1);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS });
  return () => cancelIdleCallback(handle);
}

const TOUCHES = ["pointerdown", "keydown", "focusin"] as const;

/** Runs once, soon after a visitor first does anything. Somebody who only reads is spared it. */
export function onFirstTouch(run: () => void): void {
  const touched = () => {
    for (const event of TOUCHES) document.removeEventListener(event, touched, true);
    whenIdle(run);
  };
  for (const event of TOUCHES) document.addEventListener(event, touched, { capture: true, passive: true });
}
