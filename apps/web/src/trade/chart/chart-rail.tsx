// The rail of drawing tools at the chart's left edge. One tool is in the hand at a time; the cross puts it back.
import { Icon } from "@clockwork/ui/icon";
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import { type FormEvent, type ReactNode, useState } from "react";
import { ChoiceDrop, Drop } from "#trade/drop.tsx";
import { useTerminalText } from "#trade/terminal-text.ts";
import type { ToolName } from "./chart-figures.ts";
import type { LiveChart } from "./chart-hook.ts";
import { NOTE_MAX } from "./chart-settings.ts";

/** Drawings the icon set has no sign for, on the same 16 px grid. */
const SIGNS: Readonly<Partial<Record<ToolName, string>>> = {
  rayLine: "M3 13L13.500 2.500M3 13m-1.200 0a1.200 1.200 0 1 0 2.400 0a1.200 1.200 0 1 0-2.400 0M10 2.500h3.500V6",
  straightLine: "M2 14L14 2M5.500 10.500m-1.200 0a1.200 1.200 0 1 0 2.400 0a1.200 1.200 0 1 0-2.400 0",
  horizontalStraightLine:
    "M1.500 8h4.800M9.700 8h4.800M8 8m-1.700 0a1.700 1.700 0 1 0 3.400 0a1.700 1.700 0 1 0-3.400 0",
  verticalStraightLine: "M8 1.500v4.800M8 9.700v4.800M8 8m-1.700 0a1.700 1.700 0 1 0 3.400 0a1.700 1.700 0 1 0-3.400 0",
  parallelStraightLine: "M2 10L10 2M6 14l8-8",
  rectangle: "M2.500 4h11v8h-11z",
  fibonacciLine: "M2 3h12M2 6.300h12M2 9.700h12M2 13h12",
  measure: "M8 2v12M5.500 4.500L8 2l2.500 2.500M5.500 11.500L8 14l2.500-2.500M2 8h2M12 8h2",
  arrow: "M3 13L13 3M7 3h6v6",
  brush: "M2.500 12.500c2-5 3.500-7 5-6s-1 4 .5 5 3.500-3 5.500-7",
  note: "M3 3.500h10M8 3.500v9.500M6 13h4",
  priceLine: "M2 8h7M11 5.500h3v5h-3l-2-2.500z",
};

/** Behind the first button; the rail has no room for every line. */
const LINES: readonly ToolName[] = ["segment", "rayLine", "straightLine", "arrow", "verticalStraightLine", "priceLine"];
const TOOLS: readonly ToolName[] = [
  "horizontalStraightLine",
  "parallelStraightLine",
  "rectangle",
  "fibonacciLine",
  "brush",
  "measure",
];

export interface ChartRailProps {
  readonly chart: LiveChart;
  readonly tool: string;
  readonly onTool: (tool: string) => void;
}

function ToolIcon({ tool }: { readonly tool: ToolName }) {
  const sign = SIGNS[tool];
  if (sign === undefined) return <Icon name="line" />;
  return (
    <svg
      width={16}
      height={16}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.35}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={sign} />
    </svg>
  );
}

export function ChartRail({ chart, tool, onTool }: ChartRailProps) {
  const text = useTerminalText();
  const { engine } = chart;
  const take = (name: ToolName) => {
    engine?.board.start(name);
    onTool(name);
  };
  return (
    <div role="toolbar" aria-label={text("drawing")} aria-orientation="vertical" className="chart-rail">
      <RailButton
        label={text("tool.cursor")}
        isPressed={tool === "cursor"}
        onPress={() => {
          engine?.board.cancel();
          onTool("cursor");
        }}
      >
        <Icon name="crosshair" />
      </RailButton>
      <ChoiceDrop
        label={text("tool.lines")}
        buttonLabel={text("tool.lines")}
        buttonClass={
          LINES.some((name) => name === tool) ? "t-icon chart-more bg-accent-soft text-accent" : "t-icon chart-more"
        }
        button={<ToolIcon tool={LINES.find((name) => name === tool) ?? "segment"} />}
        choices={LINES.map((name) => ({ id: name, title: text(`tool.${name}`) }))}
        onChoose={(id) => take(id as ToolName)}
      />
      {TOOLS.map((name) => (
        <RailButton key={name} label={text(`tool.${name}`)} isPressed={tool === name} onPress={() => take(name)}>
          <ToolIcon tool={name} />
        </RailButton>
      ))}
      <NoteTool chart={chart} isPressed={tool === "note"} onTool={onTool} />
      <span aria-hidden="true" className="mx-auto my-1 h-px w-5 bg-line" />
      <Switches chart={chart} />
    </div>
  );
}

interface RailButtonProps {
  readonly label: string;
  readonly isPressed?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function RailButton({ label, isPressed, onPress, children }: RailButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      className="t-icon"
      onClick={onPress}
    >
      {children}
    </button>
  );
}

/** A note needs its words before its place. */
function NoteTool({
  chart,
  isPressed,
  onTool,
}: {
  chart: LiveChart;
  isPressed: boolean;
  onTool: (tool: string) => void;
}) {
  const text = useTerminalText();
  const [words, setWords] = useState("");
  return (
    <Drop
      label={text("tool.note")}
      buttonLabel={text("tool.note")}
      buttonClass={isPressed ? "t-icon bg-accent-soft text-accent" : "t-icon"}
      button={<ToolIcon tool="note" />}
    >
      {(close) => {
        const onSubmit = (event: FormEvent) => {
          event.preventDefault();
          if (words.trim() === "") return;
          close();
          chart.engine?.board.start("note", words.trim());
          onTool("note");
          setWords("");
        };
        return (
          <form onSubmit={onSubmit} className="flex gap-2 p-3">
            <input
              aria-label={text("noteText")}
              placeholder={text("noteText")}
              maxLength={NOTE_MAX}
              value={words}
              onChange={(event) => setWords(event.target.value)}
              className="t-input w-[200px]"
            />
            <button type="submit" className="t-button" disabled={words.trim() === ""}>
              {text("apply")}
            </button>
          </form>
        );
      }}
    </Drop>
  );
}

const SWITCHES = [
  ["magnet", "magnet"],
  ["lock", "lock"],
  ["hide", "eye-off"],
] as const satisfies readonly (readonly [string, IconName])[];

function Switches({ chart }: { readonly chart: LiveChart }) {
  const text = useTerminalText();
  const [on, setOn] = useState({ magnet: false, lock: false, hide: false });
  const flip = (name: keyof typeof on) => {
    const isOn = !on[name];
    setOn({ ...on, [name]: isOn });
    const board = chart.engine?.board;
    if (name === "magnet") board?.setMagnet(isOn);
    else if (name === "lock") board?.setLocked(isOn);
    else board?.setHidden(isOn);
  };
  return (
    <>
      {SWITCHES.map(([name, icon]) => (
        <RailButton key={name} label={text(`tool.${name}`)} isPressed={on[name]} onPress={() => flip(name)}>
          <Icon name={icon} />
        </RailButton>
      ))}
      <RailButton label={text("tool.remove")} onPress={() => chart.engine?.board.removeAll()}>
        <Icon name="trash" />
      </RailButton>
    </>
  );
}
