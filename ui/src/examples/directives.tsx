// Live examples of the hooks that stand in place of directives: touch, long press, outside press, device, hotkeys.

import { useRef, useState } from "react";
import { Button } from "../button.tsx";
import { useClickOutside } from "../hooks/use-click-outside.ts";
import { useDevice } from "../hooks/use-device.ts";
import { useHotkey } from "../hooks/use-hotkey.ts";
import { useLongPress } from "../hooks/use-long-press.ts";
import { useTouch } from "../hooks/use-touch.ts";
import { KeyCap } from "../pill.tsx";

/** Tap, long tap, hold, swipe and drag, told apart by the product's tolerances. */
export function TouchPad() {
  const [said, setSaid] = useState("Tap, hold or swipe here");
  const touch = useTouch({
    onTap: () => setSaid("Tap"),
    onLongTap: () => setSaid("Long tap"),
    onHold: () => setSaid("Hold"),
    onSwipe: (direction, distancePx) => setSaid(`Swipe ${direction}, ${Math.round(distancePx)} px`),
    onDrag: (xPx, yPx) => setSaid(`Drag ${Math.round(xPx)}, ${Math.round(yPx)}`),
  });
  return (
    <div
      {...touch}
      className="flex h-32 w-80 max-w-full touch-none select-none items-center justify-center rounded-card border border-line2 bg-surface"
    >
      <span role="status" className="figures">
        {said}
      </span>
    </div>
  );
}

/** Fires after 400 ms while the finger is still down; the click that follows is swallowed. */
export function LongPress() {
  const [count, setCount] = useState(0);
  const press = useLongPress(() => setCount((now) => now + 1));
  return (
    <button type="button" {...press} className="h-10 rounded-control border border-line2 bg-raised px-4 font-semibold">
      Hold me <span className="figures text-muted">{count}</span>
    </button>
  );
}

/** A panel that closes when a press lands outside it. */
export function PressOutside() {
  const [isOpen, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  useClickOutside(panel, () => setOpen(false), !isOpen);
  return (
    <div ref={panel} className="flex w-72 max-w-full flex-col gap-2">
      <Button onPress={() => setOpen(true)}>Open</Button>
      {isOpen && <div className="rounded-control bg-raised p-4 shadow-raised">Press anywhere else.</div>}
    </div>
  );
}

/** Refreshed 50 ms after a resize; the first render is what the server guessed. */
export function DeviceFacts() {
  const device = useDevice();
  return (
    <span>
      This is a <b>{device.width}</b> view {device.isTouch ? "with touch" : "with a pointer"}.
    </span>
  );
}

/** Keys work anywhere on the page, but never while a person types. */
export function Hotkeys() {
  const [last, setLast] = useState("none yet");
  useHotkey("b", () => setLast("B, buy"));
  useHotkey("s", () => setLast("S, sell"));
  return (
    <span>
      Press <KeyCap>B</KeyCap> or <KeyCap>S</KeyCap>: <span role="status">{last}</span>
    </span>
  );
}
