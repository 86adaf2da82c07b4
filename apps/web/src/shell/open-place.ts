// On a phone the sections form a row wider than the screen: the open one is scrolled into view.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

export function useOpenPlaceInSight() {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another place
  useEffect(() => {
    const open = row.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (row.current === null || open === null || open === undefined) return;
    row.current.scrollLeft = open.offsetLeft - (row.current.clientWidth - open.offsetWidth) / 2;
  }, [pathname]);
  return row;
}
