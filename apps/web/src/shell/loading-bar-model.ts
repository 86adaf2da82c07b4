// SITE-9: the navigation bar as a small state machine: idle → progress → finishing → idle, with an error colour. Timers
// come in as arguments; the view only paints its state.
import { LOADING_BAR } from "@clockwork/kit/constants";

export type LoadingPhase = "idle" | "progress" | "finishing";

export interface LoadingBarState {
  readonly phase: LoadingPhase;
  /** 0 … 100. */
  readonly percent: number;
  readonly failed: boolean;
}

export interface LoadingBarParts {
  readonly nowMs: () => number;
  readonly after: (run: () => void, delayMs: number) => () => void;
  readonly eachFrame: (run: () => void) => () => void;
  readonly paint: (state: LoadingBarState) => void;
}

export interface LoadingBar {
  readonly start: () => void;
  readonly finish: (failed?: boolean) => void;
  readonly stop: () => void;
}

const HALF_TURN = Math.PI / 2;

/** Never reaches the end alone: half way at half the duration, slower and slower after. */
export function estimatePercent(elapsedMs: number): number {
  return (Math.atan((elapsedMs / LOADING_BAR.durationMs) * 2) / HALF_TURN) * 100;
}

export function createLoadingBar(parts: LoadingBarParts): LoadingBar {
  let cancels: (() => void)[] = [];
  let phase: LoadingPhase = "idle";

  const cancelAll = () => {
    for (const cancel of cancels) cancel();
    cancels = [];
  };
  const paint = (percent: number, failed = false) => parts.paint({ phase, percent, failed });

  const begin = () => {
    phase = "progress";
    const startedMs = parts.nowMs();
    paint(0);
    cancels.push(parts.eachFrame(() => paint(estimatePercent(parts.nowMs() - startedMs))));
  };

  return {
    // A navigation quicker than the throttle shows no bar at all.
    start: () => {
      cancelAll();
      phase = "idle";
      cancels.push(parts.after(begin, LOADING_BAR.throttleMs));
    },
    finish: (failed = false) => {
      const shown = phase === "progress";
      cancelAll();
      if (!shown && !failed) {
        phase = "idle";
        return;
      }
      phase = "finishing";
      paint(100, failed);
      cancels.push(
        parts.after(() => {
          phase = "idle";
          paint(100, failed);
          cancels.push(parts.after(() => paint(0), LOADING_BAR.resetDelayMs));
        }, LOADING_BAR.hideDelayMs),
      );
    },
    stop: cancelAll,
  };
}
