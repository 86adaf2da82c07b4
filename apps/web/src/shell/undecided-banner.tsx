// Shown while the exchange cannot be reached and it is unknown whether the visitor is still signed in.
import { Icon } from "@clockwork/ui/icon";
import { useSiteText } from "#words/site-text.ts";

export function UndecidedBanner() {
  const text = useSiteText();
  return (
    <p role="alert" className="flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-[13px] text-warn">
      <Icon name="warning" />
      {text("system.unreachable")}
    </p>
  );
}
