// One part of the futures data page: a card with a title that can be linked to.
import { Card } from "@clockwork/ui/card";
import type { ReactNode } from "react";

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
      <h2 id={id} className="flex scroll-mt-20 items-baseline justify-between gap-3 font-semibold text-card">
        {title}
        {aside !== undefined && <span className="font-normal text-label text-muted">{aside}</span>}
      </h2>
      <div className="min-w-0 overflow-x-auto">{children}</div>
    </Card>
  );
}
