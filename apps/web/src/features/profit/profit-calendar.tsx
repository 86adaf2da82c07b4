// Profit day by day as a month's calendar: the colour shows the amount, arrows mark days with transfers.
import type { ProfitDay } from "@clockwork/trading/profit/contract";
import { IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { cx } from "@clockwork/ui/logic/class-names";
import { HIDDEN_TEXT, useHiddenAmounts } from "#session/hidden-amounts.ts";
import { useWalletText } from "#words/wallet-text.ts";
import { daysIn, type Month, type MonthCell, showGain, stepMonth, sum, toneOf, weeksOf } from "./profit-model.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEK = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
/** Four depths of each colour. */
const UP = ["bg-up/10", "bg-up/18", "bg-up/26", "bg-up/36"];
const DOWN = ["bg-down/10", "bg-down/18", "bg-down/26", "bg-down/36"];

export interface CalendarProps {
  readonly days: readonly ProfitDay[];
  readonly month: Month;
  readonly todayMs: number;
  readonly onMonth: (month: Month) => void;
  /** Leaves the sums of weeks out. */
  readonly isSmall?: boolean;
}

export function ProfitCalendar({ days, month, todayMs, onMonth, isSmall = false }: CalendarProps) {
  const text = useWalletText();
  const own = daysIn(month, days);
  const total = sum(own.map(({ pnlUsdt }) => pnlUsdt));
  const largest = Math.max(1e-9, ...own.map(({ pnlUsdt }) => Math.abs(Number(pnlUsdt))));
  const { isHidden } = useHiddenAmounts();
  const step = (by: 1 | -1) => () => onMonth(stepMonth(month, by));
  const grid = isSmall ? "grid-cols-7" : "grid-cols-7 md:grid-cols-8";
  return (
    <Card
      title={text("profit.calendar")}
      aside={
        <span className="flex items-center gap-2 text-ui">
          <span className={`figures ${toneOf(total)}`}>{isHidden ? HIDDEN_TEXT : showGain(total)}</span>
          <IconButton icon="chevron-left" label={text("profit.monthBefore")} onPress={step(-1)} />
          <span className="figures font-medium">
            {MONTHS[month.month - 1]} {month.year}
          </span>
          <IconButton icon="chevron-right" label={text("profit.monthAfter")} onPress={step(1)} />
        </span>
      }
    >
      <div className={cx("grid gap-1 text-label", grid)}>
        {WEEK.map((name) => (
          <span key={name} className="px-1 pb-1 text-muted">
            {name}
          </span>
        ))}
        {!isSmall && <span className="px-1 pb-1 text-right text-muted max-md:hidden">{text("profit.week")}</span>}
        {weeksOf(month, days).map((week) => (
          <Week
            key={week.find((cell) => cell !== undefined)?.dayMs}
            week={week}
            largest={largest}
            todayMs={todayMs}
            isSmall={isSmall}
          />
        ))}
      </div>
      {!isSmall && (
        <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-label text-muted">
          <span className="inline-flex items-center gap-1">
            <Icon name="download" size={12} /> {text("profit.cameIn")}
          </span>
          <span className="inline-flex items-center gap-1">
            <Icon name="upload" size={12} /> {text("profit.wentOut")}
          </span>
          <span className="ml-auto">{text("profit.movesNote")}</span>
        </p>
      )}
    </Card>
  );
}

function Week(props: {
  readonly week: readonly (MonthCell | undefined)[];
  readonly largest: number;
  readonly todayMs: number;
  readonly isSmall: boolean;
}) {
  const { isHidden } = useHiddenAmounts();
  const total = sum(props.week.flatMap((cell) => cell?.day?.pnlUsdt ?? []));
  const hasDays = props.week.some((cell) => cell?.day !== undefined);
  return (
    <>
      {props.week.map((cell, at) =>
        cell === undefined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a week's empty places have nothing else.
          <span key={at} />
        ) : (
          <Cell
            key={cell.dayMs}
            cell={cell}
            largest={props.largest}
            isToday={cell.dayMs === props.todayMs}
            isSmall={props.isSmall}
          />
        ),
      )}
      {!props.isSmall && (
        <span className={`figures flex items-end justify-end pr-1 pb-1.5 max-md:hidden ${toneOf(total)}`}>
          {hasDays ? (isHidden ? HIDDEN_TEXT : showGain(total, 0)) : ""}
        </span>
      )}
    </>
  );
}

function Cell(props: {
  readonly cell: MonthCell;
  readonly largest: number;
  readonly isToday: boolean;
  readonly isSmall: boolean;
}) {
  const { day, date } = props.cell;
  const { isHidden } = useHiddenAmounts();
  const height = props.isSmall ? "h-11" : "h-[61px]";
  if (day === undefined) {
    return (
      <span className={`${height} rounded-control border border-line border-dashed px-2 py-1 text-muted`}>{date}</span>
    );
  }
  const gain = Number(day.pnlUsdt);
  const depth = Math.min(3, Math.floor((Math.abs(gain) / props.largest) * 4));
  const wash = gain === 0 ? "bg-hover" : (gain > 0 ? UP : DOWN)[depth];
  const moved = (text: string) => Number(text) > 0;
  return (
    <span
      className={cx(
        "flex min-w-0 flex-col justify-between rounded-control px-2 py-1 max-sm:px-1",
        height,
        wash,
        props.isToday && "outline outline-text",
      )}
    >
      <span className="flex items-center gap-0.5 text-muted">
        <span className="flex-1">{date}</span>
        {!props.isSmall && moved(day.inUsdt) && <Icon name="download" size={12} />}
        {!props.isSmall && moved(day.outUsdt) && <Icon name="upload" size={12} />}
      </span>
      <span className={`figures truncate text-right max-sm:text-axis ${toneOf(day.pnlUsdt)}`}>
        {isHidden ? "••••" : showGain(day.pnlUsdt, 0)}
      </span>
    </span>
  );
}
