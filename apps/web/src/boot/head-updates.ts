// Changes to the document's head that do not come from rendering (a price in the title, the theme colour), collected
// for ten milliseconds so that a burst of ticks writes once.
import { HEAD_DEBOUNCE_MS } from "@clockwork/kit/constants";

export interface HeadUpdate {
  readonly title?: string;
  readonly themeColor?: string;
}

let pending: HeadUpdate = {};
let timer: ReturnType<typeof setTimeout> | undefined;

function write(): void {
  const { title, themeColor } = pending;
  pending = {};
  timer = undefined;
  if (title !== undefined) document.title = title;
  if (themeColor !== undefined) {
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", themeColor);
  }
}

export function scheduleHead(update: HeadUpdate): void {
  pending = { ...pending, ...update };
  if (timer !== undefined) clearTimeout(timer);
  timer = setTimeout(write, HEAD_DEBOUNCE_MS);
}
