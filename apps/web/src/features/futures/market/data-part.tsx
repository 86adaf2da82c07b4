// One part of the futures data page: a card with a title that can be linked to.
import { Card } from "@clockwork/ui/card";
import type { ReactNode } from "react";

/**
 * Rows of tables: figures to the right, and where a table scrolls sideways its first column is fixed, as its row is.
 */
const ROW =
  "*:h-8 *:whitespace-nowrap *:pl-3 *:text-right [&>*:first-child]:sticky [&>*:first-child]:left-0 [&>*:first-child]:bg-inherit [&>*:first-child]:pl-0 [&>*:first-child]:text-left";
export const HEAD_ROW = `${ROW} *:font-normal`;
export const BODY_ROW = `${ROW} border-line border-t`;
/** The background of rows on a card. */
export const CARD_ROW = "bg-bg dark:bg-surface";

export function Part({
  id,
  title,
  aside,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Card className="flex min-w-0 flex-col gap-3 p-5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h2 id={id} className="scroll-mt-20 font-semibold text-card">
          {title}
        </h2>
        {aside !== undefined && <span className="text-label text-muted">{aside}</span>}
      </div>
      <div className="min-w-0 overflow-x-auto">{children}</div>
    </Card>
  );
}
