// Pure rules of the ops slice: which row an event counts into, and how many different rows a day may have. Must never
// let invented labels from outside grow the table without bound.
import { createHash } from "node:crypto";
import { DAY_MS, formatDate } from "@clockwork/kit/time";
import type { RequestSource, StatisticsQuery } from "./contract.ts";

/** The labels events are counted by. An absent one is empty text, so that it compares like any other. */
export interface StatisticsLabels {
  readonly day: string;
  readonly event: string;
  readonly request_source: RequestSource;
  readonly type: string;
  readonly utm_source: string;
  readonly utm_medium: string;
  readonly utm_campaign: string;
  readonly utm_term: string;
  readonly utm_content: string;
  readonly utm_id: string;
}

/** Past this many rows in a day, new combinations lose their campaign labels. */
export const DAY_ROWS_SOFT_MAX = 10_000;
/** Past this many, new events lose their names too; the count itself is never lost. */
export const DAY_ROWS_HARD_MAX = 20_000;
export const RETENTION_DAYS = 400;
/** Replaces labels that were dropped. Parentheses are not in the alphabet of events, so no label can imitate it. */
export const FOLDED = "(other)";

export function labelEvent(query: StatisticsQuery, timeMs: number): StatisticsLabels {
  return {
    day: formatDate(timeMs),
    event: query.event,
    request_source: query.request_source,
    type: query.type ?? "",
    utm_source: cleanUtm(query.utm_source),
    utm_medium: cleanUtm(query.utm_medium),
    utm_campaign: cleanUtm(query.utm_campaign),
    utm_term: cleanUtm(query.utm_term),
    utm_content: cleanUtm(query.utm_content),
    utm_id: cleanUtm(query.utm_id),
  };
}

function cleanUtm(value: string | undefined): string {
  // One spelling per label: links are copied with stray spaces and in either Unicode form.
  return (value ?? "").normalize("NFC").trim();
}

/** The labels a new row may still have when the day already has this many rows. */
export function foldLabels(labels: StatisticsLabels, dayRows: number): StatisticsLabels {
  if (dayRows < DAY_ROWS_SOFT_MAX) return labels;
  const utm = { utm_source: FOLDED, utm_medium: "", utm_campaign: "", utm_term: "", utm_content: "", utm_id: "" };
  if (dayRows < DAY_ROWS_HARD_MAX) return { ...labels, ...utm };
  return { ...labels, ...utm, event: FOLDED, type: "" };
}

export function keyOf(labels: StatisticsLabels): string {
  const parts = [
    labels.day,
    labels.event,
    labels.request_source,
    labels.type,
    labels.utm_source,
    labels.utm_medium,
    labels.utm_campaign,
    labels.utm_term,
    labels.utm_content,
    labels.utm_id,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

export function oldestKeptDay(timeMs: number): string {
  return formatDate(timeMs - RETENTION_DAYS * DAY_MS);
}
