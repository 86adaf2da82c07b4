// Replays a visitor's first touches, each once and in order, as soon as its element is hydrated.
import type { EarlyTouch, EarlyTouches } from "./early-touches.ts";

const POLL_MS = 30;
const IDLE_MS_MAX = 1_000;
/** After this long the user has moved on, and an order's price may have moved too. */
const PRESS_EXPIRY_MS = 10_000;
/** Typed text is still in its field. */
const ENTRY_EXPIRY_MS = 30_000;

function isStale({ kind, target, atMs }: EarlyTouch): boolean {
  return !target.isConnected || Date.now() - atMs > (kind === "entry" ? ENTRY_EXPIRY_MS : PRESS_EXPIRY_MS);
}

/**
 * React reports a change only where the field differs from the value it last saw there, so it is shown the served text
 * first.
 */
function enterText(field: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  const write = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;
  if (write === undefined || text === field.defaultValue) return;
  const isHere = document.activeElement === field && field.value === text;
  const [from, to] = isHere ? [field.selectionStart, field.selectionEnd] : [null, null];
  field.value = field.defaultValue;
  write.call(field, text);
  if (from !== null) field.setSelectionRange(from, to);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function enter({ target, text = "", isTicked }: EarlyTouch): void {
  if (target instanceof HTMLSelectElement) {
    target.value = text;
    target.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  if (target instanceof HTMLTextAreaElement) enterText(target, text);
  if (!(target instanceof HTMLInputElement)) return;
  if (target.type === "file") target.dispatchEvent(new Event("change", { bubbles: true }));
  else if (target.type === "checkbox" || target.type === "radio") {
    target.checked = isTicked !== true;
    target.click();
  } else enterText(target, text);
}

function redo(touch: EarlyTouch): void {
  const { kind, target, submitter } = touch;
  if (kind === "entry") enter(touch);
  if (kind === "press") target.click();
  if (kind !== "submit" || !(target instanceof HTMLFormElement)) return;
  const isThere = submitter?.isConnected === true && submitter.closest("form") === target;
  // A button that is busy submits nothing.
  if (isThere && submitter instanceof HTMLButtonElement && submitter.type !== "submit") return;
  target.requestSubmit(isThere ? submitter : undefined);
}

let isLooking = false;
/** Elements that bore React's mark at an earlier look. */
const marked = new WeakSet<Element>();

/**
 * React marks elements while it still works on their part, and handles no events of them before that is done: events
 * dispatched in between are lost. It yields in between, but only to be called again at once, so the browser is not idle
 * before.
 */
function lookLater(early: EarlyTouches): void {
  setTimeout(() => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => look(early), { timeout: IDLE_MS_MAX });
    else look(early);
  }, POLL_MS);
}

/** One touch at a time: what it changes is on the page before the next. */
function look(early: EarlyTouches): void {
  const { touches, isAwake } = early;
  for (let at = touches.length - 1; at >= 0; at -= 1) {
    const touch = touches[at];
    if (touch !== undefined && isStale(touch)) touches.splice(at, 1);
  }
  const next = touches.findIndex(({ target }) => marked.has(target) && isAwake(target));
  for (const { target } of touches) if (isAwake(target)) marked.add(target);
  const [touch] = next < 0 ? [] : touches.splice(next, 1);
  try {
    early.isDoing = true;
    if (touch !== undefined) redo(touch);
  } finally {
    early.isDoing = false;
    isLooking = touches.length > 0;
    if (isLooking) lookLater(early);
  }
}

export function replayEarly(early: EarlyTouches): void {
  if (isLooking) return;
  isLooking = true;
  lookLater(early);
}
