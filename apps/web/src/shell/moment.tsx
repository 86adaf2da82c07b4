// A moment in lists and histories, in the time zone the visitor chose (SITE-19).
import { formatDateTime, formatMinute } from "@clockwork/kit/time";
import { useZone } from "#session/zone.ts";

/** 03-09 07:05 */
export function Minute({ at }: { readonly at: number }) {
  return formatMinute(at, useZone());
}

/** 2026-03-09 07:05:09 */
export function Moment({ at }: { readonly at: number }) {
  return formatDateTime(at, useZone());
}
