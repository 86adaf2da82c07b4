// The pairs that can be drawn over the candles, asked for when the menu opens.
import type { Pair } from "@clockwork/domains/markets/api";
import { useEffect, useState } from "react";
import { fetchData, SPOT_API } from "#live/feeds/market-feeds.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import { ChoiceList } from "#trade/drop.tsx";
import { nameOf } from "#trade/market-words.ts";

const NONE = "none";

interface CompareListProps {
  readonly current: string;
  readonly chosen: string | null;
  readonly onChoose: (pairCode: string | null) => void;
}

export function CompareList({ current, chosen, onChoose }: CompareListProps) {
  const text = useTerminalText();
  const [pairs, setPairs] = useState<readonly Pair[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    fetchData(`${SPOT_API}/pairs`, abort.signal).then(
      (data) => Array.isArray(data) && setPairs(data as readonly Pair[]),
      () => undefined,
    );
    return () => abort.abort();
  }, []);
  const others = pairs.filter(({ pairCode }) => pairCode !== current);
  return (
    <div className="max-h-[320px] w-[176px] overflow-y-auto">
      <ChoiceList
        label={text("compare")}
        choices={[
          { id: NONE, title: text("compareNone") },
          ...others.map((pair) => ({ id: pair.pairCode, title: nameOf(pair) })),
        ]}
        selected={chosen ?? NONE}
        onChoose={(id) => onChoose(id === NONE ? null : id)}
      />
    </div>
  );
}
