// Live examples of the hooks that replace directives: touch, long press, outside press, device, hotkeys.
import { useRef, useState } from "react";
import { Button } from "../button.tsx";
import { useClickOutside } from "../hooks/use-click-outside.ts";
import { useDevice } from "../hooks/use-device.ts";
import { useHotkey } from "../hooks/use-hotkey.ts";
import { useLongPress } from "../hooks/use-long-press.ts";
import { useTouch } from "../hooks/use-touch.ts";
import { KeyCap } from "../pill.tsx";

/** Touch. A tap may wander 10 px, a swipe needs 30, a hold 400 ms; drags report at most every 100 ms. */
export function TouchPad() {
  const [reply, setReply] = useState("Tap, hold or swipe here");
  const touch = useTouch({
    onTap: () => setReply("Tap"),
    onLongTap: () => setReply("Long tap"),
    onHold: () => setReply("Hold"),
    onSwipe: (direction, distancePx) => setReply(`Swipe ${direction}, ${Math.round(distancePx)} px`),
    onDrag: (xPx, yPx) => setReply(`Drag ${Math.round(xPx)}, ${Math.round(yPx)}`),
  });
  return (
    <div {...touch} className="w-80 max-w-full touch-none select-none rounded-card bg-surface p-10">
      <span role="status">{reply}</span>
    </div>
  );
}

/** Long press. Fires while the finger is still down; the click that follows is swallowed. */
export function LongPress() {
  const [count, setCount] = useState(0);
  const press = useLongPress(() => setCount((now) => now + 1));
  return (
    <button type="button" {...press} className="h-10 rounded-control border border-line2 bg-raised px-4 font-semibold">
      Hold me <span className="figures text-muted">{count}</span>
    </button>
  );
}

/** Press outside. For whatever closes when attention goes elsewhere. */
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

/** Device. Refreshed 50 ms after a resize; the first render is what the server guessed. */
export function DeviceFacts() {
  const { width, isTouch } = useDevice();
  return <span>{`This is a ${width} view ${isTouch ? "with touch" : "with a pointer"}.`}</span>;
}

/** Hotkeys. Keys that work anywhere on the page, but never while a person types. */
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
