// A slider with diamond stops: drags by single steps, settles on a stop when near, jumps with Page keys. Neutral.

import type { KeyboardEvent } from "react";
import { Label } from "react-aria-components/Label";
import { Slider as AriaSlider, SliderFill, SliderThumb, SliderTrack } from "react-aria-components/Slider";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";
import { nextStop, snapToStop } from "./logic/slider-stops.ts";

export interface SliderStop {
  readonly value: number;
  readonly label?: string | undefined;
}

export interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly onChangeEnd?: ((value: number) => void) | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | undefined;
  readonly stops?: readonly SliderStop[] | undefined;
  /** Text of the bubble and for screen readers, such as "62%". */
  readonly describe?: ((value: number) => string) | undefined;
  /** Keeps the bubble visible, not only while dragging. */
  readonly bubble?: "always" | "dragging" | "never" | undefined;
  /** Something is divided between two: both parts are coloured. */
  readonly isSplit?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly className?: string | undefined;
}

export const PERCENT_STOPS: readonly SliderStop[] = [0, 25, 50, 75, 100].map((value) => ({
  value,
  label: value === 0 ? "0" : `${value}%`,
}));

const SNAP_STEPS = 1;
const LINE = { rest: "h-0.5 bg-line-strong", fill: "h-0.5! bg-text before:h-0.5 before:bg-text" };
const SPLIT = { rest: "h-1 bg-m5", fill: "h-1! bg-m1 before:h-1 before:rounded-l-full before:bg-m1" };

function shareOf(value: number, min: number, max: number): number {
  return max > min ? (value - min) / (max - min) : 0;
}

interface StopsProps {
  readonly stops: readonly SliderStop[];
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly onPick: (value: number) => void;
}

function Diamonds({ stops, value, min, max }: Omit<StopsProps, "onPick">) {
  return stops.map((stop) => (
    <span
      key={stop.value}
      style={{ left: `${shareOf(stop.value, min, max) * 100}%` }}
      className={cx(
        "pointer-events-none absolute top-1/2 size-2 -translate-x-1/2 -translate-y-1/2 rotate-45 border",
        stop.value <= value ? "border-text bg-text" : "border-line-strong bg-bg",
      )}
    />
  ));
}

function StopLabels({ stops, value, min, max, onPick }: StopsProps) {
  return (
    <div className="relative mx-1.5 h-4" aria-hidden="true">
      {stops.map((stop, index) => (
        <button
          key={stop.value}
          type="button"
          tabIndex={-1}
          onClick={() => onPick(stop.value)}
          style={{ left: `${shareOf(stop.value, min, max) * 100}%` }}
          className={cx(
            "figures absolute text-axis hover:text-text",
            index === 0 ? "-ml-1.5" : index === stops.length - 1 ? "ml-1.5 -translate-x-full" : "-translate-x-1/2",
            stop.value === value ? "font-semibold text-text" : "text-muted",
          )}
        >
          {stop.label}
        </button>
      ))}
    </div>
  );
}

function Bubble({ text, always }: { readonly text: string; readonly always: boolean }) {
  return (
    <span
      className={cx(
        "figures pointer-events-none absolute bottom-[calc(100%+9px)] left-1/2 -translate-x-1/2 whitespace-nowrap rounded-[4px] bg-tooltip px-2 py-1 text-label text-on-tooltip after:absolute after:top-full after:left-1/2 after:-translate-x-1/2 after:border-[5px] after:border-transparent after:border-t-tooltip",
        !always && "hidden group-data-dragging:block group-data-focus-visible:block",
      )}
    >
      {text}
    </span>
  );
}

export function Slider(props: SliderProps) {
  const { label, value, onChange, onChangeEnd, min = 0, max = 100, step = 1, stops = [], describe, isDisabled } = props;
  const values = stops.map((stop) => stop.value);
  const text = describe ? describe(value) : String(value);
  const choose = (next: number) => {
    // Keys move one step at a time and must be able to leave a stop; only longer moves settle on one.
    onChange(Math.abs(next - value) > step * SNAP_STEPS ? snapToStop(next, values, step * SNAP_STEPS) : next);
  };
  const jump = (event: KeyboardEvent) => {
    if (stops.length === 0 || (event.key !== "PageUp" && event.key !== "PageDown")) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(nextStop(value, values, event.key === "PageUp" ? 1 : -1));
  };
  const { bubble = "dragging", isSplit = false } = props;
  return (
    <div role="presentation" onKeyDownCapture={jump} className={props.className}>
      <AriaSlider
        value={value}
        onChange={choose}
        minValue={min}
        maxValue={max}
        step={step}
        {...given({ onChangeEnd, isDisabled })}
        className="flex flex-col"
      >
        <Label className="sr-only">{label}</Label>
        <SliderTrack className="relative mx-1.5 h-5 cursor-pointer data-disabled:cursor-not-allowed data-disabled:opacity-50">
          <span
            className={cx(
              "absolute -inset-x-1.5 top-1/2 -translate-y-1/2 rounded-full",
              isSplit ? SPLIT.rest : LINE.rest,
            )}
          />
          <SliderFill
            className={cx(
              "absolute top-1/2! -translate-y-1/2 before:absolute before:-left-1.5 before:w-1.5",
              isSplit ? SPLIT.fill : LINE.fill,
            )}
          />
          <Diamonds stops={stops} value={value} min={min} max={max} />
          <SliderThumb
            aria-valuetext={text}
            className="group top-1/2 size-3.5 rounded-full border-[3px] border-text bg-bg outline-none data-dragging:ring-4 data-dragging:ring-accent-soft data-focus-visible:ring-2 data-focus-visible:ring-accent data-focus-visible:ring-offset-2 data-focus-visible:ring-offset-bg"
          >
            {bubble !== "never" && <Bubble text={text} always={bubble === "always"} />}
          </SliderThumb>
        </SliderTrack>
        {stops.some((stop) => stop.label !== undefined) && (
          <StopLabels stops={stops} value={value} min={min} max={max} onPick={onChange} />
        )}
      </AriaSlider>
    </div>
  );
}
