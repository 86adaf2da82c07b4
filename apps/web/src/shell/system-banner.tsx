// Shown on every page at once when all users are signed out or the exchange is in maintenance (the system-out flag).
import { Icon } from "@clockwork/ui/icon";
import { useGlobal } from "#boot/state.ts";
import { useSiteText } from "#words/site-text.ts";

export function SystemBanner() {
  const text = useSiteText();
  const out = useGlobal((state) => state.systemOut);
  if (!out) return null;
  return (
    <p role="alert" className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-[13px] text-warn">
      <Icon name="warning" />
      {text("system.out")}
    </p>
  );
}
