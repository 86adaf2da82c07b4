// Paints the navigation bar. Writes to its element directly: a bar that re-rendered React every frame would slow the
// very navigation it reports.
import { LOADING_BAR } from "@clockwork/kit/constants";
import { useEffect, useRef } from "react";
import { useMatches, useNavigation } from "react-router";
import { createLoadingBar, type LoadingBar as Machine } from "./loading-bar-model.ts";

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

function makeMachine(element: HTMLElement): Machine {
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

export function LoadingBar() {
  const element = useRef<HTMLDivElement>(null);
  const machine = useRef<Machine>(undefined);
  const busy = useNavigation().state !== "idle";
  const failed = useMatches().at(-1)?.id.endsWith("/not-found") ?? false;

  useEffect(() => {
    if (element.current === null) return;
    machine.current = makeMachine(element.current);
    return () => machine.current?.stop();
  }, []);

  const was = useRef(false);
  useEffect(() => {
    if (busy && !was.current) machine.current?.start();
    if (!busy && was.current) machine.current?.finish(failed);
    was.current = busy;
  }, [busy, failed]);

  return (
    <div
      ref={element}
      data-phase="idle"
      aria-hidden="true"
      className="pointer-events-none fixed inset-x-0 top-0 z-bar origin-left scale-x-0 bg-accent opacity-0 transition-opacity duration-300 data-[failed=true]:bg-danger data-[phase=finishing]:opacity-100 data-[phase=progress]:opacity-100"
    />
  );
}
