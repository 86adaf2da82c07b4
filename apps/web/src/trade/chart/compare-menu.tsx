// The menu behind "Compare": another pair over the candles, or none; its list is no part of the first load.
import { Icon } from "@clockwork/ui/icon";
import { Suspense } from "react";
import { lazy } from "#boot/timeout.ts";
import { Drop } from "#trade/drop.tsx";
import { useProduct } from "#trade/product.ts";
import { useTerminalData } from "#trade/terminal-market.ts";
import { useTerminalText } from "#trade/terminal-text.ts";
import type { ChartSettings } from "./chart-settings.ts";

const CompareList = lazy(() => import("./compare-list.tsx").then((part) => ({ default: part.CompareList })));

export interface CompareMenuProps {
  readonly settings: ChartSettings;
  readonly change: (part: Partial<ChartSettings>) => void;
}

export function CompareMenu({ settings, change }: CompareMenuProps) {
  const text = useTerminalText();
  const { pair } = useTerminalData();
  const { words } = useProduct();
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
          {chosen !== null && <span className="chart-word"> {words.nameOf(chosen)}</span>}
        </>
      }
    >
      {(close) => (
        <Suspense fallback={<div className="h-60 w-[176px]" />}>
          <CompareList
            current={pair.pairCode}
            chosen={chosen}
            onChoose={(compare) => {
              change({ compare });
              close();
            }}
          />
        </Suspense>
      )}
    </Drop>
  );
}
