// The count of a settlement's samples; pressed, it lists them.

import { groupThousands } from "@clockwork/kit/decimal";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import { type ReactNode, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useFuturesText } from "../model/futures-text.ts";

const SamplesDialog = latePart(async () => (await import("./samples-dialog.tsx")).SamplesDialog);

interface SamplesButtonProps {
  readonly pair: ContractInfo;
  readonly settlementMs: number;
  readonly isComing?: boolean;
  readonly children: ReactNode;
}

export function SamplesButton({ pair, settlementMs, isComing = false, children }: SamplesButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="rounded-xs underline underline-offset-2" onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && (
        <SamplesDialog pair={pair} settlementMs={settlementMs} isComing={isComing} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

interface SampleCountProps {
  readonly pair: ContractInfo;
  readonly entry: { readonly timeMs: number; readonly samples: number; readonly isGenerated: boolean };
}

/** What was made for the time before the market opened has a count and no list. */
export function SampleCount({ pair, entry }: SampleCountProps) {
  const text = useFuturesText();
  const count = groupThousands(String(entry.samples));
  if (entry.isGenerated || entry.samples === 0) {
    return <span {...(entry.isGenerated ? { title: text("data.generated") } : {})}>{count}</span>;
  }
  return (
    <SamplesButton pair={pair} settlementMs={entry.timeMs}>
      {count}
    </SamplesButton>
  );
}
