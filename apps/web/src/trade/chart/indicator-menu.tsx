// The menu of studies on and below the chart; its list is no part of the first load.
import { Suspense } from "react";
import { lazy } from "#boot/timeout.ts";
import { Drop } from "#trade/drop.tsx";
import { useTerminalText } from "#trade/terminal-text.ts";
import type { ChartSettings } from "./chart-settings.ts";

const IndicatorList = lazy(() => import("./indicator-list.tsx").then((part) => ({ default: part.IndicatorList })));

export interface IndicatorMenuProps {
  readonly settings: ChartSettings;
  readonly change: (part: Partial<ChartSettings>) => void;
  /** The sign alone, for phones. */
  readonly isShort?: boolean;
}

function FunctionSign() {
  return (
    <span aria-hidden="true" className="font-serif text-[15px] italic leading-none">
      fx
    </span>
  );
}

export function IndicatorMenu({ settings, change, isShort = false }: IndicatorMenuProps) {
  const text = useTerminalText();
  return (
    <Drop
      label={text("indicators")}
      {...(isShort ? { buttonLabel: `fx ${text("indicators")}` } : {})}
      buttonClass={isShort ? "t-icon" : "t-interval flex items-center gap-1.5 text-text!"}
      button={
        <>
          <FunctionSign />
          {!isShort && <span className="chart-word">{text("indicators")}</span>}
        </>
      }
    >
      {() => (
        <Suspense fallback={<div className="h-60 w-[296px]" />}>
          <IndicatorList settings={settings} change={change} />
        </Suspense>
      )}
    </Drop>
  );
}
