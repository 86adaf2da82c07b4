// Users' debts after reorganisations, in the operators' console; nothing without debts.
import type { OwedList } from "@clockwork/custody/custody/contract";
import { formatCoins } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { Card } from "@clockwork/ui/card";
import { useConsoleText } from "#words/console-text.ts";

export function OwedCard({ owed }: { readonly owed: OwedList }) {
  const text = useConsoleText();
  if (owed.length === 0) return null;
  return (
    <Card title={text("outgoing.owed")}>
      <p className="mb-2 text-label text-muted">{text("outgoing.owedLead")}</p>
      <ul>
        {owed.map((one) => (
          <li
            key={`${one.user}:${one.asset}`}
            className="flex flex-wrap items-center gap-3 border-b border-line py-2 text-ui last:border-0"
          >
            <span className="w-32">{one.user}</span>
            <span className="figures min-w-40 flex-1 break-all">
              {formatCoins(one.owed)} {one.asset}
            </span>
            <span className="text-label text-muted">{formatDateTime(one.changedAtMs)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
