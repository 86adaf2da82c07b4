// Reports a press outside an element. Uses the press down, so a text selection that ends outside is not one.

import { type RefObject, useEffect, useRef } from "react";

export function useClickOutside(
  ref: RefObject<Element | null>,
  action: (event: PointerEvent) => void,
  isDisabled = false,
): void {
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  });
  useEffect(() => {
    if (isDisabled) return;
    const listen = (event: PointerEvent) => {
      const element = ref.current;
      if (element === null || event.composedPath().includes(element)) return;
      latest.current(event);
    };
    document.addEventListener("pointerdown", listen);
    return () => document.removeEventListener("pointerdown", listen);
  }, [ref, isDisabled]);
}
