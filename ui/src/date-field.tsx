// A day, or a span of days, typed or picked. Values are ISO texts ("2026-11-15"); no clock and no zone in here.

import { type CalendarDate, parseDate } from "@internationalized/date";
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { DatePicker as AriaDatePicker, DateInput, DateSegment, Group } from "react-aria-components/DatePicker";
import { DateRangePicker as AriaDateRangePicker } from "react-aria-components/DateRangePicker";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { I18nProvider, useLocale } from "react-aria-components/I18nProvider";
import { Popover as AriaPopover } from "react-aria-components/Popover";
import { Calendar, RangeCalendar } from "./calendar.tsx";
import { FieldHelp, FieldLabel, type FieldSize, type FieldTexts, fieldBoxClass } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { useLabels } from "./locale.tsx";
import { cx } from "./logic/class-names.ts";
import { given } from "./logic/given.ts";
import { POPOVER_CLASS } from "./popover.tsx";

interface DateLimits extends FieldTexts {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly size?: FieldSize | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly className?: string | undefined;
}

export interface DateFieldProps extends DateLimits {
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

export interface DateRange {
  readonly start: string;
  readonly end: string;
}

export interface DateRangeFieldProps extends DateLimits {
  readonly value: DateRange | null;
  readonly onChange: (value: DateRange | null) => void;
  /** Quick choices next to the calendar: "Last 7 days". */
  readonly presets?: ReadonlyArray<{ readonly title: string; readonly range: DateRange }> | undefined;
}

/** A text that is no day is no day: never an error thrown at the reader. */
function readDay(text: string | null | undefined): CalendarDate | null {
  if (text === null || text === undefined || text === "") return null;
  try {
    return parseDate(text);
  } catch {
    return null;
  }
}

function limitsOf(props: DateLimits) {
  return given({
    minValue: readDay(props.min) ?? undefined,
    maxValue: readDay(props.max) ?? undefined,
    isDisabled: props.isDisabled,
  });
}

/** Day and month in the wrong order cost money: English readers get year-month-day, as all tables and exports have. */
function DayLocale({ children }: { readonly children: ReactNode }) {
  const { locale } = useLocale();
  return <I18nProvider locale={locale.startsWith("en") ? "en-CA" : locale}>{children}</I18nProvider>;
}

function Segments({ slot }: { readonly slot?: "start" | "end" }) {
  return (
    <DateInput {...given({ slot })} className="figures flex min-w-0 items-center text-ui">
      {(segment) => (
        <DateSegment
          segment={segment}
          className="rounded-xs px-px text-text outline-none data-[type=literal]:px-0 data-placeholder:text-muted data-[type=literal]:text-muted data-[type=literal]:normal-nums data-focused:bg-accent-solid data-focused:text-on-accent-solid data-disabled:text-faint"
        />
      )}
    </DateInput>
  );
}

function OpenButton() {
  const labels = useLabels();
  return (
    <AriaButton
      aria-label={labels.openCalendar}
      className="-mr-1 ml-auto flex size-7 shrink-0 items-center justify-center rounded-control text-muted hover:text-text data-disabled:text-faint"
    >
      <Icon name="calendar" />
    </AriaButton>
  );
}

export function DateField(props: DateFieldProps) {
  return (
    <DayLocale>
      <AriaDatePicker
        value={readDay(props.value)}
        onChange={(date: CalendarDate | null) => props.onChange(date?.toString() ?? null)}
        isInvalid={props.error !== undefined}
        shouldForceLeadingZeros
        {...limitsOf(props)}
        className={cx("flex flex-col gap-1", props.className)}
      >
        <FieldLabel {...props} />
        <Group className={fieldBoxClass(props.size)}>
          <Segments />
          <OpenButton />
        </Group>
        <FieldHelp {...props} />
        <AriaPopover offset={4} className={cx(POPOVER_CLASS, "rounded-card p-3")}>
          <AriaDialog className="outline-none">
            <Calendar />
          </AriaDialog>
        </AriaPopover>
      </AriaDatePicker>
    </DayLocale>
  );
}

function Presets({
  presets,
  onChange,
  close,
}: {
  readonly presets: NonNullable<DateRangeFieldProps["presets"]>;
  readonly onChange: DateRangeFieldProps["onChange"];
  readonly close: () => void;
}) {
  return (
    <div className="flex w-36 flex-col border-line border-r pr-2">
      {presets.map((preset) => (
        <AriaButton
          key={preset.title}
          onPress={() => {
            onChange(preset.range);
            close();
          }}
          className="flex h-9 items-center rounded-control px-2 text-left text-text text-ui hover:bg-active"
        >
          {preset.title}
        </AriaButton>
      ))}
    </div>
  );
}

export function DateRangeField(props: DateRangeFieldProps) {
  const { value, onChange, presets } = props;
  const start = readDay(value?.start);
  const end = readDay(value?.end);
  return (
    <DayLocale>
      <AriaDateRangePicker
        value={start && end ? { start, end } : null}
        onChange={(range: { start: CalendarDate; end: CalendarDate } | null) =>
          onChange(range && { start: range.start.toString(), end: range.end.toString() })
        }
        isInvalid={props.error !== undefined}
        shouldForceLeadingZeros
        {...limitsOf(props)}
        className={cx("flex flex-col gap-1", props.className)}
      >
        <FieldLabel {...props} />
        <Group className={fieldBoxClass(props.size)}>
          <Segments slot="start" />
          <span aria-hidden="true" className="text-muted">
            –
          </span>
          <Segments slot="end" />
          <OpenButton />
        </Group>
        <FieldHelp {...props} />
        <AriaPopover offset={4} className={cx(POPOVER_CLASS, "rounded-card p-3")}>
          <AriaDialog className="flex gap-2 outline-none">
            {({ close }) => (
              <>
                {presets && <Presets presets={presets} onChange={onChange} close={close} />}
                <div>
                  <RangeCalendar />
                </div>
              </>
            )}
          </AriaDialog>
        </AriaPopover>
      </AriaDateRangePicker>
    </DayLocale>
  );
}
