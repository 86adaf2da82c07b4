// On a phone places stand in a row that is wider than the screen: the open one is brought into sight.
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
