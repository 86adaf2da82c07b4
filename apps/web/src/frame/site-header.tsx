// The header above every page. Shows only products whose route exists; gives way inside a native shell.

import { Mark } from "./mark.tsx";
import { SiteLink } from "./site-link.tsx";
import { useGlobal } from "./state.ts";
import { useText } from "./text.ts";

export function SiteHeader() {
  const text = useText();
  const shell = useGlobal((state) => state.shell);
  if (shell !== undefined) return null;
  return (
    <header className="sticky top-0 z-header flex h-14 items-center border-line border-b bg-header px-4 md:h-16 md:px-8">
      <SiteLink to="/" className="flex items-center gap-2.5 font-semibold text-[18px] tracking-[-0.02em]">
        <Mark className="size-6" />
        {text("site.name")}
      </SiteLink>
    </header>
  );
}
