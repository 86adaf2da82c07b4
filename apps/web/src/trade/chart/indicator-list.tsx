// The list inside the menu of studies: what is on and below the chart, with its parameters. Fetched when first opened.
import { Icon } from "@clockwork/ui/icon";
import { type FormEvent, useState } from "react";
import { useTerminalText } from "#trade/terminal-text.ts";
import {
  type ChartSettings,
  checkParams,
  INDICATORS,
  type IndicatorChoice,
  type IndicatorKind,
} from "./chart-settings.ts";

export interface IndicatorListProps {
  readonly settings: ChartSettings;
  readonly change: (part: Partial<ChartSettings>) => void;
}

export function IndicatorList({ settings, change }: IndicatorListProps) {
  const text = useTerminalText();
  return (
    <div className="flex w-[296px] flex-col gap-3 p-3">
      {(["main", "below"] as const).map((place) => (
        <section key={place} aria-label={text(place === "main" ? "onChart" : "belowChart")}>
          <h3 className="mb-1 text-muted">{text(place === "main" ? "onChart" : "belowChart")}</h3>
          <ul className="flex flex-col">
            {INDICATORS.filter((kind) => kind.place === place).map((kind) => (
              <IndicatorRow key={kind.name} kind={kind} settings={settings} change={change} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface IndicatorRowProps extends IndicatorListProps {
  readonly kind: IndicatorKind;
}

function IndicatorRow({ kind, settings, change }: IndicatorRowProps) {
  const text = useTerminalText();
  const chosen = settings.indicators.find(({ name }) => name === kind.name);
  const others = settings.indicators.filter(({ name }) => name !== kind.name);
  const replace = (choice: IndicatorChoice) =>
    change({ indicators: settings.indicators.map((entry) => (entry.name === kind.name ? choice : entry)) });
  const name = kind.name;
  return (
    <li className="flex min-h-7 items-center gap-2">
      <label className="flex flex-1 items-center gap-2">
        <input
          type="checkbox"
          className="t-check"
          checked={chosen !== undefined}
          onChange={() =>
            change({ indicators: chosen === undefined ? [...others, { name, params: kind.params }] : others })
          }
          aria-label={text(chosen === undefined ? "addIndicator" : "removeIndicator", { name })}
        />
        {name}
      </label>
      {chosen !== undefined && kind.params.length > 0 && (
        <Parameters kind={kind} params={chosen.params} onChange={(params) => replace({ name, params })} />
      )}
    </li>
  );
}

interface ParametersProps {
  readonly kind: IndicatorKind;
  readonly params: readonly number[];
  readonly onChange: (params: readonly number[]) => void;
}

function Parameters({ kind, params, onChange }: ParametersProps) {
  const text = useTerminalText();
  const [typed, setTyped] = useState(params.join(", "));
  const read = typed
    .split(/[,\s]+/)
    .filter(Boolean)
    .map(Number);
  const good = checkParams(kind, read);
  const isChanged = good !== undefined && good.join() !== params.join();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (good !== undefined) onChange(good);
  };
  return (
    <form onSubmit={onSubmit} className="flex items-center gap-1">
      <input
        aria-label={text("parameters", { name: kind.name })}
        aria-invalid={good === undefined}
        inputMode="numeric"
        maxLength={24}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => isChanged && onChange(good)}
        className="t-input figures h-6! w-[104px] text-right aria-invalid:border-danger"
      />
      <button type="submit" aria-label={text("apply")} className="t-icon size-6" disabled={!isChanged}>
        <Icon name="check" size={14} />
      </button>
    </form>
  );
}
