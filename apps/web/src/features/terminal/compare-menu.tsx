// The menu behind "Compare": another pair over the candles, or none. The list is asked for when the menu is opened.
import type { Pair } from "@clockwork/domains/markets/api";
import { Icon } from "@clockwork/ui/icon";
import { useEffect, useState } from "react";
import { useTerminalText } from "#frame/terminal-text.ts";
import { fetchData, SPOT_API } from "#live/market-feeds.ts";
import type { ChartSettings } from "./chart-settings.ts";
import { ChoiceList, Drop } from "./drop.tsx";
import { nameOf } from "./market-words.ts";
import { useTerminalData } from "./terminal-market.ts";

export interface CompareMenuProps {
  readonly settings: ChartSettings;
  readonly change: (part: Partial<ChartSettings>) => void;
}

const NONE = "none";

export function CompareMenu({ settings, change }: CompareMenuProps) {
  const text = useTerminalText();
  const { pair } = useTerminalData();
  const chosen = settings.compare === pair.pairCode ? null : settings.compare;
  return (
    <Drop
      label={text("compare")}
      kind="menu"
      buttonClass="t-interval flex items-center gap-1.5 text-text!"
      button={
        <>
          <Icon name="compare" size={16} />
          <span className={chosen === null ? "chart-word" : "sr-only"}>{text("compare")}</span>
          {chosen !== null && <span className="chart-word"> {chosen.replace("_", "/")}</span>}
        </>
      }
    >
      {(close) => (
        <CompareChoices
          current={pair.pairCode}
          chosen={chosen}
          onChoose={(id) => {
            change({ compare: id === NONE ? null : id });
            close();
          }}
        />
      )}
    </Drop>
  );
}

interface CompareChoicesProps {
  readonly current: string;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

function CompareChoices({ current, chosen, onChoose }: CompareChoicesProps) {
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
        onChoose={onChoose}
      />
    </div>
  );
}
