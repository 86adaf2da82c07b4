// One part of the futures data page: a card with a title that can be linked to.
import type { TimezoneName } from "@clockwork/kit/constants";
import { readTimezone } from "@clockwork/kit/timezone";
import { Card } from "@clockwork/ui/card";
import type { ReactNode } from "react";
import { useGlobal } from "#boot/state.ts";

/** The time zone the visitor chose. */
export function useZone(): TimezoneName {
  return readTimezone(useGlobal((state) => state.timezone));
}

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
