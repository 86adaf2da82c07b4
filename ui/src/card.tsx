// A quiet box with a head, the unit most pages are made of.

import type { ReactNode } from "react";
import { cx } from "./logic/class-names.ts";

export interface CardProps {
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  /** Rows that bring their own padding reach the edges. */
  readonly flush?: boolean | undefined;
  readonly className?: string | undefined;
}

export function Card({ title, aside, children, flush, className }: CardProps) {
  return (
    <section className={cx("rounded-card border border-line bg-bg dark:bg-surface", !flush && "p-6", className)}>
      {(title !== undefined || aside !== undefined) && (
        <header className={cx("flex min-h-8 items-center justify-between gap-4", flush ? "px-6 pt-5 pb-3" : "pb-3")}>
          <h2 className="text-card text-text">{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
