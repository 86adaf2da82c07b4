// The layout size of an element; nothing before it was measured.
import { type RefObject, useEffect, useState } from "react";

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

export function useSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const next = { widthPx: Math.round(entry.contentRect.width), heightPx: Math.round(entry.contentRect.height) };
      setSize((now) => (now?.widthPx === next.widthPx && now.heightPx === next.heightPx ? now : next));
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
