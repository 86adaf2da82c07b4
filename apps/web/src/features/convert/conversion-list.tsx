// What was converted before, newest first: both amounts, the rate, and what is not in the ledger yet.
import { formatCoins } from "@clockwork/kit/format";
import type { Conversion } from "@clockwork/trading/convert/contract";
import { Card } from "@clockwork/ui/card";
import { EmptyState } from "@clockwork/ui/state";
import { Minute } from "#shell/moment.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { rateOf } from "./convert-model.ts";

export function ConversionList({ conversions }: { readonly conversions: readonly Conversion[] }) {
  const text = useWalletText();
  return (
    <Card title={text("convert.past")} className="mt-4" flush>
      {conversions.length === 0 ? (
        <EmptyState text={text("convert.none")} />
      ) : (
        <ul className="px-6 pb-3">
          {conversions.map((one) => (
            <li
              key={one.quoteId}
              className="figures flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-3 text-ui"
            >
              <span className="w-32 text-muted max-sm:w-full">
                <Minute at={one.timeMs} />
              </span>
              <span className="min-w-0 flex-1 font-medium">
                {formatCoins(one.amount)} {one.from} → {formatCoins(one.receives)} {one.to}
              </span>
              <span className="text-muted max-sm:w-full">
                {text("convert.rateOf", {
                  from: one.from,
                  rate: formatCoins(rateOf(one.amount, one.receives) ?? ""),
                  to: one.to,
                })}
              </span>
              {!one.isDone && <span className="text-muted">{text("convert.pending")}</span>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
