// An alert by closed candles: which indicator, on which candles, with which figures, and which way it should cross.
import type { AlertBody, Indicator } from "@clockwork/trading/alerts/contract";
import { Button } from "@clockwork/ui/button";
import { Segmented } from "@clockwork/ui/segmented";
import { Select } from "@clockwork/ui/select";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useTerminalText } from "#trade/terminal-text.ts";

const INTERVALS = ["5m", "15m", "1h", "4h", "1d"] as const;
type Name = Indicator["name"];
type Choice = Pick<AlertBody, "indicator" | "direction">;

interface IndicatorFormProps {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onAdd: (choice: Choice) => void;
}

const FIRST = { rsi: ["14", "70"], ma: ["7", "25"] } as const;

export function IndicatorForm({ isBusy, problem, onAdd }: IndicatorFormProps) {
  const text = useTerminalText();
  const [name, setName] = useState<Name>("rsi");
  const [interval, setInterval] = useState<Indicator["interval"]>("1h");
  const [figures, setFigures] = useState<readonly [string, string]>(FIRST.rsi);
  const [direction, setDirection] = useState<"rises" | "falls">("rises");
  const [first, second] = figures.map(Number);
  const isWhole = [first, second].every((figure) => Number.isInteger(figure) && (figure ?? 0) > 0);
  const choose = (next: string) => {
    setName(next === "ma" ? "ma" : "rsi");
    setFigures(next === "ma" ? FIRST.ma : FIRST.rsi);
  };
  const send = () => {
    const [one = 0, two = 0] = [first, second];
    const indicator: Indicator =
      name === "rsi" ? { name, interval, period: one, level: two } : { name, interval, fast: one, slow: two };
    onAdd({ indicator, direction });
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole && !isBusy) send();
      }}
    >
      <div className="grid grid-cols-2 gap-2">
        <Select
          label={text("indicator")}
          size={32}
          options={(["rsi", "ma"] as const).map((id) => ({ id, title: text(`indicator.${id}`) }))}
          value={name}
          onChange={choose}
        />
        <Select
          label={text("indicator.candles")}
          size={32}
          options={INTERVALS.map((id) => ({ id, title: id }))}
          value={interval}
          onChange={(id) => setInterval(INTERVALS.find((one) => one === id) ?? "1h")}
        />
        <TextField
          label={text(name === "rsi" ? "indicator.period" : "indicator.fast")}
          size={32}
          inputMode="numeric"
          value={figures[0]}
          onChange={(value) => setFigures([value, figures[1]])}
        />
        <TextField
          label={text(name === "rsi" ? "indicator.level" : "indicator.slow")}
          size={32}
          inputMode="numeric"
          value={figures[1]}
          onChange={(value) => setFigures([figures[0], value])}
        />
      </div>
      <Segmented
        label={text("indicator.way")}
        segments={(["rises", "falls"] as const).map((id) => ({ id, title: text(`indicator.${id}`) }))}
        wide
        value={direction}
        onChange={(id) => setDirection(id === "falls" ? "falls" : "rises")}
      />
      {problem !== undefined && (
        <p role="alert" className="text-danger text-label">
          {problem}
        </p>
      )}
      <Button type="submit" kind="primary" size={40} wide busy={isBusy} isDisabled={!isWhole}>
        {text("alertSet")}
      </Button>
    </form>
  );
}
