// The instruments that can be drawn over the candles, requested when the menu opens.
import { useEffect, useState } from "react";
import { ChoiceList } from "#trade/drop.tsx";
import { type TradeInstrument, useProduct } from "#trade/product.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

const NONE = "none";

interface CompareListProps {
  readonly current: string;
  readonly chosen: string | null;
  readonly onChoose: (pairCode: string | null) => void;
}

export function CompareList({ current, chosen, onChoose }: CompareListProps) {
  const text = useTerminalText();
  const { listInstruments, words } = useProduct();
  const [pairs, setPairs] = useState<readonly TradeInstrument[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    listInstruments(abort.signal).then(setPairs, () => undefined);
    return () => abort.abort();
  }, [listInstruments]);
  const others = pairs.filter(({ pairCode }) => pairCode !== current);
  return (
    <div className="max-h-[320px] w-[176px] overflow-y-auto">
      <ChoiceList
        label={text("compare")}
        choices={[
          { id: NONE, title: text("compareNone") },
          ...others.map(({ pairCode }) => ({ id: pairCode, title: words.nameOf(pairCode) })),
        ]}
        selected={chosen ?? NONE}
        onChoose={(id) => onChoose(id === NONE ? null : id)}
      />
    </div>
  );
}
