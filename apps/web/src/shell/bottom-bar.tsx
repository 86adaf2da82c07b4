// The bar at the bottom of narrow screens. Shown when there is more than one place to go to.
import { Icon } from "@clockwork/ui/icon";
import { useLocation } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { useSiteText } from "#words/site-text.ts";
import { listBar } from "./menu.ts";

const items = listBar();

export function BottomBar() {
  const text = useSiteText();
  const sitePath = useSitePath();
  const { pathname } = useLocation();
  if (items.length === 0) return null;
  return (
    <nav
      aria-label={text("bar.label")}
      className="sticky bottom-0 z-header flex h-16 shrink-0 border-line border-t bg-header pb-[env(safe-area-inset-bottom)] lg:hidden"
    >
      {items.map((item) => {
        const path = sitePath(item.path);
        const here = item.path === "/" ? pathname === path : pathname.startsWith(path);
        return (
          <SiteLink
            key={item.path}
            to={item.path}
            aria-current={here ? "page" : undefined}
            className="flex flex-1 flex-col items-center justify-center gap-1 text-axis text-muted aria-[current=page]:text-accent"
          >
            <Icon name={item.icon} size={20} />
            {text(item.title)}
          </SiteLink>
        );
      })}
    </nav>
  );
}
