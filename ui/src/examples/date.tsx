// Live examples of the date page: pickers, ranges, countdowns and the texts of time.
import { formatDateTime, formatDuration } from "@clockwork/kit/time";
import { useState } from "react";
import { Countdown, formatMinutesLeft } from "../countdown.tsx";
import { DateField, type DateRange, DateRangeField } from "../date-field.tsx";

/** One day. Typed part by part or picked from the calendar, within its bounds. */
export function OneDay() {
  const [day, setDay] = useState<string | null>("2026-11-15");
  const bounds = { min: "2026-01-01", max: "2026-12-31" };
  return <DateField label="Settlement day" value={day} onChange={setDay} {...bounds} className="w-64 max-w-full" />;
}

const PRESETS = [
  { title: "Last 7 days", range: { start: "2026-11-09", end: "2026-11-15" } },
  { title: "This year", range: { start: "2026-01-01", end: "2026-11-15" } },
];

/** A span of days. With quick choices, as history and exports use it. */
export function SpanOfDays() {
  const [range, setRange] = useState<DateRange | null>({ start: "2026-11-01", end: "2026-11-15" });
  const look = "w-80 max-w-full";
  return <DateRangeField label="Period" value={range} onChange={setRange} presets={PRESETS} className={look} />;
}

const NOW_MS = Date.UTC(2026, 10, 15, 1, 12, 0);

/** Time left. The first render uses the page's own time, so server and browser agree; then it ticks. */
export function TimeLeft() {
  const [offsetMs] = useState(() => Date.now() - NOW_MS);
  const clock = { nowMs: NOW_MS, readNow: () => Date.now() - offsetMs };
  return (
    <p>
      Funding in <Countdown untilMs={NOW_MS + 24_480_000} {...clock} />, a new code in{" "}
      <Countdown untilMs={NOW_MS + 42_000} {...clock} format={formatMinutesLeft} />
    </p>
  );
}

/** Times as text. One format for a moment, in the chosen zone, and one for a duration. */
export function TimeTexts() {
  const texts = [formatDateTime(NOW_MS, "UTC0"), formatDateTime(NOW_MS, "UTC8"), formatDuration(5_460_000)];
  return <p className="figures">{texts.join(", ")}</p>;
}
