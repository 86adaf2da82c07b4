// One month as a grid, for a day or for a range. Weeks start on Monday; month names are in the reader's language.

import type { CalendarDate } from "@internationalized/date";
import type { ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import {
  Calendar as AriaCalendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
} from "react-aria-components/Calendar";
import { RangeCalendar as AriaRangeCalendar } from "react-aria-components/RangeCalendar";
import { Icon } from "./icon.tsx";
import type { IconName } from "./logic/icon-paths.ts";

const FIRST_DAY = "mon";

function Turn({ slot, icon }: { readonly slot: "previous" | "next"; readonly icon: IconName }) {
  return (
    <AriaButton
      slot={slot}
      className="flex size-8 items-center justify-center rounded-control text-muted hover:bg-hover hover:text-text data-disabled:text-faint dark:hover:bg-active"
    >
      <Icon name={icon} />
    </AriaButton>
  );
}

const DAY =
  "figures flex h-9 w-10 cursor-pointer items-center justify-center rounded-control text-text text-ui outline-offset-[-2px] hover:bg-active data-disabled:cursor-default data-outside-month:text-transparent data-disabled:text-faint data-unavailable:text-faint data-unavailable:line-through data-selected:bg-text data-selected:font-semibold data-selected:text-on-text data-outside-month:bg-transparent";

const RANGE_DAY =
  "figures flex h-9 w-10 cursor-pointer items-center justify-center text-text text-ui outline-offset-[-2px] hover:bg-active data-disabled:cursor-default data-outside-month:text-transparent data-disabled:text-faint data-selected:bg-active data-selection-end:rounded-r-control data-selection-start:rounded-l-control data-selection-end:bg-text data-selection-start:bg-text data-selection-end:font-semibold data-selection-start:font-semibold data-selection-end:text-on-text data-selection-start:text-on-text data-outside-month:bg-transparent";

function Month({ dayClass }: { readonly dayClass: string }): ReactNode {
  return (
    <>
      <header className="flex items-center justify-between pb-2">
        <Turn slot="previous" icon="chevron-left" />
        <Heading className="font-semibold text-text text-ui" />
        <Turn slot="next" icon="chevron-right" />
      </header>
      <CalendarGrid weekdayStyle="short" className="border-separate border-spacing-x-0 border-spacing-y-0.5">
        <CalendarGridHeader>
          {(day) => <CalendarHeaderCell className="h-7 font-normal text-label text-muted">{day}</CalendarHeaderCell>}
        </CalendarGridHeader>
        <CalendarGridBody>{(date) => <CalendarCell date={date} className={dayClass} />}</CalendarGridBody>
      </CalendarGrid>
    </>
  );
}

/** Inside a date picker it takes its value from there. */
export function Calendar({ label }: { readonly label?: string | undefined }) {
  return (
    <AriaCalendar<CalendarDate> firstDayOfWeek={FIRST_DAY} {...(label === undefined ? {} : { "aria-label": label })}>
      <Month dayClass={DAY} />
    </AriaCalendar>
  );
}

export function RangeCalendar({ label }: { readonly label?: string | undefined }) {
  return (
    <AriaRangeCalendar<CalendarDate>
      firstDayOfWeek={FIRST_DAY}
      {...(label === undefined ? {} : { "aria-label": label })}
    >
      <Month dayClass={RANGE_DAY} />
    </AriaRangeCalendar>
  );
}
