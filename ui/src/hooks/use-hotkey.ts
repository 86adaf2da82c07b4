// Runs an action on a key anywhere on the page. Ignores keys while the user types, unless configured otherwise.

import { useEffect, useRef } from "react";
import { matchesHotkey, readHotkey } from "../logic/hotkey.ts";

export interface HotkeyOptions {
  readonly isDisabled?: boolean | undefined;
  /** Also while a field has the focus; for Escape and combinations with Ctrl. */
  readonly whileTyping?: boolean | undefined;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

export function useHotkey(keys: string, action: (event: KeyboardEvent) => void, options: HotkeyOptions = {}): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  const { isDisabled = false, whileTyping = false } = options;
  useEffect(() => {
    if (isDisabled) return;
    const hotkeys = keys.split(" ").map(readHotkey);
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || (!whileTyping && isTyping(event.target))) return;
      if (!hotkeys.some((hotkey) => matchesHotkey(hotkey, event))) return;
      event.preventDefault();
      latest.current(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [keys, isDisabled, whileTyping]);
}
