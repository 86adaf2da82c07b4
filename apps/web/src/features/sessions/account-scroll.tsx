// A table that may be wider than a phone: it scrolls sideways in its own box, by keyboard too.
import type { ReactNode } from "react";

export function ScrollBox({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-xs">
      {children}
    </section>
  );
}
