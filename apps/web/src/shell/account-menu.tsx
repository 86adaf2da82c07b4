// The panel under the avatar. Arrow keys go from place to place, Escape closes and gives the focus back, a press elsewhere
// and a focus that leaves close it. On narrow screens it fills the width below the header.
import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { useSiteText } from "#words/site-text.ts";
import { AccountPanel } from "./account-panel.tsx";

export interface AccountMenuProps {
  readonly id: string;
  readonly anchor: RefObject<HTMLElement | null>;
  /** Takes the focus back to the button. */
  readonly onDismiss: () => void;
  /** Leaves the focus where it went. */
  readonly onClose: () => void;
}

function moveFocus(panel: HTMLElement | null, key: string): void {
  const stops = [...(panel?.querySelectorAll<HTMLElement>("a, button") ?? [])];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at <= 0 ? stops.length - 1 : at - 1, Home: 0, End: stops.length - 1 }[key];
  if (next !== undefined) stops[next % stops.length]?.focus();
}

export function AccountMenu({ id, anchor, onDismiss, onClose }: AccountMenuProps) {
  const text = useSiteText();
  const panel = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  // The address changes a moment before the page does: a menu opened between the two belongs to the page that comes.
  const opened = useRef(window.location.pathname);
  const drawn = useRef(pathname);
  useEffect(() => {
    if (pathname !== drawn.current && pathname !== opened.current) onClose();
    drawn.current = pathname;
  }, [pathname, onClose]);
  useEffect(() => {
    panel.current?.focus();
    const onPointer = (event: PointerEvent) => {
      const target = event.target as Node;
      if (!panel.current?.contains(target) && !anchor.current?.contains(target)) onClose();
    };
    document.addEventListener("pointerdown", onPointer);
    return () => document.removeEventListener("pointerdown", onPointer);
  }, [anchor, onClose]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onDismiss();
    else if (["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) moveFocus(panel.current, event.key);
    else return;
    event.preventDefault();
  };
  const isInside = (target: Node | null) => panel.current?.contains(target) || anchor.current?.contains(target);
  return (
    <div
      ref={panel}
      id={id}
      role="dialog"
      aria-label={text("account.open")}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      // A press on bare ground takes the focus nowhere: that is no leaving.
      onBlur={(event) => event.relatedTarget !== null && !isInside(event.relatedTarget) && onClose()}
      className="z-popover overflow-y-auto overscroll-contain bg-raised p-2 text-text shadow-raised outline-none max-lg:fixed max-lg:inset-x-0 max-lg:top-14 max-lg:max-h-[calc(100dvh-3.5rem-64px-env(safe-area-inset-bottom))] max-lg:border-line max-lg:border-b lg:absolute lg:top-full lg:right-0 lg:mt-[22px] lg:max-h-[calc(100dvh-5.5rem)] lg:w-[340px] lg:rounded-card"
    >
      <AccountPanel onLeave={onClose} />
    </div>
  );
}
