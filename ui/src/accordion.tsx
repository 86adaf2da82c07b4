// Questions that open to their answers. Works before scripts arrive: plain details elements.

import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { cx } from "./logic/class-names.ts";

export interface AccordionItem {
  readonly id: string;
  readonly title: ReactNode;
  readonly content: ReactNode;
}

export interface AccordionProps {
  readonly items: readonly AccordionItem[];
  /** Opening one closes the others with this name. */
  readonly group?: string | undefined;
  readonly openId?: string | undefined;
  readonly className?: string | undefined;
}

export function Accordion({ items, group, openId, className }: AccordionProps) {
  return (
    <div className={cx("border-line border-t", className)}>
      {items.map((item) => (
        <details key={item.id} name={group} open={item.id === openId} className="group border-line border-b">
          <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-4 rounded-xs py-3 font-medium text-text text-ui [&::-webkit-details-marker]:hidden">
            {item.title}
            <Icon name="chevron-down" className="text-muted transition-transform duration-150 group-open:rotate-180" />
          </summary>
          <div className="pb-4 text-muted text-ui">{item.content}</div>
        </details>
      ))}
    </div>
  );
}
