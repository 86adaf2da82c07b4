// The fields of order forms. They show a form's values and report input; they validate nothing and are independent of
// products.
import type { TimezoneName } from "@clockwork/kit/constants";
import { DAY_MS, formatDateTime, HOUR_MS } from "@clockwork/kit/time";
import { timezoneLabel } from "@clockwork/kit/timezone";
import { AmountField } from "@clockwork/ui/amount-field";
import { Icon } from "@clockwork/ui/icon";
import { KeyCap } from "@clockwork/ui/pill";
import { PriceField } from "@clockwork/ui/price-field";
import { Segmented } from "@clockwork/ui/segmented";
import { PERCENT_STOPS, Slider } from "@clockwork/ui/slider";
import { type ReactNode, useId } from "react";
import { useProduct } from "#trade/product.ts";
import type { TradeSide } from "#trade/trade-order.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { exitDistance } from "./exits.ts";

/** A field of a form, spread into the input: `bind("price", text("price"))` of the form gives it. */
export interface FieldBinding {
  /** Found by it when the form puts the focus on what is wrong. */
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onBlur: () => void;
  readonly error: string | undefined;
  readonly placeholder?: string;
}

export function UnitText({ children }: { readonly children: ReactNode }) {
  return <span className="truncate">{children}</span>;
}

interface PriceInputProps {
  readonly field: FieldBinding;
  readonly tickSize: string;
  readonly unit: string;
  readonly size?: 32 | 40;
}

export function PriceInput({ field, tickSize, unit, size }: PriceInputProps) {
  return (
    <PriceField
      {...field}
      size={size}
      step={tickSize}
      unit={<UnitText>{unit}</UnitText>}
      // Next to a phone's book there is space for either the figure or the arrows.
      className="@max-[240px]:[&_.min-w-13]:min-w-9 @max-[240px]:[&_button]:hidden"
    />
  );
}

interface FigureInputProps {
  readonly field: FieldBinding;
  readonly places: number;
  readonly step?: string;
  readonly unit?: ReactNode;
}

/** A plain figure with a unit: an amount, per cent, minutes, a count. */
export function FigureInput({ field, places, step, unit }: FigureInputProps) {
  return (
    <AmountField
      {...field}
      labelInside
      rules={step === undefined ? { places } : { places, step }}
      {...(unit === undefined ? {} : { unit: typeof unit === "string" ? <UnitText>{unit}</UnitText> : unit })}
    />
  );
}

interface ShareSliderProps {
  readonly percent: number;
  readonly onPercent: (percent: number) => void;
  /** The available amount is missing. */
  readonly isDisabled: boolean;
}

export function ShareSlider({ percent, onPercent, isDisabled }: ShareSliderProps) {
  const text = useTradeText();
  return (
    <Slider
      label={text("share")}
      value={percent}
      onChange={onPercent}
      stops={PERCENT_STOPS}
      describe={(value) => `${value}%`}
      isDisabled={isDisabled}
      className="px-1 @max-[240px]:[&_div[aria-hidden]]:hidden"
    />
  );
}

interface SideSwitchProps {
  readonly side: TradeSide;
  readonly onSide: (side: TradeSide) => void;
}

export function SideSwitch({ side, onSide }: SideSwitchProps) {
  const text = useTradeText();
  const { sides } = useProduct();
  const nameOf = (id: TradeSide) => sides?.[id] ?? text(id);
  const segment = (id: TradeSide, key: string) => ({
    id,
    tone: id === "buy" ? ("up" as const) : ("down" as const),
    label: nameOf(id),
    title: (
      <>
        {nameOf(id)}{" "}
        <span aria-hidden="true" className="max-md:hidden">
          <KeyCap onFill={side === id}>{key}</KeyCap>
        </span>
      </>
    ),
  });
  return (
    <Segmented
      label={text("side")}
      wide
      size={36}
      value={side}
      onChange={(id) => onSide(id === "sell" ? "sell" : "buy")}
      segments={[segment("buy", "B"), segment("sell", "S")]}
    />
  );
}

interface ExitInputProps {
  readonly field: FieldBinding;
  /** The price from which the distance is computed. */
  readonly entry: string;
  readonly priceDecimals: number;
  readonly tickSize: string;
}

/** Take-profit or stop-loss with its distance from the entry. */
export function ExitInput({ field, entry, priceDecimals, tickSize }: ExitInputProps) {
  const distance = exitDistance(field.value, entry);
  const isUp = distance !== undefined && distance.units > 0n;
  const sign = distance === undefined || distance.units === 0n ? "" : isUp ? "+" : "−";
  const units = distance === undefined ? 0n : distance.units < 0n ? -distance.units : distance.units;
  const shown = distance === undefined ? "–" : `${sign}${units / 100n}.${String(units % 100n).padStart(2, "0")}%`;
  return (
    <div className="flex items-start gap-2">
      {/* The figure is at the edge: there is no unit to share it with. */}
      <div className="min-w-0 flex-1 [&_.min-w-13]:hidden">
        <AmountField {...field} size={32} labelInside rules={{ places: priceDecimals, step: tickSize }} />
      </div>
      <output
        className={`figures flex h-8 w-[88px] shrink-0 items-center justify-end rounded-control border border-line2 bg-surface px-2.5 font-medium text-label @max-[240px]:hidden ${distance === undefined || distance.units === 0n ? "text-muted" : isUp ? "text-up-text" : "text-down-text"}`}
      >
        {shown}
      </output>
    </div>
  );
}

const AHEAD = [
  ["1h", HOUR_MS],
  ["1d", DAY_MS],
  ["7d", 7 * DAY_MS],
  ["30d", 30 * DAY_MS],
] as const;

/** A moment, typed as "2026-11-16 14:00" in the user's time zone, or chosen by how far ahead it is. */
export function ExpiryInput({ field, zone }: { readonly field: FieldBinding; readonly zone: TimezoneName }) {
  const errorId = useId();
  const { error } = field;
  return (
    <div className="flex flex-col gap-1">
      <label
        className={`field-box h-10 bg-surface px-3 focus-within:border-accent focus-within:ring-1 focus-within:ring-accent ${error === undefined ? "" : "border-danger ring-1 ring-danger"}`}
      >
        <span className="shrink-0 text-label text-muted">{field.label}</span>
        <input
          type="text"
          name={field.name}
          value={field.value}
          placeholder="2026-11-16 14:00"
          autoComplete="off"
          onChange={(event) => field.onChange(event.target.value)}
          onBlur={field.onBlur}
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : errorId}
          className="figures min-w-0 flex-1 bg-transparent text-right text-text text-ui outline-none placeholder:text-faint"
        />
        <span className="shrink-0 text-label text-muted">{zone === "UTC0" ? "UTC" : timezoneLabel(zone)}</span>
      </label>
      <div className="flex gap-1">
        {AHEAD.map(([title, aheadMs]) => (
          <button
            key={title}
            type="button"
            className="flex-1 rounded-xs bg-hover py-0.5 text-label text-muted hover:text-text"
            onClick={() => field.onChange(formatDateTime(Date.now() + aheadMs, zone).slice(0, 16))}
          >
            +{title}
          </button>
        ))}
      </div>
      {error !== undefined && (
        <span id={errorId} className="flex items-start gap-1.5 text-danger text-label">
          <Icon name="warning" size={13} className="mt-[1.5px]" />
          {error}
        </span>
      )}
    </div>
  );
}
