// Work that can wait until the browser has nothing better to do. Everything put off here happens within the time given.

/** Long enough for a page to be painted and answer a first touch, short enough for prices to be on time. */
const IDLE_TIMEOUT_MS = 1_500;

/** Returns the function that cancels it. Where the browser cannot report idle time, it runs in the next turn. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(run, 1);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS });
  return () => cancelIdleCallback(handle);
}

const TOUCHES = ["pointerdown", "keydown", "focusin"] as const;

/** Runs once, soon after a visitor's first action. A visitor who only reads never loads it. */
export function onFirstTouch(run: () => void): void {
  const touched = () => {
    for (const event of TOUCHES) document.removeEventListener(event, touched, true);
    whenIdle(run);
  };
  for (const event of TOUCHES) document.addEventListener(event, touched, { capture: true, passive: true });
}
