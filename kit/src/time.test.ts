import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CANDLE_INTERVALS,
  candleStart,
  civilTime,
  countdownParts,
  DAY_MS,
  daysFromCivil,
  formatClock,
  formatCountdown,
  formatDate,
  formatDateTime,
  formatDuration,
  formatInstant,
  formatMinute,
  gmtOffsetText,
  nextCandleStart,
  parseDateTime,
} from "./time.ts";
import { readTimezone, timezoneOffsetMinutes, timezoneValue } from "./timezone.ts";

const instants = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2400, 0) });
const zones = fc.constantFrom("UTC0" as const, "UTC8" as const);

describe("time zone option", () => {
  test("[SITE-19] UTC0 is '0' and UTC8 is '1', anything else is UTC0", () => {
    expect(timezoneValue("UTC0")).toBe("0");
    expect(timezoneValue("UTC8")).toBe("1");
    expect(["0", "1", "UTC8", "UTC0", "9", undefined].map(readTimezone)).toEqual([
      "UTC0",
      "UTC8",
      "UTC8",
      "UTC0",
      "UTC0",
      "UTC0",
    ]);
    expect(timezoneOffsetMinutes("UTC8")).toBe(480);
  });

  test("[SITE-19] one instant reads eight hours later under UTC8", () => {
    const timeMs = Date.UTC(2026, 11, 31, 17, 5, 9);
    expect(formatDateTime(timeMs)).toBe("2026-12-31 17:05:09");
    expect(formatDateTime(timeMs, "UTC8")).toBe("2027-01-01 01:05:09");
    expect(formatDate(timeMs, "UTC8")).toBe("2027-01-01");
    expect(formatClock(timeMs, "UTC8")).toBe("01:05:09");
    expect(formatMinute(timeMs)).toBe("12-31 17:05");
  });

  test("[SITE-19] the calendar agrees with the platform's for every instant", () => {
    fc.assert(
      fc.property(instants, (timeMs) => {
        const date = new Date(timeMs);
        const civil = civilTime(timeMs);
        expect(formatInstant(timeMs)).toBe(date.toISOString());
        expect(civil.weekday % 7).toBe(date.getUTCDay());
        expect(daysFromCivil(civil.year, civil.month, civil.day)).toBe(Math.floor(timeMs / DAY_MS));
      }),
      { numRuns: 1_000 },
    );
  });

  test("[SITE-19] text parsed in a zone is the instant that was written in it", () => {
    fc.assert(
      fc.property(instants, zones, (timeMs, zone) => {
        const wholeSecondMs = Math.floor(timeMs / 1000) * 1000;
        expect(parseDateTime(formatDateTime(wholeSecondMs, zone), zone)).toBe(wholeSecondMs);
      }),
    );
    expect(parseDateTime("2026-02-28")).toBe(Date.UTC(2026, 1, 28));
    expect(parseDateTime("2026-02-28T10:20")).toBe(Date.UTC(2026, 1, 28, 10, 20));
    for (const text of ["2026-02-29", "2026-13-01", "2026-00-10", "2026-01-01 24:00", "2026-1-1", "", "x"]) {
      expect(parseDateTime(text)).toBeUndefined();
    }
  });

  test("[AUTH-10] the offset text counts east of Greenwich", () => {
    expect([0, 480, -300, 330, -210].map(gmtOffsetText)).toEqual([
      "GMT+00:00",
      "GMT+08:00",
      "GMT-05:00",
      "GMT+05:30",
      "GMT-03:30",
    ]);
  });
});

describe("durations", () => {
  test("[SITE-19] a countdown shows zero only at the end and never goes below it", () => {
    expect(countdownParts(1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 });
    expect(countdownParts(-5)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
    expect(formatCountdown(2 * DAY_MS + 3 * 3_600_000 + 4 * 60_000 + 5_000)).toBe("2d 03:04:05");
    expect(formatCountdown(3_599_001)).toBe("01:00:00");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 11 }), (leftMs) => {
        const { days, hours, minutes, seconds } = countdownParts(leftMs);
        const total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
        expect(total * 1000 - leftMs).toBeGreaterThanOrEqual(0);
        expect(total * 1000 - leftMs).toBeLessThan(1000);
        expect(hours < 24 && minutes < 60 && seconds < 60).toBe(true);
      }),
    );
  });

  test("[SITE-19] an elapsed time shows its two largest parts", () => {
    expect([0, 999, 6_000, 306_000, 300_000, 4 * 3_600_000 + 300_000, 3 * DAY_MS + 59_000].map(formatDuration)).toEqual(
      ["0s", "0s", "6s", "5m 6s", "5m", "4h 5m", "3d"],
    );
  });
});

describe("candles", () => {
  test("[SITE-19] days, weeks and months start on the zone's wall clock", () => {
    const timeMs = Date.UTC(2026, 10, 15, 17, 0); // a Sunday; already Monday in UTC8
    expect(formatInstant(candleStart(timeMs, "1d"))).toBe("2026-11-15T00:00:00.000Z");
    expect(formatInstant(candleStart(timeMs, "1d", "UTC8"))).toBe("2026-11-15T16:00:00.000Z");
    expect(formatInstant(candleStart(timeMs, "1w"))).toBe("2026-11-09T00:00:00.000Z");
    expect(formatInstant(candleStart(timeMs, "1w", "UTC8"))).toBe("2026-11-15T16:00:00.000Z");
    expect(formatInstant(candleStart(timeMs, "1M"))).toBe("2026-11-01T00:00:00.000Z");
    expect(formatInstant(nextCandleStart(Date.UTC(2026, 11, 31), "1M"))).toBe("2027-01-01T00:00:00.000Z");
    expect(formatInstant(nextCandleStart(Date.UTC(2024, 0, 31), "1M", "UTC8"))).toBe("2024-01-31T16:00:00.000Z");
  });

  test("[SITE-19] every instant is in exactly one candle and a candle's start belongs to it", () => {
    fc.assert(
      fc.property(instants, zones, fc.constantFrom(...CANDLE_INTERVALS), (timeMs, zone, interval) => {
        const start = candleStart(timeMs, interval, zone);
        const next = nextCandleStart(timeMs, interval, zone);
        expect(start <= timeMs && timeMs < next).toBe(true);
        expect(candleStart(start, interval, zone)).toBe(start);
        expect(candleStart(next - 1, interval, zone)).toBe(start);
        expect(candleStart(next, interval, zone)).toBe(next);
      }),
      { numRuns: 1_000 },
    );
  });
});
