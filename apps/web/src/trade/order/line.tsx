// One line of a list of facts: a name and its figure.
import { formatPercent } from "@clockwork/kit/format";
import type { ReactNode } from "react";

interface LineProps {
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly strong?: boolean;
}

export function Line({ label, value, strong = false }: LineProps) {
  return (
    <div className="flex min-h-5 items-baseline justify-between gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className={`figures whitespace-nowrap text-right ${strong ? "font-semibold" : "font-medium"} text-text`}>
        {value}
      </dd>
    </div>
  );
}

/** "0.001" → "0.100%". */
export function writeRate(rate: string): string {
  return formatPercent(rate, { decimals: 3 });
}
