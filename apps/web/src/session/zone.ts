// The time zone the visitor chose (SITE-19), for formatting times and for its name next to them.
import type { TimezoneName } from "@clockwork/kit/constants";
import { readTimezone, timezoneLabel } from "@clockwork/kit/timezone";
import { useGlobal } from "#boot/state.ts";

export function useZone(): TimezoneName {
  return readTimezone(useGlobal((state) => state.timezone));
}

export function nameZone(zone: TimezoneName): string {
  return zone === "UTC0" ? "UTC" : timezoneLabel(zone);
}
