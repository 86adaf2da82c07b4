// Every offered zone has the same clock as in browsers.
import { timezoneLabel, timezoneValue } from "@clockwork/kit/timezone";
import { TIMEZONES } from "@clockwork/kit/timezone-list";
import { expect, test } from "vitest";
import { candleZone, clockText, zoneId, zoneName } from "./clock-text.ts";

const NOON_MS = Date.UTC(2026, 6, 16, 12, 34, 56);

test("[SITE-19] every zone's clock equals the browser's under its name, and its label contains the offset", () => {
  expect(TIMEZONES.length).toBe(35);
  for (const zone of TIMEZONES) {
    const value = timezoneValue(zone);
    const options = {
      timeZone: zoneId(value),
      hourCycle: "h23",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    } as const;
    expect(clockText(NOON_MS, value), timezoneLabel(zone)).toBe(
      new Intl.DateTimeFormat("en-GB", options).format(NOON_MS),
    );
  }
  expect([zoneName("0"), zoneName("1"), zoneName("m330"), zoneName("m-300")]).toEqual([
    "UTC",
    "UTC+8",
    "UTC+5:30",
    "UTC-5",
  ]);
  expect([candleZone("m-300"), candleZone("m330")]).toEqual(["m-300", "0"]);
});
