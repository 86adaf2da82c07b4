// The navigation bar's machine on a real element: frames and timers of the browser, paint on the element itself.
// Fetched after hydration.
import { LOADING_BAR } from "@clockwork/kit/constants";
import { createLoadingBar, type LoadingBar } from "./loading-bar-model.ts";

function eachFrame(run: () => void): () => void {
  let frame = requestAnimationFrame(function step() {
    run();
    frame = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(frame);
}

function after(run: () => void, delayMs: number): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

export function makeMachine(element: HTMLElement): LoadingBar {
  element.style.height = `${LOADING_BAR.heightPx}px`;
  return createLoadingBar({
    nowMs: () => performance.now(),
    after,
    eachFrame,
    paint: ({ phase, percent, failed }) => {
      element.dataset.phase = phase;
      element.dataset.failed = String(failed);
      element.style.transform = `scaleX(${percent / 100})`;
    },
  });
}
