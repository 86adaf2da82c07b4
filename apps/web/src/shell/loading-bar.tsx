// Paints the navigation bar. Writes to its element directly: a bar that re-rendered React every frame would slow the
// very navigation it reports.
import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import type { LoadingBar as Machine } from "./loading-bar-model.ts";

export function LoadingBar() {
  const element = useRef<HTMLDivElement>(null);
  const machine = useRef<Machine>(undefined);
  const busy = useNavigation().state !== "idle";

  const was = useRef(false);
  useEffect(() => {
    const bar = element.current;
    if (bar === null) return;
    void import("./loading-bar-machine.ts").then(({ makeMachine }) => {
      if (!bar.isConnected) return;
      machine.current = makeMachine(bar);
      // A navigation that was quicker than this file is shown from here on.
      if (was.current) machine.current.start();
    });
    return () => machine.current?.stop();
  }, []);

  useEffect(() => {
    if (busy && !was.current) machine.current?.start();
    // What the navigation ended in is on the page by now.
    if (!busy && was.current) machine.current?.finish(document.querySelector("main[data-error]") !== null);
    was.current = busy;
  }, [busy]);

  return (
    <div
      ref={element}
      data-phase="idle"
      aria-hidden="true"
      className="pointer-events-none fixed inset-x-0 top-0 z-bar origin-left scale-x-0 bg-accent opacity-0 transition-opacity duration-300 data-[failed=true]:bg-danger data-[phase=finishing]:opacity-100 data-[phase=progress]:opacity-100"
    />
  );
}
