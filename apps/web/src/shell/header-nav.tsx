// The products in the header. Hydrates after the page: until then its links are plain links and hovering opens its
// panels.
import { useEffect, useRef } from "react";
import { HeaderMenu } from "./header-menu.tsx";
import { listMenu } from "./menu.ts";

const menu = listMenu();

export function HeaderNav() {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (list.current !== null) list.current.dataset.awake = "1";
  }, []);
  return (
    <ul ref={list} className="group/nav flex h-full">
      {menu.map((group) => (
        <HeaderMenu key={group.title} group={group} />
      ))}
    </ul>
  );
}
