// REST of the visit statistics for operators: totals per day, and every combination of labels with its campaign.
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { OPS_CALLS } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { OpsService } from "./service.ts";

const ROWS = 100;

export function opsConsoleRoutes(service: OpsService): readonly RouteSpec[] {
  return [
    serve(OPS_CALLS.totals, {
      tag: "ops",
      scope: { operator: "visits.read" },
      summary: "For operators: visits per day, event and source",
      handle: async ({ query: { from, to } }) => {
        const read = await service.readTotals({ fromDay: from, toDay: to });
        if (!read.done) return refuseBy(REFUSALS, read);
        return answer({
          totals: read.value.map(({ day, event, request_source, count }) => ({
            day,
            event,
            source: request_source,
            count: Number(count),
          })),
        });
      },
    }),
    serve(OPS_CALLS.rows, {
      tag: "ops",
      scope: { operator: "visits.read" },
      summary: "For operators: visits by event, source and campaign, most frequent first within a day",
      handle: async ({ query: { from, to, offset = 0 } }) => {
        const read = await service.readRows({ fromDay: from, toDay: to }, { offset, limit: ROWS });
        if (!read.done) return refuseBy(REFUSALS, read);
        return answer({
          rows: read.value.rows.map((row) => ({
            day: row.day,
            event: row.event,
            source: row.request_source,
            type: row.type,
            utmSource: row.utm_source,
            utmMedium: row.utm_medium,
            utmCampaign: row.utm_campaign,
            utmTerm: row.utm_term,
            utmContent: row.utm_content,
            utmId: row.utm_id,
            count: Number(row.count),
          })),
          nextOffset: read.value.nextOffset ?? null,
        });
      },
    }),
  ];
}
