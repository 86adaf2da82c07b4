// Reports what users do to the product's own statistics, and where they came from.
// Only when logged in; never waits, never fails a screen, never sends more than its fixed fields.
import type { Fields } from "@clockwork/kit/endpoint";
import type { RequestClient } from "./request.ts";

export const UTM_FIELDS = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "utm_id"] as const;
export type UtmField = (typeof UTM_FIELDS)[number];
export type Utm = Partial<Record<UtmField, string>>;

export const STATISTICS_PATH = "/open/activity/statistics";
/** As much as the server takes. */
const UTM_LENGTH_MAX = 128;

/** The campaign fields of a page's query; the first of each counts, anything else is dropped. */
export function parseUtm(search: string): Utm {
  const query = new URLSearchParams(search);
  const utm: Utm = {};
  for (const field of UTM_FIELDS) {
    const value = query.get(field)?.trim();
    if (value !== undefined && value !== "") utm[field] = value.slice(0, UTM_LENGTH_MAX);
  }
  return utm;
}

export interface StatisticsParts {
  readonly request: Pick<RequestClient, "get">;
  readonly isLoggedIn: () => boolean;
  readonly isMobile: () => boolean;
  readonly utm: () => Utm;
}

export type ReportEvent = (event: string, type: string) => void;

export function createStatistics(parts: StatisticsParts): ReportEvent {
  return (event, type) => {
    if (!parts.isLoggedIn()) return;
    const fields: Fields = { event, request_source: parts.isMobile() ? "H5" : "PC", type, ...parts.utm() };
    // Fire and forget: a lost report must not redirect to login.
    void parts.request.get(STATISTICS_PATH, fields, { anonymous: true });
  };
}
