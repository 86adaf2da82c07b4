// One part of the futures data page: a card with a title that can be linked to.
import { Card } from "@clockwork/ui/card";
import type { ReactNode } from "react";

export function Part({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <Card className="flex min-w-0 flex-col gap-3 p-5">
      <h2 id={id} className="scroll-mt-20 font-semibold text-card">
        {title}
      </h2>
      <div className="min-w-0 overflow-x-auto">{children}</div>
    </Card>
  );
}
