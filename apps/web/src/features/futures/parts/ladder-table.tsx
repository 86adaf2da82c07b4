// The ladder of a contract: how large a position may be at which leverage, and what margin must be maintained.

import { groupThousands, trimZeros } from "@clockwork/kit/decimal";
import { formatPercent } from "@clockwork/kit/format";
import type { LadderStep } from "@clockwork/trading/markets/contract";
import { useFuturesText } from "../model/futures-text.ts";

interface LadderTableProps {
  readonly ladder: readonly LadderStep[];
  readonly asset: string;
  /** Steps this leverage cannot reach are toned down. */
  readonly leverage?: number;
  /** The tier of the user's own position. */
  readonly yours?: number | undefined;
}

function plain(text: string): string {
  return groupThousands(text.includes(".") ? trimZeros(text) : text);
}

export function LadderTable({ ladder, asset, leverage, yours }: LadderTableProps) {
  const text = useFuturesText();
  return (
    <table className="figures w-full text-label">
      <thead className="text-muted">
        <tr className="*:h-6 *:pl-2 *:text-right *:font-normal [&>*:first-child]:pl-0 [&>*:first-child]:text-left">
          <th scope="col">{text("leverage.tier")}</th>
          <th scope="col">{text("leverage.upTo", { asset })}</th>
          <th scope="col">{text("leverage.max")}</th>
          <th scope="col">{text("leverage.maintenance")}</th>
          <th scope="col">{text("leverage.deduction")}</th>
        </tr>
      </thead>
      <tbody>
        {ladder.map((step) => {
          const isOut = leverage !== undefined && step.maxLeverage < leverage;
          return (
            <tr
              key={step.tier}
              className={`*:h-[22px] *:pl-2 *:text-right [&>*:first-child]:text-left ${yours === step.tier ? "" : "[&>*:first-child]:pl-0"} ${isOut ? "text-muted" : ""} ${yours === step.tier ? "bg-active font-medium shadow-[inset_2px_0_0_var(--accent)] [&>*:first-child]:pl-2" : ""}`}
            >
              <td>
                {step.tier} {yours === step.tier && <span className="text-muted">{text("leverage.yours")}</span>}
              </td>
              <td>{plain(step.maxNotional)}</td>
              <td>{step.maxLeverage}×</td>
              <td>{formatPercent(step.maintenanceRate, { decimals: 2 })}</td>
              <td>{plain(step.deduction)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
