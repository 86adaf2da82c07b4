// What is behind the chart's gear: its scale and what is drawn on it; no part of the first load.

import { ChoiceList } from "#trade/drop.tsx";
import { useTerminalText } from "#trade/terminal-text.ts";
import { CHART_SCALES, type ChartScale, type ChartSettings } from "./chart-settings.ts";

const SCALE_NAMES = { normal: "normalScale", percentage: "percentScale", logarithm: "logScale" } as const;

export interface ChartOptionsProps {
  readonly settings: ChartSettings;
  readonly change: (part: Partial<ChartSettings>) => void;
}

export function ChartOptions({ settings, change }: ChartOptionsProps) {
  const text = useTerminalText();
  const flags = [
    ["grid", text("gridLines")],
    ["countdown", text("countdown")],
    ["highLow", text("highLow")],
    ["orders", text("showOrders")],
    ["fills", text("showFills")],
  ] as const;
  return (
    <div className="flex w-[208px] flex-col gap-1 p-3">
      <p className="text-muted">{text("scale")}</p>
      <ChoiceList
        label={text("scale")}
        choices={CHART_SCALES.map((id) => ({ id, title: text(SCALE_NAMES[id]) }))}
        selected={settings.scale}
        onChoose={(id) => change({ scale: id as ChartScale })}
      />
      {flags.map(([name, title]) => (
        <label key={name} className="flex h-7 items-center gap-2 px-2">
          <input
            type="checkbox"
            className="t-check"
            checked={settings[name]}
            onChange={(event) => change({ [name]: event.target.checked })}
          />
          {title}
        </label>
      ))}
    </div>
  );
}
