// Live examples of the date page: pickers, ranges, countdowns and the texts of time.

import { formatDateTime, formatDuration } from "@clockwork/kit/time";
import { useState } from "react";
import { Countdown, formatMinutesLeft } from "../countdown.tsx";
import { DateField, type DateRange, DateRangeField } from "../date-field.tsx";

/** One day, typed or picked. The value is ISO text. */
export function OneDay() {
  const [day, setDay] = useState<string | null>("2026-11-15");
  return (
    <DateField
      label="Settlement day"
      value={day}
      onChange={setDay}
      min="2026-01-01"
      max="2026-12-31"
      help={`Value: ${day ?? "none"}`}
      className="w-64 max-w-full"
    />
  );
}

const PRESETS = [
  { title: "Last 7 days", range: { start: "2026-11-09", end: "2026-11-15" } },
  { title: "Last 30 days", range: { start: "2026-10-17", end: "2026-11-15" } },
  { title: "This year", range: { start: "2026-01-01", end: "2026-11-15" } },
] as const;

/** A span of days with quick choices, as history and exports use it. */
export function SpanOfDays() {
  const [range, setRange] = useState<DateRange | null>({ start: "2026-11-01", end: "2026-11-15" });
  return (
    <DateRangeField
      label="Period"
      value={range}
      onChange={setRange}
      presets={PRESETS}
      max="2026-11-15"
      className="w-80 max-w-full"
    />
  );
}

const NOW_MS = Date.UTC(2026, 10, 15, 1, 12, 0);

/** The first render uses the page's own time, so server and browser agree; then it ticks. */
export function TimeLeft() {
  const [offsetMs] = useState(() => Date.now() - NOW_MS);
  const readNow = () => Date.now() - offsetMs;
  return (
    <dl className="grid w-72 max-w-full grid-cols-[1fr_auto] gap-y-1">
      <dt className="text-muted">Funding in</dt>
      <dd className="text-right">
        <Countdown untilMs={NOW_MS + 24_480_000} nowMs={NOW_MS} readNow={readNow} />
      </dd>
      <dt className="text-muted">New code in</dt>
      <dd className="text-right">
        <Countdown untilMs={NOW_MS + 42_000} nowMs={NOW_MS} readNow={readNow} format={formatMinutesLeft} />
      </dd>
    </dl>
  );
}

/** Times are told in the chosen zone, the same everywhere. */
export function TimeTexts() {
  return (
    <dl className="figures grid w-72 max-w-full grid-cols-[1fr_auto] gap-y-1">
      <dt className="text-muted">UTC+0</dt>
      <dd className="text-right">{formatDateTime(NOW_MS, "UTC0")}</dd>
      <dt className="text-muted">UTC+8</dt>
      <dd className="text-right">{formatDateTime(NOW_MS, "UTC8")}</dd>
      <dt className="text-muted">Elapsed</dt>
      <dd className="text-right">{formatDuration(5_460_000)}</dd>
    </dl>
  );
}
